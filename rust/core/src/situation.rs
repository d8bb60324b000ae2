//! A situation: everything an identifier says about a moment of a game.
//!
//! The [`Position`] and the [`MatchState`] are in the frame of the player whose roll it is; [`Parts::seat`]
//! says which of the two absolute players that is, and [`Parts::to_act`] who has to decide something now.

use std::fmt;
use std::ops::Deref;

use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::problems::write_all;
use crate::score::{MatchState, Player, ScoreError, power};

/// One of the two absolute players: seats do not change when the roll is handed over.
///
/// An XGID draws player 1 at the bottom with upper-case letters and player 0 at the top; GNU Backgammon
/// calls them X and O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Seat {
    /// Player 0: top, O, lower case.
    Top = 0,
    /// Player 1: bottom, X, upper case.
    Bottom = 1,
}

impl Seat {
    /// The other seat.
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::Top => Seat::Bottom,
            Seat::Bottom => Seat::Top,
        }
    }
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offer {
    /// The roller doubled; the opponent answers.
    Double,
    /// The opponent beavered the roller's double; the roller answers.
    Beaver,
    /// The roller raccooned the beaver; the opponent answers.
    Raccoon,
    /// Whoever is not to act offers to lose the game at this class.
    Resignation(Outcome),
}

impl Offer {
    /// Who answers a cube offer; `None` for a resignation, which either player may make.
    pub const fn answered_by(self) -> Option<Player> {
        match self {
            Offer::Double | Offer::Raccoon => Some(Player::Opponent),
            Offer::Beaver => Some(Player::Roller),
            Offer::Resignation(_) => None,
        }
    }

    /// How often the cube has been turned if the offer is taken; 0 for a resignation.
    pub const fn turns(self) -> u8 {
        match self {
            Offer::Double => 1,
            Offer::Beaver => 2,
            Offer::Raccoon => 3,
            Offer::Resignation(_) => 0,
        }
    }
}

/// How far the game has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum GameState {
    /// No game has been started.
    NotStarted = 0,
    /// The game is being played.
    Playing = 1,
    /// The game was played to its end.
    Over = 2,
    /// The game ended by a resignation.
    Resigned = 3,
    /// The game ended by a declined double.
    Dropped = 4,
}

/// The fields of a [`Situation`], not yet checked against one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts {
    /// Where the checkers stand, seen by the player whose roll it is.
    pub position: Position,
    /// Score and cube, seen by the same player. The cube is as it was before a pending offer.
    pub score: MatchState,
    /// The dice on the table; `None` before the throw. The order in which they were thrown is not kept.
    pub roll: Option<Roll>,
    /// The offer that waits for an answer, if any.
    pub offer: Option<Offer>,
    /// Who has to decide next.
    pub to_act: Player,
    /// Which absolute player has the roll.
    pub seat: Seat,
    /// How far the game has got.
    pub state: GameState,
}

/// A checked moment of a game: its [`Parts`] can be read as if they were fields, but not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation(Parts);

/// One reason why parts are not a situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SituationProblem {
    /// Score and cube contradict themselves.
    Score(ScoreError),
    /// A cube offer is pending although the dice have been thrown.
    OfferAfterRoll,
    /// The offer is not answered by the player who is to act.
    WrongPlayerToAct {
        /// The offer.
        offer: Offer,
        /// Who is said to be to act.
        to_act: Player,
    },
    /// A double in the Crawford game.
    DoubleInCrawford,
    /// A double by a player who does not own the cube.
    DoubleWithoutCube,
    /// A double beyond the cube's limit.
    DoubleAboveLimit {
        /// The value offered, as a power of two.
        cube: u8,
        /// The limit, as a power of two.
        limit: u8,
    },
    /// A beaver or raccoon where beavers are not played.
    BeaverNotAllowed,
}

/// All reasons why parts are not a situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SituationError {
    /// Every problem found, in the order of the enum.
    pub problems: Vec<SituationProblem>,
}

impl Parts {
    /// The roller (player 1) is about to throw or double in `position` at `score`.
    pub const fn new(position: Position, score: MatchState) -> Parts {
        Parts {
            position,
            score,
            roll: None,
            offer: None,
            to_act: Player::Roller,
            seat: Seat::Bottom,
            state: GameState::Playing,
        }
    }

    fn check_offer(&self, offer: Offer, problems: &mut Vec<SituationProblem>) {
        let (Some(answers), turns) = (offer.answered_by(), offer.turns()) else { return };
        if self.roll.is_some() {
            problems.push(SituationProblem::OfferAfterRoll);
        }
        if self.to_act != answers {
            problems.push(SituationProblem::WrongPlayerToAct { offer, to_act: self.to_act });
        }
        if self.score.crawford {
            problems.push(SituationProblem::DoubleInCrawford);
        }
        if self.score.cube_owner == Some(Player::Opponent) {
            problems.push(SituationProblem::DoubleWithoutCube);
        }
        let limit = self.score.cube_limit.unwrap_or(MatchState::MAX_CUBE);
        let cube = self.score.cube_log2.saturating_add(turns);
        if cube > limit {
            problems.push(SituationProblem::DoubleAboveLimit { cube, limit });
        }
        if turns > 1 && !self.score.beavers {
            problems.push(SituationProblem::BeaverNotAllowed);
        }
    }
}

