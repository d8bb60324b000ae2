//! What the results of any game are as five numbers, and what these are worth.
//!
//! ```text
//! win              chance to win; a draw, or a void game, is half a win
//! win_gammon       chance of two points or more - or, where wins are worth many different amounts (stakes), the
//!                  mean over all games of (points - 1) / (most - 1) in games won, nothing in others
//! win_backgammon   chance of three points
//! lose_...         the same of the opponent
//! ```
//!
//! So the numbers keep the order of chances, all of them are means over games, which is what a net trained on
//! cross-entropy learns, and the equity is a weighted sum: `2 win - 1 + a (win_gammon - lose_gammon) +
//! b (win_backgammon - lose_backgammon)`.

use crate::outcome::Probs;
use crate::position::Position;
use crate::rules::{End, Ruleset, Variant, left};
use crate::with_variant;

/// The most points that a stake is told apart up to with acey-deucey's doubling throws.
const MOST_DOUBLED: u32 = 120;
/// The same for a round of Trictrac "a ecrire".
const MOST_WRITTEN: u32 = 60;
/// Checkers of a side in acey-deucey, a point each.
const CHECKERS: u32 = 15;

/// What the wins of a game are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prizes {
    scale: Scale,
    /// Checkers of a side, in games where a loser who has borne one off loses a single game.
    saved_by_one_off: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// 1 to `most` points, each told apart; `most` is at most 3.
    Levels { most: u32 },
    /// Up to `most` points, by their mean.
    Stakes { most: u32 },
}

impl Prizes {
    /// The prizes of a game with its options.
    pub fn of(rules: &Ruleset) -> Prizes {
        let chosen =
            |option: &str| rules.options().iter().find(|(name, _)| *name == option).map_or("", |(_, v)| v);
        let yes = |option| chosen(option) == "true";
        let levels = |triple: bool| Scale::Levels { most: if triple { 3 } else { 2 } };
        let scale = match rules.name() {
            "portes" | "tavla" | "nardi_short" => levels(yes("triple")),
            "nardi_long" => levels(yes("home_mars") || yes("koks")),
            "jacquet" => levels(yes("triple_no_prime") || chosen("style") == "hitting"),
            "plakoto" | "fevga" | "kirik_tavla" => levels(false),
            "gul_bara" if !yes("config_bonus") => levels(false),
            "gul_bara" => Scale::Stakes { most: 4 },
            "acey_deucey" => {
                Scale::Stakes { most: if yes("double_on_acey") { MOST_DOUBLED } else { CHECKERS } }
            }
            "trictrac" if chosen("mode") == "ecrire" => Scale::Stakes { most: MOST_WRITTEN },
            "trictrac" => match chosen("stake") {
                "none" => Scale::Levels { most: 1 },
                "quadruple" => Scale::Stakes { most: 4 },
                _ => levels(false),
            },
            _ => levels(true),
        };
        // Checkers that lie pinned in Plakoto are not among those that a position counts at sight.
        let levels = matches!(scale, Scale::Levels { .. });
        let saves = levels && !matches!(rules.name(), "trictrac" | "kirik_tavla" | "plakoto");
        let start = with_variant!(rules.game(), game => game.start());
        Prizes { scale, saved_by_one_off: saves.then(|| left(&start)[0]) }
    }

    /// Whether wins are worth many different amounts, so that there are no gammons to have a chance of.
    pub fn are_stakes(&self) -> bool {
        matches!(self.scale, Scale::Stakes { .. })
    }

    /// The most points that are told apart.
    pub fn most(&self) -> u32 {
        match self.scale {
            Scale::Levels { most } | Scale::Stakes { most } => most,
        }
    }

    /// What the second and the third number of a side are worth.
    fn weights(&self) -> [f32; 2] {
        match self.scale {
            Scale::Levels { most } => [if most > 1 { 1.0 } else { 0.0 }, if most > 2 { 1.0 } else { 0.0 }],
            Scale::Stakes { most } => [(most - 1) as f32, 0.0],
        }
    }

    /// The numbers of a finished game, seen by the player to act.
    pub fn certain(&self, end: &End) -> Probs {
        let Some(won) = end.winner else { return Probs { win: 0.5, ..Probs::default() } };
        let (more, most) = match self.scale {
            Scale::Levels { most } => {
                let points = end.points.min(most);
                (f32::from(u8::from(points > 1)), f32::from(u8::from(points > 2)))
            }
            Scale::Stakes { most } => ((end.points.clamp(1, most) - 1) as f32 / (most - 1) as f32, 0.0),
        };
        let mine = Probs { win: 1.0, win_gammon: more, win_backgammon: most, ..Probs::default() };
        if won { mine } else { mine.flipped() }
    }

