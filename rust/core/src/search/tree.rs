//! The values of positions some plies deep, level by level.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::cube::{CubeDecision, decide};
use crate::dice::Roll;
use crate::eval::{BatchError, EvalError, Evaluator, evaluate_batch};
use crate::outcome::Probs;
use crate::parallel::{Cancelled, Watch, run_blocks};
use crate::position::Position;
use crate::rules::{Backgammon, Rules};
use crate::search::Filter;
use crate::search::cache::{Background, Cache, Key, Value};
use crate::search::cubeful::{CubeError, CubeUse, MAX_CUBES, Side};
use crate::search::expand::{Failure, Replies, Scratch};

/// The deepest search.
pub const MAX_PLIES: usize = 4;

/// Evaluations a node needs, roughly: 21 rolls of 20 plays.
const EVALUATIONS_A_NODE: usize = 420;

/// Why a search has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchError {
    /// More plies than [`MAX_PLIES`].
    TooDeep(usize),
    /// The game is over.
    Finished,
    /// A cube decision was asked of a search without a cube.
    NoCube,
    /// The watcher stopped it.
    Cancelled(Cancelled),
    /// The evaluator failed.
    Evaluator(EvalError),
    /// An evaluator's answer, or the score, that a cube cannot be played with.
    Cube(CubeError),
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SearchError::TooDeep(plies) => write!(f, "plies must be from 0 to {MAX_PLIES}, got {plies}"),
            SearchError::Finished => f.write_str("the game is over: there is nothing left to play"),
            SearchError::NoCube => f.write_str("a search without a cube has no cube decision"),
            SearchError::Cancelled(error) => error.fmt(f),
            SearchError::Evaluator(error) => error.fmt(f),
            SearchError::Cube(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SearchError {}

impl From<Failure> for SearchError {
    fn from(failure: Failure) -> SearchError {
        match failure {
            Failure::Evaluator(error) => SearchError::Evaluator(error),
            Failure::Cube(error) => SearchError::Cube(error),
        }
    }
}

impl From<BatchError> for SearchError {
    fn from(error: BatchError) -> SearchError {
        match error {
            BatchError::Cancelled(error) => SearchError::Cancelled(error),
            BatchError::Evaluator(error) => SearchError::Evaluator(error),
        }
    }
}

/// How positions are searched.
#[derive(Clone, Copy)]
pub struct Search<'a, R: Rules = Backgammon> {
    /// Rolls looked ahead, 0 to [`MAX_PLIES`].
    pub plies: usize,
    /// Which candidates of a ranking are looked at more deeply.
    pub filter: Filter,
    /// What puts numbers on positions.
    pub evaluator: &'a dyn Evaluator<R>,
    /// The cube at hand, seen by the player on roll; `None` searches without one.
    pub cube: Option<&'a CubeUse>,
    /// Threads to use; the results do not depend on them.
    pub threads: usize,
}

/// What a position is worth to the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// His chances.
    pub probs: Probs,
    /// His equity: cubeless money points, or in a cubeful search that of not doubling this time.
    pub equity: f64,
    /// His equity after double and take, in a cubeful search where a double may be offered.
    pub double_take: Option<f64>,
}

/// Where the value of a reply comes from.
enum Child {
    /// A node of the next level.
    Node(u32),
    /// A leaf, or a finished game.
    Known(Value),
}

/// One level of the tree.
struct Level {
    positions: Vec<Position>,
    /// Values found in the cache or certain; the others are worked out from `children`.
    values: Vec<Option<Value>>,
    /// For the nodes without a value, in order: their 21 replies.
    children: Vec<[Child; 21]>,
}

