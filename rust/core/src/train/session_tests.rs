use super::*;

fn tiny() -> Config {
    Config { seed: 3, games: 60, hidden: 64, batch: 64, chunk_first: 5, chunk_last: 13, ..Config::default() }
}

/// Trains a net from beginning to end and returns its file.
fn run(config: Config, threads: usize, watch: &mut Watch<'_>) -> Result<Vec<u8>, TrainError> {
    let mut session = Session::new(config).unwrap();
    session.run(threads, &[], watch)?;
    Ok(session.net_bytes()?)
}

fn watch_nothing(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn the_same_config_gives_the_same_net_on_any_number_of_threads() {
    let net = run(tiny(), 1, &mut watch_nothing).unwrap();
    for threads in [2, 3] {
        assert!(run(tiny(), threads, &mut watch_nothing).unwrap() == net, "{threads} threads");
    }
    assert!(run(Config { seed: 4, ..tiny() }, 1, &mut watch_nothing).unwrap() != net);
    Net::from_bytes(&net).unwrap();
}

/// Every game with turns, marks or prizes of another shape.
fn of_other_games() -> Vec<Config> {
    [("plakoto", ""), ("nardi_long", ""), ("acey_deucey", ""), ("trictrac", "target=1"), ("gul_bara", "")]
        .map(|(variant, options)| Config {
            variant: variant.to_owned(),
            options: options.to_owned(),
            games: 40,
            chunk_first: 3,
            chunk_last: 7,
            ..tiny()
        })
        .into()
}

#[test]
fn nets_of_other_games_are_the_same_on_any_number_of_threads() {
    for config in of_other_games() {
        let net = run(config.clone(), 1, &mut watch_nothing).unwrap();
        assert!(run(config.clone(), 3, &mut watch_nothing).unwrap() == net, "{}", config.variant);
        let known = GameNet::from_bytes(&net).unwrap();
        assert_eq!((known.game().name(), known.info().hidden), (config.variant.as_str(), 64));
        assert!(Net::from_bytes(&net).is_err() && known.info().recipe == config.to_text());
        // Of rows that no position has shown the file holds nothing.
        assert!(net.len() < 60_000, "{}", net.len());
    }
}

/// A few hundred short games teach who is ahead.
#[test]
fn every_game_learns() {
    for kind in crate::rules::KINDS {
        let options = if kind.name == "trictrac" { "target=1" } else { "" };
        let config =
            Config { variant: kind.name.to_owned(), options: options.to_owned(), games: 60, ..tiny() };
        let mut session = Session::new(config).unwrap();
        session.report_every = 20;
        let mut losses = Vec::new();
        let mut watch = |progress: Progress<'_>| {
            if let Progress::Report(report) = progress {
                losses.push(report.loss);
                assert!(report.positions > 0 && report.evaluations > report.positions);
            }
            ControlFlow::Continue(())
        };
        session.run(2, &[], &mut watch).unwrap();
        assert!(losses.len() >= 2 && losses[losses.len() - 1] < losses[0], "{} {losses:?}", kind.name);
    }
}

#[test]
fn stopping_saving_and_continuing_changes_nothing() {
    of_other_games().into_iter().take(2).chain([tiny()]).for_each(stopped_and_continued);
}

fn stopped_and_continued(config: Config) {
    let whole = run(config.clone(), 1, &mut watch_nothing).unwrap();
    let all = config.games;
    for stop_after in [1, 2, 4] {
        let mut session = Session::new(config.clone()).unwrap();
        let mut chunks = 0;
        let mut watch = |progress: Progress<'_>| {
            chunks += usize::from(matches!(progress, Progress::Chunk(_)));
            if chunks == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(session.run(2, &[], &mut watch), Err(TrainError::Cancelled));
        let games = session.games();
        assert!(games > 0 && games < all);
        let mut restored = Session::from_checkpoint(&session.checkpoint().unwrap()).unwrap();
        assert_eq!(restored.games(), games);
        restored.run(1, &[], &mut watch_nothing).unwrap();
        assert!(restored.is_done() && restored.net_bytes().unwrap() == whole);
        // The stopped session itself can go on, too.
        session.run(3, &[], &mut watch_nothing).unwrap();
        assert!(session.net_bytes().unwrap() == whole);
    }
}

