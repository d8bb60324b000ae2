//! Choosing among the results of a roll by their values.

use crate::outcome::Probs;

/// Which result suits the mover best: the first of those with the lowest equity.
///
/// `values` are those of positions handed over, seen by the opponent, who is on roll there.
///
/// # Panics
/// If there are no values.
pub fn best_for_mover(values: &[Probs]) -> usize {
    let mut best = (0, values[0].equity());
    for (i, value) in values.iter().enumerate().skip(1) {
        let equity = value.equity();
        if equity < best.1 {
            best = (i, equity);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponents_worst_is_chosen_first_of_equals() {
        let values = [0.5, 0.2, 0.7, 0.2].map(|win| Probs { win, ..Probs::default() });
        assert_eq!(best_for_mover(&values), 1);
        assert_eq!(best_for_mover(&values[2..3]), 0);
    }
}
