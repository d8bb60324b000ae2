//! How a game ended, and the five numbers that say how it is expected to end.

/// A finished game, named by its winner's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// The loser has borne off at least one checker.
    Single = 1,
    /// The loser has borne off none.
    Gammon = 2,
    /// The loser has borne off none and has a checker on the bar or in the winner's home board.
    Backgammon = 3,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Outcome::Single => "single game",
            Outcome::Gammon => "gammon",
            Outcome::Backgammon => "backgammon",
        })
    }
}

/// Chances of the player about to roll, cumulative: a gammon is also a win.
///
/// Laid out as five `f32`, so a slice of them is an `(n, 5)` array.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Probs {
    /// Chance to win, however.
    pub win: f32,
    /// Chance to win a gammon or a backgammon.
    pub win_gammon: f32,
    /// Chance to win a backgammon.
    pub win_backgammon: f32,
    /// Chance to lose a gammon or a backgammon.
    pub lose_gammon: f32,
    /// Chance to lose a backgammon.
    pub lose_backgammon: f32,
}

const _: () = assert!(std::mem::size_of::<Probs>() == 20);

impl Probs {
    /// The certain result of a game the roller won (`won`) or lost by `outcome`.
    pub const fn certain(won: bool, outcome: Outcome) -> Probs {
        let gammon = if matches!(outcome, Outcome::Single) { 0.0 } else { 1.0 };
        let backgammon = if matches!(outcome, Outcome::Backgammon) { 1.0 } else { 0.0 };
        if won {
            Probs {
                win: 1.0,
                win_gammon: gammon,
                win_backgammon: backgammon,
                lose_gammon: 0.0,
                lose_backgammon: 0.0,
            }
        } else {
            Probs {
                win: 0.0,
                win_gammon: 0.0,
                win_backgammon: 0.0,
                lose_gammon: gammon,
                lose_backgammon: backgammon,
            }
        }
    }

    /// The same expectation seen by the other player.
    #[must_use]
    pub const fn flipped(self) -> Probs {
        Probs {
            win: 1.0 - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// Cubeless money equity in points: `2 win - 1 + gammons + backgammons` won less lost, in [-3, 3].
    pub const fn equity(self) -> f32 {
        2.0 * self.win - 1.0 + self.win_gammon + self.win_backgammon - self.lose_gammon - self.lose_backgammon
    }

    /// The five numbers in order.
    pub const fn to_array(self) -> [f32; 5] {
        [self.win, self.win_gammon, self.win_backgammon, self.lose_gammon, self.lose_backgammon]
    }

    /// From the five numbers in order.
    pub const fn from_array(p: [f32; 5]) -> Probs {
        Probs { win: p[0], win_gammon: p[1], win_backgammon: p[2], lose_gammon: p[3], lose_backgammon: p[4] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_results_are_worth_their_points() {
        for (outcome, points) in [(Outcome::Single, 1.0), (Outcome::Gammon, 2.0), (Outcome::Backgammon, 3.0)]
        {
            let won = Probs::certain(true, outcome);
            assert_eq!(won.equity(), points);
            assert_eq!(won.flipped(), Probs::certain(false, outcome));
            assert_eq!(won.flipped().equity(), -points);
        }
    }
}
