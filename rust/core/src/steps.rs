//! One checker at a time: the rules of movement, slow but plain to read.
//!
//! Everything here works on a position in the middle of a turn, seen by the player who is moving. It is
//! what a click-to-move board needs, what the play resolver stands on, and the judge of the fast generator.

use std::fmt;

use crate::dice::Roll;
use crate::position::Position;

/// The number of a checker's place when it is on the bar.
pub const BAR: u8 = 25;

/// The number of a checker's place when it has been borne off.
pub const OFF: u8 = 0;

/// One checker moved by one die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Where the checker stood: 1 to 24, or 25 for the bar.
    pub from: u8,
    /// Where it stands now: 1 to 24, or 0 for off.
    pub to: u8,
    /// The die that was used.
    pub die: u8,
    /// Whether it hit a blot.
    pub hit: bool,
}

/// Why one checker cannot be moved by one die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The player has no checker there.
    NoChecker,
    /// A checker on the bar must enter first.
    BarFirst,
    /// Two or more opposing checkers stand on this point.
    Blocked(u8),
    /// A checker may only be borne off when all are home; this point still has one outside.
    NotHome(u8),
    /// The die is larger than needed and a checker on this point is further back.
    HigherChecker(u8),
}

/// The dice of a turn that have not been played: two different numbers at most, or up to four equal ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DiceLeft {
    dice: [u8; 4],
    len: u8,
}

impl DiceLeft {
    /// All dice of `roll`: two, or four for a double. The larger comes first.
    pub const fn of(roll: Roll) -> DiceLeft {
        let (high, low) = (roll.high(), roll.low());
        if roll.is_double() {
            DiceLeft { dice: [high; 4], len: 4 }
        } else {
            DiceLeft { dice: [high, low, 0, 0], len: 2 }
        }
    }

    /// These dice in any order; `None` if no turn can have them left.
    pub fn new(dice: &[u8]) -> Option<DiceLeft> {
        if dice.len() > 4 || dice.iter().any(|die| !(1..=6).contains(die)) {
            return None;
        }
        if dice.len() > 2 && dice.iter().any(|&die| die != dice[0]) {
            return None;
        }
        let mut left = DiceLeft { dice: [0; 4], len: dice.len() as u8 };
        left.dice[..dice.len()].copy_from_slice(dice);
        left.dice.sort_unstable_by(|a, b| b.cmp(a));
        Some(left)
    }

    /// The numbers, the larger first.
    pub fn as_slice(&self) -> &[u8] {
        &self.dice[..usize::from(self.len)]
    }

    /// How many dice are left.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether no die is left.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The different numbers among them, the larger first.
    pub fn distinct(&self) -> &[u8] {
        let dice = self.as_slice();
        if dice.len() > 1 && dice[0] == dice[1] { &dice[..1] } else { dice }
    }

    /// What is left after playing `die`; unchanged if there is no such die.
    #[must_use]
    pub fn without(mut self, die: u8) -> DiceLeft {
        if let Some(i) = self.as_slice().iter().position(|&d| d == die) {
            self.dice.copy_within(i + 1.., i);
            self.dice[3] = 0;
            self.len -= 1;
        }
        self
    }
}

impl fmt::Debug for DiceLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DiceLeft({:?})", self.as_slice())
    }
}

/// Moves one checker of the player on roll by one die, without asking about the rest of the turn.
///
/// # Errors
/// Says why the checker cannot move so.
pub fn step(position: &Position, from: u8, die: u8) -> Result<(Step, Position), Refusal> {
    let places = position.places();
    if !(1..=BAR).contains(&from) || places[usize::from(from)] <= 0 {
        return Err(Refusal::NoChecker);
    }
    if from != BAR && places[usize::from(BAR)] > 0 {
        return Err(Refusal::BarFirst);
    }
    let to = from.saturating_sub(die);
    let mut bytes = position.0;
    let mut hit = false;
    if to == OFF {
        let rearmost = places.iter().rposition(|&n| n > 0).map_or(0, |place| place as u8);
        if rearmost > 6 {
            return Err(Refusal::NotHome(rearmost));
        }
        if die > from && rearmost > from {
            return Err(Refusal::HigherChecker(rearmost));
        }
    } else {
        let target = &mut bytes[usize::from(to)];
        if *target < -1 {
            return Err(Refusal::Blocked(to));
        }
        hit = *target == -1;
        *target = if hit { 1 } else { *target + 1 };
        bytes[0] -= i8::from(hit);
    }
    bytes[usize::from(from)] -= 1;
    Ok((Step { from, to, die, hit }, Position(bytes)))
}

