//! Which candidates are worth a deeper look.

use crate::search::MAX_PLIES;

/// What may enter one depth, out of the candidates that reached the depth before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// This many of the best always enter.
    pub least: usize,
    /// No more than this many enter.
    pub most: usize,
    /// Beyond `least`, only those within this equity of the best.
    pub within: f64,
}

impl Stage {
    /// Everything enters.
    pub const ALL: Stage = Stage { least: usize::MAX, most: usize::MAX, within: f64::INFINITY };

    /// At least one, up to `most` within `within` of the best.
    pub const fn new(most: usize, within: f64) -> Stage {
        Stage { least: 1, most, within }
    }

    /// Puts the places of those that enter into `chosen`, in their order; never none of some.
    ///
    /// Equities are the mover's. Where only some of several equal ones may enter, the first do.
    pub(crate) fn choose(&self, equities: &[f64], chosen: &mut Vec<u32>) {
        chosen.clear();
        if equities.is_empty() {
            return;
        }
        let best = equities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let near = equities.iter().filter(|&&equity| best - equity <= self.within).count();
        let count = near.max(self.least).min(self.most).clamp(1, equities.len());
        chosen.extend(0..equities.len() as u32);
        if count < equities.len() {
            let equity = |place: u32| equities[place as usize];
            chosen
                .select_nth_unstable_by(count - 1, |&a, &b| equity(b).total_cmp(&equity(a)).then(a.cmp(&b)));
            chosen.truncate(count);
            chosen.sort_unstable();
        }
    }
}

/// Which candidates of a ranking enter each depth: stage `i` lets those of depth `i` into depth `i + 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// The stages, for 1 ply first.
    pub stages: [Stage; MAX_PLIES],
}

impl Filter {
    /// Few candidates: for many decisions in little time.
    pub const NARROW: Filter = Filter {
        stages: [Stage::new(4, 0.08), Stage::new(3, 0.06), Stage::new(2, 0.04), Stage::new(2, 0.02)],
    };
    /// A reasonable number of candidates.
    pub const NORMAL: Filter = Filter {
        stages: [Stage::new(8, 0.16), Stage::new(5, 0.08), Stage::new(3, 0.04), Stage::new(2, 0.02)],
    };
    /// Many candidates: what the static evaluation misjudges has a chance.
    pub const WIDE: Filter = Filter {
        stages: [Stage::new(16, 0.32), Stage::new(10, 0.16), Stage::new(6, 0.08), Stage::new(4, 0.04)],
    };
    /// Every candidate at every depth.
    pub const ALL: Filter = Filter { stages: [Stage::ALL; MAX_PLIES] };

    /// The named filters, by width.
    pub const NAMED: [(&'static str, Filter); 4] = [
        ("narrow", Filter::NARROW),
        ("normal", Filter::NORMAL),
        ("wide", Filter::WIDE),
        ("all", Filter::ALL),
    ];
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::NORMAL
    }
}

impl std::str::FromStr for Filter {
    type Err = UnknownFilter;

    fn from_str(name: &str) -> Result<Filter, UnknownFilter> {
        let found = Filter::NAMED.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, filter)| filter).ok_or_else(|| UnknownFilter(name.to_owned()))
    }
}

/// A name that is no filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFilter(pub String);

impl std::fmt::Display for UnknownFilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = Filter::NAMED.map(|(name, _)| name).join(", ");
        write!(f, "unknown filter {:?}: expected one of {names}", self.0)
    }
}

impl std::error::Error for UnknownFilter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_choose_by_number_and_by_distance() {
        let equities = [0.3, 0.45, 0.5, -1.0, 0.45];
        let mut chosen = vec![7];
        for (stage, expected) in [
            (Stage::new(8, 0.16), &[1, 2, 4][..]),
            (Stage::new(2, 0.16), &[1, 2]),
            (Stage::new(8, 0.0), &[2]),
            (Stage::new(0, 0.0), &[2]),
            (Stage { least: 4, most: 8, within: 0.0 }, &[0, 1, 2, 4]),
            (Stage { least: 4, most: 2, within: 0.0 }, &[1, 2]),
            (Stage::ALL, &[0, 1, 2, 3, 4]),
        ] {
            stage.choose(&equities, &mut chosen);
            assert_eq!(chosen, expected, "{stage:?}");
        }
        Stage::ALL.choose(&[], &mut chosen);
        assert_eq!(chosen, []);
    }

    #[test]
    fn names_read_back() {
        for (name, filter) in Filter::NAMED {
            assert_eq!(name.parse(), Ok(filter));
        }
        assert!("Normal".parse::<Filter>().unwrap_err().to_string().contains("narrow, normal"));
    }
}
