//! Counts that people use at the board to handle the cube in a race.
//!
//! Each method turns both sides into adjusted pip counts, compares them, and says whether money play
//! asks for a double, a redouble and a take; some also give a chance to win. They are rules of thumb,
//! kept here as published, not estimates of ours. Sources stand beside each formula.

use crate::position::{BAR, Counts};

/// A published way to count a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Plain pips with the 8-9-12 rule.
    Pips,
    /// Danny Kleinman's metric.
    Kleinman,
    /// Edward O. Thorp's count.
    Thorp,
    /// Jeff Ward's formula.
    Ward,
    /// Tom Keith's count.
    Keith,
    /// Walter Trice's rule 62.
    Trice,
    /// Axel Reichert's Isight method.
    Isight,
}

/// What a method says about the cube in money play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Double if the cube is in the middle.
    pub double: bool,
    /// Redouble if the player on roll owns the cube.
    pub redouble: bool,
    /// The opponent should take.
    pub take: bool,
}

/// The result of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Adjusted count of the player on roll, as the method compares it.
    pub roller: f64,
    /// Adjusted count of the opponent.
    pub opponent: f64,
    /// What it means for the cube.
    pub verdict: Verdict,
    /// Chance of the player on roll to win, where the method gives one.
    pub win: Option<f64>,
}

impl Method {
    /// All methods, oldest kind first.
    pub const ALL: [Method; 7] = [
        Method::Pips,
        Method::Kleinman,
        Method::Thorp,
        Method::Ward,
        Method::Keith,
        Method::Trice,
        Method::Isight,
    ];

    /// The method's usual name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Pips => "pips",
            Method::Kleinman => "kleinman",
            Method::Thorp => "thorp",
            Method::Ward => "ward",
            Method::Keith => "keith",
            Method::Trice => "trice",
            Method::Isight => "isight",
        }
    }

    /// Counts a race, each side given from its own ace point.
    pub fn count(self, roller: &Counts, opponent: &Counts) -> Count {
        match self {
            Method::Pips => pips(roller, opponent),
            Method::Kleinman => kleinman(roller, opponent),
            Method::Thorp => thorp(roller, opponent),
            Method::Ward => ward(roller, opponent),
            Method::Keith => keith(roller, opponent),
            Method::Trice => trice(roller, opponent),
            Method::Isight => isight(roller, opponent),
        }
    }
}

/// Pips of a side, a checker on the bar counting 25.
pub fn pip_count(side: &Counts) -> u32 {
    (1..).zip(side).map(|(point, &n)| point * u32::from(n)).sum()
}

fn checkers(side: &Counts) -> f64 {
    side.iter().map(|&n| f64::from(n)).sum()
}

fn raw(side: &Counts) -> f64 {
    f64::from(pip_count(side))
}

/// Checkers on `point` beyond `allowed`.
fn beyond(side: &Counts, point: usize, allowed: u8) -> f64 {
    f64::from(side[point - 1].saturating_sub(allowed))
}

fn home_points(side: &Counts) -> f64 {
    side[..6].iter().filter(|&&n| n > 0).count() as f64
}

/// How much larger `a` is than `b`, 0 if it is not.
fn extra(a: f64, b: f64) -> f64 {
    (a - b).max(0.0)
}

/// Double at 8 % of the roller's count, redouble at 9 %, take up to 12 %.
///
/// Bill Robertie, "Advanced Backgammon", as given by Simon Woodhead, rec.games.backgammon, 11 September
/// 1991 (Backgammon Galore forum archive, "Thorp count").
fn pips(roller: &Counts, opponent: &Counts) -> Count {
    let (r, o) = (raw(roller), raw(opponent));
    let lead = 100.0 * (o - r);
    let verdict = Verdict { double: lead >= 8.0 * r, redouble: lead >= 9.0 * r, take: lead <= 12.0 * r };
    Count { roller: r, opponent: o, verdict, win: None }
}

