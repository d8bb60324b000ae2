//! Values already worked out.

use crate::outcome::Probs;
use crate::position::Position;
use crate::search::Stage;
use crate::search::cubeful::{CubeUse, CubeValues, Side};

/// What a value depends on besides the position and its depth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Background {
    /// The evaluator's id: two evaluators that differ must not share one.
    pub evaluator: String,
    /// The pre-filter's evaluator and its width.
    pub prefilter: Option<(String, Stage)>,
    pub rules: &'static str,
    pub cube: Option<CubeUse>,
}

/// Everything a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub position: Position,
    /// Plies looked ahead from this position.
    pub plies: u8,
    pub side: Side,
    /// Number of the [`Background`].
    pub background: u32,
}

/// The value of a node: chances of the player on roll, and his equities with each cube if asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub probs: Probs,
    pub cubes: CubeValues,
}

/// A bounded table of values, owned by whoever searches, for any number of searches.
///
/// An entry is found only if everything its value depends on is equal: position, depth, evaluators, width of the
/// pre-filter, score, cube and cube life. So a hit has the bits a miss would compute. A new entry takes the place of another if
/// both fall on the same slot.
#[derive(Debug)]
pub struct Cache {
    slots: Vec<Option<(Key, Value)>>,
    backgrounds: Vec<Background>,
    hits: u64,
    misses: u64,
}

/// Backgrounds remembered before the cache starts afresh: scores of a few matches.
const MAX_BACKGROUNDS: usize = 4_096;

impl Cache {
    /// An empty cache for `entries` values (rounded up to a power of two), some 150 bytes each.
    pub fn new(entries: usize) -> Cache {
        let slots = vec![None; entries.max(1).next_power_of_two()];
        Cache { slots, backgrounds: Vec::new(), hits: 0, misses: 0 }
    }

    /// How often a value was found.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// How often a value was not there.
    pub fn misses(&self) -> u64 {
        self.misses
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(None);
        self.backgrounds.clear();
    }

    /// The number of a background.
    pub(crate) fn background(&mut self, background: Background) -> u32 {
        if let Some(known) = self.backgrounds.iter().position(|known| *known == background) {
            return known as u32;
        }
        if self.backgrounds.len() == MAX_BACKGROUNDS {
            self.clear();
        }
        self.backgrounds.push(background);
        self.backgrounds.len() as u32 - 1
    }

    pub(crate) fn get(&mut self, key: &Key) -> Option<Value> {
        let found = self.slots[self.slot(key)].filter(|(known, _)| known == key).map(|(_, value)| value);
        *if found.is_some() { &mut self.hits } else { &mut self.misses } += 1;
        found
    }

    pub(crate) fn put(&mut self, key: Key, value: Value) {
        let slot = self.slot(&key);
        self.slots[slot] = Some((key, value));
    }

    fn slot(&self, key: &Key) -> usize {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        hasher.finish() as usize & (self.slots.len() - 1)
    }
}
