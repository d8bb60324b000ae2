//! Points and holes: what the jetons, fichets and the pavillon on the rail say.

use crate::rules::marks::{Asks, Marks};

/// The most holes that are told apart; only a round "a ecrire" could come near.
const MOST_HOLES: u8 = 127;
/// A run of holes is counted up to here, where it counts most.
const LONG_RUN: u8 = 12;
/// A run of holes from which on it counts double.
const SHORT_RUN: u8 = 6;

/// The marking of both players; the first of every pair is the player to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marking {
    /// Points, 0 to 11.
    pub pts: [u8; 2],
    /// Whether the run of points has not been interrupted.
    pub clean: [bool; 2],
    /// Holes.
    pub holes: [u8; 2],
    /// Whether the run of holes has not been interrupted.
    pub gclean: [bool; 2],
    /// Holes won in a row at present, up to 12: only the player who won the last one has any. Kept in rounds
    /// "a ecrire" only, like the next.
    pub runs: [u8; 2],
    /// What the longest run has come to: 12 or more, 6 or more, or fewer, which is 0.
    pub best_runs: [u8; 2],
}

impl Default for Marking {
    fn default() -> Marking {
        Marking {
            pts: [0; 2],
            clean: [true; 2],
            holes: [0; 2],
            gclean: [true; 2],
            runs: [0; 2],
            best_runs: [0; 2],
        }
    }
}

impl Marking {
    /// Player `who` (0 is the player to act) marks so many points; the holes he wins. With `runs` the runs of
    /// holes are kept.
    pub fn mark(&mut self, who: usize, points: u32, runs: bool) -> u8 {
        if points == 0 {
            return 0;
        }
        let other = 1 - who;
        if self.pts[who] == 0 {
            self.clean[who] = true;
        }
        if self.pts[other] > 0 {
            self.clean[other] = false;
        }
        let (mut total, mut won) = (u32::from(self.pts[who]) + points, 0);
        while total >= 12 {
            won += if self.clean[who] { 2 } else { 1 };
            total -= 12;
            self.pts[other] = 0;
            self.clean[who] = true;
        }
        self.pts[who] = total as u8;
        if won > 0 {
            self.win(who, won, runs);
        }
        won
    }

    fn win(&mut self, who: usize, won: u8, runs: bool) {
        let other = 1 - who;
        if self.holes[who] == 0 {
            self.gclean[who] = true;
        }
        if self.holes[other] > 0 {
            self.gclean[other] = false;
        }
        self.holes[who] = MOST_HOLES.min(self.holes[who].saturating_add(won));
        if runs {
            self.runs[who] = LONG_RUN.min(self.runs[who] + won);
            self.runs[other] = 0;
            self.best_runs[who] = self.best_runs[who].max(match self.runs[who] {
                LONG_RUN.. => LONG_RUN,
                SHORT_RUN.. => SHORT_RUN,
                _ => 0,
            });
        }
    }

    /// The marking seen by the other player.
    #[must_use]
    pub fn flipped(&self) -> Marking {
        Marking {
            pts: [self.pts[1], self.pts[0]],
            clean: [self.clean[1], self.clean[0]],
            holes: [self.holes[1], self.holes[0]],
            gclean: [self.gclean[1], self.gclean[0]],
            runs: [self.runs[1], self.runs[0]],
            best_runs: [self.best_runs[1], self.best_runs[0]],
        }
    }

    /// Why it is no marking.
    pub(crate) fn problems(&self, problems: &mut Vec<String>) {
        for who in 0..2 {
            if self.pts[who] > 11 {
                problems.push(format!("{} points; a player has 0 to 11, twelve are a hole", self.pts[who]));
            }
            if self.holes[who] > MOST_HOLES {
                problems.push(format!(
                    "{} holes are more than the {MOST_HOLES} that are counted",
                    self.holes[who]
                ));
            }
            if self.runs[who] > LONG_RUN || ![0, SHORT_RUN, LONG_RUN].contains(&self.best_runs[who]) {
                problems.push("a run of holes is 0 to 12, the longest one 0, 6 or 12".to_owned());
            }
        }
        if self.runs[0] > 0 && self.runs[1] > 0 {
            problems.push("only the player who won the last hole has a run".to_owned());
        }
    }

    /// The spare bytes of a position: points as nibbles, holes (with a bit for whose the run is), what is asked,
    /// flags and turns, runs.
    pub(crate) fn to_marks(self, turns: [u8; 2], asks: Asks) -> Marks {
        let holes = |who: usize| self.holes[who] | u8::from(self.runs[who] > 0) << 7;
        let flags = [self.clean[0], self.clean[1], self.gclean[0], self.gclean[1]];
        let flags: u8 = flags.iter().enumerate().map(|(i, &flag)| u8::from(flag) << i).sum();
        let best = self.best_runs.map(|run| run / SHORT_RUN);
        [
            self.pts[0] | self.pts[1] << 4,
            holes(0),
            holes(1),
            asks.byte(),
            flags | turns[0].min(3) << 4 | turns[1].min(3) << 6,
            best[0] | best[1] << 2 | self.runs[0].max(self.runs[1]) << 4,
        ]
    }

    /// The marking and the turns that spare bytes hold.
    pub(crate) fn from_marks(marks: &Marks) -> (Marking, [u8; 2]) {
        let [pts, mine, his, _, flags, runs] = *marks;
        let run = |holes: u8| if holes & 0x80 != 0 { runs >> 4 } else { 0 };
        let marking = Marking {
            pts: [pts & 15, pts >> 4],
            clean: [flags & 1 != 0, flags & 2 != 0],
            holes: [mine & 0x7f, his & 0x7f],
            gclean: [flags & 4 != 0, flags & 8 != 0],
            runs: [run(mine), run(his)],
            best_runs: [runs & 3, runs >> 2 & 3].map(|run| run * SHORT_RUN),
        };
        (marking, [flags >> 4 & 3, flags >> 6])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_simple_points_and_eighteen_are_three_holes_and_two_points() {
        let mut marking = Marking::default();
        assert_eq!((marking.mark(0, 8, true), marking.mark(1, 8, true)), (0, 0));
        assert_eq!(marking.mark(0, 18, true), 3);
        assert_eq!((marking.pts, marking.holes, marking.runs), ([2, 0], [3, 0], [3, 0]));
        assert!(marking.clean[0] && marking.gclean[0]);
    }

    #[test]
    fn marks_hold_all_of_a_marking() {
        let mut marking = Marking::default();
        for turn in 0..60u32 {
            marking.mark((turn % 7 / 4) as usize, 2 + turn % 11 * 2, true);
            let marks = marking.to_marks([(turn % 4) as u8, 2], Asks::Name);
            assert_eq!(Marking::from_marks(&marks), (marking, [(turn % 4) as u8, 2]));
            assert_eq!(marking.flipped().flipped(), marking);
        }
    }
}