/// `K = (D + 4)^2 / (S - 4)` with `D` the lead and `S` the sum of the pips; the chance to win is the
/// normal distribution's at `sqrt(K / 2)`. Double from 0.5, redouble from 0.7, take up to 1.2.
///
/// Danny Kleinman, "Vision Laughs at Counting, with Advice to the Dicelorn"; formula and key values by
/// Øystein Johansen, rec.games.backgammon, 22 February 2001 (Backgammon Galore forum archive, "Kleinman
/// count"). The chances listed there (0.69 at K = 0.5, 0.76 at 1, 0.84 at 2) are this normal distribution.
fn kleinman(roller: &Counts, opponent: &Counts) -> Count {
    let (r, o) = (raw(roller), raw(opponent));
    let lead = o - r + 4.0;
    let sum = (o + r - 4.0).max(1.0);
    let k = lead * lead.abs() / sum;
    let verdict = Verdict { double: k >= 0.5, redouble: k >= 0.7, take: k <= 1.2 };
    Count { roller: r, opponent: o, verdict, win: Some(normal(lead / (2.0 * sum).sqrt())) }
}

/// Pips, 2 for each checker, 1 for each checker on the ace point, less 1 for each home point held; the
/// roller adds a tenth if that is more than 30. Double if the opponent is at most 2 less, redouble at
/// most 1 less, take if he is at most 2 more. Each pip is worth 2 % around 74 %.
///
/// Edward O. Thorp; rules as given by Chuck Bower, rec.games.backgammon, 23 January 1997 (Backgammon Galore
/// forum archive, "Thorp count"), who added the chance to win.
fn thorp(roller: &Counts, opponent: &Counts) -> Count {
    let count = |side: &Counts| raw(side) + 2.0 * checkers(side) + f64::from(side[0]) - home_points(side);
    let mut r = count(roller);
    if r > 30.0 {
        r = round(r * 1.1);
    }
    let o = count(opponent);
    let lead = round(o - r);
    let verdict = Verdict { double: lead >= -2.0, redouble: lead >= -1.0, take: lead <= 2.0 };
    Count { roller: r, opponent: o, verdict, win: Some((0.74 + 0.02 * lead).clamp(0.0, 1.0)) }
}

/// Pips, 2 for each checker over 2 on the ace point, 1 for each over 2 on the deuce point, less 1 for
/// each home point held more than the other side, 2 for each checker more than the other side, a half for
/// each checker more outside the home board; the roller adds a tenth. Double if the roller has at most 2
/// more, redouble at most 1 more; take if the opponent has at most 2 (50 pips and less), 3 (75) or 4 (100
/// and more) more, by the mean of the plain counts, straight lines in between.
///
/// Jeff Ward, "The Doubling Cube in Backgammon", volume I, 1982, pages 74 to 76, as given by Marty Storer,
/// rec.games.backgammon, 24 January 1992 (Backgammon Galore forum archive, "Ward's racing formula").
fn ward(roller: &Counts, opponent: &Counts) -> Count {
    let outside = |side: &Counts| checkers(side) - side[..6].iter().map(|&n| f64::from(n)).sum::<f64>();
    let count = |side: &Counts, other: &Counts| {
        raw(side) + 2.0 * beyond(side, 1, 2) + beyond(side, 2, 2)
            - extra(home_points(side), home_points(other))
            + 2.0 * extra(checkers(side), checkers(other))
            + 0.5 * extra(outside(side), outside(other))
    };
    let (r, o) = (round(1.1 * count(roller, opponent)), count(opponent, roller));
    let behind = round(r - o);
    let length = (raw(roller) + raw(opponent)) / 2.0;
    let take = 2.0 + ((length - 50.0) / 25.0).clamp(0.0, 2.0);
    let verdict = Verdict { double: behind <= 2.0, redouble: behind <= 1.0, take: -behind <= take };
    Count { roller: r, opponent: o, verdict, win: None }
}

