//! Fitting a net to positions with known chances: the supervised half of a training.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::eval::Evaluator;
use crate::nn::{self, FeatureSet, LONGEST_RECIPE, Net};
use crate::outcome::Probs;
use crate::parallel::TICK;
use crate::position::Position;
use crate::rng::Stream;
use crate::train::data::Record;
use crate::train::model::{Model, Sample};
use crate::train::settings::{self, ConfigError, Settings, Slot};
use crate::train::weights::Diverged;

/// The settings of a fit. Nothing but these and the data influences the net that comes out.
#[derive(Clone, Debug, PartialEq)]
pub struct FitConfig {
    /// Seed of the first weights and of the order of the data.
    pub seed: u64,
    /// What the net sees of a position.
    pub features: FeatureSet,
    /// Groups of features the net is to be blind to, with commas between: to measure what they bring.
    pub without: String,
    /// Hidden units, a multiple of 64.
    pub hidden: u64,
    /// Positions a weight update averages over.
    pub batch: u64,
    /// Times each position is learned from.
    pub epochs: u64,
    /// Learning rate after the warm-up; it falls by an equal factor each update to `rate_last`.
    pub rate_first: f64,
    /// Learning rate at the end.
    pub rate_last: f64,
    /// Updates over which the rate rises from nothing.
    pub warm_up: u64,
    /// One position in so many is not learned from but measured on.
    pub hold_out: u64,
    /// Share of half the squared error of equity in the loss; the rest is cross-entropy.
    pub equity: f64,
}

impl Default for FitConfig {
    fn default() -> FitConfig {
        FitConfig {
            seed: 1,
            features: FeatureSet::Full,
            without: String::new(),
            hidden: 256,
            batch: 256,
            epochs: 4,
            rate_first: 2e-3,
            rate_last: 1e-5,
            warm_up: 200,
            hold_out: 100,
            equity: 0.0,
        }
    }
}

impl Settings for FitConfig {
    fn slots(&mut self) -> Vec<(&'static str, Slot<'_>)> {
        use Slot::{Features, Groups, RareShare, Share, Units, Whole};
        vec![
            ("seed", Whole(&mut self.seed, 0..=u64::MAX)),
            ("features", Features(&mut self.features)),
            ("without", Groups(&mut self.without)),
            ("hidden", Units(&mut self.hidden)),
            ("batch", Whole(&mut self.batch, 1..=100_000)),
            ("epochs", Whole(&mut self.epochs, 1..=1_000)),
            ("rate_first", Share(&mut self.rate_first)),
            ("rate_last", Share(&mut self.rate_last)),
            ("warm_up", Whole(&mut self.warm_up, 0..=1_000_000)),
            ("hold_out", Whole(&mut self.hold_out, 2..=1_000_000)),
            ("equity", RareShare(&mut self.equity)),
        ]
    }
}

impl FitConfig {
    /// `name = value` lines, one a setting; [`FitConfig::from_text`] reads them back exactly.
    pub fn to_text(&self) -> String {
        settings::to_text(self)
    }

    /// Reads `name = value` lines; what is not named keeps its default.
    ///
    /// # Errors
    /// Names the line or the setting at fault.
    pub fn from_text(text: &str) -> Result<FitConfig, ConfigError> {
        settings::from_text(text)
    }

    /// The weights a fit begins with.
    pub(super) fn model(&self) -> Model {
        let without: Vec<&str> = self.without.split(',').collect();
        let mut model = Model::blind(self.features, self.hidden as usize, self.seed, &without);
        model.equity = self.equity as f32;
        model
    }

    /// The learning rate of update `done` of `all`.
    fn rate(&self, done: u64, all: u64) -> f64 {
        let share = done as f64 / all.max(1) as f64;
        let warm = if done < self.warm_up { (done + 1) as f64 / self.warm_up as f64 } else { 1.0 };
        warm * self.rate_first * (self.rate_last.max(1e-12) / self.rate_first.max(1e-12)).powf(share)
    }
}

