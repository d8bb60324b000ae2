//! Many games advanced together, so that evaluators see large batches.
//!
//! A thread keeps some games in flight, a turn at a time. When enough have ended it takes the next block of
//! trials, so that its batches stay large; a block is handed in when its last game has ended.
//!
//! ```text
//! a turn   throw         every game's roll
//!          cube          decisions that need no look
//!          look          the best replies to all rolls (to the one thrown, if luck does not count)
//!          cube          decisions by the mean of the look; where stakes have changed, another look
//!          play          luck noted, the best reply made, by a deeper search if one is asked for
//!          settle        games that have ended go, blocks that are done are handed in
//! ```

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;

use crate::dice::Roll;
use crate::eval::{EvalError, Evaluator, Exact, values};
use crate::movegen::{self, PlayBuf};
use crate::outcome::Probs;
use crate::parallel::Lookout;
use crate::position::Position;
use crate::rollout::dice::{Dice, times_looked};
use crate::rollout::game::Game;
use crate::rollout::look::{Look, Looker, Manner, Reply, Wish};
use crate::rollout::pair::{Counted, Pair};
use crate::rollout::run::{Block, Job};
use crate::rollout::settings::{Luck, Settings};
use crate::rollout::stats::{Ended, Part};
use crate::rules::Rules;
use crate::search::{Search, SearchError};

/// With fewer games in flight another block is taken.
const LEAST_GAMES: usize = 36;

/// Looks of the first turns are kept: many games come by the same positions there.
pub(crate) const KEPT_TURNS: u32 = 3;

/// Looks kept at most, some megabytes.
const MOST_KEPT: usize = 2_048;

/// Candidates of a position, roughly.
const USUAL_CANDIDATES: usize = 400;

/// Replies kept of each roll where the cube may have another opinion of them than the chances alone.
const CUBEFUL_REPLIES: usize = 4;

/// Time between two looks within a search.
const SEARCH_PAUSE: Duration = Duration::from_millis(5);

/// Why a thread ends its work early.
pub(crate) enum Halt {
    /// It was told to.
    Stopped,
    /// An evaluator failed in a game of this block.
    Failed(Block, EvalError),
}

/// Why a turn is not played out: the evaluator failed, or somebody wants to stop.
enum Broken {
    Evaluator(EvalError),
    Stopped,
}

impl From<EvalError> for Broken {
    fn from(error: EvalError) -> Broken {
        Broken::Evaluator(error)
    }
}

impl From<SearchError> for Broken {
    fn from(error: SearchError) -> Broken {
        match error {
            SearchError::Evaluator(error) => Broken::Evaluator(error),
            SearchError::Cancelled(_) => Broken::Stopped,
            other => Broken::Evaluator(EvalError::Foreign(other.to_string())),
        }
    }
}

/// Asked every few milliseconds whether to go on.
type Pause<'a> = dyn FnMut() -> ControlFlow<()> + 'a;

fn check(pause: &mut Pause<'_>) -> Result<(), Broken> {
    if pause().is_break() { Err(Broken::Stopped) } else { Ok(()) }
}

/// A block under way.
struct Flight {
    block: Block,
    /// How each game ended, those of a trial together.
    ended: Vec<Ended>,
    left: usize,
}

/// A game under way, with its place in its block.
struct Slot {
    game: Game,
    flight: usize,
    place: usize,
    roll: Roll,
    /// How often the luck of this turn counts.
    times: u32,
    /// Number of its look.
    look: usize,
}

/// The games of one thread.
pub(crate) struct Pool<'a, R: Rules> {
    job: &'a Job<'a, R>,
    pair: Pair<'a, R>,
    settings: &'a Settings,
    dice: Dice,
    manner: Manner,
    /// Whether luck is taken out.
    lucky: bool,
    flights: Vec<Option<Flight>>,
    slots: Vec<Slot>,
    looker: Looker,
    plays: PlayBuf,
    kept: HashMap<Wish, Rc<Look>>,
    /// The wishes of a turn, each once, and what became of them.
    wishes: HashMap<Wish, usize>,
    looks: Vec<Option<Rc<Look>>>,
    /// What is still to be looked at, its place among the looks, and whether it is worth keeping.
    pending: Vec<(usize, Wish, bool)>,
}

