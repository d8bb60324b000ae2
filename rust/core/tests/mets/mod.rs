//! The match equity tables of the package, read by a reader that knows just their layout.

use gammon_core::cube::Met;

macro_rules! table {
    ($name:literal) => {
        include_str!(concat!("../../../../python/gammon/data/met/", $name, ".toml"))
    };
}

/// Every table that is written out, by file name.
pub const WRITTEN: [(&str, &str); 5] = [
    ("kazaross-xg2", table!("kazaross-xg2")),
    ("rockwell-kazaross", table!("rockwell-kazaross")),
    ("woolsey-heinrich", table!("woolsey-heinrich")),
    ("jacobs-trice", table!("jacobs-trice")),
    ("jac100", table!("jac100")),
];

/// The table called `name`.
pub fn load(name: &str) -> Met {
    let text = WRITTEN.iter().find(|(file, _)| *file == name).expect("a known table").1;
    let rows = |key: &str| -> Vec<Vec<f64>> {
        let start = text.find(&format!("\n{key} = [")).expect("the table is there");
        let body: String = text[start..].lines().skip(1).take_while(|line| *line != "]").collect();
        let one_line = body.split_once("= [").map_or(body.as_str(), |(_, rest)| rest);
        let lists = if one_line.trim_start().starts_with('[') || body.contains("],") {
            one_line.split(']').map(|row| row.trim_start_matches([',', ' ', '['])).collect()
        } else {
            vec![one_line.trim_end_matches(']')]
        };
        let numbers = |row: &str| row.split(',').filter_map(|n| n.trim().parse().ok()).collect();
        lists.into_iter().map(numbers).filter(|row: &Vec<f64>| !row.is_empty()).collect()
    };
    let (pre, post) = (rows("pre"), rows("post"));
    assert_eq!(pre.len(), 25, "{name}");
    let flat: Vec<f64> = pre.concat();
    let second = post.get(1).unwrap_or(&post[0]);
    Met::new(name, 25, &flat, [&post[0], second]).expect("a table")
}
