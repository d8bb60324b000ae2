//! The solver: sweep after sweep over all positions until none changes any more.
//!
//! A sweep goes through the positions by the pips of both sides together, from few to many. Without a hit a
//! play leads to fewer pips, so whatever happens without one is worked out by the first sweep, and each later one
//! carries the values over one more hit. Positions with equally many pips are worked out side by side: what they
//! read of each other (after a roll that cannot be played, or a hit) is from the sweep before, so the result
//! depends neither on threads nor on chance.
//!
//! Four equities are improved together: without a cube, with it in the middle, on the side of the player on roll, and
//! on the other side; each with the plays that are best for itself. The chances of gammons and backgammons follow
//! the plays that are best without a cube.
//!
//! Against one opponent all that a side can come to lies in one row of the table, and a hit leads to one of seven
//! others: what is read again and again stays in the processor's own caches.

use super::numbering::{BAR, Sides};
use super::turns::Turns;
use crate::bearoff::{blank, body, body_mut, decide};
use crate::dice::Roll;
use crate::parallel::{Cancelled, Lookout};

/// Equities have settled when no position's change by more than this in a sweep.
pub const CLOSE_ENOUGH: f64 = 1e-12;

/// Chances have settled when none changes by more than this many steps of 2^-32 in a sweep.
pub const CHANCE_UNITS: u32 = 16;

/// Plays whose equities are this close count as equal; the one that leads to the side of the lower number is taken.
pub const EQUAL: f64 = 1e-10;

/// One in the steps that chances are kept in.
const ONE: f64 = 4_294_967_296.0;

/// What the player who has just moved looks at: cubeless; and with best decisions, cube centred, owned by
/// the one on roll, owned by the other.
pub(super) type Four = [f64; 4];

/// Chances of gammons and backgammons, won and lost, in steps of 2^-32 (and one less for certainty).
pub(super) type Chances = [u32; 4];

/// A chance from its steps.
pub(super) fn chance(steps: u32) -> f64 {
    if steps == u32::MAX { 1.0 } else { f64::from(steps) / ONE }
}

/// Opponents a block: a millisecond or two of work.
const BLOCK: usize = 32;

/// Bytes a position has in the table, where chances are kept while they are being worked out.
pub(super) const CELL: usize = 32;

/// All positions while they are being solved.
pub(super) struct Solver {
    pub(super) sides: Sides,
    turns: Turns,
    /// Points of a side's checkers (bit `p` for point `p`).
    points: Vec<u32>,
    /// By the number of the roller's side times how many sides there are, plus that of the opponent's.
    pub(super) four: Vec<Four>,
    /// The table to be, with room for what follows the positions: of each its chances, and its equities without
    /// doubling this turn, cube centred and owned by the roller.
    pub(super) bytes: Vec<u8>,
}

/// What the most changed position of a sweep changed by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub(super) equity: f64,
    pub(super) chance: u32,
}

impl Change {
    fn is_settled(self) -> bool {
        self.equity <= CLOSE_ENOUGH && self.chance <= CHANCE_UNITS
    }

    fn with(self, other: Change) -> Change {
        Change { equity: self.equity.max(other.equity), chance: self.chance.max(other.chance) }
    }
}

/// A position just worked out.
pub(super) struct Solved {
    cell: u32,
    pub(super) four: Four,
    pub(super) chances: Chances,
    waiting: [f32; 2],
}

/// An opponent, seen by the roller.
pub(super) struct Facing {
    /// Where rows begin, by which of his single checkers are hit.
    rows: [u32; 8],
    /// The points of his single checkers; 31, which is none, where there are fewer than three.
    singles: [u32; 3],
    /// The bit of the point he has closed, or 0.
    closed: u32,
    /// The bits of all his points.
    occupied: u32,
}

impl Facing {
    pub(super) fn new(sides: &Sides, opponent: usize) -> Facing {
        let places = sides.places(opponent);
        let on_board = |place: u8| (1..BAR).contains(&place);
        let count = |place: u8| places.iter().filter(|&&other| other == place).count();
        let (mut closed, mut occupied) = (0, 0);
        let mut singles = [31; 3];
        let mut alone = [usize::MAX; 3];
        let mut found = 0;
        for (checker, &place) in places.iter().enumerate().filter(|&(_, &place)| on_board(place)) {
            let bit = 1 << (BAR - place);
            occupied |= bit;
            if count(place) > 1 {
                closed = bit;
            } else {
                (singles[found], alone[found]) = (u32::from(BAR - place), checker);
                found += 1;
            }
        }
        let rows = std::array::from_fn(|hit| {
            let mut after = *places;
            for checker in (0..found).filter(|single| hit >> single & 1 != 0) {
                after[alone[checker]] = BAR;
            }
            after.sort_unstable_by(|a, b| b.cmp(a));
            (sides.number(&after) * sides.len()) as u32
        });
        Facing { rows, singles, closed, occupied }
    }