/// Chunks of a hundred thousand games would take a minute: a break is answered in the middle of one.
#[test]
fn a_break_while_playing_is_answered_before_the_chunk_ends() {
    let chunk = 100_000;
    let config = Config { games: 1_000_000, chunk_first: chunk, chunk_last: chunk, ..tiny() };
    let mut session = Session::new(config).unwrap();
    let mut told = Vec::new();
    let mut watch = |progress: Progress<'_>| {
        if let Progress::Games(games) = progress {
            told.push(games);
        }
        if told.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(session.run(2, &[], &mut watch), Err(TrainError::Cancelled));
    assert_eq!((told.len(), session.games()), (3, 0), "nothing was told or learned after the break");
    assert!(told.is_sorted() && told[2] < chunk, "{told:?}");
}

/// A chunk that takes many looks at the watcher to learn from, on whatever machine and in whatever build: the same
/// games over and over.
fn long_lesson(session: &mut Session, player: &Player) -> Played {
    let mut chunk = session.step(2, player, None, 0, 40, &mut watch_nothing).played.unwrap();
    loop {
        let before = session.model.weights.clone();
        let mut looks = 0;
        let mut count = |_: Progress<'_>| {
            looks += 1;
            ControlFlow::Continue(())
        };
        let step = session.step(1, player, Some(&chunk), 40, 0, &mut count);
        assert!(step.learned.is_some() && session.model.weights != before);
        if looks >= 10 {
            return chunk;
        }
        chunk.samples.extend_from_within(..);
    }
}

#[test]
fn a_break_while_learning_is_answered_at_once_and_undoes_the_lesson() {
    let mut session = Session::new(Config { games: 1_000, hidden: 512, ..tiny() }).unwrap();
    let player = Player::new(&session.player);
    let chunk = long_lesson(&mut session, &player);
    let before = session.model.weights.clone();
    for threads in [1, 2] {
        let mut looks = 0;
        let mut stop = |_: Progress<'_>| {
            looks += 1;
            ControlFlow::Break(())
        };
        let step = session.step(threads, &player, Some(&chunk), 40, 0, &mut stop);
        assert!(step.learned.is_none() && step.played.is_none());
        assert!(session.model.weights == before);
        assert_eq!(looks, 1, "of ten and more that the whole lesson takes");
    }
}

#[test]
fn a_training_that_diverges_says_so_and_keeps_its_last_checkpoint() {
    // One game a chunk and a batch: wild steps.
    let wild = Config { rate_first: 1.0, rate_last: 1.0, games: 100_000, ..tiny() };
    let mut session = Session::new(wild).unwrap();
    session.model.weights.values[0] = 3e38;
    assert!(matches!(session.run(1, &[], &mut watch_nothing), Err(TrainError::Diverged(_))));
    assert!(session.net_bytes().is_err() && session.checkpoint().is_err());
    let path = std::env::temp_dir().join(format!("gammon-diverged-{}", std::process::id()));
    std::fs::write(&path, b"the last good one").unwrap();
    let error = session.save(&path).unwrap_err().to_string();
    assert!(error.contains("diverged"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"the last good one");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn reports_add_up() {
    let mut session = Session::new(tiny()).unwrap();
    session.report_every = 20;
    let reference = [(Position::START, Probs { win: 0.525, ..Probs::default() })];
    let (mut reports, mut last) = (0, 0);
    let mut watch = |progress: Progress<'_>| {
        if let Progress::Report(report) = progress {
            assert!(report.games >= last + 20 || report.games == 60);
            assert!((report.outcomes.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(report.loss > 0.0 && report.error.unwrap() >= 0.0);
            (reports, last) = (reports + 1, report.games);
        }
        ControlFlow::Continue(())
    };
    session.run(1, &reference, &mut watch).unwrap();
    assert!(reports >= 2 && last == 60);
}