/// Pips, 2 for each checker over 1 on the ace point, 1 for each over 1 on the deuce point, 1 for each over
/// 3 on the three point, 1 for each gap on points 4 to 6; the roller adds a seventh, rounded down. Double
/// if the roller has at most 4 more, redouble at most 3 more, take at least 2 more.
///
/// Tom Keith, "Cube Handling in Noncontact Positions", Backgammon Galore, 2004; bgonline.org/keith.html.
fn keith(roller: &Counts, opponent: &Counts) -> Count {
    let count = |side: &Counts| {
        let gaps = side[3..6].iter().filter(|&&n| n == 0).count() as f64;
        raw(side) + 2.0 * beyond(side, 1, 1) + beyond(side, 2, 1) + beyond(side, 3, 3) + gaps
    };
    let r = count(roller);
    let (r, o) = (r + (r / 7.0).floor(), count(opponent));
    let behind = r - o;
    let verdict = Verdict { double: behind <= 4.0, redouble: behind <= 3.0, take: behind >= 2.0 };
    Count { roller: r, opponent: o, verdict, win: None }
}

/// The last lead that can be taken is (roller's pips - 5) / 7 rounded down for up to 62 pips, else a
/// tenth of them plus 1 rounded up. Redouble from 2 pips short of it, double from 3 pips short.
///
/// Walter Trice, "Backgammon Boot Camp", 2004; the take as given by Phil Simborg, "Racing Equity (Pip Count
/// Takes)", backgammon.org forum; the windows as in Axel Reichert, "Improved Cube Handling in Races:
/// Insights with Isight", 2014, section 3.
fn trice(roller: &Counts, opponent: &Counts) -> Count {
    let (r, o) = (raw(roller), raw(opponent));
    let last_take = if r <= 62.0 { ((r - 5.0) / 7.0).floor() } else { (r / 10.0 + 1.0).ceil() };
    let lead = o - r;
    let verdict = Verdict {
        double: lead >= last_take - 3.0,
        redouble: lead >= last_take - 2.0,
        take: lead <= last_take,
    };
    Count { roller: r, opponent: o, verdict, win: None }
}

/// Pips, 1 for each checker more than the other side, 2 for each over 2 on the ace point, 1 for each over
/// 2 on the deuce point, 1 for each over 3 on the three point, 1 for each gap on points 4 to 6 where the
/// other side has a checker, 1 for each crossover more than the other side needs to come home. With
/// counts L and T the chance is 80 - L / 3 + 2 (T - L) percent: double from 68, redouble from 70, take up
/// to 76.
///
/// Axel Reichert, "Improved Cube Handling in Races: Insights with Isight", 2014; summary by Taper_Mike,
/// bgonline.org forum, 10 December 2014.
fn isight(roller: &Counts, opponent: &Counts) -> Count {
    let crossovers = |side: &Counts| -> f64 {
        side.iter().enumerate().map(|(i, &n)| ((i.min(BAR) / 6) as u32 * u32::from(n)) as f64).sum()
    };
    let count = |side: &Counts, other: &Counts| {
        let gaps = (3..6).filter(|&i| side[i] == 0 && other[i] > 0).count() as f64;
        raw(side)
            + extra(checkers(side), checkers(other))
            + 2.0 * beyond(side, 1, 2)
            + beyond(side, 2, 2)
            + beyond(side, 3, 3)
            + gaps
            + extra(crossovers(side), crossovers(other))
    };
    let (r, o) = (count(roller, opponent), count(opponent, roller));
    let percent = round(80.0 - r / 3.0 + 2.0 * (o - r));
    let verdict = Verdict { double: percent >= 68.0, redouble: percent >= 70.0, take: percent <= 76.0 };
    Count { roller: r, opponent: o, verdict, win: Some((percent / 100.0).clamp(0.0, 1.0)) }
}

/// The verdict on effective pip counts: with `roller / 7` rolls to go (rounded) the last lead that can be
/// taken is 3 less than that; double from 2 short of it, redouble from 1 short.
///
/// Stick Rice in "What's your favorite formula?", Backgammon Galore forum archive (post 1592).
pub fn epc_verdict(roller: f64, opponent: f64) -> Verdict {
    let last_take = (roller / 7.0).round() - 3.0;
    let lead = opponent - roller;
    Verdict { double: lead >= last_take - 2.0, redouble: lead >= last_take - 1.0, take: lead <= last_take }
}

