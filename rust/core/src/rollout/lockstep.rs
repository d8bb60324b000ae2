//! Many games advanced together, so that evaluators see large batches.
//!
//! A thread keeps some games in flight, a turn at a time. When enough have ended it takes the next block of
//! trials, so that its batches stay large; a block is handed in when its last game has ended.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use crate::dice::Roll;
use crate::eval::{EvalError, best_for_mover, values};
use crate::outcome::Probs;
use crate::position::Position;
use crate::rollout::dice::Dice;
use crate::rollout::game::Game;
use crate::rollout::look::{Look, Looker, Manner, Reply, Wish};
use crate::rollout::pair::Pair;
use crate::rollout::run::{Block, Job};
use crate::rollout::settings::{Luck, Settings};
use crate::rollout::stats::{Ended, Part};
use crate::rules::Rules;

/// With fewer games in flight another block is taken.
const LEAST_GAMES: usize = 36;

/// Looks of the first turns are kept: many games come by the same positions there.
const KEPT_TURNS: u32 = 3;

/// Looks kept at most, some megabytes.
const MOST_KEPT: usize = 2_048;

/// Candidates of a position, roughly.
const USUAL_CANDIDATES: usize = 400;

/// Why a thread ends its work early.
pub(crate) enum Halt {
    /// It was told to.
    Stopped,
    /// An evaluator failed in a game of this block.
    Failed(Block, EvalError),
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
    /// What it wants to know this turn.
    wish: usize,
    roll: Roll,
}

/// The games of one thread.
pub(crate) struct Pool<'a, R: Rules> {
    job: &'a Job<'a, R>,
    pair: Pair<'a, R>,
    settings: &'a Settings,
    dice: Dice,
    manner: Manner,
    flights: Vec<Option<Flight>>,
    slots: Vec<Slot>,
    looker: Looker,
    kept: HashMap<Wish, Rc<Look>>,
    /// The wishes of a turn, each once, and what became of them.
    wishes: HashMap<Wish, usize>,
    looks: Vec<Option<Rc<Look>>>,
    /// What is still to be looked at, with its place among the looks.
    pending: Vec<(usize, Wish)>,
}

