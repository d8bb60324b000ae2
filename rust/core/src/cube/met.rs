//! A match equity table: the chance to win a match from every score.

use crate::cube::error::MetError;
use crate::cube::formula::{PostCrawford, Zadeh, montgomery};

/// How many points away tables reach; what a table does not know is extended to here.
pub const MAX_AWAY: usize = 64;

/// Chances to win a match, at every score up to [`MAX_AWAY`] points away.
///
/// Rows belong to the first player. In most tables the players are equal and it does not matter who that
/// is; a table for players of unequal skill names him, and [`Met::exchanged`] gives the other's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Met {
    name: String,
    known: usize,
    /// Before the Crawford game and in it, row by row.
    pre: Vec<f64>,
    /// After the Crawford game, each player's own chance when he is the trailer.
    post: [Vec<f64>; 2],
}

/// Something odd about a table that does not keep it from being used.
#[derive(Clone, Debug, PartialEq)]
pub enum MetIssue {
    /// The chances of the two players at one score do not add up to 1.
    NotAntisymmetric {
        /// Points the first player is away.
        away: usize,
        /// Points the other is away.
        opp_away: usize,
        /// What the two chances add up to.
        sum: f64,
    },
    /// A player who needs one point more has a better chance.
    NotMonotone {
        /// Points the first player is away.
        away: usize,
        /// Points the other is away.
        opp_away: usize,
        /// Whether the score is after the Crawford game.
        post_crawford: bool,
        /// His chance.
        chance: f64,
        /// His chance with one point more to go, which is higher.
        further: f64,
    },
}

/// By how much chances may contradict each other before it counts: the tables' own rounding.
const ROUNDING: f64 = 1e-5;

impl Met {
    /// A table of `length` x `length` pre-Crawford cells (row by row, the rows the first player's) and the
    /// trailer's chances after the Crawford game, for either player as the trailer.
    ///
    /// Scores beyond `length` follow David Montgomery's [normal approximation](montgomery), shifted in
    /// log-odds by what it differs from the table's nearest known cell; those after the Crawford game
    /// Zadeh's recursion. The last post-Crawford entry may be missing, as no Crawford game precedes it.
    ///
    /// # Errors
    /// If the lengths do not fit together or a cell is no chance.
    pub fn new(name: &str, length: usize, pre: &[f64], post: [&[f64]; 2]) -> Result<Met, MetError> {
        check_shape(length, pre, post)?;
        let mut all = vec![0.0; MAX_AWAY * MAX_AWAY];
        for away in 1..=MAX_AWAY {
            for opp_away in 1..=MAX_AWAY {
                all[index(away, opp_away)] = if away.max(opp_away) <= length {
                    pre[(away - 1) * length + opp_away - 1]
                } else {
                    extended(length, pre, away, opp_away)
                };
            }
        }
        let post = post.map(|known| PostCrawford::ZADEH.extend(known));
        Ok(Met { name: name.to_owned(), known: length, pre: all, post })
    }

    /// Zadeh's formula with these parameters, computed to [`MAX_AWAY`] points.
    pub fn zadeh(name: &str, before: Zadeh, after: PostCrawford) -> Met {
        let post = after.table();
        let pre = before.table(MAX_AWAY, &post);
        Met { name: name.to_owned(), known: MAX_AWAY, pre, post: [post.clone(), post] }
    }

    /// Montgomery's normal approximation before the Crawford game, a recursion after it for either player.
    pub fn normal(name: &str, after: [PostCrawford; 2]) -> Met {
        let mut pre = vec![0.0; MAX_AWAY * MAX_AWAY];
        for away in 1..=MAX_AWAY {
            for opp_away in 1..=MAX_AWAY {
                pre[index(away, opp_away)] = montgomery(away, opp_away);
            }
        }
        Met { name: name.to_owned(), known: MAX_AWAY, pre, post: after.map(|after| after.table()) }
    }

    /// The table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Points away up to which the cells are the table's own; beyond, they are extended.
    pub fn known(&self) -> usize {
        self.known
    }

    /// All pre-Crawford cells, row by row, and the two players' own post-Crawford chances as the trailer.
    pub fn cells(&self) -> [&[f64]; 3] {
        [&self.pre, &self.post[0], &self.post[1]]
    }

    /// The same table, said to be its own up to `known` points.
    #[must_use]
    pub fn with_known(self, known: usize) -> Met {
        Met { known: known.min(MAX_AWAY), ..self }
    }

