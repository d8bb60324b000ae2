//! Learning from one chunk of games, batch by batch.

use crate::rng::Stream;
use crate::train::config::Config;
use crate::train::model::{Model, Sample};

/// Which stream of the seed shuffles samples; games use the numbers from 0 up.
const SHUFFLE: u64 = 1 << 63;

/// A chunk's samples, shuffled, and how many batches of them have been learned from.
pub(super) struct Lesson<'a> {
    model: &'a mut Model,
    samples: &'a [Sample],
    order: Vec<u32>,
    pub batches: usize,
    done: usize,
    rate: f32,
    /// Step of the running average, which follows the weights themselves while there is none.
    average: Option<f32>,
    /// Sum of squared errors so far.
    pub loss: f64,
}

impl<'a> Lesson<'a> {
    pub(super) fn new(
        model: &'a mut Model,
        config: &Config,
        learned: u64,
        samples: &'a [Sample],
    ) -> Lesson<'a> {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let words = Stream::new(config.seed, SHUFFLE + learned);
        for i in (1..order.len()).rev() {
            order.swap(i, words.below(i as u32 + 1, i as u64) as usize);
        }
        let batch = config.batch as usize;
        let batches = if samples.is_empty() { 0 } else { ((order.len() + batch / 2) / batch).max(1) };
        let rate = config.rate(learned) as f32;
        let average = config.average(learned).map(|step| step as f32);
        Lesson { model, samples, order, batches, done: 0, rate, average, loss: 0.0 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.done == self.batches
    }

    /// Learns from one batch more; `false` if there is none.
    pub(super) fn learn(&mut self) -> bool {
        if self.is_done() {
            return false;
        }
        let place = |i: usize| i * self.order.len() / self.batches;
        let batch = &self.order[place(self.done)..place(self.done + 1)];
        self.loss += self.model.learn(self.samples, batch, self.rate, self.average);
        self.done += 1;
        if self.is_done() && self.average.is_none() {
            self.model.follow();
        }
        true
    }
}
