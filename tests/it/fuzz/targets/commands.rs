//! The work of the commands on any file: nothing panics, and they find the same games.

use std::sync::Arc;

use pdn::check::{CheckOptions, CheckedGame, Checking, GameWork, Needs, Summary};
use pdn::edit::TagEdits;
use pdn::export::{Conversion, CsvOptions, RecordFormat, Table, TextOutput};
use pdn::query::{
    BoardFinder, EventOptions, EventQuery, NameKind, NameQuery, Question, SearchOptions, SortKey, SortValue, Stats,
    StatsQuery, Tournament,
};

use super::run;

/// Fails if two commands find other numbers of games, or a second edit changes anything.
pub(crate) fn check(bytes: &[u8]) {
    let rows: Vec<_> = Table::ALL.iter().map(|&table| converted(bytes, "csv", table)).collect();
    let lines = converted(bytes, "jsonl", Table::Games).split(|&byte| byte == b'\n').count() as u64 - 1;
    assert!(rows.iter().all(|table| table.ends_with(b"\n")), "a table ends within a line");

    let mut searched = Searched::default();
    run(bytes, &checking(Searching::new()), |(summary, keys, _): Searched| {
        searched.0 += &summary;
        searched.1.extend(keys);
    });
    searched.1.sort();
    assert_eq!(lines, searched.0.games(), "games searched");
    assert_eq!(lines, stats(bytes).row(usize::MAX).games, "games counted");
    assert_eq!(lines, in_events(bytes) as u64, "games of events");
    names(bytes);

    let once = edited(bytes);
    assert!(edited(&once) == once, "edited twice: {}", once.escape_ascii());
}

fn checking<W: GameWork>(work: W) -> Checking<W> {
    Checking::new(work, CheckOptions::default())
}

fn converted(bytes: &[u8], format: &str, table: Table) -> Vec<u8> {
    let writer = RecordFormat::named(format).expect("a format").writer(table, CsvOptions::default());
    let mut output = TextOutput::new(Arc::clone(&writer));
    let mut text = output.header();
    run(bytes, &checking(Conversion::new(writer)), |chunk| {
        let added = output.add(chunk, |piece| {
            text.extend_from_slice(piece);
            Ok::<_, pdn::Error>(())
        });
        added.expect("memory takes all");
    });
    text.extend(output.finish());
    text
}

/// The search with conditions of all kinds, and the order of a merge.
struct Searching(Question);

type Searched = (Summary, Vec<SortValue>, Option<BoardFinder>);

impl Searching {
    fn new() -> Self {
        let options = SearchOptions {
            r#where: Some("White ~ \"a\" or year >= 1900 or plies < 9 or result = 2-0".to_owned()),
            pattern: Some("28=w".to_owned()),
            mirror: true,
            ..SearchOptions::default()
        };
        Self(options.question(None).expect("a question"))
    }
}

impl GameWork for Searching {
    type Done = Searched;

    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn game(&self, game: CheckedGame<'_>, (summary, keys, finder): &mut Searched) {
        const KEYS: [SortKey; 5] = [SortKey::Date, SortKey::Event, SortKey::Round, SortKey::White, SortKey::Black];
        summary.count_game(game.review());
        if !self.0.fits(&game, finder) {
            keys.push(SortValue::new(&game, &KEYS));
        }
    }
}

fn stats(bytes: &[u8]) -> Stats {
    let mut stats = Stats::default();
    run(bytes, &checking(StatsQuery::default().shots(true)), |found| stats += found);
    stats
}

/// Returns the number of games in the tables of all events.
fn in_events(bytes: &[u8]) -> usize {
    let mut games = Vec::new();
    run(bytes, &checking(EventQuery), |found| games.extend(found));
    let count = games.len();
    let tournaments = Tournament::by_event(games, &EventOptions::default());
    for tournament in tournaments {
        drop((tournament.row(), tournament.trf().0.text()));
    }
    count
}

fn names(bytes: &[u8]) {
    for kind in [NameKind::Players, NameKind::Events] {
        let query = NameQuery::new(kind);
        let mut names = query.collection();
        run(bytes, &checking(query), |found| names.add(&found));
        drop(names.proposals());
    }
}

fn edited(bytes: &[u8]) -> Vec<u8> {
    let (set, mut text) = (vec![("Site".to_owned(), "Amsterdam".to_owned())], Vec::new());
    run(bytes, &checking(TagEdits::new(set, Arc::default())), |chunk| text.extend_from_slice(chunk.text()));
    text
}
