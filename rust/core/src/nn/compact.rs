//! The body of a compact net file: about half the bytes, for nets that are shipped by the dozen.
//!
//! ```text
//! bytes     a bit a row of the first layer: whether it has weights at all (lowest bit first)
//! i16       hidden biases
//! a row     u8: its own shift, then a signed byte a weight; the weight is that times 2^shift
//! f32       second layer: a bias a bucket and unit
//! a fan     bucket by bucket, one a hidden unit: f32 scale, then a signed byte a weight of the second layer
//! f32       outputs: a bias a bucket and output, then buckets x outputs x units weights
//! ```
//!
//! [`rounded`] gives the numbers that such a file can hold; of those it is as exact as any.

use crate::nn::format::{NetFormatError, Reader};
use crate::nn::net::{MIDDLE, OUTPUTS, Parts};
use crate::nn::sets::FeatureSet;

/// The numbers nearest to these that a compact file holds.
pub(crate) fn rounded(parts: &Parts) -> Parts {
    let hidden = parts.hidden;
    let with = |nearest: bool| {
        let mut rows = parts.rows.clone();
        for row in rows.chunks_exact_mut(hidden) {
            let shift = shift_of(row);
            row.iter_mut().for_each(|weight| *weight = expand(cut(*weight, shift, nearest), shift));
        }
        rows
    };
    let mut rows = with(true);
    let limit = i64::from(i16::MAX);
    if Parts::largest_sum(parts.features, hidden, &parts.bias, &rows) > limit {
        // Towards nought no sum can grow.
        rows = with(false);
    }
    let mut mid_rows = parts.mid_rows.clone();
    for fan in mid_rows.chunks_exact_mut(MIDDLE) {
        let scale = scale_of(fan);
        fan.iter_mut().for_each(|weight| *weight = f32::from(byte(*weight, scale)) * scale);
    }
    Parts { rows, mid_rows, ..parts.clone() }
}

/// By how many bits a row's weights are cut so that they fit a byte.
fn shift_of(row: &[i16]) -> u32 {
    let largest = row.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
    (0..=8).find(|&shift| u32::from(largest) + (1 << shift >> 1) < 128 << shift).unwrap_or(8)
}

fn cut(weight: i16, shift: u32, nearest: bool) -> i8 {
    let half = if nearest { (1 << shift) >> 1 } else { 0 };
    let size = (i32::from(weight).abs() + half) >> shift;
    (size.min(127) * i32::from(weight).signum()) as i8
}

fn expand(byte: i8, shift: u32) -> i16 {
    (i32::from(byte) << shift) as i16
}

/// A power of two, so that scaling is exact, by which the largest weight of a fan is at most 127.
fn scale_of(fan: &[f32]) -> f32 {
    let largest = fan.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
    let mut scale = 2.0f32.powi(-24);
    while largest > 127.0 * scale {
        scale *= 2.0;
    }
    scale
}

fn byte(weight: f32, scale: f32) -> i8 {
    (weight / scale).round().clamp(-127.0, 127.0) as i8
}

/// Appends the body of numbers that are [`rounded`].
pub(super) fn write(parts: &Parts, bytes: &mut Vec<u8>) {
    let rows = || parts.rows.chunks_exact(parts.hidden);
    let used = |row: &[i16]| row.iter().any(|&weight| weight != 0);
    let flags: Vec<bool> = rows().map(used).collect();
    bytes.extend(
        flags.chunks(8).map(|eight| (0..).zip(eight).map(|(bit, &flag)| u8::from(flag) << bit).sum::<u8>()),
    );
    parts.bias.iter().for_each(|bias| bytes.extend_from_slice(&bias.to_le_bytes()));
    for row in rows().filter(|row| used(row)) {
        let shift = shift_of(row);
        bytes.push(shift as u8);
        bytes.extend(row.iter().map(|&weight| cut(weight, shift, false) as u8));
    }
    let floats = |bytes: &mut Vec<u8>, numbers: &[f32]| {
        numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    };
    floats(bytes, &parts.mid_bias);
    for fan in parts.mid_rows.chunks_exact(MIDDLE) {
        let scale = scale_of(fan);
        floats(bytes, &[scale]);
        bytes.extend(fan.iter().map(|&weight| byte(weight, scale) as u8));
    }
    floats(bytes, &parts.out_bias);
    floats(bytes, &parts.out_rows);
}

/// The numbers of a body.
pub(super) struct Body {
    pub(super) bias: Vec<i16>,
    pub(super) rows: Vec<i16>,
    pub(super) mid_bias: Vec<f32>,
    pub(super) mid_rows: Vec<f32>,
    pub(super) out_bias: Vec<f32>,
    pub(super) out_rows: Vec<f32>,
}

