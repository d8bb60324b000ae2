//! The state of the score and of the cube, seen by the player on roll.
//!
//! Like a [`Position`](crate::Position), a [`MatchState`] is always in the roller's frame: scores and the
//! cube's owner are named by [`Player`], not by colour or seat. Who that is in absolute terms is kept once,
//! by [`Situation::seat`](crate::situation::Parts::seat).

use std::fmt;

use crate::problems::write_all;

/// One of the two players, named from the point of view of the player whose roll it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The player whose roll it is.
    Roller,
    /// The other player.
    Opponent,
}

impl Player {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::Roller => Player::Opponent,
            Player::Opponent => Player::Roller,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Roller => "the player on roll",
            Player::Opponent => "the opponent",
        })
    }
}

/// Score, cube and the rules that belong to them, in the roller's frame.
///
/// The fields are open so that a changed copy is easy to make; [`MatchState::check`] says whether they
/// agree with one another, and nothing of this crate accepts a state that fails it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchState {
    /// Points the match is played to; 0 is money play.
    pub length: u16,
    /// Points the player on roll has (in money play: the session's score, which may be anything).
    pub roller_score: u16,
    /// Points the opponent has.
    pub opponent_score: u16,
    /// Whether this is the Crawford game, played without the cube.
    pub crawford: bool,
    /// The cube as a power of two: 0 is a cube at 1. While an offer is pending this is the value before it.
    pub cube_log2: u8,
    /// Who owns the cube; `None` is a centred cube.
    pub cube_owner: Option<Player>,
    /// Money play: gammons count only once the cube has been turned.
    pub jacoby: bool,
    /// Money play: a doubled player may redouble at once and keep the cube.
    pub beavers: bool,
    /// The highest cube value allowed, as a power of two; `None` is no limit at all.
    pub cube_limit: Option<u8>,
}

/// One reason why a [`MatchState`] contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreProblem {
    /// The match is longer than any format can say.
    LengthTooLarge {
        /// The length given.
        length: u16,
    },
    /// A score is larger than any format can say.
    ScoreTooLarge {
        /// Whose score.
        player: Player,
        /// The score given.
        score: u16,
    },
    /// A Crawford game in money play.
    CrawfordInMoney,
    /// A Crawford game although neither player is one point from winning.
    CrawfordTooEarly {
        /// Points the player on roll needs.
        roller_away: u16,
        /// Points the opponent needs.
        opponent_away: u16,
    },
    /// A cube that has been turned in the Crawford game.
    CubeInCrawford,
    /// The cube is above 2^15.
    CubeTooLarge {
        /// The power of two given.
        cube: u8,
    },
    /// The cube limit is above 2^15.
    LimitTooLarge {
        /// The power of two given.
        limit: u8,
    },
    /// The cube is above its own limit.
    CubeAboveLimit {
        /// The cube, as a power of two.
        cube: u8,
        /// The limit, as a power of two.
        limit: u8,
    },
    /// The Jacoby rule in a match.
    JacobyInMatch,
    /// Beavers in a match.
    BeaversInMatch,
}

/// All reasons why a [`MatchState`] contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreError {
    /// Every problem found, in the order of the enum.
    pub problems: Vec<ScoreProblem>,
}

impl MatchState {
    /// The limit taken where a text names none: 2^10, a cube of 1024, as eXtreme Gammon writes by default.
    pub const USUAL_LIMIT: u8 = 10;

    /// Money play from scratch: a centred cube at 1, neither Jacoby nor beavers, the usual limit.
    pub const MONEY: MatchState = MatchState {
        length: 0,
        roller_score: 0,
        opponent_score: 0,
        crawford: false,
        cube_log2: 0,
        cube_owner: None,
        jacoby: false,
        beavers: false,
        cube_limit: Some(MatchState::USUAL_LIMIT),
    };

    /// The highest match length and score: what fifteen bits of a Match ID hold.
    pub const MAX_POINTS: u16 = 32_767;

    /// The highest cube, as a power of two: what four bits of a Match ID hold.
    pub const MAX_CUBE: u8 = 15;

    /// A match to `length` at these scores, the cube centred, not the Crawford game.
    pub const fn at_score(length: u16, roller_score: u16, opponent_score: u16) -> MatchState {
        MatchState { length, roller_score, opponent_score, ..MatchState::MONEY }
    }

    /// The scores at which both players need 1 to `most` points, row by row of the roller's needs; the cube is centred.
    ///
    /// A game in which one player alone needs a single point is the Crawford game.
    pub fn grid(most: u16) -> impl Iterator<Item = MatchState> {
        (1..=most).flat_map(move |me| {
            (1..=most).map(move |opponent| {
                let length = me.max(opponent);
                let crawford = me.min(opponent) == 1 && length > 1;
                MatchState { crawford, ..MatchState::at_score(length, length - me, length - opponent) }
            })
        })
    }

