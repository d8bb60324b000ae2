//! Random games of every game of the family: they end, and every turn keeps the rules that can be seen from outside.
//!
//! A few games as a matter of course, and a hundred thousand of each with
//! `GAMMON_VARIANT_GAMES=100000 cargo test --release -p gammon-core --test variants -- --nocapture`.

use std::collections::BTreeMap;

use gammon_core::parallel::{cores, run_blocks, unwatched};
use gammon_core::rng::Stream;
use gammon_core::rules::{Asks, KINDS, MOST_DECISIONS, Opening, Ruleset, Turns, Variant, View};
use gammon_core::{Position, Roll, with_variant};

/// Games between two looks at what the threads have done.
const TOGETHER: u64 = 16;

/// How the sides meet.
#[derive(Clone, Copy, PartialEq)]
enum Contact {
    Hit,
    Pin,
    Block,
}

fn contact(name: &str) -> Contact {
    match name {
        "plakoto" => Contact::Pin,
        "fevga" | "gul_bara" | "nardi_long" | "jacquet" | "trictrac" => Contact::Block,
        _ => Contact::Hit,
    }
}

/// What a block of games has come to.
#[derive(Default)]
struct Tally {
    games: u64,
    decisions: u64,
    ends: BTreeMap<String, u64>,
}

#[test]
fn random_games_end_and_keep_the_rules() {
    let games = std::env::var("GAMMON_VARIANT_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    for kind in KINDS {
        let rules = Ruleset::new(kind.name, &[]).expect("it is listed");
        let tally = with_variant!(rules.game(), game => play(game, &rules, games));
        assert_eq!(tally.games, games, "{}", kind.name);
        assert!(tally.ends.len() > 1 || kind.name == "acey_deucey" || games < 100, "{:?}", tally.ends);
        println!("{}: {} games, {} decisions, {:?}", kind.name, games, tally.decisions, tally.ends);
    }
}

fn play<V: Variant>(game: &V, rules: &Ruleset, games: u64) -> Tally {
    let blocks = usize::try_from(games.div_ceil(TOGETHER)).expect("a number of blocks");
    let work = |turns: &mut [Turns; 2], block: usize| {
        let first = block as u64 * TOGETHER;
        let mut tally = Tally::default();
        for trial in first..games.min(first + TOGETHER) {
            one(game, rules, Stream::new(100, trial), turns, &mut tally);
        }
        tally
    };
    let mut total = Tally::default();
    let new = || [Turns::new(), Turns::new()];
    for tally in run_blocks(cores(), blocks, &mut unwatched, new, work).complete().expect("nobody stops it") {
        total.games += tally.games;
        total.decisions += tally.decisions;
        for (end, count) in tally.ends {
            *total.ends.entry(end).or_default() += count;
        }
    }
    total
}

/// One game, every result of a decision equally likely.
fn one<V: Variant>(game: &V, rules: &Ruleset, stream: Stream, turns: &mut [Turns; 2], tally: &mut Tally) {
    let choices = stream.fork(1);
    let mut position = game.start();
    let mut passes = 0;
    tally.games += 1;
    for decision in 0..u64::from(MOST_DECISIONS) {
        let roll = match decision {
            0 if rules.opening() == Opening::UseDice => stream.opening_roll(0),
            _ => stream.roll(decision),
        };
        game.plays(&position, roll, &mut turns[0]);
        let chosen = choices.below(turns[0].len() as u32, decision) as usize;
        let (after, kept) = turns[0].get(chosen).expect("there is a result");
        let turn = Turn { game, rules, before: &position, roll, after: &after, kept };
        turn.check(turns[0].is_pass(), &mut turns[1]);
        tally.decisions += 1;
        passes = if turns[0].is_pass() { passes + 1 } else { 0 };
        position = after;
        if let Some(end) = game.result(&position) {
            *tally.ends.entry(end.class.to_string()).or_default() += 1;
            return;
        }
        if passes >= 2 && game.asks(&position) == Asks::Throw && game.stuck(&position) {
            *tally.ends.entry("void".to_owned()).or_default() += 1;
            return;
        }
    }
    panic!("{}: trial {stream:?} has not ended after {MOST_DECISIONS} decisions", rules.name());
}

/// One decision, to be looked at.
struct Turn<'a, V> {
    game: &'a V,
    rules: &'a Ruleset,
    before: &'a Position,
    roll: Roll,
    after: &'a Position,
    kept: bool,
}

