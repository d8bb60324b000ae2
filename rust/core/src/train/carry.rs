//! What a game brought to light later, carried back to the positions before it.

use crate::outcome::Probs;
use crate::position::Position;

/// One turn of a game.
pub(super) struct Step {
    pub position: Position,
    pub value: Probs,
    /// What the next position was thought to be worth to the player then on roll, if the best reply led there.
    pub expected: Option<Probs>,
    pub kept: bool,
}

/// Adds to each position's chances what the turns after it brought to light, each turn's share `carry` times that of the turn
/// before.
///
/// The best reply was chosen by a value that look-ahead from there then corrects; the correction has no luck of the
/// dice in it. The chances become those of a rollout of one trial with its luck taken out, cut short after
/// `1 / (1 - carry)` turns on average. A play that was not the best says nothing of the positions before it.
pub(super) fn carry_back(steps: &mut [Step], carry: f64) {
    let mut after: Option<(Probs, [f64; 5])> = None;
    for step in steps.iter_mut().rev() {
        let mut change = [0.0; 5];
        if let (Some(expected), Some((value, carried))) = (step.expected, after) {
            let news: [f64; 5] = std::array::from_fn(|i| {
                carry * (f64::from(value.to_array()[i]) - f64::from(expected.to_array()[i]) + carried[i])
            });
            // Seen by the other side.
            change = [-news[0], news[3], news[4], news[1], news[2]];
        }
        after = Some((step.value, change));
        step.value = chances(std::array::from_fn(|i| f64::from(step.value.to_array()[i]) + change[i]));
    }
}

/// The nearest chances: none below 0, of a gammon no more than of a win, and so on.
fn chances(mut sums: [f64; 5]) -> Probs {
    sums[0] = sums[0].clamp(0.0, 1.0);
    for (gammon, most) in [(1, sums[0]), (3, 1.0 - sums[0])] {
        sums[gammon] = sums[gammon].clamp(0.0, most);
        sums[gammon + 1] = sums[gammon + 1].clamp(0.0, sums[gammon]);
    }
    Probs::from_array(sums.map(|sum| sum as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_play_that_was_not_the_best_carries_nothing_back() {
        let probs = |win: f32| Probs { win, ..Probs::default() };
        let step = |win, expected: Option<f32>| Step {
            position: Position::START,
            value: probs(win),
            expected: expected.map(probs),
            kept: true,
        };
        let mut steps = vec![step(0.5, Some(0.4)), step(0.6, None), step(0.3, Some(0.5)), step(0.7, None)];
        carry_back(&mut steps, 0.5);
        // The third step's reply was thought worth 0.5 and was worth 0.7, bad for its own side; the second play was not the best.
        let wins: Vec<f32> = steps.iter().map(|step| step.value.win).collect();
        let expected = [0.5 - 0.5 * 0.2, 0.6, 0.3 - 0.5 * 0.2, 0.7];
        assert!(wins.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{wins:?}");
    }

    #[test]
    fn chances_stay_chances() {
        assert_eq!(chances([1.2, 0.4, -0.1, 0.1, 0.0]).to_array(), [1.0, 0.4, 0.0, 0.0, 0.0]);
        assert_eq!(chances([0.3, 0.4, 0.35, 0.8, 0.75]).to_array(), [0.3, 0.3, 0.3, 0.7, 0.7]);
    }
}