    /// Whether this is money play (no match length).
    pub const fn is_money(&self) -> bool {
        self.length == 0
    }

    /// The value the game is played for now: 1, 2, 4, … (for a checked state, at most 2^15).
    pub const fn cube_value(&self) -> u32 {
        1u32.wrapping_shl(self.cube_log2 as u32)
    }

    /// The score of `player`.
    pub const fn score(&self, player: Player) -> u16 {
        match player {
            Player::Roller => self.roller_score,
            Player::Opponent => self.opponent_score,
        }
    }

    /// Points `player` still needs to win the match, 0 if he has won it; `None` in money play.
    pub const fn away(&self, player: Player) -> Option<u16> {
        if self.is_money() { None } else { Some(self.length.saturating_sub(self.score(player))) }
    }

    /// Whether a player has reached the match length. Never in money play.
    pub const fn is_over(&self) -> bool {
        !self.is_money() && (self.roller_score >= self.length || self.opponent_score >= self.length)
    }

    /// Whether a player is one point from winning and the Crawford game has been played.
    ///
    /// The Crawford game is taken to be in use; a state at one away that is not the Crawford game comes after it.
    pub const fn is_post_crawford(&self) -> bool {
        !self.is_money()
            && !self.is_over()
            && !self.crawford
            && (self.length - self.roller_score == 1 || self.length - self.opponent_score == 1)
    }

    /// The same state seen by the other player.
    #[must_use]
    pub const fn flip(&self) -> MatchState {
        MatchState {
            roller_score: self.opponent_score,
            opponent_score: self.roller_score,
            cube_owner: match self.cube_owner {
                Some(owner) => Some(owner.other()),
                None => None,
            },
            ..*self
        }
    }

    /// Whether the fields agree with one another.
    ///
    /// A finished match (a score at or above the length) is a state like any other; so is a centred cube
    /// above 1, which automatic doubles make.
    ///
    /// # Errors
    /// Names every contradiction.
    pub fn check(&self) -> Result<(), ScoreError> {
        let mut problems = Vec::new();
        if self.length > Self::MAX_POINTS {
            problems.push(ScoreProblem::LengthTooLarge { length: self.length });
        }
        for player in [Player::Roller, Player::Opponent] {
            let score = self.score(player);
            if score > Self::MAX_POINTS {
                problems.push(ScoreProblem::ScoreTooLarge { player, score });
            }
        }
        if self.crawford {
            self.check_crawford(&mut problems);
        }
        self.check_cube(&mut problems);
        if !self.is_money() && self.jacoby {
            problems.push(ScoreProblem::JacobyInMatch);
        }
        if !self.is_money() && self.beavers {
            problems.push(ScoreProblem::BeaversInMatch);
        }
        if problems.is_empty() { Ok(()) } else { Err(ScoreError { problems }) }
    }

    fn check_crawford(&self, problems: &mut Vec<ScoreProblem>) {
        if self.is_money() {
            problems.push(ScoreProblem::CrawfordInMoney);
        } else if self.roller_score.max(self.opponent_score) < self.length - 1 {
            problems.push(ScoreProblem::CrawfordTooEarly {
                roller_away: self.length - self.roller_score,
                opponent_away: self.length - self.opponent_score,
            });
        }
        if self.cube_log2 > 0 || self.cube_owner.is_some() {
            problems.push(ScoreProblem::CubeInCrawford);
        }
    }

    fn check_cube(&self, problems: &mut Vec<ScoreProblem>) {
        if self.cube_log2 > Self::MAX_CUBE {
            problems.push(ScoreProblem::CubeTooLarge { cube: self.cube_log2 });
        }
        let Some(limit) = self.cube_limit else { return };
        if limit > Self::MAX_CUBE {
            problems.push(ScoreProblem::LimitTooLarge { limit });
        } else if self.cube_log2 > limit {
            problems.push(ScoreProblem::CubeAboveLimit { cube: self.cube_log2, limit });
        }
    }
}

impl Default for MatchState {
    fn default() -> MatchState {
        MatchState::MONEY
    }
}

/// Two to the power of `exponent`, written out while it is a number one can read.
pub(crate) fn power(exponent: u8) -> String {
    if exponent <= 20 { (1u32 << exponent).to_string() } else { format!("2^{exponent}") }
}

