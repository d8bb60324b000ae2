//! Positions with known chances, from a text file.

use std::path::Path;

use gammon_core::{Position, Probs};

/// Reads 50 counts and five chances a line; lines that begin with `#` are comments.
pub fn read(path: &Path) -> Result<Vec<(Position, Probs)>, Box<dyn std::error::Error>> {
    let mut list = Vec::new();
    for line in std::fs::read_to_string(path)?.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        if fields.len() != 55 {
            return Err(format!("{} fields instead of 55: {line}", fields.len()).into());
        }
        let (mut counts, mut probs) = ([[0u8; 25]; 2], [0f32; 5]);
        for (i, count) in counts.as_flattened_mut().iter_mut().enumerate() {
            *count = fields[i].parse()?;
        }
        for (i, chance) in probs.iter_mut().enumerate() {
            *chance = fields[50 + i].parse()?;
        }
        list.push((Position::from_counts(&counts[0], &counts[1])?, Probs::from_array(probs)));
    }
    Ok(list)
}