/// What a stretch of a fit did, for a log.
#[derive(Clone, Debug, PartialEq)]
pub struct FitReport {
    /// Updates made so far.
    pub updates: u64,
    /// Updates in all.
    pub all: u64,
    /// Seconds since the last report.
    pub seconds: f64,
    /// Mean squared error of the five chances on what was learned from since the last report.
    pub loss: f64,
    /// Root mean squared and mean absolute error in equity on the positions held out; `None` if there are none.
    pub held_out: Option<[f64; 2]>,
    /// Learning rate now.
    pub rate: f64,
}

/// What the watcher of a fit is told.
pub enum FitProgress<'a> {
    /// About every twentieth of a second: the fit, between two updates.
    Updates(&'a Fit),
    /// Every so many updates.
    Report(&'a FitReport),
}

/// Told about the progress of a fit; breaking stops it.
pub type FitWatch<'a> = dyn FnMut(FitProgress<'_>) -> ControlFlow<()> + 'a;

/// Positions of the held-out ones looked at for a report.
const MEASURED: usize = 20_000;

/// A fit that can be run, stopped, saved and continued.
pub struct Fit {
    config: FitConfig,
    pub(super) model: Model,
    /// Updates made.
    pub(super) done: u64,
    /// Updates between two reports.
    pub report_every: u64,
    /// Digest of the data it began with.
    pub(super) data: Option<[u64; 2]>,
}

/// Why a fit ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitError {
    /// The watcher broke.
    Cancelled,
    /// The data are not those the fit began with.
    OtherData,
    /// There is nothing to learn from.
    NoData,
    /// The weights are no net any more.
    Diverged(Diverged),
}

impl std::fmt::Display for FitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FitError::Cancelled => "stopped before the work was done",
            FitError::OtherData => {
                "a fit can only be continued with the data it began with, in the same order"
            }
            FitError::NoData => "there are no positions to learn from",
            FitError::Diverged(error) => return error.fmt(f),
        })
    }
}

impl std::error::Error for FitError {}

impl From<Diverged> for FitError {
    fn from(error: Diverged) -> FitError {
        FitError::Diverged(error)
    }
}