/// Rounds away what binary fractions of tenths and thirds leave over, so that a limit met is met.
fn round(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

/// The normal distribution function.
///
/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.17: error below 7.5e-8.
pub(super) fn normal(x: f64) -> f64 {
    const B: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = B.iter().rev().fold(0.0, |sum, b| (sum + b) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side with these numbers of checkers on its points 1, 2, ….
    fn side(points: &[u8]) -> Counts {
        let mut counts = [0; 25];
        counts[..points.len()].copy_from_slice(points);
        counts
    }

    /// A single pile far away: only pips matter.
    fn pile(pips: u8) -> Counts {
        let mut counts = [0; 25];
        counts[0] = 1;
        counts[pips as usize - 2] = 1;
        counts
    }

    const SMOOTH: [u8; 6] = [2, 2, 2, 2, 3, 4]; // 59 pips
    const STACKED: [u8; 6] = [5, 3, 4, 0, 2, 1]; // 39 pips

    fn check(
        method: Method,
        roller: &[u8],
        opponent: &[u8],
        counts: (f64, f64),
        verdict: (bool, bool, bool),
    ) {
        let count = method.count(&side(roller), &side(opponent));
        assert!(
            (count.roller - counts.0).abs() < 1e-9 && (count.opponent - counts.1).abs() < 1e-9,
            "{count:?}"
        );
        let (double, redouble, take) = verdict;
        assert_eq!(count.verdict, Verdict { double, redouble, take }, "{method:?}");
    }

    #[test]
    fn pips_follow_the_8_9_12_rule() {
        // 13 checkers on the 7, 1 on the 6 and 1 on the 3 are 100 pips.
        let hundred = side(&[0, 0, 1, 0, 0, 1, 13]);
        assert_eq!(pip_count(&hundred), 100);
        for (more, verdict) in
            [(7, (0, 0, 1)), (8, (1, 0, 1)), (9, (1, 1, 1)), (12, (1, 1, 1)), (13, (1, 1, 0))]
        {
            let mut opponent = hundred;
            opponent[2] -= 1;
            opponent[2 + more] += 1;
            let count = pips(&hundred, &opponent).verdict;
            assert_eq!((count.double as i32, count.redouble as i32, count.take as i32), verdict, "{more}");
        }
    }

    #[test]
    fn kleinman_examples() {
        // Johansen's examples: 100 against 113 pips is K = 1.383, 79.7 %; against 106 K = 0.495, 69 %.
        let hundred = side(&[0, 0, 1, 0, 0, 1, 13]);
        for (more, win, verdict) in [(13, 0.797, (1, 1, 0)), (6, 0.69, (0, 0, 1))] {
            let mut opponent = hundred;
            opponent[2] -= 1;
            opponent[2 + more] += 1;
            let count = kleinman(&hundred, &opponent);
            assert!((count.win.unwrap() - win).abs() < 2e-3, "{count:?}");
            let verdict_of = count.verdict;
            let flags = (verdict_of.double as i32, verdict_of.redouble as i32, verdict_of.take as i32);
            assert_eq!(flags, verdict);
        }
        // Even after the four pips for the roll: 50 %. Behind: less, and no double.
        assert!((kleinman(&pile(20), &pile(16)).win.unwrap() - 0.5).abs() < 1e-7);
        let behind = kleinman(&pile(24), &pile(8));
        assert!(behind.win.unwrap() < 0.2 && !behind.verdict.double);
        assert!(kleinman(&side(&[1]), &side(&[1])).win.unwrap() > 0.9);
    }

    #[test]
    fn the_normal_distribution() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (-1.0, 0.158_655_254),
            (1.96, 0.975_002_105),
            (-3.0, 0.001_349_898),
        ] {
            assert!((normal(x) - p).abs() < 1e-7, "{x}");
        }
    }

    #[test]
    fn thorp_by_hand() {
        // 59 + 30 + 2 - 6 = 85, a tenth more 93.5; 39 + 30 + 5 - 5 = 69.
        check(Method::Thorp, &SMOOTH, &STACKED, (93.5, 69.0), (false, false, true));
        check(Method::Thorp, &STACKED, &SMOOTH, (75.9, 85.0), (true, true, false));
        // 2 + 4 - 1 + 2 = 7: not more than 30, nothing added; the same for both is a redouble and a take.
        check(Method::Thorp, &[2], &[2], (7.0, 7.0), (true, true, true));
        assert_eq!(thorp(&side(&[2]), &side(&[2])).win, Some(0.74));
    }

    #[test]
    fn ward_by_hand() {
        // Both 15 checkers at home. 59 - 1 (six points against five); 39 + 6 + 1.
        check(Method::Ward, &SMOOTH, &STACKED, (63.8, 46.0), (false, false, true));
        check(Method::Ward, &STACKED, &SMOOTH, (50.6, 58.0), (true, true, false));
        // One checker more outside and one more in all: 6 + 7 + 2 + 0.5 against 6, with 2 and 1 home points equal.
        check(Method::Ward, &[0, 0, 0, 0, 0, 1, 1], &[0, 0, 0, 0, 0, 1], (17.05, 6.0), (false, false, true));
        // The take grows with the race: 2 at 50 pips, 3 at 75, 4 at 100.
        for (length, limit) in [(50, 2.0), (75, 3.0), (100, 4.0), (62, 2.48)] {
            let take = 2.0 + ((f64::from(length) - 50.0) / 25.0).clamp(0.0, 2.0);
            assert!((take - limit).abs() < 1e-9);
        }
    }

    #[test]
    fn keith_by_hand() {
        // Taper_Mike's example: 59 + 2 + 1 = 62, a seventh more is 70.
        // Stacked: 39 + 8 + 2 + 1 + 1 = 51, a seventh more is 58.
        check(Method::Keith, &SMOOTH, &STACKED, (70.0, 51.0), (false, false, true));
        check(Method::Keith, &STACKED, &SMOOTH, (58.0, 62.0), (true, true, false));
    }

    #[test]
    fn trice_limits() {
        let count = |roller: u32, opponent: u32| {
            // Checkers on the 24 point and one to fill up.
            let fill = |pips: u32| {
                let mut counts = [0; 25];
                counts[23] = (pips / 24) as u8;
                if !pips.is_multiple_of(24) {
                    counts[(pips % 24) as usize - 1] = 1;
                }
                assert_eq!(pip_count(&counts), pips);
                counts
            };
            trice(&fill(roller), &fill(opponent)).verdict
        };
        // Simborg's examples: 74 takes up to 83, 55 up to 62.
        assert!(count(74, 83).take && !count(74, 84).take);
        assert!(count(55, 62).take && !count(55, 63).take);
        // Both rules meet at 62: 8 pips.
        assert!(count(62, 70).take && !count(62, 71).take);
        assert!(count(62, 68).redouble && !count(62, 67).redouble);
        assert!(count(62, 67).double && !count(62, 66).double);
    }

    #[test]
    fn isight_by_hand() {
        // 59 + nothing; 39 + 6 + 1 + 1 + 1 (gap on 4 that the other fills) = 48.
        check(Method::Isight, &SMOOTH, &STACKED, (59.0, 48.0), (false, false, true));
        check(Method::Isight, &STACKED, &SMOOTH, (48.0, 59.0), (true, true, false));
        let win = isight(&side(&STACKED), &side(&SMOOTH)).win.unwrap();
        assert!((win - 0.86).abs() < 1e-9, "80 - 16 + 22 = 86 percent: {win}");
        // One checker and one crossover more: 13 + 1 + 1 against 6.
        check(Method::Isight, &[0, 0, 0, 0, 0, 1, 1], &[0, 0, 0, 0, 0, 1], (15.0, 6.0), (false, false, true));
        // The bar is four crossovers away from home; the six point is a gap.
        let mut bar = [0; 25];
        bar[BAR] = 1;
        assert_eq!(isight(&bar, &side(&[0, 0, 0, 0, 0, 1])).roller, 25.0 + 4.0 + 1.0);
    }

    #[test]
    fn epc_example() {
        // Rice's example: 68.5 is about 10 rolls, so 75.5 can be taken, 73.5 doubled, 74.5 redoubled.
        assert_eq!(epc_verdict(68.5, 75.5), Verdict { double: true, redouble: true, take: true });
        assert_eq!(epc_verdict(68.5, 73.5), Verdict { double: true, redouble: false, take: true });
        assert_eq!(epc_verdict(68.5, 71.0), Verdict { double: false, redouble: false, take: true });
        assert_eq!(epc_verdict(68.5, 76.0), Verdict { double: true, redouble: true, take: false });
    }
}