    /// The row of what is left of him after a play that lands on these points.
    #[inline(always)]
    fn row(&self, landings: u32) -> u32 {
        let hit = |single: usize| landings >> self.singles[single] & 1;
        self.rows[(hit(0) | hit(1) << 1 | hit(2) << 2) as usize]
    }
}

/// The best results of a roll.
struct Best {
    four: Four,
    /// The cubeless equity of the play whose chances count, and its cell.
    equity: f64,
    cell: u32,
}

impl Best {
    const NONE: Best = Best { four: [f64::INFINITY; 4], equity: f64::INFINITY, cell: 0 };

    #[inline(always)]
    fn offer(&mut self, four: &Four, cell: u32) {
        for (least, &theirs) in self.four.iter_mut().zip(four) {
            *least = if theirs < *least { theirs } else { *least };
        }
        if four[0] < self.equity - EQUAL {
            (self.equity, self.cell) = (four[0], cell);
        }
    }
}

impl Solver {
    /// Nothing known but how finished games have ended; with `after` bytes behind the positions of the table.
    pub(super) fn new(sides: Sides, after: usize) -> Solver {
        let len = sides.len();
        let points = (0..len)
            .map(|side| sides.places(side).iter().map(|&place| 1 << place).fold(0, |a, b: u32| a | b))
            .map(|bits| bits & !(1 << BAR | 1))
            .collect();
        let turns = Turns::of(&sides);
        let mut solver = Solver {
            turns,
            points,
            four: vec![[0.0; 4]; len * len],
            bytes: blank(len * len * CELL + after),
            sides,
        };
        for loser in 1..len {
            // Lost by the roller, and (which only a position handed over can show) won by him.
            let (points, lost) = solver.lost(loser);
            solver.finish(loser * len, -points, [0, 0, lost[0], lost[1]]);
            solver.finish(loser, points, [lost[0], lost[1], 0, 0]);
        }
        solver
    }

    /// What a side loses whose opponent is off: points, and for certain a gammon and a backgammon.
    fn lost(&self, side: usize) -> (f64, [u32; 2]) {
        let far = self.sides.places(side)[0] >= 19;
        match (self.sides.off(side), far) {
            (0, true) => (3.0, [u32::MAX; 2]),
            (0, false) => (2.0, [u32::MAX, 0]),
            _ => (1.0, [0; 2]),
        }
    }

    fn finish(&mut self, cell: usize, equity: f64, chances: Chances) {
        let waiting = [equity as f32; 2];
        self.put(&Solved { cell: cell as u32, four: [equity; 4], chances, waiting });
    }