impl Situation {
    /// The situation with these parts.
    ///
    /// # Errors
    /// Names every contradiction between the parts. A finished game or match is no contradiction.
    pub fn new(parts: Parts) -> Result<Situation, SituationError> {
        let mut problems = Vec::new();
        if let Err(error) = parts.score.check() {
            problems.push(SituationProblem::Score(error));
        }
        if let Some(offer) = parts.offer {
            parts.check_offer(offer, &mut problems);
        }
        if problems.is_empty() { Ok(Situation(parts)) } else { Err(SituationError { problems }) }
    }

    /// The start of a money game, player 1 about to throw.
    pub const START: Situation = Situation(Parts::new(Position::START, MatchState::MONEY));

    /// The player about to throw (player 1) in money play with a centred cube.
    pub fn money(position: Position) -> Situation {
        let mut parts = Parts::new(position, MatchState::MONEY);
        if position.is_over() {
            parts.state = GameState::Over;
        }
        Situation(parts)
    }

    /// All parts, for a changed copy.
    pub const fn parts(&self) -> Parts {
        self.0
    }

    /// Whether there is nothing left to decide: the game has ended, or the match.
    pub fn is_over(&self) -> bool {
        matches!(self.state, GameState::Over | GameState::Resigned | GameState::Dropped)
            || self.position.is_over()
            || self.score.is_over()
    }

    /// The seat of `player`.
    pub const fn seat_of(&self, player: Player) -> Seat {
        match player {
            Player::Roller => self.0.seat,
            Player::Opponent => self.0.seat.other(),
        }
    }

    /// The player who sits at `seat`.
    pub const fn player_at(&self, seat: Seat) -> Player {
        if seat as u8 == self.0.seat as u8 { Player::Roller } else { Player::Opponent }
    }
}

impl Deref for Situation {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offer::Double => f.write_str("double"),
            Offer::Beaver => f.write_str("beaver"),
            Offer::Raccoon => f.write_str("raccoon"),
            Offer::Resignation(outcome) => write!(f, "resignation of a {outcome}"),
        }
    }
}

impl fmt::Display for SituationProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SituationProblem::Score(error) => write!(f, "{error}"),
            SituationProblem::OfferAfterRoll => {
                f.write_str("a cube offer is pending although the dice have been thrown")
            }
            SituationProblem::WrongPlayerToAct { offer, to_act } => {
                write!(f, "a {offer} is answered by {}, but {to_act} is to act", to_act.other())
            }
            SituationProblem::DoubleInCrawford => f.write_str("a double in the Crawford game"),
            SituationProblem::DoubleWithoutCube => {
                f.write_str("a double by a player who does not own the cube")
            }
            SituationProblem::DoubleAboveLimit { cube, limit } => {
                write!(f, "a double to {} is above the cube's limit {}", power(*cube), power(*limit))
            }
            SituationProblem::BeaverNotAllowed => {
                f.write_str("a beaver or raccoon is pending where beavers are not played")
            }
        }
    }
}

impl fmt::Display for SituationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(f, "contradictory situation", &self.problems)
    }
}

impl std::error::Error for SituationError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(parts: Parts) -> Vec<SituationProblem> {
        Situation::new(parts).err().map(|e| e.problems).unwrap_or_default()
    }

    fn doubled(score: MatchState) -> Parts {
        Parts { offer: Some(Offer::Double), to_act: Player::Opponent, ..Parts::new(Position::START, score) }
    }

    #[test]
    fn a_double_needs_the_cube() {
        assert_eq!(problems(doubled(MatchState::MONEY)), []);
        let owned = |owner| MatchState { cube_log2: 1, cube_owner: Some(owner), ..MatchState::MONEY };
        assert_eq!(problems(doubled(owned(Player::Roller))), []);
        assert_eq!(problems(doubled(owned(Player::Opponent))), [SituationProblem::DoubleWithoutCube]);
        let crawford = MatchState { crawford: true, ..MatchState::at_score(3, 2, 0) };
        assert_eq!(problems(doubled(crawford)), [SituationProblem::DoubleInCrawford]);
        let limited = MatchState { cube_log2: 3, cube_limit: Some(3), ..MatchState::MONEY };
        assert_eq!(problems(doubled(limited)), [SituationProblem::DoubleAboveLimit { cube: 4, limit: 3 }]);
    }

    #[test]
    fn every_problem_is_named() {
        let parts = Parts {
            roll: Roll::new(3, 1),
            offer: Some(Offer::Beaver),
            to_act: Player::Opponent,
            ..Parts::new(
                Position::START,
                MatchState {
                    cube_log2: 255,
                    crawford: true,
                    cube_owner: Some(Player::Opponent),
                    ..MatchState::MONEY
                },
            )
        };
        let error = Situation::new(parts).unwrap_err();
        assert_eq!(error.problems.len(), 7);
        let text = error.to_string();
        assert!(text.contains("a beaver is answered by the player on roll, but the opponent is"), "{text}");
    }

    #[test]
    fn finished_games_are_situations() {
        let over = Situation::new(Parts::new(Position::START, MatchState::at_score(5, 5, 0))).unwrap();
        assert!(over.is_over());
        assert!(!Situation::START.is_over());
        let dropped = Parts { state: GameState::Dropped, ..Situation::START.parts() };
        assert!(Situation::new(dropped).unwrap().is_over());
    }
}
