//! Positions and rolls to work on; the same on every machine.

use std::path::Path;

use gammon_core::codec::posid;
use gammon_core::eval::Phase;
use gammon_core::movegen::{PlayBuf, random_game};
use gammon_core::position::CHECKERS;
use gammon_core::rng::Stream;
use gammon_core::{Backgammon, Position, Roll};

/// A position and a roll to play in it.
pub type Pair = (Position, Roll);

/// Turns no random game of these benches needs.
const MAX_TURNS: u32 = 10_000;

/// The 2,000 contact positions of `benches/positions/speed_positions.txt`.
pub fn speed_positions() -> Vec<Position> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/positions/speed_positions.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|id| posid::parse(id).expect("the file holds Position IDs")).collect()
}

/// The first 2,000 positions of a phase, both sides with at least six checkers left, that seeded random
/// games come through. (Random games spend long on their last few checkers, which say little.)
pub fn of_phase(phase: Phase) -> Vec<Position> {
    const SIZE: usize = 2_000;
    const MOST_OFF: u32 = CHECKERS - 6;
    let mut positions = Vec::with_capacity(SIZE);
    let mut buf = PlayBuf::new();
    for trial in 0.. {
        random_game::<Backgammon>(Stream::new(20_261_129, trial), MAX_TURNS, &mut buf, |position, _, _| {
            let (roller_off, opponent_off) = position.borne_off();
            if positions.len() < SIZE
                && roller_off.max(opponent_off) <= MOST_OFF
                && Phase::of(position) == phase
            {
                positions.push(*position);
            }
        });
        if positions.len() == SIZE {
            break;
        }
    }
    positions
}

/// Every position with every one of these rolls.
pub fn with_rolls(positions: &[Position], rolls: impl Fn(Roll) -> bool) -> Vec<Pair> {
    let rolls: Vec<Roll> = Roll::ALL.into_iter().filter(|&roll| rolls(roll)).collect();
    positions.iter().flat_map(|&position| rolls.iter().map(move |&roll| (position, roll))).collect()
}

/// `count` positions in random order with dice thrown as in a game, doubles in 6 of 36.
pub fn with_dice(positions: &[Position], count: u64) -> Vec<Pair> {
    let (dice, order) = (Stream::new(1, 0), Stream::new(2, 0));
    let place = |i| order.below(positions.len() as u32, i) as usize;
    (0..count).map(|i| (positions[place(i)], dice.roll(i))).collect()
}
