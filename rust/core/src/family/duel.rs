//! Duels: two players, games in pairs with the same dice, each player beginning once.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::look::Looker;
use super::{Choice, Judge, Prizes};
use crate::dice::Roll;
use crate::eval::EvalError;
use crate::parallel::{Watch, run_blocks};
use crate::position::Position;
use crate::rng::Stream;
use crate::rules::{Asks, MOST_DECISIONS, Variant};

/// Which stream of a pair chooses among results that are equally good, for either game.
const CHOICES: u64 = 1;

/// How a player chooses.
#[derive(Clone, Copy)]
pub enum Contestant<'a> {
    /// Any result, each equally likely.
    Random,
    /// The best result by a judge, the first of equals.
    Best(&'a dyn Judge),
    /// The best result by a judge, any of equals.
    AnyBest(&'a dyn Judge),
}

/// What is played.
#[derive(Clone, Copy)]
pub struct Contest<'a, V: Variant> {
    /// The rules.
    pub game: &'a V,
    /// What its results are.
    pub prizes: &'a Prizes,
    /// Whether the first throw may be a double.
    pub double_first: bool,
    /// Who plays.
    pub players: [Contestant<'a>; 2],
    /// Who says how lucky throws were; nobody if luck is left in.
    pub luck: Option<&'a dyn Judge>,
    /// Seed of the dice.
    pub seed: u64,
}

/// What two games with the same dice gave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairPlayed {
    /// Points of the first player: in the game he began, in the other one.
    pub points: [i32; 2],
    /// Points by which the dice of both games were better for him.
    pub luck: f64,
    /// Decisions made in both.
    pub decisions: u32,
    /// Games that neither won: drawn, void or broken off.
    pub without_winner: u32,
}