impl<V: Variant> Turn<'_, V> {
    fn fail(&self, what: &str) -> ! {
        let (name, from, to) = (self.rules.name(), self.before, self.after);
        panic!("{name}: {what}: {from:?} with {} to {to:?}, again: {}", self.roll, self.kept)
    }

    fn check(&self, pass: bool, again: &mut Turns) {
        let before = self.game.view(self.before);
        let after = self.game.view(self.after);
        // Checkers conserved, no point shared, pins and marks consistent: reading a position back checks it.
        match self.game.position(&after) {
            Ok(position) if position == *self.after => {}
            _ => self.fail("no position of the game"),
        }
        let [mine, theirs] = if self.kept { [0, 1] } else { [1, 0] };
        let again_from_start = self.rules.name() == "trictrac" && after.turns == [0; 2];
        if self.rules.name() == "trictrac" && (self.kept || again_from_start) {
            return; // checkers go back to the talons, or stay where they are until the throw is played
        }
        let spent = pips(&before, 0).checked_sub(pips(&after, mine));
        let Some(spent) = spent else { self.fail("checkers moved backwards") };
        let numbers = self.numbers();
        if spent > numbers || (pass && spent > 0) {
            self.fail("more pips than the numbers allow");
        }
        self.check_contact(&before, &after, theirs);
        self.check_primes(&after, mine, again);
    }

    /// The most pips that the numbers of the decision are worth.
    fn numbers(&self) -> u32 {
        let (high, low) = (u32::from(self.roll.high()), u32::from(self.roll.low()));
        match self.game.asks(self.before) {
            Asks::Four(number) => 4 * u32::from(number),
            Asks::Gift { number, count } => u32::from(number) * u32::from(count),
            Asks::Name | Asks::Mark(_) | Asks::Nothing => 0,
            Asks::Play(roll) => u32::from(roll.high() + roll.low()),
            Asks::Throw if high == low && self.rules.name() != "trictrac" => 4 * high,
            Asks::Throw => high + low,
        }
    }

    /// What a turn can do to the other side's checkers: no closed point was entered.
    fn check_contact(&self, before: &View, after: &View, theirs: usize) {
        let waiting = |view: &View, side: usize| view.bar[side] + view.hand[side];
        let mut hit = 0;
        for point in 1..=24 {
            match (before.checkers[1][point], after.checkers[theirs][point]) {
                (had, has) if had == has => {}
                (1, 0) if contact(self.rules.name()) == Contact::Hit => hit += 1,
                _ => self.fail("the other side's checkers are not where they were"),
            }
        }
        if waiting(before, 1) + hit != waiting(after, theirs) || before.off[1] != after.off[theirs] {
            self.fail("hit checkers do not wait, or others do");
        }
        if after.pinned[theirs] & before.pinned[1] != before.pinned[1] & mine_on(after, theirs) {
            self.fail("a pinned checker was freed, or is no longer pinned, without reason");
        }
    }

    /// No turn ends in a shape the game forbids, unless all of its turns do.
    fn check_primes(&self, after: &View, mine: usize, again: &mut Turns) {
        let name = self.rules.name();
        let forbidden = |view: &View, mine: usize| match name {
            "fevga" => (19..=24).all(|point| view.checkers[mine][point] > 0) || shut_in(view, mine),
            "nardi_long" => blocked(view, mine),
            "jacquet" => {
                let held = [1, 2].iter().all(|&point: &usize| view.checkers[mine][point] > 0);
                !held && sixes(view, mine).next().is_some()
            }
            _ => false,
        };
        if forbidden(after, mine) {
            self.game.plays(self.before, self.roll, again);
            if !again.handed().iter().all(|other| forbidden(&self.game.view(other), 1)) {
                self.fail("a turn ends in a forbidden shape though others do not");
            }
        }
    }
}

/// Pips that a side still needs, a waiting checker counting 25.
fn pips(view: &View, side: usize) -> u32 {
    let waiting = 25 * u32::from(view.bar[side] + view.hand[side]);
    let on = |(point, &n): (usize, &u8)| point as u32 * u32::from(n);
    waiting + view.checkers[side].iter().enumerate().map(on).sum::<u32>()
}

/// Points, in the numbering of the side that lies there, on which the other side has checkers.
fn mine_on(view: &View, under: usize) -> u32 {
    (1..=24).filter(|point| view.checkers[1 - under][25 - point] > 0).map(|point| 1 << point).sum()
}

/// The other side's number of a point where both run the same way round.
fn across(point: usize) -> usize {
    if point > 12 { point - 12 } else { point + 12 }
}

/// The lowest points, in the other side's numbering, of each six in a row along its way.
fn sixes(view: &View, mine: usize) -> impl Iterator<Item = usize> + '_ {
    let held = move |point: usize| view.checkers[mine][across(point)] > 0;
    (1..=19).filter(move |&lowest| (lowest..lowest + 6).all(held))
}

/// Whether six in a row have nobody of the other side past them.
fn blocked(view: &View, mine: usize) -> bool {
    let theirs = 1 - mine;
    sixes(view, mine)
        .any(|lowest| view.off[theirs] == 0 && (1..lowest).all(|point| view.checkers[theirs][point] == 0))
}

/// Whether all checkers of the other side stand on one point right behind six in a row.
fn shut_in(view: &View, mine: usize) -> bool {
    let theirs = 1 - mine;
    let points: Vec<usize> = (1..=24).filter(|&point| view.checkers[theirs][point] > 0).collect();
    let [one] = points[..] else { return false };
    sixes(view, mine).any(|lowest| lowest + 6 == one)
}