impl Fit {
    /// A fit from the beginning.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(config: FitConfig) -> Result<Fit, ConfigError> {
        settings::check(&config)?;
        let model = config.model();
        Ok(Fit::from_state(config, model, 0))
    }

    pub(super) fn from_state(config: FitConfig, model: Model, done: u64) -> Fit {
        Fit { config, model, done, report_every: 2_000, data: None }
    }

    /// A fit that begins with the mean of the weights that others have reached, and forgets everything else of them.
    ///
    /// Fits that began with the same weights, each with noise of its own, agree better with what they all were
    /// to learn when averaged. Of one the weights are its own; of none they are those of [`Fit::new`].
    ///
    /// # Errors
    /// If a setting is out of range, or the features or hidden units are not those of the other fits.
    pub fn after(config: FitConfig, others: &[&Fit]) -> Result<Fit, ConfigError> {
        let mut fit = Fit::new(config)?;
        for other in others {
            fit.check_alike(&other.config)?;
        }
        if others.is_empty() {
            return Ok(fit);
        }
        for (i, weight) in fit.model.weights.values.iter_mut().enumerate() {
            let sum: f64 = others.iter().map(|other| f64::from(other.model.weights.values[i])).sum();
            *weight = (sum / others.len() as f64) as f32;
        }
        Ok(fit)
    }

    /// Whether another fit's weights have the same places.
    fn check_alike(&self, other: &FitConfig) -> Result<(), ConfigError> {
        let wrong = |name, value: String, allowed: String| Err(ConfigError::Range { name, value, allowed });
        if self.config.features != other.features {
            let value = self.config.features.name().to_owned();
            return wrong("features", value, other.features.name().to_owned());
        }
        if self.config.hidden != other.hidden {
            return wrong("hidden", self.config.hidden.to_string(), other.hidden.to_string());
        }
        Ok(())
    }

    /// The settings.
    pub fn config(&self) -> &FitConfig {
        &self.config
    }

    /// Updates made so far.
    pub fn updates(&self) -> u64 {
        self.done
    }

    /// Updates in all for so many positions.
    pub fn all_updates(&self, positions: usize) -> u64 {
        self.config.epochs * self.batches(positions)
    }

    fn batches(&self, positions: usize) -> u64 {
        let learned = positions - positions / self.config.hold_out as usize;
        (learned as u64).div_ceil(self.config.batch)
    }

    /// The file of the net as it is now; `provenance` is added to its recipe, as far as there is room.
    ///
    /// # Errors
    /// If the weights are no net any more.
    pub fn net_bytes(&self, provenance: &str) -> Result<Vec<u8>, Diverged> {
        let mut recipe = self.config.to_text() + provenance;
        recipe.truncate(recipe.floor_char_boundary(LONGEST_RECIPE as usize));
        Ok(nn::write(&self.model.quantised_now(self.config.seed, &recipe)?))
    }

    /// Learns from the records until all epochs are done or the watcher breaks.
    ///
    /// After a break, running it again on the same records gives the net that an unbroken run would have
    /// given.
    ///
    /// # Errors
    /// If the watcher broke, if there is nothing to learn from, if a fit is continued on other records, or
    /// if the weights are no net any more.
    pub fn run(&mut self, records: &[Record], watch: &mut FitWatch<'_>) -> Result<(), FitError> {
        if records.is_empty() {
            return Err(FitError::NoData);
        }
        let data = nn::digest(Record::bytes(records));
        if *self.data.get_or_insert(data) != data {
            return Err(FitError::OtherData);
        }
        let hold_out = self.config.hold_out as usize;
        let held_out = |i: &usize| i % hold_out == hold_out - 1;
        let measured: Vec<Sample> =
            (0..records.len()).filter(held_out).take(MEASURED).filter_map(|i| records[i].sample()).collect();
        let batches = self.batches(records.len());
        let all = self.config.epochs * batches;
        let (mut looked, mut since, mut loss, mut learned) = (Instant::now(), Instant::now(), 0.0, 0);
        let mut samples = Vec::with_capacity(self.config.batch as usize);
        while self.done < all {
            let epoch = self.done / batches;
            let order = self.order(records.len(), epoch, held_out);
            while self.done < all && self.done / batches == epoch {
                let first = (self.done % batches * self.config.batch) as usize;
                let last = (first + self.config.batch as usize).min(order.len());
                samples.clear();
                samples.extend(order[first..last].iter().filter_map(|&i| records[i as usize].sample()));
                let numbers: Vec<u32> = (0..samples.len() as u32).collect();
                let rate = self.config.rate(self.done, all);
                loss += self.model.learn(&samples, &numbers, rate as f32, None);
                learned += samples.len();
                self.done += 1;
                if self.done.is_multiple_of(self.report_every) || self.done == all {
                    let seconds = since.elapsed().max(Duration::from_micros(1)).as_secs_f64();
                    let loss = std::mem::take(&mut loss) / (5.0 * std::mem::take(&mut learned).max(1) as f64);
                    let held_out = self.errors(&measured)?;
                    since = Instant::now();
                    let report = FitReport { updates: self.done, all, seconds, loss, held_out, rate };
                    if watch(FitProgress::Report(&report)).is_break() {
                        return Err(FitError::Cancelled);
                    }
                }
                if looked.elapsed() >= TICK {
                    looked = Instant::now();
                    if watch(FitProgress::Updates(self)).is_break() {
                        return Err(FitError::Cancelled);
                    }
                }
            }
        }
        Ok(())
    }

    /// The records learned from, in the order of an epoch.
    fn order(&self, records: usize, epoch: u64, held_out: impl Fn(&usize) -> bool) -> Vec<u32> {
        let mut order: Vec<u32> = (0..records).filter(|i| !held_out(i)).map(|i| i as u32).collect();
        let words = Stream::new(self.config.seed, 1 << 62 | epoch);
        for i in (1..order.len()).rev() {
            order.swap(i, words.below(i as u32 + 1, i as u64) as usize);
        }
        order
    }

    /// Root mean squared and mean absolute difference in equity of the net as it is now, if there is anything to compare.
    fn errors(&self, samples: &[Sample]) -> Result<Option<[f64; 2]>, Diverged> {
        if samples.is_empty() {
            return Ok(None);
        }
        let net = Net::from_parts(&self.model.quantised_now(0, "")?);
        let positions: Vec<Position> = samples.iter().map(|sample| sample.position).collect();
        let mut out = vec![Probs::default(); positions.len()];
        net.evaluate(&positions, &mut out).expect("a net covers every position");
        let (mut squared, mut absolute) = (0.0, 0.0);
        for (ours, sample) in out.iter().zip(samples) {
            let difference = f64::from(ours.equity() - sample.target.equity());
            squared += difference * difference;
            absolute += difference.abs();
        }
        let n = samples.len() as f64;
        Ok(Some([(squared / n).sqrt(), absolute / n]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::scattered;
    use crate::train::data::Data;

    fn config() -> FitConfig {
        FitConfig { hidden: 64, batch: 32, epochs: 3, warm_up: 10, hold_out: 10, ..FitConfig::default() }
    }

    /// Positions whose chances follow the pips.
    fn records(count: u64) -> Vec<Record> {
        let chances = |position: &Position| {
            let (own, opp) = position.pip_counts();
            let win = (0.5 + (opp as f32 - own as f32) / 300.0).clamp(0.05, 0.95);
            Probs { win, ..Probs::default() }
        };
        scattered(count).iter().map(|position| Record::new(position, &chances(position))).collect()
    }

    fn run(fit: &mut Fit, records: &[Record]) -> Vec<u8> {
        fit.run(records, &mut |_| ControlFlow::Continue(())).unwrap();
        fit.net_bytes("").unwrap()
    }

    #[test]
    fn fitting_reduces_the_error_of_positions_held_out() {
        let records = records(3_000);
        let mut fit = Fit::new(FitConfig { epochs: 6, ..config() }).unwrap();
        fit.report_every = 50;
        let mut errors = Vec::new();
        let mut watch = |progress: FitProgress<'_>| {
            if let FitProgress::Report(report) = progress {
                let [rms, mean] = report.held_out.unwrap();
                assert!(rms >= mean);
                errors.push(mean);
            }
            ControlFlow::Continue(())
        };
        fit.run(&records, &mut watch).unwrap();
        assert_eq!(fit.updates(), fit.all_updates(records.len()));
        assert!(errors[0] > 2.0 * errors[errors.len() - 1], "{errors:?}");
        assert!(errors[errors.len() - 1] < 0.15, "{errors:?}");
    }

    #[test]
    fn a_fit_broken_off_and_continued_gives_the_same_net() {
        let records = records(1_000);
        let whole = run(&mut Fit::new(config()).unwrap(), &records);
        let mut fit = Fit::new(config()).unwrap();
        fit.report_every = 7;
        let mut reports = 0;
        let mut stop_at_the_fifth = |progress: FitProgress<'_>| {
            reports += usize::from(matches!(progress, FitProgress::Report(_)));
            if reports == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(fit.run(&records, &mut stop_at_the_fifth), Err(FitError::Cancelled));
        assert!(fit.updates() >= 35 && fit.updates() < fit.all_updates(records.len()));
        let mut fit = Fit::from_checkpoint(&fit.checkpoint().unwrap()).unwrap();
        assert_eq!(fit.run(&records[1..], &mut |_| ControlFlow::Continue(())), Err(FitError::OtherData));
        assert!(run(&mut fit, &records) == whole);
    }

    #[test]
    fn a_fit_can_begin_where_another_ended() {
        let records = records(500);
        let mut first = Fit::new(config()).unwrap();
        run(&mut first, &records);
        let mut second = Fit::after(FitConfig { seed: 5, ..config() }, &[&first]).unwrap();
        assert_eq!(second.model.weights.values, first.model.weights.values);
        let error = Fit::after(FitConfig { hidden: 128, ..config() }, &[&first]).err().unwrap();
        assert_eq!(error.to_string(), "unusable training settings: hidden is 128, allowed is 64");
        let core = FitConfig { features: FeatureSet::Core, ..config() };
        assert!(
            Fit::after(core, &[&first])
                .err()
                .unwrap()
                .to_string()
                .contains("features is core, allowed is full")
        );
        assert_eq!(second.run(&[], &mut |_| ControlFlow::Continue(())), Err(FitError::NoData));
    }

    #[test]
    fn a_fit_can_begin_with_the_mean_of_others() {
        let records = records(500);
        let fits: Vec<Fit> = [1, 2, 3]
            .map(|seed| {
                let mut fit = Fit::new(FitConfig { seed, ..config() }).unwrap();
                run(&mut fit, &records);
                fit
            })
            .into();
        let mean = Fit::after(config(), &fits.iter().collect::<Vec<_>>()).unwrap();
        let weights = |fit: &Fit, i: usize| f64::from(fit.model.weights.values[i]);
        for i in 0..mean.model.weights.values.len() {
            let expected = (weights(&fits[0], i) + weights(&fits[1], i) + weights(&fits[2], i)) / 3.0;
            assert!((weights(&mean, i) - expected).abs() < 1e-6, "weight {i}");
        }
        assert_eq!(mean.updates(), 0);
        let wide = Fit::new(FitConfig { hidden: 128, ..config() }).unwrap();
        let error = Fit::after(config(), &[&fits[0], &wide]).err().unwrap();
        assert_eq!(error.to_string(), "unusable training settings: hidden is 64, allowed is 128");
        let none = Fit::after(config(), &[]).unwrap();
        assert_eq!(none.model.weights.values, Fit::new(config()).unwrap().model.weights.values);
    }

    #[test]
    fn a_fit_that_diverges_says_so() {
        let records = records(300);
        let mut fit = Fit::new(FitConfig { batch: 1, rate_first: 1.0, rate_last: 1.0, ..config() }).unwrap();
        fit.model.weights.values.iter_mut().for_each(|weight| *weight *= 1e20);
        fit.report_every = 10;
        let found = fit.run(&records, &mut |_| ControlFlow::Continue(()));
        assert!(matches!(found, Err(FitError::Diverged(_))), "{found:?}");
        assert_eq!(fit.updates(), 10);
        assert!(fit.net_bytes("").is_err() && fit.checkpoint().is_err());
    }

    #[test]
    fn a_net_tells_where_it_comes_from_as_far_as_there_is_room() {
        let fit = Fit::new(config()).unwrap();
        let data = Data { recipe: "dice = \"é\"\n".repeat(10_000), records: records(3), games: 1 };
        let net = Net::from_bytes(&fit.net_bytes(&data.provenance()).unwrap()).unwrap();
        let recipe = &net.info().recipe;
        assert!(recipe.starts_with(&format!("{}\n# 3 positions of\ndice = ", config().to_text())));
        assert!(recipe.len() > (1 << 16) - 2);
    }

    #[test]
    fn settings_read_back_and_rates_fall() {
        let config = config();
        assert_eq!(FitConfig::from_text(&config.to_text()), Ok(config.clone()));
        assert!(FitConfig::from_text("hold_out = 1").is_err());
        assert!(FitConfig::from_text("features = \"none\"").is_err());
        assert!(FitConfig::from_text("without = \"dice\"").is_err());
        assert_eq!(FitConfig::from_text("without = \"home,loss\"").unwrap().without, "home,loss");
        assert!(config.rate(0, 1_000) < config.rate(20, 1_000));
        assert!(config.rate(20, 1_000) > config.rate(900, 1_000));
        assert!((config.rate(1_000, 1_000) - config.rate_last).abs() < 1e-9);
    }
}