/// Plays the pairs numbered so; after a stop by the watcher, who is told how many are done, those before the first
/// that is not finished.
///
/// The result depends on none but the contest and the number of a pair.
///
/// # Errors
/// A judge's.
pub fn duel<V: Variant>(
    contest: &Contest<'_, V>,
    pairs: Range<u64>,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<PairPlayed>, EvalError> {
    let failed = AtomicBool::new(false);
    let blocks = usize::try_from(pairs.end.saturating_sub(pairs.start)).unwrap_or(usize::MAX);
    let work = |looker: &mut Looker, number: usize| {
        if failed.load(Ordering::Relaxed) {
            return Ok(PairPlayed::default());
        }
        let played = contest.pair(pairs.start + number as u64, looker);
        failed.fetch_or(played.is_err(), Ordering::Relaxed);
        played
    };
    run_blocks(threads, blocks, watch, Looker::new, work).results.into_iter().collect()
}

/// A game under way.
struct Game {
    position: Position,
    /// The player who acts.
    acts: usize,
    passes: u32,
    luck: f64,
}

impl<V: Variant> Contest<'_, V> {
    fn pair(&self, number: u64, looker: &mut Looker) -> Result<PairPlayed, EvalError> {
        let mut pair = PairPlayed::default();
        for begins in 0..2 {
            self.play(Stream::new(self.seed, number), begins, looker, &mut pair)?;
        }
        Ok(pair)
    }

    /// Plays a game that player `begins` begins.
    fn play(
        &self,
        dice: Stream,
        begins: usize,
        looker: &mut Looker,
        pair: &mut PairPlayed,
    ) -> Result<(), EvalError> {
        let choices = dice.fork(CHOICES).fork(begins as u64);
        let mut game = Game { position: self.game.start(), acts: begins, passes: 0, luck: 0.0 };
        let mut end = None;
        for turn in 0..u64::from(MOST_DECISIONS) {
            let opening = turn == 0 && !self.double_first;
            let roll = if opening { dice.opening_roll(0) } else { dice.roll(turn) };
            self.note_luck(&mut game, roll, opening, looker)?;
            let choice = self.choose(&mut game, roll, (choices, turn), looker)?;
            pair.decisions += 1;
            game.position = choice.after;
            game.acts ^= usize::from(!choice.kept);
            end = self.game.result(&game.position);
            if end.is_some() || super::is_void(self.game, &game.position, game.passes) {
                break;
            }
        }
        let points = end.map_or(0.0, |end| Prizes::points(&end)) as i32;
        pair.points[begins] = if game.acts == 0 { points } else { -points };
        pair.without_winner += u32::from(end.is_none_or(|end| end.winner.is_none()));
        pair.luck += game.luck;
        Ok(())
    }

    fn choose(
        &self,
        game: &mut Game,
        roll: Roll,
        draw: (Stream, u64),
        looker: &mut Looker,
    ) -> Result<Choice, EvalError> {
        looker.clear();
        let all = looker.add(self.game, &game.position, roll);
        game.passes = if looker.was_pass() { game.passes + 1 } else { 0 };
        let (judge, ties) = match self.players[game.acts] {
            Contestant::Random => {
                return Ok(looker.choices[draw.0.below(all.len() as u32, draw.1) as usize]);
            }
            Contestant::Best(judge) => (judge, None),
            Contestant::AnyBest(judge) => (judge, Some(draw)),
        };
        if all.len() > 1 {
            looker.judge(self.game, self.prizes, judge)?;
        }
        Ok(looker.best(self.prizes, all, ties))
    }

    /// Notes what a throw gives beyond the mean of all.
    fn note_luck(
        &self,
        game: &mut Game,
        thrown: Roll,
        opening: bool,
        looker: &mut Looker,
    ) -> Result<(), EvalError> {
        let Some(judge) = self.luck.filter(|_| self.game.asks(&game.position) == Asks::Throw) else {
            return Ok(());
        };
        looker.clear();
        let rolls = || Roll::ALL.into_iter().filter(|roll| !opening || !roll.is_double());
        let all: Vec<Range<usize>> =
            rolls().map(|roll| looker.add(self.game, &game.position, roll)).collect();
        looker.judge(self.game, self.prizes, judge)?;
        let (mut sum, mut weights, mut got) = (0.0, 0.0, 0.0);
        for (roll, results) in rolls().zip(all) {
            let best = looker.best(self.prizes, results, None);
            let (worth, weight) = (f64::from(self.prizes.equity(&best.numbers)), f64::from(roll.weight()));
            (sum, weights) = (sum + weight * worth, weights + weight);
            got = if roll == thrown { worth } else { got };
        }
        let luck = got - sum / weights;
        game.luck += if game.acts == 0 { luck } else { -luck };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::PipCount;
    use crate::nn::Game as Tag;
    use crate::parallel::unwatched;
    use crate::rules::{Opening, Ruleset};
    use crate::with_variant;

    fn played(
        name: &str,
        players: [&dyn Fn(Tag) -> Contestant<'static>; 2],
        luck: bool,
        pairs: Range<u64>,
        threads: usize,
    ) -> Vec<PairPlayed> {
        let options = if name == "trictrac" { vec![("target".to_owned(), "1".to_owned())] } else { vec![] };
        let rules = Ruleset::new(name, &options).unwrap();
        let (prizes, tag) = (Prizes::of(&rules), Tag::of(&rules));
        let judge = PipCount { game: tag };
        with_variant!(rules.game(), game => {
            let contest = Contest {
                game,
                prizes: &prizes,
                double_first: rules.opening() == Opening::Reroll,
                players: [players[0](tag), players[1](tag)],
                luck: luck.then_some(&judge as &dyn Judge),
                seed: 5,
            };
            duel(&contest, pairs, threads, &mut unwatched).unwrap()
        })
    }

    fn pips(game: Tag) -> Contestant<'static> {
        Contestant::AnyBest(Box::leak(Box::new(PipCount { game })))
    }

    fn random(_: Tag) -> Contestant<'static> {
        Contestant::Random
    }

    #[test]
    fn pairs_depend_on_their_number_alone() {
        for name in ["plakoto", "acey_deucey", "gul_bara", "trictrac"] {
            let whole = played(name, [&pips, &random], true, 0..6, 1);
            assert_eq!(played(name, [&pips, &random], true, 0..6, 3), whole);
            assert_eq!(played(name, [&pips, &random], true, 4..6, 2), whole[4..]);
            assert!(whole.iter().all(|pair| pair.decisions > 10 && pair.luck.is_finite()));
        }
    }

    #[test]
    fn players_who_choose_alike_are_equally_good() {
        fn first(game: Tag) -> Contestant<'static> {
            Contestant::Best(Box::leak(Box::new(PipCount { game })))
        }
        for name in ["nackgammon", "dutch", "nardi_long"] {
            for pair in played(name, [&first, &first], true, 0..2, 2) {
                assert_eq!((pair.points[0], pair.luck.abs() < 1e-9), (-pair.points[1], true), "{name}");
            }
        }
    }

    /// Whoever counts pips wins most games against whoever does not look, and luck comes out even.
    #[test]
    fn counting_pips_beats_chance_where_men_are_hit() {
        let pairs = played("nackgammon", [&pips, &random], false, 0..150, 2);
        let points: i32 = pairs.iter().map(|pair| pair.points[0] + pair.points[1]).sum();
        assert!(points > 250, "{points} points in 300 games");
        let lucky = played("nackgammon", [&pips, &random], true, 0..60, 2);
        let mean = lucky.iter().map(|pair| pair.luck).sum::<f64>() / 120.0;
        assert!(mean.abs() < 0.2 && lucky.iter().any(|pair| pair.luck.abs() > 0.05), "{mean}");
    }
}
