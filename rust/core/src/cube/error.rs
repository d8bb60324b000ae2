//! What can be wrong with a match equity table, a score or chances.

use std::fmt;

use crate::cube::MAX_AWAY;
use crate::score::{Player, ScoreError, power};

/// Why a match equity table cannot be built or asked.
#[derive(Clone, Debug, PartialEq)]
pub enum MetError {
    /// The tables have no usable shape.
    Shape {
        /// Points the table was said to reach.
        length: usize,
        /// Cells of the pre-Crawford table.
        pre: usize,
        /// Entries of the post-Crawford table that does not fit.
        post: usize,
    },
    /// A cell is no chance between 0 and 1.
    NotAChance {
        /// Points the player is away.
        away: usize,
        /// Points the opponent is away.
        opp_away: usize,
        /// Whether the cell is in a post-Crawford table.
        post_crawford: bool,
        /// The value found.
        value: f64,
    },
    /// A score is further away than tables reach.
    TooFar {
        /// Points away.
        away: u32,
    },
    /// Both players are said to have won the match.
    BothWon,
    /// The Crawford game is asked for although neither player is one point away.
    NotCrawford {
        /// Points the player is away.
        away: u16,
        /// Points the opponent is away.
        opp_away: u16,
    },
}

impl fmt::Display for MetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MetError::Shape { length, pre, post } => write!(
                f,
                "a table of {length} points needs 2 to {MAX_AWAY} points, {length} x {length} pre-Crawford cells and \
                 {length} post-Crawford entries (the last may be missing), not {pre} and {post}"
            ),
            MetError::NotAChance { away, opp_away, post_crawford, value } => {
                let table = if post_crawford { "post" } else { "pre" };
                write!(
                    f,
                    "{table}-Crawford cell {away}-away, {opp_away}-away is {value}, no chance between 0 and 1"
                )
            }
            MetError::TooFar { away } => {
                write!(f, "{away} points away: match equity tables reach {MAX_AWAY} points")
            }
            MetError::BothWon => f.write_str("both players are 0 points away: only one can win the match"),
            MetError::NotCrawford { away, opp_away } => {
                write!(f, "{away}-away, {opp_away}-away cannot be the Crawford game: neither is 1 point away")
            }
        }
    }
}

impl std::error::Error for MetError {}

/// Why nothing can be said about a cube.
#[derive(Clone, Debug, PartialEq)]
pub enum CubeError {
    /// The score contradicts itself.
    Score(ScoreError),
    /// The match is over.
    MatchOver,
    /// An owned cube that still stands at 1.
    OwnedCubeOfOne,
    /// A match score without a match equity table.
    NoMet,
    /// The table does not know the score.
    Met(MetError),
    /// The five numbers are no chances: out of range, not finite, or more gammons than wins.
    NotChances([f32; 5]),
    /// Cube life is no number between 0 and 1.
    CubeLife(f64),
    /// Exact equities are of money play, but the score is that of a match.
    NotMoney,
    /// A money equity beyond a backgammon won or lost, or none at all.
    NotAnEquity(f64),
    /// The double asked about may not be offered.
    Refused(Refusal),
}

impl fmt::Display for CubeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CubeError::Score(error) => write!(f, "{error}"),
            CubeError::MatchOver => f.write_str("the match is over: a player has reached its length"),
            CubeError::OwnedCubeOfOne => {
                f.write_str("a cube at 1 has an owner: a cube that was never turned is centred")
            }
            CubeError::NoMet => f.write_str("a match score needs a match equity table"),
            CubeError::Met(error) => write!(f, "{error}"),
            CubeError::NotChances(p) => write!(
                f,
                "{p:?} are no chances (win, win gammon, win backgammon, lose gammon, lose backgammon): each must lie \
                 between 0 and 1, backgammons within gammons, gammons within wins or losses"
            ),
            CubeError::CubeLife(life) => write!(f, "cube life {life} is not between 0 and 1"),
            CubeError::NotMoney => f.write_str("exact equities are of money play, not of a match"),
            CubeError::NotAnEquity(equity) => {
                write!(f, "{equity} is no money equity per unit of the cube: it must lie between -3 and 3")
            }
            CubeError::Refused(refusal) => write!(f, "no double: {refusal}"),
        }
    }
}

impl std::error::Error for CubeError {}

impl From<MetError> for CubeError {
    fn from(error: MetError) -> CubeError {
        CubeError::Met(error)
    }
}

/// Why a player may not double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// It is the Crawford game.
    Crawford,
    /// The cube belongs to the other player.
    NotOwned {
        /// The player who wants to double.
        player: Player,
    },
    /// A single win ends the match for either player at the cube's present value.
    DeadCube,
    /// The next value is above the cube's limit.
    AtLimit {
        /// The limit, as a power of two.
        limit: u8,
    },
}

impl Refusal {
    /// A short name: `crawford`, `not-owned`, `dead-cube` or `cube-limit`.
    pub const fn name(self) -> &'static str {
        match self {
            Refusal::Crawford => "crawford",
            Refusal::NotOwned { .. } => "not-owned",
            Refusal::DeadCube => "dead-cube",
            Refusal::AtLimit { .. } => "cube-limit",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refusal::Crawford => f.write_str("the Crawford game is played without the cube"),
            Refusal::NotOwned { player } => write!(f, "{} owns the cube", player.other()),
            Refusal::DeadCube => f.write_str(
                "the cube is dead: at its present value a single win ends the match for either player",
            ),
            Refusal::AtLimit { limit } => write!(f, "the cube is at its limit {}", power(limit)),
        }
    }
}