    /// What numbers are worth to the player to act, in points.
    pub fn equity(&self, numbers: &Probs) -> f32 {
        let [more, most] = self.weights();
        2.0 * numbers.win - 1.0
            + more * (numbers.win_gammon - numbers.lose_gammon)
            + most * (numbers.win_backgammon - numbers.lose_backgammon)
    }

    /// What the winner gets, as the player to act counts it.
    pub fn points(end: &End) -> f64 {
        match end.winner {
            Some(true) => f64::from(end.points),
            Some(false) => -f64::from(end.points),
            None => 0.0,
        }
    }

    /// Takes out of numbers what this game has not, or cannot have any more in a position.
    pub fn settle(&self, position: &Position, numbers: &mut Probs) {
        let [more, most] = self.weights();
        if most == 0.0 {
            (numbers.win_backgammon, numbers.lose_backgammon) = (0.0, 0.0);
        }
        if more == 0.0 {
            (numbers.win_gammon, numbers.lose_gammon) = (0.0, 0.0);
        }
        if let Some(checkers) = self.saved_by_one_off {
            let has_off = left(position).map(|left| left < checkers);
            if has_off[1] {
                (numbers.win_gammon, numbers.win_backgammon) = (0.0, 0.0);
            }
            if has_off[0] {
                (numbers.lose_gammon, numbers.lose_backgammon) = (0.0, 0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;
    use crate::rules::{Class, KINDS, Opening, Turns, random_game};

    fn rules(name: &str, options: &[(&str, &str)]) -> Ruleset {
        let given: Vec<_> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        Ruleset::new(name, &given).unwrap()
    }

    fn end(winner: Option<bool>, points: u32) -> End {
        End { winner, class: Class::Single, points }
    }

    #[test]
    fn certain_results_are_worth_their_points() {
        let acey = Prizes::of(&rules("acey_deucey", &[]));
        let triple = Prizes::of(&rules("portes", &[("triple", "true")]));
        let double = Prizes::of(&rules("portes", &[]));
        for (prizes, points) in [(acey, 1), (acey, 7), (acey, 15), (triple, 3), (double, 2), (double, 1)] {
            for won in [true, false] {
                let end = end(Some(won), points);
                assert!(
                    (f64::from(prizes.equity(&prizes.certain(&end))) - Prizes::points(&end)).abs() < 1e-5
                );
                assert_eq!(prizes.certain(&end), prizes.certain(&end.flipped()).flipped());
            }
        }
        assert_eq!(double.equity(&double.certain(&end(None, 0))), 0.0);
        assert_eq!((double.most(), acey.most(), acey.are_stakes()), (2, 15, true));
    }

    /// What random games end with is what the prizes say can be.
    #[test]
    fn no_game_pays_more_than_the_most() {
        let mut all: Vec<_> = KINDS.iter().map(|kind| rules(kind.name, &[])).collect();
        all.push(rules("jacquet", &[("style", "hitting")]));
        all.push(rules("gul_bara", &[("config_bonus", "true")]));
        all.push(rules("trictrac", &[("stake", "quadruple")]));
        all.push(rules("kirik_tavla", &[("six_hit_mars", "true")]));
        for rules in all {
            let prizes = Prizes::of(&rules);
            for trial in 0..60 {
                with_variant!(rules.game(), game => {
                    let first = rules.opening() == Opening::Reroll;
                    let mut last = game.start();
                    let mut turns = Turns::new();
                    let see = |position: &Position, _| last = *position;
                    let played = random_game(game, Stream::new(4, trial), first, 20_000, &mut turns, see);
                    let end = played.end.unwrap();
                    assert!(end.points <= prizes.most(), "{} {end:?}", rules.name());
                    if end.winner.is_some() {
                        // The position before the end lets happen what did.
                        let mut numbers =
                            Probs { win: 0.5, win_gammon: 0.5, win_backgammon: 0.5, lose_gammon: 0.5, lose_backgammon: 0.5 };
                        let seen = prizes.certain(&end);
                        let either = seen.win_gammon + seen.lose_gammon;
                        prizes.settle(&last, &mut numbers);
                        assert!(either == 0.0 || numbers.win_gammon + numbers.lose_gammon > 0.0, "{}", rules.name());
                    }
                });
            }
        }
    }
}