    /// The first player's chance to win the match when he needs `away` points and the other `opp_away`.
    ///
    /// `crawford` says whether the game to be played is the Crawford game. A score with a player one point
    /// away that is not the Crawford game comes after it.
    ///
    /// # Errors
    /// If a score is too far away, both have won, or the Crawford game cannot be at this score.
    pub fn mwc(&self, away: u16, opp_away: u16, crawford: bool) -> Result<f64, MetError> {
        for n in [away, opp_away] {
            if usize::from(n) > MAX_AWAY {
                return Err(MetError::TooFar { away: u32::from(n) });
            }
        }
        if away == 0 && opp_away == 0 {
            return Err(MetError::BothWon);
        }
        let nearest = away.min(opp_away);
        if crawford && nearest != 1 {
            return Err(MetError::NotCrawford { away, opp_away });
        }
        let post = nearest == 1 && !crawford;
        Ok(self.at(i64::from(away), i64::from(opp_away), post))
    }

    /// The chance at a score within reach; a player at or below zero has won.
    pub(crate) fn at(&self, away: i64, opp_away: i64, post_crawford: bool) -> f64 {
        if away <= 0 {
            1.0
        } else if opp_away <= 0 {
            0.0
        } else if post_crawford && opp_away == 1 {
            self.post[0][away as usize - 1]
        } else if post_crawford && away == 1 {
            1.0 - self.post[1][opp_away as usize - 1]
        } else {
            self.pre[index(away as usize, opp_away as usize)]
        }
    }

    /// The same table with the players exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Met {
        let mut pre = self.pre.clone();
        for away in 1..=MAX_AWAY {
            for opp_away in 1..=MAX_AWAY {
                pre[index(away, opp_away)] = 1.0 - self.pre[index(opp_away, away)];
            }
        }
        let [first, second] = self.post.clone();
        Met { name: self.name.clone(), known: self.known, pre, post: [second, first] }
    }

    /// Everything odd about the table: chances that do not add up, or that fall with the points needed.
    pub fn check(&self) -> Vec<MetIssue> {
        let mut issues = Vec::new();
        for away in 1..=MAX_AWAY {
            for opp_away in 1..=MAX_AWAY {
                self.check_cell(away, opp_away, &mut issues);
            }
        }
        for (player, post) in self.post.iter().enumerate() {
            for away in 1..MAX_AWAY {
                let (chance, further) = (post[away - 1], post[away]);
                if further > chance + ROUNDING {
                    let (away, opp_away) = if player == 0 { (away, 1) } else { (1, away) };
                    let post_crawford = true;
                    issues.push(MetIssue::NotMonotone { away, opp_away, post_crawford, chance, further });
                }
            }
        }
        let sum = self.post[0][0] + self.post[1][0];
        if (sum - 1.0).abs() > ROUNDING && (self.pre[0] + self.pre[0] - 1.0).abs() <= ROUNDING {
            issues.push(MetIssue::NotAntisymmetric { away: 1, opp_away: 1, sum });
        }
        issues
    }

    fn check_cell(&self, away: usize, opp_away: usize, issues: &mut Vec<MetIssue>) {
        let chance = self.pre[index(away, opp_away)];
        let sum = chance + self.pre[index(opp_away, away)];
        if away <= opp_away && (sum - 1.0).abs() > ROUNDING {
            issues.push(MetIssue::NotAntisymmetric { away, opp_away, sum });
        }
        let further = if away < MAX_AWAY { self.pre[index(away + 1, opp_away)] } else { 0.0 };
        if further > chance + ROUNDING {
            issues.push(MetIssue::NotMonotone { away, opp_away, post_crawford: false, chance, further });
        }
        let closer = if opp_away < MAX_AWAY { self.pre[index(away, opp_away + 1)] } else { 1.0 };
        if closer < chance - ROUNDING {
            // The same fault seen by the other player.
            let (chance, further) = (1.0 - chance, 1.0 - closer);
            issues.push(MetIssue::NotMonotone {
                away: opp_away,
                opp_away: away,
                post_crawford: false,
                chance,
                further,
            });
        }
    }
}

const fn index(away: usize, opp_away: usize) -> usize {
    (away - 1) * MAX_AWAY + opp_away - 1
}

fn check_shape(length: usize, pre: &[f64], post: [&[f64]; 2]) -> Result<(), MetError> {
    for known in post {
        let fits = known.len() == length || known.len() + 1 == length;
        if !(2..=MAX_AWAY).contains(&length) || pre.len() != length * length || !fits {
            return Err(MetError::Shape { length, pre: pre.len(), post: known.len() });
        }
    }
    for (i, &value) in pre.iter().enumerate() {
        if !(0.0..=1.0).contains(&value) {
            let (away, opp_away) = (i / length + 1, i % length + 1);
            return Err(MetError::NotAChance { away, opp_away, post_crawford: false, value });
        }
    }
    for (player, known) in post.into_iter().enumerate() {
        for (i, &value) in known.iter().enumerate() {
            if !(0.0..=1.0).contains(&value) {
                let (away, opp_away) = if player == 0 { (i + 1, 1) } else { (1, i + 1) };
                return Err(MetError::NotAChance { away, opp_away, post_crawford: true, value });
            }
        }
    }
    Ok(())
}

