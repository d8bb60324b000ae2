//! The values of positions some plies deep, level by level.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::dice::Roll;
use crate::eval::Exact;
use crate::outcome::Probs;
use crate::parallel::{Cancelled, Lookout};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::cache::{Background, Cache, Key, Value};
use crate::search::cubeful::{Leaf, MAX_CUBES, Side};
use crate::search::evaluate::each;
use crate::search::expand::{Replies, Reply, Scratch};
use crate::search::{MAX_PLIES, Search, SearchError};

/// Evaluations a node needs, roughly: 21 rolls of 20 plays, or those of them that pass a pre-filter.
const EVALUATIONS_A_NODE: usize = 420;
const EVALUATIONS_PREFILTERED: usize = 84;

/// Where the value of a reply comes from.
enum Child {
    /// A node of the next level.
    Node(u32),
    /// A leaf, or a position that is not looked at more deeply.
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

/// Where a level stands: what the values of its nodes depend on besides their positions.
#[derive(Clone, Copy)]
struct Place {
    /// Plies looked ahead from its nodes.
    plies: usize,
    /// Who is on roll.
    side: Side,
    /// Number of the [`Background`].
    background: u32,
}

impl<R: Rules> Search<'_, R> {
    /// The values of positions at `self.plies` plies, nobody having doubled yet.
    ///
    /// # Errors
    /// As [`Search::evaluate`].
    pub(crate) fn values(
        &self,
        positions: &[Position],
        mut cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Value>, SearchError> {
        if self.plies > MAX_PLIES {
            return Err(SearchError::TooDeep(self.plies));
        }
        if self.plies == 0 {
            let probs = self.chances(positions, lookout)?;
            let leaf = |(position, probs): (&Position, &Probs)| {
                self.leaf(position, probs, self.exact(position), Side::First)
            };
            return each(positions.iter().zip(&probs), lookout, leaf);
        }
        let background = cache.as_mut().map_or(0, |cache| cache.background(self.background()));
        let place = |depth: usize| Place {
            plies: self.plies - depth,
            side: if depth.is_multiple_of(2) { Side::First } else { Side::Second },
            background,
        };
        let mut roots = Interner::default();
        let numbers: Vec<u32> = positions.iter().map(|position| roots.number(position)).collect();
        let mut levels: Vec<Level> = Vec::with_capacity(self.plies);
        let (mut next, mut expanded) = (roots.positions, 0);
        for depth in 0..self.plies {
            let place = place(depth);
            let mut level = self.known(next, place, depth == 0, cache.as_deref_mut(), lookout)?;
            let replies = self.expand(&level, place, expanded, lookout)?;
            expanded += replies.len();
            let mut below = Interner::default();
            level.children =
                each(replies.iter(), lookout, |replies| self.children(replies, place, &mut below))?;
            levels.push(level);
            next = below.positions;
        }
        let mut below: Vec<Value> = Vec::new();
        for (depth, level) in levels.into_iter().enumerate().rev() {
            below = self.fold(level, &below, place(depth), depth > 0, cache.as_deref_mut(), lookout)?;
        }
        Ok(numbers.iter().map(|&number| below[number as usize]).collect())
    }

    fn background(&self) -> Background {
        Background {
            evaluator: self.evaluator.id().to_owned(),
            prefilter: self.prefilter.map(|filter| (filter.evaluator.id().to_owned(), filter.inside)),
            rules: R::NAME,
            cube: self.cube.cloned(),
        }
    }

    /// The value of a position with these chances, without lookahead.
    fn leaf(
        &self,
        position: &Position,
        probs: &Probs,
        exact: Option<Exact>,
        side: Side,
    ) -> Result<Value, SearchError> {
        let cubes = match self.cube {
            None => [0.0; MAX_CUBES],
            Some(cube) => cube.leaf::<R>(&Leaf { position, probs, exact }, side)?,
        };
        Ok(Value { probs: *probs, cubes })
    }

    /// The value of a position that is not looked at more deeply: finished, or known for certain.
    fn settled(&self, position: &Position, side: Side) -> Result<Option<Value>, SearchError> {
        if let Some((won, outcome)) = R::result(position) {
            return self.leaf(position, &Probs::certain(won, outcome), None, side).map(Some);
        }
        match self.exact(position) {
            Some(exact) => self.leaf(position, &exact.probs, Some(exact), side).map(Some),
            None => Ok(None),
        }
    }

    /// The value of a root that is settled, nobody having doubled yet.
    fn settled_root(&self, position: &Position) -> Result<Option<Value>, SearchError> {
        let settled = self.settled(position, Side::First)?;
        let exact = self.exact(position).filter(|_| R::result(position).is_none());
        Ok(settled.map(|value| {
            let leaf = Leaf { position, probs: &value.probs, exact };
            let held = self.cube.and_then(|cube| cube.held(&leaf));
            Value { cubes: held.unwrap_or(value.cubes), ..value }
        }))
    }

    /// A level of which the settled roots and what the cache holds are known.
    fn known(
        &self,
        positions: Vec<Position>,
        place: Place,
        roots: bool,
        mut cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<Level, SearchError> {
        let values = each(positions.iter(), lookout, |position| {
            let settled = if roots { self.settled_root(position)? } else { None };
            Ok(settled.or_else(|| {
                let key = self.key(position, place);
                cache.as_mut().and_then(|cache| cache.get(&key))
            }))
        })?;
        Ok(Level { positions, values, children: Vec::new() })
    }

    fn key(&self, position: &Position, place: Place) -> Key {
        let Place { plies, side, background } = place;
        // A cubeless value is the same for both sides.
        let side = if self.cube.is_some() { side } else { Side::First };
        Key { position: *position, plies: plies as u8, side, background }
    }

    /// The best replies in all nodes of a level whose value is not known, `before` having been expanded above.
    fn expand(
        &self,
        level: &Level,
        place: Place,
        before: usize,
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Replies>, SearchError> {
        let open: Vec<Position> = level
            .positions
            .iter()
            .zip(&level.values)
            .filter(|(_, value)| value.is_none())
            .map(|(position, _)| *position)
            .collect();
        // Whatever the size, each node gets the same replies.
        let per_node = if self.prefilter.is_some() { EVALUATIONS_PREFILTERED } else { EVALUATIONS_A_NODE };
        let size = (self.evaluator.batch_hint() / per_node).max(1);
        let blocks: Vec<&[Position]> = open.chunks(size).collect();
        let (failed, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let work = |scratch: &mut Scratch, block: usize| {
            if failed.load(Ordering::Relaxed) {
                return None;
            }
            let replies = scratch.replies(self, blocks[block], place.side, place.plies == 1);
            failed.fetch_or(replies.is_err(), Ordering::Relaxed);
            done.fetch_add(blocks[block].len(), Ordering::Relaxed);
            Some(replies)
        };
        let told = |_| before + done.load(Ordering::Relaxed);
        let run = lookout.run_blocks(self.threads, blocks.len(), told, Scratch::new, work);
        let mut all = Vec::with_capacity(open.len());
        for replies in run.results.into_iter().flatten() {
            all.extend(replies?);
        }
        lookout.look(before + all.len())?;
        if all.len() == open.len() { Ok(all) } else { Err(SearchError::Cancelled(Cancelled)) }
    }

    /// The replies of a node at `place`: leaves, settled, or nodes of the level below.
    fn children(
        &self,
        replies: &Replies,
        place: Place,
        below: &mut Interner,
    ) -> Result<[Child; 21], SearchError> {
        let (leaves, side) = (place.plies == 1, place.side.other());
        let mut children = Vec::with_capacity(replies.len());
        for Reply { after, probs } in replies {
            children.push(if leaves {
                Child::Known(self.leaf(after, probs, self.exact(after), side)?)
            } else if let Some(value) = self.settled(after, side)? {
                Child::Known(value)
            } else {
                Child::Node(below.number(after))
            });
        }
        Ok(children.try_into().unwrap_or_else(|_| unreachable!("there are 21 replies")))
    }

    /// The values of a level from those of the level below; `inner` if its players may double.
    fn fold(
        &self,
        level: Level,
        below: &[Value],
        place: Place,
        inner: bool,
        mut cache: Option<&mut Cache>,
        lookout: &mut Lookout<'_>,
    ) -> Result<Vec<Value>, SearchError> {
        let mut children = level.children.iter();
        each(level.positions.iter().zip(&level.values), lookout, |(position, known)| {
            let held = known.unwrap_or_else(|| {
                let value = mean(children.next().expect("every open node was expanded"), below);
                if let Some(cache) = cache.as_mut() {
                    cache.put(self.key(position, place), value);
                }
                value
            });
            Ok(match self.cube {
                Some(cube) if inner => Value { cubes: cube.decided(&held.cubes, place.side), ..held },
                _ => held,
            })
        })
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