impl<'a, R: Rules> Pool<'a, R> {
    pub(crate) fn new(job: &'a Job<'a, R>) -> Pool<'a, R> {
        let (pair, settings) = (job.pair, job.settings);
        let small_decides = pair.small.is_some() && settings.luck == Luck::Small;
        let keep = if small_decides { usize::from(settings.prefilter.most) } else { 1 };
        Pool {
            job,
            pair,
            settings,
            dice: Dice::new(settings),
            manner: Manner { keep, filter: settings.prefilter, small_decides },
            flights: Vec::new(),
            slots: Vec::new(),
            looker: Looker::new(),
            kept: HashMap::new(),
            wishes: HashMap::new(),
            looks: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Plays blocks of the job until none is left; `pause` is asked every few milliseconds whether to go on.
    pub(crate) fn run(&mut self, pause: &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Halt> {
        loop {
            while self.slots.len() < LEAST_GAMES && self.take_block() {}
            if self.slots.is_empty() {
                return Ok(());
            }
            let done = self.turn(pause);
            self.job.count(std::mem::take(&mut self.looker.evaluations));
            match done {
                Ok(()) => {}
                Err(Some(error)) => {
                    let first = self.flights.iter().flatten().map(|flight| flight.block).min();
                    return Err(Halt::Failed(first.unwrap_or_default(), error));
                }
                Err(None) => return Err(Halt::Stopped),
            }
        }
    }

    /// Puts the games of the next block in flight; `false` if there is none.
    fn take_block(&mut self) -> bool {
        let Some(block) = self.job.take() else { return false };
        let branches = self.job.subjects[block.subject].branches();
        let games = (block.end - block.start) as usize * branches.len();
        let place = self.flights.iter().position(Option::is_none).unwrap_or_else(|| {
            self.flights.push(None);
            self.flights.len() - 1
        });
        let ended = vec![Ended::default(); games];
        self.flights[place] = Some(Flight { block, ended, left: games });
        let trials = (block.start..block.end).flat_map(|trial| branches.iter().map(move |b| (trial, b)));
        for (i, (trial, branch)) in trials.enumerate() {
            let game = Game::new(branch, trial);
            let roll = Roll::ALL[0];
            self.slots.push(Slot { game, flight: place, place: i, wish: 0, roll });
        }
        true
    }

    /// Plays one turn of every game. An error is the evaluator's, or none if `pause` stops it.
    fn turn(&mut self, pause: &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Option<EvalError>> {
        self.wish();
        self.look(pause)?;
        if self.manner.small_decides {
            self.play_by_large(pause)?;
        } else {
            self.play();
        }
        self.settle()
    }

    /// Throws every game's dice and collects what is to be looked at.
    fn wish(&mut self) {
        self.wishes.clear();
        self.looks.clear();
        self.pending.clear();
        if self.kept.len() > MOST_KEPT {
            self.kept.clear();
        }
        let lucky = self.settings.luck != Luck::Off;
        for slot in &mut self.slots {
            slot.roll = self.dice.roll(slot.game.trial, slot.game.turn);
            let wish =
                Wish { position: slot.game.position, roll: if lucky { None } else { Some(slot.roll) } };
            let next = self.looks.len();
            slot.wish = *self.wishes.entry(wish).or_insert(next);
            if slot.wish == next {
                let known = self.kept.get(&wish).cloned();
                if known.is_none() {
                    self.pending.push((next, wish));
                }
                self.looks.push(known);
            }
        }
    }

    /// Fulfils the wishes, some at a time.
    fn look(&mut self, pause: &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Option<EvalError>> {
        let lucky = self.settings.luck != Luck::Off;
        let candidates = if lucky { USUAL_CANDIDATES } else { USUAL_CANDIDATES / 21 };
        let at_once = (self.pair.first().batch_hint() / candidates).max(2);
        let mut found = Vec::new();
        for some in self.pending.chunks(at_once) {
            let wishes: Vec<Wish> = some.iter().map(|&(_, wish)| wish).collect();
            found.clear();
            self.looker.look(&wishes, &self.pair, &self.manner, &mut found)?;
            for (&(place, _), look) in some.iter().zip(found.drain(..)) {
                self.looks[place] = Some(Rc::new(look));
            }
            if pause().is_break() {
                return Err(None);
            }
        }
        for slot in &self.slots {
            if slot.game.turn < KEPT_TURNS
                && let Some(look) = &self.looks[slot.wish]
            {
                let roll = if lucky { None } else { Some(slot.roll) };
                let wish = Wish { position: slot.game.position, roll };
                self.kept.entry(wish).or_insert_with(|| look.clone());
            }
        }
        Ok(())
    }

    /// Makes every game's best play.
    fn play(&mut self) {
        let lucky = self.settings.luck != Luck::Off;
        for slot in &mut self.slots {
            let look = self.looks[slot.wish].as_ref().expect("every wish is fulfilled");
            let reply = look.replies(slot.roll)[0];
            if lucky {
                slot.game.note_luck(&reply, look);
            }
            slot.game.play(reply.after, Some(reply.value));
        }
    }

    /// The same if the small evaluator has only measured the luck: the large one chooses.
    fn play_by_large(&mut self, pause: &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Option<EvalError>> {
        let mut candidates: Vec<Position> = Vec::new();
        let mut ends = Vec::with_capacity(self.slots.len());
        for slot in &mut self.slots {
            let look = self.looks[slot.wish].as_ref().expect("every wish is fulfilled");
            let replies = look.replies(slot.roll);
            slot.game.note_luck(&replies[0], look);
            candidates.extend(short_list(replies, self.settings).map(|reply| reply.after));
            ends.push(candidates.len());
        }
        let mut answers = vec![Probs::default(); candidates.len()];
        let size = self.pair.large.batch_hint().max(1);
        for (some, answers) in candidates.chunks(size).zip(answers.chunks_mut(size)) {
            values(self.pair.large, some, answers)?;
            if pause().is_break() {
                return Err(None);
            }
        }
        self.looker.evaluations += candidates.len() as u64;
        let mut start = 0;
        for (slot, end) in self.slots.iter_mut().zip(ends) {
            let best = start + best_for_mover(&answers[start..end]);
            slot.game.play(candidates[best], Some(answers[best]));
            start = end;
        }
        Ok(())
    }

    /// Takes out the games that have ended or are broken off, and hands in the blocks that are done.
    fn settle(&mut self) -> Result<(), Option<EvalError>> {
        let mut i = 0;
        while i < self.slots.len() {
            let game = &self.slots[i].game;
            let ended = if let Some((won, outcome)) = game.result::<R>() {
                game.finished(won, outcome)
            } else if game.turn >= self.settings.truncate
                || self.settings.stop_at_exact && self.pair.large.is_exact(&game.position)
            {
                let known = game.value;
                let position = game.position;
                let value = match known {
                    Some(value) => value,
                    None => self.value(&position)?,
                };
                self.slots[i].game.broken_off(&value)
            } else {
                i += 1;
                continue;
            };
            let slot = self.slots.swap_remove(i);
            self.land(&slot, ended);
        }
        Ok(())
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
    replies.iter().take_while(move |reply| reply.value.equity() <= limit)
}