impl fmt::Display for ScoreProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = MatchState::MAX_POINTS;
        match *self {
            ScoreProblem::LengthTooLarge { length } => {
                write!(f, "match length {length} is above {most}")
            }
            ScoreProblem::ScoreTooLarge { player, score } => {
                write!(f, "score {score} of {player} is above {most}")
            }
            ScoreProblem::CrawfordInMoney => f.write_str("a Crawford game needs a match length"),
            ScoreProblem::CrawfordTooEarly { roller_away, opponent_away } => write!(
                f,
                "a Crawford game although neither player is one point from winning: \
                 they need {roller_away} and {opponent_away}"
            ),
            ScoreProblem::CubeInCrawford => f.write_str("the cube is not centred at 1 in the Crawford game"),
            ScoreProblem::CubeTooLarge { cube } => {
                write!(f, "cube 2^{cube} is above 2^{}", MatchState::MAX_CUBE)
            }
            ScoreProblem::LimitTooLarge { limit } => {
                write!(f, "cube limit 2^{limit} is above 2^{}", MatchState::MAX_CUBE)
            }
            ScoreProblem::CubeAboveLimit { cube, limit } => {
                write!(f, "cube {} is above its limit {}", power(cube), power(limit))
            }
            ScoreProblem::JacobyInMatch => f.write_str("the Jacoby rule does not apply in a match"),
            ScoreProblem::BeaversInMatch => f.write_str("beavers are not played in a match"),
        }
    }
}

impl fmt::Display for ScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(f, "contradictory score", &self.problems)
    }
}

impl std::error::Error for ScoreError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(state: MatchState) -> Vec<ScoreProblem> {
        state.check().err().map(|e| e.problems).unwrap_or_default()
    }

    #[test]
    fn flip_changes_sides_and_nothing_else() {
        let state = MatchState {
            cube_log2: 2,
            cube_owner: Some(Player::Opponent),
            cube_limit: Some(10),
            ..MatchState::at_score(7, 3, 5)
        };
        let flipped = state.flip();
        assert_eq!((flipped.roller_score, flipped.opponent_score), (5, 3));
        assert_eq!(flipped.cube_owner, Some(Player::Roller));
        assert_eq!(flipped.flip(), state);
        assert_eq!(flipped.away(Player::Roller), Some(2));
    }

    #[test]
    fn crawford_belongs_to_one_away() {
        let crawford = |length, a, b| MatchState { crawford: true, ..MatchState::at_score(length, a, b) };
        assert_eq!(problems(crawford(7, 6, 0)), []);
        assert_eq!(problems(crawford(7, 0, 6)), []);
        assert_eq!(
            problems(crawford(7, 5, 5)),
            [ScoreProblem::CrawfordTooEarly { roller_away: 2, opponent_away: 2 }]
        );
        assert_eq!(problems(crawford(0, 0, 0)), [ScoreProblem::CrawfordInMoney]);
        let turned = MatchState { cube_log2: 1, ..crawford(7, 6, 0) };
        assert_eq!(problems(turned), [ScoreProblem::CubeInCrawford]);
        assert!(MatchState::at_score(7, 6, 2).is_post_crawford());
        assert!(!crawford(7, 6, 2).is_post_crawford());
        assert!(!MatchState::at_score(7, 5, 2).is_post_crawford());
        assert!(!MatchState::at_score(7, 7, 6).is_post_crawford());
    }

    #[test]
    fn a_grid_holds_every_score_once() {
        let states: Vec<MatchState> = MatchState::grid(3).collect();
        let needs = |state: &MatchState| (state.away(Player::Roller), state.away(Player::Opponent));
        assert_eq!(states.len(), 9);
        assert_eq!(needs(&states[0]), (Some(1), Some(1)));
        assert_eq!(needs(&states[1]), (Some(1), Some(2)));
        assert_eq!(needs(&states[5]), (Some(2), Some(3)));
        for state in &states {
            assert_eq!(problems(*state), []);
            assert_eq!(
                state.crawford,
                state.length > 1 && (needs(state).0 == Some(1) || needs(state).1 == Some(1))
            );
        }
    }

    #[test]
    fn a_finished_match_is_a_state() {
        assert!(MatchState::at_score(5, 5, 3).is_over() && MatchState::at_score(5, 2, 9).is_over());
        assert_eq!(problems(MatchState::at_score(5, 2, 9)), []);
        assert!(!MatchState { roller_score: 9, ..MatchState::MONEY }.is_over());
    }

    #[test]
    fn every_problem_is_named() {
        let state = MatchState {
            length: 40_000,
            roller_score: 50_000,
            opponent_score: 60_000,
            crawford: true,
            cube_log2: 16,
            cube_owner: None,
            jacoby: true,
            beavers: true,
            cube_limit: Some(3),
        };
        assert_eq!(
            problems(state),
            [
                ScoreProblem::LengthTooLarge { length: 40_000 },
                ScoreProblem::ScoreTooLarge { player: Player::Roller, score: 50_000 },
                ScoreProblem::ScoreTooLarge { player: Player::Opponent, score: 60_000 },
                ScoreProblem::CubeInCrawford,
                ScoreProblem::CubeTooLarge { cube: 16 },
                ScoreProblem::CubeAboveLimit { cube: 16, limit: 3 },
                ScoreProblem::JacobyInMatch,
                ScoreProblem::BeaversInMatch,
            ]
        );
        let text = MatchState { cube_log2: 4, cube_limit: Some(3), ..MatchState::MONEY }.check().unwrap_err();
        assert_eq!(text.to_string(), "contradictory score: cube 16 is above its limit 8");
    }
}
