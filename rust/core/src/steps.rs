//! One checker at a time: the rules of movement, slow but plain to read.
//!
//! Everything here works on a position in the middle of a turn, seen by the player who is moving. It is
//! what a click-to-move board needs and what the play resolver stands on.

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
    /// The opponent has borne off everything.
    GameOver,
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
    if places.iter().all(|&n| n >= 0) {
        return Err(Refusal::GameOver);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::{PlayBuf, naive_plays, random_game};
    use crate::rng::Stream;
    use crate::rules::Backgammon;
    use crate::testing::board;

    fn dice(dice: &[u8]) -> DiceLeft {
        DiceLeft::new(dice).unwrap()
    }

    fn moves(position: &Position, left: &[u8]) -> Vec<(u8, u8)> {
        steps(position, dice(left)).iter().map(|step| (step.from, step.to)).collect()
    }

    #[test]
    fn dice_that_a_turn_can_have() {
        assert_eq!(DiceLeft::of(Roll::new(4, 4).unwrap()).as_slice(), [4, 4, 4, 4]);
        assert_eq!(dice(&[1, 3]).as_slice(), [3, 1]);
        assert_eq!(dice(&[1, 3]).without(3).as_slice(), [1]);
        assert_eq!(dice(&[5, 5, 5]).without(5).distinct(), [5]);
        for bad in [&[0][..], &[7], &[1, 2, 3], &[2, 2, 2, 1], &[1; 5]] {
            assert_eq!(DiceLeft::new(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn each_refusal_is_named() {
        let position = board(&[(13, 2), (6, 13)], &[(8, 2), (12, 1)]);
        assert_eq!(step(&position, 7, 1).unwrap_err(), Refusal::NoChecker);
        assert_eq!(step(&position, 13, 5).unwrap_err(), Refusal::Blocked(8));
        assert_eq!(step(&position, 6, 6).unwrap_err(), Refusal::NotHome(13));
        assert!(step(&position, 13, 1).unwrap().0.hit);
        let entering = board(&[(25, 1), (6, 13)], &[(24, 2)]);
        assert_eq!(step(&entering, 6, 1).unwrap_err(), Refusal::BarFirst);
        assert_eq!(step(&entering, 25, 1).unwrap_err(), Refusal::Blocked(24));
        let home = board(&[(5, 2), (3, 1)], &[(24, 2)]);
        assert_eq!(step(&home, 3, 4).unwrap_err(), Refusal::HigherChecker(5));
        assert_eq!(step(&home, 5, 6).unwrap().0.to, OFF);
        let lost = board(&[(5, 2), (3, 1)], &[]);
        assert_eq!(step(&lost, 5, 2).unwrap_err(), Refusal::GameOver);
        assert!(moves(&lost, &[2, 1]).is_empty() && moves(&lost.flip(), &[2, 1]).is_empty());
        for outside in [0, 26, 255] {
            assert_eq!(step(&home, outside, 1).unwrap_err(), Refusal::NoChecker);
        }
    }

    /// Both dice can only be played 1 first, so a 6 may not begin.
    #[test]
    fn steps_keep_both_dice_playable() {
        let position = board(&[(24, 1)], &[(17, 2), (12, 2), (18, 2)]);
        // 24/18 is blocked, 24/23 then 23/17 is blocked: only the 1 plays.
        assert_eq!(moves(&position, &[6, 1]), [(24, 23)]);
        let position = board(&[(14, 1), (9, 1)], &[(7, 2), (8, 2), (3, 2), (13, 2)]);
        // The 6 from 14 is open to no one; 9/8 and 14/13 are blocked; 9/3 is blocked: nothing at all.
        assert!(moves(&position, &[6, 1]).is_empty());
        let position = board(&[(10, 1), (3, 1)], &[(9, 2), (2, 2), (4, 1)]);
        // 10/4* by the 6 leaves 4/3 for the 1; the 1 cannot begin.
        assert_eq!(moves(&position, &[6, 1]), [(10, 4)]);
    }

    #[test]
    fn must_use_larger_die_if_only_one_can_be_played() {
        let position = board(&[(20, 1)], &[(9, 2)]);
        assert_eq!(moves(&position, &[6, 5]), [(20, 14)]);
    }

    /// Bearing off the last checker with the 6 would end the game, but both dice can be played.
    #[test]
    fn both_dice_even_if_the_larger_ends_the_game() {
        let position = board(&[(6, 1)], &[(24, 2)]);
        assert_eq!(moves(&position, &[6, 1]), [(6, 5)]);
        assert_eq!(most_dice(&position, dice(&[6, 1])), 2);
    }

    /// Whatever steps are taken, the finished turns are exactly the legal plays.
    #[test]
    fn steps_lead_to_the_legal_plays_and_nowhere_else() {
        fn walk(position: &Position, left: DiceLeft, ends: &mut Vec<Position>) {
            let steps = steps(position, left);
            if steps.is_empty() {
                ends.push(position.flip());
            }
            for taken in steps {
                let (_, after) = step(position, taken.from, taken.die).unwrap();
                walk(&after, left.without(taken.die), ends);
            }
        }
        let mut buf = PlayBuf::new();
        let mut compared = 0;
        for trial in 0..3 {
            random_game::<Backgammon>(Stream::new(5, trial), 300, &mut buf, |position, roll, _| {
                if roll.is_double() && compared % 4 != 0 {
                    compared += 1;
                    return;
                }
                let mut ends = Vec::new();
                walk(position, DiceLeft::of(roll), &mut ends);
                ends.sort_unstable();
                ends.dedup();
                assert_eq!(ends, naive_plays(position, roll), "{position:?} {roll}");
                compared += 1;
            });
        }
        assert!(compared > 100, "{compared}");
    }
}