/// Bytes of a body whose flags come next in the file.
pub(super) fn length(
    reader: &Reader<'_>,
    features: FeatureSet,
    hidden: usize,
) -> Result<u64, NetFormatError> {
    let flags = features.rows().div_ceil(8);
    let used: u32 = reader.clone().take(flags)?.iter().map(|byte| byte.count_ones()).sum();
    let (hidden, buckets) = (hidden as u64, features.buckets() as u64);
    let first = flags as u64 + 2 * hidden + u64::from(used) * (1 + hidden);
    let fans = buckets * hidden * (4 + MIDDLE as u64);
    let real = buckets * (MIDDLE + OUTPUTS + OUTPUTS * MIDDLE) as u64;
    Ok(first + fans + 4 * real)
}

/// Reads a body.
pub(super) fn read(
    reader: &mut Reader<'_>,
    features: FeatureSet,
    hidden: usize,
) -> Result<Body, NetFormatError> {
    let (count, buckets) = (features.rows(), features.buckets());
    let flags = reader.take(count.div_ceil(8))?;
    let bias = reader.i16s(hidden)?;
    let mut rows = vec![0; count * hidden];
    for (number, row) in rows.chunks_exact_mut(hidden).enumerate() {
        if flags[number / 8] >> (number % 8) & 1 == 0 {
            continue;
        }
        let shift = u32::from(reader.take(1)?[0]);
        if shift > 8 {
            return Err(NetFormatError::Shape {
                what: "the shift of a row",
                found: shift,
                expected: "at most 8".to_owned(),
            });
        }
        let bytes = reader.take(hidden)?;
        row.iter_mut().zip(bytes).for_each(|(weight, &byte)| *weight = expand(byte as i8, shift));
    }
    let mid_bias = reader.f32s(buckets * MIDDLE)?;
    let mut mid_rows = Vec::with_capacity(buckets * hidden * MIDDLE);
    for _ in 0..buckets * hidden {
        let scale = reader.f32s(1)?[0];
        mid_rows.extend(reader.take(MIDDLE)?.iter().map(|&byte| f32::from(byte as i8) * scale));
    }
    let out_bias = reader.f32s(buckets * OUTPUTS)?;
    let out_rows = reader.f32s(buckets * OUTPUTS * MIDDLE)?;
    Ok(Body { bias, rows, mid_bias, mid_rows, out_bias, out_rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::Game;
    use crate::nn::format::{read, write_compact};
    use crate::nn::net::tests::random_parts;

    fn parts() -> Parts {
        let game = Game::of_name("fevga").unwrap();
        let mut parts = random_parts(FeatureSet::Family(game), 64, 5);
        // Rows of all sizes, and some of none.
        for (number, row) in parts.rows.chunks_exact_mut(64).enumerate() {
            row.iter_mut()
                .for_each(|weight| *weight = if number % 7 == 0 { 0 } else { *weight >> (number % 9) });
        }
        parts
    }

    #[test]
    fn rounded_numbers_are_read_back_and_rounding_again_changes_nothing() {
        let parts = parts();
        let near = rounded(&parts);
        assert!(rounded(&near) == near);
        let bytes = write_compact(&near);
        assert!(read(&bytes).unwrap().0 == near);
        assert!(2 * bytes.len() < crate::nn::write(&near).len());
        for (row, rounded) in parts.rows.chunks_exact(64).zip(near.rows.chunks_exact(64)) {
            let largest = row.iter().map(|weight| weight.abs()).max().unwrap();
            let close = |(a, b): (&i16, &i16)| (a - b).abs() <= largest / 128 + 1;
            assert!(row.iter().zip(rounded).all(close), "{row:?} {rounded:?}");
        }
        for (fan, rounded) in parts.mid_rows.chunks_exact(MIDDLE).zip(near.mid_rows.chunks_exact(MIDDLE)) {
            let largest = fan.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
            assert!(fan.iter().zip(rounded).all(|(a, b)| (a - b).abs() <= largest / 120.0));
        }
    }

    #[test]
    fn sums_that_would_overflow_are_rounded_down() {
        let mut parts = parts();
        parts.rows.iter_mut().for_each(|weight| *weight = weight.signum());
        let sum = |parts: &Parts| Parts::largest_sum(parts.features, 64, &parts.bias, &parts.rows);
        // As large as it may be, with a row whose weights are rounded up.
        parts.rows[..64].fill(8_191);
        let room = (i64::from(i16::MAX) - sum(&parts)) as i16;
        parts.bias.iter_mut().for_each(|bias| *bias += if *bias > 0 { room } else { -room });
        let largest = sum(&parts);
        assert!(largest <= i64::from(i16::MAX));
        assert!(sum(&rounded(&parts)) <= largest);
    }

    #[test]
    fn damage_is_found() {
        let bytes = write_compact(&rounded(&parts()));
        for len in [60, 100, bytes.len() - 1] {
            assert!(matches!(read(&bytes[..len]), Err(NetFormatError::Truncated { .. })), "{len}");
        }
        for at in [55, 400, bytes.len() - 2] {
            let mut bytes = bytes.clone();
            bytes[at] ^= 16;
            assert!(read(&bytes).is_err(), "{at}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert_eq!(read(&long).err(), Some(NetFormatError::TrailingBytes { extra: 1 }));
    }
}