/// Every step that `die` allows by itself, from the rearmost checker down.
pub fn steps_with(position: &Position, die: u8) -> impl Iterator<Item = (Step, Position)> + '_ {
    (1..=BAR).rev().filter_map(move |from| step(position, from, die).ok())
}

/// The largest number of dice that can still be played.
pub fn most_dice(position: &Position, dice: DiceLeft) -> usize {
    most_from(position, dice, BAR)
}

/// [`most_dice`] with equal dice played only from `highest` down.
///
/// If equal dice can be played at all, they can be played from the rearmost checker forward: a checker
/// moved later never opens a point for one behind it, and only helps to bring all home sooner.
fn most_from(position: &Position, dice: DiceLeft, highest: u8) -> usize {
    let equal = dice.len() > 1 && dice.distinct().len() == 1;
    let mut most = 0;
    for &die in dice.distinct() {
        for (step, after) in steps_with(position, die) {
            if equal && step.from > highest {
                continue;
            }
            let next = if equal { step.from } else { BAR };
            most = most.max(1 + most_from(&after, dice.without(die), next));
            if most == dice.len() {
                return most;
            }
        }
    }
    most
}

/// The single steps after which the whole turn can still be legal.
///
/// As many dice must be played as possible, and the larger if only one of two can be. The dice left are
/// all that has to be known: if every earlier step of the turn came from this function, the turn's
/// largest number of dice is what has been played plus what can still be played from here.
///
/// An empty list means that the turn is complete.
pub fn steps(position: &Position, dice: DiceLeft) -> Vec<Step> {
    let most = most_dice(position, dice);
    let mut found = Vec::new();
    for &die in dice.distinct() {
        for (step, after) in steps_with(position, die) {
            if 1 + most_dice(&after, dice.without(die)) == most {
                found.push(step);
            }
        }
        // The larger die is tried first: if it can be the only one played, the smaller may not be.
        if most == 1 && dice.len() > 1 && !found.is_empty() {
            break;
        }
    }
    found
}

/// The different dice with which the turn may legally go on, the larger first.
pub fn dice_usable(position: &Position, dice: DiceLeft) -> Vec<u8> {
    let steps = steps(position, dice);
    dice.distinct().iter().copied().filter(|&die| steps.iter().any(|step| step.die == die)).collect()
}

/// Every distinct result of `roll`, the opponent on roll, sorted: each sequence of steps is tried.
///
/// An unplayable roll gives the unchanged position with the roll handed over.
pub fn naive_plays(position: &Position, roll: Roll) -> Vec<Position> {
    let mut leaves = Vec::new();
    collect(position, DiceLeft::of(roll), 0, 0, &mut leaves);
    let most = leaves.iter().map(|&(_, used, _)| used).max().unwrap_or(0);
    leaves.retain(|&(_, used, _)| used == most);
    if most == 1 && !roll.is_double() && leaves.iter().any(|&(_, _, first)| first == roll.high()) {
        leaves.retain(|&(_, _, first)| first == roll.high());
    }
    let mut plays: Vec<Position> = leaves.iter().map(|(after, _, _)| after.flip()).collect();
    plays.sort_unstable();
    plays.dedup();
    plays
}

/// Notes every position on the way with the number of dice used and the first of them.
fn collect(position: &Position, dice: DiceLeft, used: u32, first: u8, leaves: &mut Vec<(Position, u32, u8)>) {
    leaves.push((*position, used, first));
    for &die in dice.distinct() {
        for (_, after) in steps_with(position, die) {
            collect(&after, dice.without(die), used + 1, if used == 0 { die } else { first }, leaves);
        }
    }
}