impl<'a, R: Rules> Search<'a, R> {
    /// A static search, cubeless, on one thread.
    pub fn new(evaluator: &'a dyn Evaluator<R>) -> Search<'a, R> {
        Search { plies: 0, filter: Filter::default(), evaluator, cube: None, threads: 1 }
    }

    /// What each position is worth to the player on roll.
    ///
    /// Values looked up in `cache` and stored there have the same bits as those worked out anew. `watch` is told
    /// how many nodes have been expanded.
    ///
    /// # Errors
    /// If the evaluator fails, `watch` stops the search, or there are too many plies.
    pub fn evaluate(
        &self,
        positions: &[Position],
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Evaluation>, SearchError> {
        if self.plies == 0 {
            let probs = evaluate_batch(self.evaluator, positions, self.threads, watch)?;
            return positions
                .iter()
                .zip(probs)
                .map(|(position, probs)| self.at_rest(position, probs))
                .collect();
        }
        let values = self.values(positions, cache, watch)?;
        let of = |value: &Value| match self.cube {
            None => {
                Evaluation { probs: value.probs, equity: f64::from(value.probs.equity()), double_take: None }
            }
            Some(cube) => Evaluation {
                probs: value.probs,
                equity: value.cubes[0],
                double_take: cube.double_take(&value.cubes),
            },
        };
        Ok(values.iter().map(of).collect())
    }

    /// The cube decision of the player on roll.
    ///
    /// Without lookahead it is that of [`decide`]; otherwise its equities are means over the rolls.
    ///
    /// # Errors
    /// As [`Search::evaluate`]; or if the search has no cube.
    pub fn decide_cube(
        &self,
        position: &Position,
        cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<CubeDecision, SearchError> {
        let cube = self.cube.ok_or(SearchError::NoCube)?;
        if R::result(position).is_some() {
            return Err(SearchError::Finished);
        }
        let value = self.values(&[*position], cache, watch)?[0];
        let decision = if self.plies == 0 {
            decide(cube.stakes(), &value.probs, cube.life(position))
        } else {
            cube.decision(&value.probs, &value.cubes)
        };
        decision.map_err(SearchError::Cube)
    }

    /// The static value of a position.
    fn at_rest(&self, position: &Position, probs: Probs) -> Result<Evaluation, SearchError> {
        let (equity, double_take) = match self.cube {
            None => (f64::from(probs.equity()), None),
            Some(cube) => cube.at_the_root::<R>(position, &probs).map_err(SearchError::Cube)?,
        };
        Ok(Evaluation { probs, equity, double_take })
    }

    /// The values of positions at `self.plies` plies, nobody having doubled yet.
    ///
    /// # Errors
    /// As [`Search::evaluate`].
    pub(crate) fn values(
        &self,
        positions: &[Position],
        mut cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Value>, SearchError> {
        if self.plies > MAX_PLIES {
            return Err(SearchError::TooDeep(self.plies));
        }
        let background = cache.as_mut().map_or(0, |cache| cache.background(self.background()));
        if self.plies == 0 {
            let probs = evaluate_batch(self.evaluator, positions, self.threads, watch)?;
            let leaf = |(position, probs): (&Position, &Probs)| self.leaf(position, probs, Side::First);
            return Ok(positions.iter().zip(&probs).map(leaf).collect::<Result<_, Failure>>()?);
        }
        let mut roots = Interner::default();
        let places: Vec<u32> = positions.iter().map(|position| roots.number(position)).collect();
        let mut levels: Vec<Level> = Vec::with_capacity(self.plies);
        let (mut next, mut side, mut expanded) = (roots.positions, Side::First, 0);
        for plies in (1..=self.plies).rev() {
            let mut level = self.known(next, plies, side, background, cache.as_deref_mut())?;
            let mut told = |done: usize| watch(expanded + done);
            let replies = self.expand(&level, side, &mut told)?;
            expanded += replies.len();
            let mut below = Interner::default();
            for replies in &replies {
                level.children.push(self.children(replies, plies == 1, side.other(), &mut below)?);
            }
            levels.push(level);
            next = below.positions;
            side = side.other();
        }
        let mut below: Vec<Value> = Vec::new();
        for (depth, level) in levels.into_iter().enumerate().rev() {
            let plies = self.plies - depth;
            let side = if depth % 2 == 0 { Side::First } else { Side::Second };
            below = self.fold(level, &below, plies, side, depth > 0, background, cache.as_deref_mut());
        }
        Ok(places.iter().map(|&place| below[place as usize]).collect())
    }

    fn background(&self) -> Background {
        let evaluator = self.evaluator.id().to_owned();
        Background { evaluator, rules: R::NAME, cube: self.cube.cloned() }
    }

    fn leaf(&self, position: &Position, probs: &Probs, side: Side) -> Result<Value, Failure> {
        let cubes = match self.cube {
            None => [0.0; MAX_CUBES],
            Some(cube) => cube.leaf::<R>(position, probs, side)?,
        };
        Ok(Value { probs: *probs, cubes })
    }

    /// A level of which the finished games and what the cache holds are known.
    fn known(
        &self,
        positions: Vec<Position>,
        plies: usize,
        side: Side,
        background: u32,
        mut cache: Option<&mut Cache>,
    ) -> Result<Level, Failure> {
        let mut values = Vec::with_capacity(positions.len());
        for position in &positions {
            values.push(match R::result(position) {
                Some((won, outcome)) => Some(self.leaf(position, &Probs::certain(won, outcome), side)?),
                None => {
                    let key = self.key(position, plies, side, background);
                    cache.as_mut().and_then(|cache| cache.get(&key))
                }
            });
        }
        Ok(Level { positions, values, children: Vec::new() })
    }

    fn key(&self, position: &Position, plies: usize, side: Side, background: u32) -> Key {
        // A cubeless value is the same for both sides.
        let side = if self.cube.is_some() { side } else { Side::First };
        Key { position: *position, plies: plies as u8, side, background }
    }

    /// The best replies in all nodes of a level whose value is not known.
    fn expand(&self, level: &Level, side: Side, watch: &mut Watch<'_>) -> Result<Vec<Replies>, SearchError> {
        let open: Vec<Position> = level
            .positions
            .iter()
            .zip(&level.values)
            .filter(|(_, value)| value.is_none())
            .map(|(position, _)| *position)
            .collect();
        // Whatever the size, each node gets the same replies.
        let size = (self.evaluator.batch_hint() / EVALUATIONS_A_NODE).max(1);
        let blocks: Vec<&[Position]> = open.chunks(size).collect();
        let (failed, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let work = |scratch: &mut Scratch, block: usize| {
            if failed.load(Ordering::Relaxed) {
                return None;
            }
            let replies = scratch.replies::<R>(blocks[block], self.evaluator, self.cube, side);
            failed.fetch_or(replies.is_err(), Ordering::Relaxed);
            done.fetch_add(blocks[block].len(), Ordering::Relaxed);
            Some(replies)
        };
        let mut tick = |_| {
            if failed.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            watch(done.load(Ordering::Relaxed))
        };
        let run = run_blocks(self.threads, blocks.len(), &mut tick, Scratch::new, work);
        let mut all = Vec::with_capacity(open.len());
        for replies in run.results.into_iter().flatten() {
            all.extend(replies?);
        }
        if all.len() == open.len() { Ok(all) } else { Err(SearchError::Cancelled(Cancelled)) }
    }

    /// The replies of a node as leaves, or as nodes of the level below.
    fn children(
        &self,
        replies: &Replies,
        leaves: bool,
        side: Side,
        below: &mut Interner,
    ) -> Result<[Child; 21], Failure> {
        let mut children = Vec::with_capacity(replies.len());
        for reply in replies {
            children.push(if leaves {
                Child::Known(self.leaf(&reply.after, &reply.probs, side)?)
            } else {
                Child::Node(below.number(&reply.after))
            });
        }
        Ok(children.try_into().unwrap_or_else(|_| unreachable!("there are 21 replies")))
    }

    /// The values of a level from those of the level below.
    #[expect(clippy::too_many_arguments, reason = "what a node's value and its key depend on")]
    fn fold(
        &self,
        level: Level,
        below: &[Value],
        plies: usize,
        side: Side,
        inner: bool,
        background: u32,
        mut cache: Option<&mut Cache>,
    ) -> Vec<Value> {
        let mut children = level.children.iter();
        let mut values = Vec::with_capacity(level.positions.len());
        for (position, known) in level.positions.iter().zip(&level.values) {
            let held = known.unwrap_or_else(|| {
                let value = mean(children.next().expect("every open node was expanded"), below);
                if let Some(cache) = cache.as_mut() {
                    cache.put(self.key(position, plies, side, background), value);
                }
                value
            });
            let over = R::result(position).is_some();
            values.push(match self.cube {
                Some(cube) if inner && !over => Value { cubes: cube.decided(&held.cubes, side), ..held },
                _ => held,
            });
        }
        values
    }
}

/// The mean over the rolls, seen by the player who rolls.
fn mean(children: &[Child; 21], below: &[Value]) -> Value {
    let (mut probs, mut cubes) = ([0.0f64; 5], [0.0; MAX_CUBES]);
    for (child, roll) in children.iter().zip(Roll::ALL) {
        let value = match child {
            Child::Node(node) => &below[*node as usize],
            Child::Known(value) => value,
        };
        let weight = f64::from(roll.weight());
        for (sum, chance) in probs.iter_mut().zip(value.probs.flipped().to_array()) {
            *sum += weight * f64::from(chance);
        }
        for (sum, equity) in cubes.iter_mut().zip(value.cubes) {
            *sum -= weight * equity;
        }
    }
    let probs = Probs::from_array(probs.map(|sum| (sum / 36.0) as f32));
    Value { probs, cubes: cubes.map(|sum| sum / 36.0) }
}

/// Numbers for positions, the same for equal ones, in the order they first came.
#[derive(Default)]
struct Interner {
    positions: Vec<Position>,
    numbers: HashMap<Position, u32>,
}

impl Interner {
    fn number(&mut self, position: &Position) -> u32 {
        *self.numbers.entry(*position).or_insert_with(|| {
            self.positions.push(*position);
            self.positions.len() as u32 - 1
        })
    }
}