/// A pre-Crawford cell outside the known block.
fn extended(length: usize, pre: &[f64], away: usize, opp_away: usize) -> f64 {
    let (near, opp_near) = (away.min(length), opp_away.min(length));
    let known = pre[(near - 1) * length + opp_near - 1];
    let (formula, base) = (montgomery(away, opp_away), montgomery(near, opp_near));
    if known <= 0.0 || known >= 1.0 || formula <= 0.0 || formula >= 1.0 {
        return formula;
    }
    let odds = formula / (1.0 - formula) * (known / (1.0 - known)) / (base / (1.0 - base));
    odds / (1.0 + odds)
}

impl std::fmt::Display for MetIssue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            MetIssue::NotAntisymmetric { away, opp_away, sum } => {
                write!(f, "the chances at {away}-away, {opp_away}-away add up to {sum:.6}, not 1")
            }
            MetIssue::NotMonotone { away, opp_away, post_crawford, chance, further } => {
                let when = if post_crawford { " after the Crawford game" } else { "" };
                write!(
                    f,
                    "{away}-away, {opp_away}-away{when} is {chance:.6}, but {further:.6} with one point more to go"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Met {
        let pre = [0.5, 0.7, 0.75, 0.3, 0.5, 0.6, 0.25, 0.4, 0.5];
        Met::new("small", 3, &pre, [&[0.5, 0.48, 0.3], &[0.5, 0.48, 0.3]]).unwrap()
    }

    #[test]
    fn scores_one_away_depend_on_the_crawford_game() {
        let met = small();
        assert_eq!(met.mwc(1, 2, true), Ok(0.7));
        assert_eq!(met.mwc(1, 2, false), Ok(1.0 - 0.48));
        assert_eq!(met.mwc(3, 1, false), Ok(0.3));
        assert_eq!(met.mwc(2, 3, false), Ok(0.6));
        assert_eq!(met.mwc(0, 3, false), Ok(1.0));
        assert_eq!(met.mwc(3, 0, false), Ok(0.0));
    }

    #[test]
    fn impossible_scores_are_errors() {
        let met = small();
        assert_eq!(met.mwc(2, 3, true), Err(MetError::NotCrawford { away: 2, opp_away: 3 }));
        assert_eq!(met.mwc(0, 0, false), Err(MetError::BothWon));
        assert_eq!(met.mwc(65, 3, false), Err(MetError::TooFar { away: 65 }));
        assert_eq!(met.mwc(0, 1, true), Err(MetError::NotCrawford { away: 0, opp_away: 1 }));
    }

    #[test]
    fn bad_tables_are_refused() {
        let good = [0.5, 0.7, 0.3, 0.5];
        let post: &[f64] = &[0.5, 0.48];
        let shape = |length, pre: &[f64], post: &[f64]| {
            matches!(Met::new("x", length, pre, [post, post]), Err(MetError::Shape { .. }))
        };
        assert!(shape(3, &good, post) && shape(2, &good, &[]) && shape(0, &[], &[]));
        assert!(shape(65, &vec![0.5; 65 * 65], &[0.5; 65]));
        for bad in [f64::NAN, -0.1, 1.5, f64::INFINITY] {
            let cells = [0.5, bad, 0.3, 0.5];
            assert!(matches!(
                Met::new("x", 2, &cells, [post, post]),
                Err(MetError::NotAChance { away: 1, opp_away: 2, post_crawford: false, .. })
            ));
            assert!(matches!(
                Met::new("x", 2, &good, [post, &[0.5, bad]]),
                Err(MetError::NotAChance { away: 1, opp_away: 2, post_crawford: true, .. })
            ));
        }
        assert!(Met::new("x", 2, &good, [&[0.5], &[0.5]]).is_ok(), "the last entry may be missing");
    }

    #[test]
    fn oddities_are_named() {
        let odd = Met::new("odd", 2, &[0.5, 0.7, 0.75, 0.5], [&[0.5, 0.6], &[0.5, 0.4]]).unwrap();
        let issues = odd.check();
        let text: Vec<String> = issues.iter().map(ToString::to_string).collect();
        assert!(text.iter().any(|t| t.contains("1-away, 2-away add up to 1.45")), "{text:?}");
        assert!(text.iter().any(|t| t.contains("after the Crawford game is 0.5")), "{text:?}");
        assert_eq!(Met::normal("normal", [PostCrawford::ZADEH; 2]).check(), []);
    }

    #[test]
    fn exchanging_players_twice_changes_nothing() {
        let met = small();
        assert_eq!(met.exchanged().mwc(3, 1, false), met.mwc(3, 1, false));
        let twice = met.exchanged().exchanged();
        for away in 1..=64 {
            for opp_away in 1..=64 {
                let (a, b) = (met.mwc(away, opp_away, false), twice.mwc(away, opp_away, false));
                assert!((a.unwrap() - b.unwrap()).abs() < 1e-15);
            }
        }
    }
}
