//! Dice: the 21 distinguishable rolls and their weights.

use std::fmt;

use crate::parse::{ParseError, ParseErrorKind};

/// One throw of two dice, kept with the larger number first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// All 21 rolls: 1-1, 2-1, 2-2, 3-1, … 6-6.
    pub const ALL: [Roll; 21] = {
        let mut all = [Roll { high: 1, low: 1 }; 21];
        let (mut high, mut i) = (1, 0);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[i] = Roll { high, low };
                i += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// The roll of two dice in any order; `None` if either is not 1 to 6.
    pub const fn new(a: u8, b: u8) -> Option<Roll> {
        if a < 1 || a > 6 || b < 1 || b > 6 {
            return None;
        }
        Some(if a >= b { Roll { high: a, low: b } } else { Roll { high: b, low: a } })
    }

    /// The roll numbered `ordinal` (0 to 35) among the 36 equally likely ordered throws.
    ///
    /// # Panics
    /// If `ordinal` is 36 or more.
    pub const fn from_ordinal(ordinal: u8) -> Roll {
        assert!(ordinal < 36);
        match Roll::new(ordinal / 6 + 1, ordinal % 6 + 1) {
            Some(roll) => roll,
            None => unreachable!(),
        }
    }

    /// The larger number.
    pub const fn high(self) -> u8 {
        self.high
    }

    /// The smaller number (equal to [`Roll::high`] for a double).
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Whether both dice show the same number.
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// How many of the 36 ordered throws are this roll: 1 for a double, else 2.
    pub const fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }

    /// Place of this roll in [`Roll::ALL`].
    pub const fn index(self) -> usize {
        (self.high as usize * (self.high as usize - 1)) / 2 + self.low as usize - 1
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl fmt::Debug for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roll({self})")
    }
}

impl std::str::FromStr for Roll {
    type Err = ParseError;

    /// Reads `31`, `13`, `3-1`, `3 1` or `3,1`.
    fn from_str(text: &str) -> Result<Roll, ParseError> {
        let mut digits = [0u8; 2];
        let mut found = 0;
        for (offset, c) in text.char_indices() {
            match c {
                '1'..='6' if found < 2 => {
                    digits[found] = c as u8 - b'0';
                    found += 1;
                }
                '-' | ' ' | ',' if found == 1 => {}
                _ => {
                    return Err(ParseError::new(
                        "roll",
                        text,
                        offset,
                        ParseErrorKind::Unexpected("two dice from 1 to 6, like 31"),
                    ));
                }
            }
        }
        match (found, Roll::new(digits[0], digits[1])) {
            (2, Some(roll)) => Ok(roll),
            _ => Err(ParseError::new(
                "roll",
                text,
                text.len(),
                ParseErrorKind::Unexpected("two dice from 1 to 6, like 31"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_one_rolls_weigh_thirty_six() {
        assert_eq!(Roll::ALL.iter().map(|r| r.weight()).sum::<u32>(), 36);
        for (i, roll) in Roll::ALL.iter().enumerate() {
            assert_eq!(roll.index(), i);
        }
        let mut seen = [0; 21];
        for ordinal in 0..36 {
            seen[Roll::from_ordinal(ordinal).index()] += 1;
        }
        assert!(Roll::ALL.iter().zip(seen).all(|(r, n)| r.weight() == n));
    }

    #[test]
    fn text_forms() {
        for text in ["31", "13", "3-1", "1 3", "3,1"] {
            assert_eq!(text.parse::<Roll>().unwrap(), Roll::new(3, 1).unwrap());
        }
        for text in ["", "3", "7-1", "311", "0-1", "3--", "x1", "31 "] {
            assert!(text.parse::<Roll>().is_err(), "{text:?}");
        }
    }
}