impl<'a, R: Rules> Pool<'a, R> {
    pub(crate) fn new(job: &'a Job<'a, R>) -> Pool<'a, R> {
        let (pair, settings) = (job.pair, job.settings);
        let small_decides = pair.small.is_some() && settings.luck == Luck::Small;
        let cubeful = job.subjects.iter().any(|subject| subject.cube().is_some());
        let mut keep = if cubeful { CUBEFUL_REPLIES } else { 1 };
        if small_decides {
            keep = keep.max(usize::from(settings.prefilter.most));
        }
        Pool {
            job,
            pair,
            settings,
            dice: Dice::new(settings),
            manner: Manner { keep, filter: settings.prefilter, small_decides },
            lucky: settings.luck != Luck::Off,
            flights: Vec::new(),
            slots: Vec::new(),
            looker: Looker::new(),
            plays: PlayBuf::new(),
            kept: HashMap::new(),
            wishes: HashMap::new(),
            looks: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Plays blocks of the job until none is left.
    pub(crate) fn run(&mut self, pause: &mut Pause<'_>) -> Result<(), Halt> {
        loop {
            while self.slots.len() < LEAST_GAMES && self.take_block() {}
            if self.slots.is_empty() {
                return Ok(());
            }
            let done = self.turn(pause);
            self.job.count(std::mem::take(&mut self.looker.evaluations));
            match done {
                Ok(()) => {}
                Err(Broken::Stopped) => return Err(Halt::Stopped),
                Err(Broken::Evaluator(error)) => {
                    let first = self.flights.iter().flatten().map(|flight| flight.block).min();
                    return Err(Halt::Failed(first.unwrap_or_default(), error));
                }
            }
        }
    }

    /// Puts the games of the next block in flight; `false` if there is none.
    fn take_block(&mut self) -> bool {
        let Some(block) = self.job.take() else { return false };
        let subject = &self.job.subjects[block.subject];
        let branches = subject.branches();
        let games = (block.end - block.start) as usize * branches.len();
        let place = self.flights.iter().position(Option::is_none).unwrap_or_else(|| {
            self.flights.push(None);
            self.flights.len() - 1
        });
        let ended = vec![Ended::default(); games];
        self.flights[place] = Some(Flight { block, ended, left: games });
        let trials = (block.start..block.end).flat_map(|trial| branches.iter().map(move |b| (trial, b)));
        for (i, (trial, branch)) in trials.enumerate() {
            let game = Game::new(branch, subject.cube(), trial);
            self.slots.push(Slot { game, flight: place, place: i, roll: Roll::ALL[0], times: 1, look: 0 });
        }
        true
    }

    /// Plays one turn of every game.
    fn turn(&mut self, pause: &mut Pause<'_>) -> Result<(), Broken> {
        for i in 0..self.slots.len() {
            let game = &self.slots[i].game;
            let roll = self.dice.roll(game.trial, game.turn);
            // A look that the cube is decided by is no more work if it says what luck was as well.
            let always = self.cube_is_due(game) == Some(true);
            let times = if always { 1 } else { times_looked(self.settings, game.trial, game.turn) };
            let slot = &mut self.slots[i];
            (slot.roll, slot.times) = (roll, if self.lucky { times } else { 0 });
        }
        self.decide_without_look(pause)?;
        self.wishes.clear();
        self.looks.clear();
        if self.kept.len() > MOST_KEPT {
            self.kept.clear();
        }
        (0..self.slots.len()).for_each(|i| self.wish(i));
        self.look(pause)?;
        self.decide_by_look();
        self.look(pause)?;
        self.note_luck();
        self.play(pause)?;
        self.settle()
    }

    /// Whether a game's player has to decide about the cube, and whether he does so by the look of this turn.
    fn cube_is_due(&self, game: &Game) -> Option<bool> {
        let plies = self.settings.strength(game.turn, game.ours).cube;
        game.may_double().then(|| plies == 1 && self.lucky && self.known(game).is_none())
    }

    /// Exact equities with the cube, where the evaluator knows those of this game.
    fn known(&self, game: &Game) -> Option<Exact> {
        if game.is_like_a_table() { self.pair.large.exact(&game.position) } else { None }
    }

    fn decide_without_look(&mut self, pause: &mut Pause<'_>) -> Result<(), Broken> {
        for i in 0..self.slots.len() {
            let game = &self.slots[i].game;
            if self.cube_is_due(game) != Some(false) {
                continue;
            }
            if let Some(known) = self.known(game) {
                self.slots[i].game.decide_exactly(&known);
                continue;
            }
            let plies = usize::from(self.settings.strength(game.turn, game.ours).cube);
            let position = game.position;
            let probs = match game.value {
                Some(value) if plies == 0 => value,
                _ if plies == 0 => self.value(&position)?,
                _ => {
                    let found = self.search(pause, |large, lookout| {
                        Search { plies, ..Search::new(large) }.evaluate_under(&[position], None, lookout)
                    })?;
                    found[0].probs
                }
            };
            self.slots[i].game.decide(&probs);
        }
        Ok(())
    }

    fn decide_by_look(&mut self) {
        for i in 0..self.slots.len() {
            if self.cube_is_due(&self.slots[i].game) != Some(true) {
                continue;
            }
            let mean = self.look_of(i).mean.map(|chance| chance as f32);
            let game = &mut self.slots[i].game;
            let before = game.weights();
            game.decide(&Probs::from_array(mean));
            if game.weights() != before {
                self.wish(i);
            }
        }
    }

    /// Wishes for the look a game needs.
    fn wish(&mut self, slot: usize) {
        let slot = &mut self.slots[slot];
        let roll = if slot.times > 0 { None } else { Some(slot.roll) };
        let wish = Wish::new(&slot.game.position, roll, slot.game.weights());
        let next = self.looks.len();
        slot.look = *self.wishes.entry(wish).or_insert(next);
        if slot.look == next {
            let known = self.kept.get(&wish).cloned();
            if known.is_none() {
                self.pending.push((next, wish, slot.game.turn < KEPT_TURNS));
            }
            self.looks.push(known);
        }
    }

    /// Fulfils the wishes, some at a time.
    fn look(&mut self, pause: &mut Pause<'_>) -> Result<(), Broken> {
        let candidates = if self.lucky { USUAL_CANDIDATES } else { USUAL_CANDIDATES / 21 };
        let at_once = (self.pair.first().batch_hint() / candidates).max(2);
        let pending = std::mem::take(&mut self.pending);
        let mut found = Vec::new();
        for some in pending.chunks(at_once) {
            let wishes: Vec<Wish> = some.iter().map(|&(_, wish, _)| wish).collect();
            self.looker.look(&wishes, &self.pair, &self.manner, &mut found)?;
            for (&(place, wish, keep), look) in some.iter().zip(found.drain(..)) {
                let look = Rc::new(look);
                if keep {
                    self.kept.insert(wish, look.clone());
                }
                self.looks[place] = Some(look);
            }
            check(pause)?;
        }
        Ok(())
    }

    fn look_of(&self, slot: usize) -> Rc<Look> {
        let look = self.looks[self.slots[slot].look].as_ref();
        look.expect("every wish is fulfilled before it is used").clone()
    }

    fn note_luck(&mut self) {
        for i in 0..if self.lucky { self.slots.len() } else { 0 } {
            let look = self.look_of(i);
            let slot = &mut self.slots[i];
            slot.game.note_luck::<R>(&look, slot.roll, slot.times);
        }
    }

    /// Makes every game's best play.
    fn play(&mut self, pause: &mut Pause<'_>) -> Result<(), Broken> {
        // Of games whose luck the small evaluator has measured: candidates for the large one.
        let mut candidates: Vec<Position> = Vec::new();
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        for i in 0..self.slots.len() {
            let look = self.look_of(i);
            let game = &self.slots[i].game;
            let replies = look.replies(self.slots[i].roll);
            let plies = usize::from(self.settings.strength(game.turn, game.ours).checker);
            if plies > 0 {
                let reply = self.searched(i, plies, pause)?;
                self.slots[i].game.play(reply.after, Some(reply.value));
            } else if self.manner.small_decides {
                candidates.extend(short_list(replies, self.settings).map(|reply| reply.after));
                waiting.push((i, candidates.len()));
            } else {
                let reply = replies[game.best::<R>(replies, |after| self.pair.large.exact(after))];
                self.slots[i].game.play(reply.after, Some(reply.value));
            }
        }
        let answers = self.by_large(&candidates, pause)?;
        let mut start = 0;
        for (i, end) in waiting {
            let both = candidates[start..end].iter().zip(&answers[start..end]);
            let mut replies: Vec<Reply> = both.map(|(&after, &value)| Reply { after, value }).collect();
            replies.sort_by(|a, b| a.value.equity().total_cmp(&b.value.equity()));
            let game = &mut self.slots[i].game;
            let reply = replies[game.best::<R>(&replies, |after| self.pair.large.exact(after))];
            game.play(reply.after, Some(reply.value));
            start = end;
        }
        Ok(())
    }

    fn by_large(&mut self, candidates: &[Position], pause: &mut Pause<'_>) -> Result<Vec<Probs>, Broken> {
        let mut answers = vec![Probs::default(); candidates.len()];
        let size = self.pair.large.batch_hint().max(1);
        for (some, answers) in candidates.chunks(size).zip(answers.chunks_mut(size)) {
            values(self.pair.large, some, answers)?;
            check(pause)?;
        }
        self.looker.evaluations += candidates.len() as u64;
        Ok(answers)
    }

    /// The best play of a game by a deeper search.
    fn searched(&mut self, slot: usize, plies: usize, pause: &mut Pause<'_>) -> Result<Reply, Broken> {
        let Slot { game, roll, .. } = &self.slots[slot];
        movegen::plays::<R>(&game.position, *roll, &mut self.plays);
        if let [only] = self.plays.positions() {
            let mut value = [Probs::default()];
            values(self.pair.large, &[*only], &mut value)?;
            self.looker.evaluations += 1;
            return Ok(Reply { after: *only, value: value[0] });
        }
        let (position, roll, cube) = (game.position, *roll, game.search_cube());
        let filter = self.settings.width.filter();
        let ranking = self.search(pause, |large, lookout| {
            let search = Search { plies, filter, cube: cube.as_ref(), ..Search::new(large) };
            search.rank_under(&position, roll, None, lookout)
        })?;
        let best = ranking.plays[0];
        Ok(Reply { after: best.after, value: best.probs.flipped() })
    }

    /// What is found by a search with the large evaluator, whose evaluations are counted.
    fn search<T>(
        &mut self,
        pause: &mut Pause<'_>,
        find: impl FnOnce(&dyn Evaluator<R>, &mut Lookout<'_>) -> Result<T, SearchError>,
    ) -> Result<T, Broken> {
        let counted = Counted::new(self.pair.large);
        let mut watch = |_| pause();
        let found = find(&counted, &mut Lookout::new(&mut watch).every(SEARCH_PAUSE))?;
        self.looker.evaluations += counted.asked();
        // Many a search is over before it looks.
        check(pause)?;
        Ok(found)
    }

    /// Takes out the games that have ended or are broken off, and hands in the blocks that are done.
    fn settle(&mut self) -> Result<(), Broken> {
        let mut i = 0;
        while i < self.slots.len() {
            let game = &self.slots[i].game;
            let ended = if let Some((won, outcome)) = game.result::<R>() {
                game.finished(won, outcome)
            } else if game.turn >= self.settings.last_turn() || self.is_settled(game) {
                let (said, position, known) = (game.value, game.position, self.known(game));
                let value = match said {
                    Some(value) => value,
                    None => self.value(&position)?,
                };
                self.slots[i].game.broken_off::<R>(&value, known.as_ref())
            } else {
                i += 1;
                continue;
            };
            let slot = self.slots.swap_remove(i);
            self.land(&slot, ended);
        }
        Ok(())
    }

    /// Whether the evaluator's chances are a table's here, and all there is to know.
    fn is_settled(&self, game: &Game) -> bool {
        let large = self.pair.large;
        let exact = self.settings.stop_at_exact && large.is_exact(&game.position);
        let tabled = self.settings.stop_at_bear_off && large.is_tabled(&game.position);
        (exact || tabled) && (!game.has_live_cube() || self.known(game).is_some())
    }

    fn value(&mut self, position: &Position) -> Result<Probs, EvalError> {
        let mut value = [Probs::default()];
        self.pair.large.evaluate(std::slice::from_ref(position), &mut value)?;
        self.looker.evaluations += 1;
        Ok(value[0])
    }

    /// Notes how a game ended.
    fn land(&mut self, slot: &Slot, ended: Ended) {
        let flight = self.flights[slot.flight].as_mut().expect("a game's block is in flight");
        flight.ended[slot.place] = ended;
        flight.left -= 1;
        if flight.left == 0
            && let Some(flight) = self.flights[slot.flight].take()
        {
            let branches = self.job.subjects[flight.block.subject].branches().len();
            let mut part = Part::new(branches, self.settings.replication());
            let trials = flight.block.start..flight.block.end;
            trials.zip(flight.ended.chunks_exact(branches)).for_each(|(trial, games)| part.add(trial, games));
            self.job.hand_in(flight.block, part);
        }
    }
}

/// The replies of a roll that the large evaluator is asked about.
fn short_list<'a>(replies: &'a [Reply], settings: &Settings) -> impl Iterator<Item = &'a Reply> {
    let limit = replies[0].value.equity() + f32::from(settings.prefilter.within) / 1_000.0;
    let most = usize::from(settings.prefilter.most);
    replies.iter().take(most).take_while(move |reply| reply.value.equity() <= limit)
}