    fn put(&mut self, position: &Solved) {
        let cell = position.cell as usize;
        self.four[cell] = position.four;
        let numbers = position.chances.into_iter().chain(position.waiting.map(f32::to_bits));
        let bytes = &mut body_mut(&mut self.bytes)[cell * CELL..][..CELL];
        for (bytes, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
    }

    /// What is known of a position, but for equities that are best ones.
    #[inline]
    pub(super) fn chances(&self, cell: usize) -> (Chances, [f32; 2]) {
        let (numbers, _) = body(&self.bytes)[cell * CELL..][..CELL].as_chunks::<4>();
        let number = |i: usize| u32::from_le_bytes(numbers[i]);
        (std::array::from_fn(number), [4, 5].map(|i| f32::from_bits(number(i))))
    }

    /// Sweeps until nothing changes; the watcher is told how many positions were gone through. Says how many
    /// sweeps that were, and the last change.
    pub(super) fn run(
        &mut self,
        threads: usize,
        lookout: &mut Lookout<'_>,
    ) -> Result<(usize, Change), Cancelled> {
        let (cells, mut sweeps) = (self.four.len(), 0);
        loop {
            let change = self.sweep(threads, sweeps * cells, lookout)?;
            sweeps += 1;
            if change.is_settled() {
                return Ok((sweeps, change));
            }
        }
    }

    /// One sweep, `done` positions having been gone through before it.
    fn sweep(
        &mut self,
        threads: usize,
        mut done: usize,
        lookout: &mut Lookout<'_>,
    ) -> Result<Change, Cancelled> {
        let mut change = Change::default();
        for level in 2..=2 * self.sides.most_pips() {
            let most = self.sides.most_pips();
            // Opponents who leave the roller some pips, and not too many.
            let first = self.sides.with_pips(level.saturating_sub(most).max(1)).start;
            let end = self.sides.with_pips(most.min(level - 1)).end;
            let blocks = (end - first).div_ceil(BLOCK);
            let work = |(): &mut (), block: usize| {
                let from = first + block * BLOCK;
                self.block(level, from, end.min(from + BLOCK))
            };
            let threads = if blocks < 4 { 1 } else { threads };
            let solved = lookout.run_blocks(threads, blocks, |_| done, || (), work).complete()?;
            for (solved, largest) in solved {
                change = change.with(largest);
                done += solved.len();
                solved.iter().for_each(|position| self.put(position));
            }
            lookout.look(done)?;
        }
        Ok(change)
    }

    /// Works out the positions of a level whose opponents have these numbers.
    fn block(&self, level: usize, from: usize, to: usize) -> (Vec<Solved>, Change) {
        let (mut solved, mut change) = (Vec::new(), Change::default());
        for opponent in from..to {
            let facing = Facing::new(&self.sides, opponent);
            for roller in self.sides.with_pips(level - self.sides.pips(opponent)) {
                if roller == 0 || self.points[roller] & facing.occupied != 0 {
                    continue;
                }
                let cell = roller * self.sides.len() + opponent;
                let position = self.position(roller, cell as u32, &facing);
                for (new, old) in position.four.iter().zip(&self.four[cell]) {
                    change.equity = change.equity.max((new - old).abs());
                }
                for (new, old) in position.chances.iter().zip(self.chances(cell).0) {
                    change.chance = change.chance.max(new.abs_diff(old));
                }
                solved.push(position);
            }
        }
        (solved, change)
    }

    /// Works out one position from those it leads to.
    fn position(&self, roller: usize, cell: u32, facing: &Facing) -> Solved {
        let (mut sums, mut chances) = ([0.0; 4], [0u64; 4]);
        for index in 0..21 {
            let best = self.best(roller, index, facing);
            let weight = Roll::ALL[index].weight();
            for (sum, least) in sums.iter_mut().zip(best.four) {
                *sum += f64::from(weight) * least;
            }
            // What the opponent will win the roller will lose.
            let [won, won_more, lost, lost_more] = self.chances(best.cell as usize).0;
            for (sum, part) in chances.iter_mut().zip([lost, lost_more, won, won_more]) {
                *sum += u64::from(weight) * u64::from(part);
            }
        }
        // What the opponent owns before his roll, he owns after ours: owners change places.
        let [cubeless, centred, opponent_owned, owned] = sums.map(|sum| -sum / 36.0);
        Solved {
            cell,
            four: [cubeless, decide(centred, opponent_owned), decide(owned, opponent_owned), opponent_owned],
            chances: chances.map(|sum| ((sum + 18) / 36) as u32),
            waiting: [centred as f32, owned as f32],
        }
    }

    /// The best a roll can do.
    #[inline]
    fn best(&self, roller: usize, roll: usize, facing: &Facing) -> Best {
        let options = &self.turns.rolls(roller)[roll];
        let mut best = Best::NONE;
        let mut offer = |cell: u32| best.offer(&self.four[cell as usize], cell);
        if options.landings & facing.occupied == 0 {
            for &to in self.turns.ends(options) {
                offer(facing.rows[0] + u32::from(to));
            }
        } else {
            for play in self.turns.plays(options, facing.closed) {
                if play.landings & facing.closed == 0 {
                    offer(facing.row(play.landings) + u32::from(play.to));
                }
            }
        }
        best
    }

    /// The start for the winner of the opening roll, who plays it and so throws no double: the mean of the best
    /// results, and its chances.
    pub(super) fn opening(&self, side: usize) -> (f64, [f64; 4]) {
        let facing = Facing::new(&self.sides, side);
        let (mut equity, mut chances) = (0.0, [0.0; 4]);
        for (index, _) in Roll::ALL.iter().enumerate().filter(|(_, roll)| !roll.is_double()) {
            let best = self.best(side, index, &facing);
            equity -= best.four[0] / 15.0;
            let [won, won_more, lost, lost_more] = self.chances(best.cell as usize).0;
            for (sum, part) in chances.iter_mut().zip([lost, lost_more, won, won_more]) {
                *sum += chance(part) / 15.0;
            }
        }
        (equity, chances)
    }
}
