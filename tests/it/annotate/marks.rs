//! How many of the moves that lose are marked, and how many of the marks are right. Two judges looked at the moves of sets of
//! games that any of many searches suspected; `tests/data/annotate/judged.csv` has what each move loses by both, in thousandths of
//! a point: by a search of 10,000,000 nodes before and after it (`own`), and by a second judge (`other`): for International,
//! Scan 2.0 with three seconds for each; for the other variants, as many nodes of a search that prunes less (without the features
//! `probe`, `futility` and `reverse`) with other weights. Games and plies count from 1.
//!
//! `PDN_LONG_TESTS=1 cargo test --release --test it annotate::marks -- --nocapture` prints the tables of `docs/annotations.md`, with
//! the endgame databases in the folder `PDN_EGDB` if it is set.

#![expect(clippy::print_stdout, reason = "tables")]

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use pdn::annotate::{AnnotateOptions, EnginePool, GameAnnotator, JudgementScale};
use pdn::egdb::Databases;
use pdn::engine::{EngineOptions, Limit};
use pdn::games as read_games;
use pdn::records::{Expectation, Judgement, Phase};
use pdn::replay::{ReplayOptions, ReplayedGame, replay};
use serde::Deserialize;

use crate::support::corpus::{self, records};

/// Judged games: a collection, and the numbers of the first and the last game.
type Set = (&'static str, usize, usize);

/// The judged games of International, and of variants on 8x8.
const INTERNATIONAL: [Set; 3] = [
    ("international/nk2003-amsterdam.pdn", 1, 50),
    ("international/wk2003.pdn", 1, 50),
    ("international/wk2003.pdn", 51, 100),
];
const SMALL_BOARDS: [Set; 3] = [
    ("english/oca_2.0.pdn.zst", 20_001, 20_040),
    ("italian/partite.pdn", 1, 40),
    ("russian/World_Championship_1998.pdn", 1, 80),
];

/// Judged games of other events, on which no limit and no margin was chosen.
const UNSEEN: [Set; 3] = [
    ("international/dutch96h.pdn", 1, 70),
    ("conformance/reject/40Camp.DamaInternazionaleAssoluto.pdn", 1, 45),
    ("conformance/accept/schildpad.pdn", 1, 34),
];

/// The smallest loss of a mark, in thousandths of a point.
const LOSS: i32 = 100;

#[derive(Deserialize)]
struct Judged {
    file: String,
    game: usize,
    ply: usize,
    own: i32,
    other: i32,
}

/// What became of the moves of some games: those that lose by both judges, and the marks.
#[derive(Default)]
struct Count {
    lost: usize,
    found: usize,
    marks: usize,
    right: usize,
    /// Marks on moves that nobody judged.
    unknown: usize,
}

impl Count {
    fn add(&mut self, judged: Option<&Judged>, is_marked: bool) {
        self.add_loss(judged, is_marked);
        if is_marked {
            self.add_mark(judged);
        }
    }

    /// Counts a move that loses by both judges.
    fn add_loss(&mut self, judged: Option<&Judged>, is_marked: bool) {
        let is_lost = judged.is_some_and(|judged| judged.own.min(judged.other) >= LOSS);
        self.lost += usize::from(is_lost);
        self.found += usize::from(is_lost && is_marked);
    }

    /// Counts a mark; it is right if the move loses by one judge at least.
    fn add_mark(&mut self, judged: Option<&Judged>) {
        self.marks += 1;
        self.right += usize::from(judged.is_some_and(|judged| judged.own.max(judged.other) >= LOSS));
        self.unknown += usize::from(judged.is_none());
    }

    fn text(&self) -> String {
        let Self { lost, found, marks, right, unknown } = *self;
        let [a, b] = interval(found, lost);
        let [c, d] = interval(right, marks);
        format!("{found} of {lost} ({a:.0}-{b:.0} %) | {right} of {marks} ({c:.0}-{d:.0} %) | {unknown} not judged")
    }
}

/// Returns the bounds of a share in percent: Wilson's interval for 95 %.
fn interval(part: usize, all: usize) -> [f64; 2] {
    let (n, z) = (all.max(1) as f64, 1.96_f64);
    let share = part as f64 / n;
    let middle = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    [middle - spread, middle + spread].map(|bound| 100.0 * bound / (1.0 + z * z / n))
}

fn games(corpus: &Path, (file, first, last): Set) -> Vec<(usize, ReplayedGame)> {
    let record = records(corpus).find(|record| record.name == file).expect("a collection");
    let options = ReplayOptions::default().for_file(&record.bytes[..]);
    let chosen = (1..).zip(read_games(&record.bytes[..])).skip(first - 1).take(last + 1 - first);
    chosen.map(|(number, parsed)| (number, replay(parsed.into_tree(), &options))).collect()
}

/// Returns the judgements of the moves of games, by the numbers of game and ply.
fn marks(games: &[(usize, ReplayedGame)], nodes: u64) -> BTreeMap<(usize, usize), (Option<Judgement>, Phase)> {
    let mut engine = EngineOptions::default();
    if let Some(folder) = env::var_os("PDN_EGDB") {
        engine = engine.with_databases(Databases::in_folder(Path::new(&folder)).expect("databases"));
    }
    let annotator = GameAnnotator::new(EnginePool::built_in(engine), AnnotateOptions::new(Limit::nodes(nodes)));
    let next = Mutex::new(games.iter());
    let found = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let take = || next.lock().expect("no panic").next();
                while let Some((number, game)) = take() {
                    let annotations = annotator.annotations(game).expect("the built-in engine does not fail");
                    let of_moves = annotations.iter().map(|made| {
                        let ply = game.ply(made.node).expect("a played move");
                        (made.judgement, Phase::of(ply.before().expect("a legal move")))
                    });
                    let keyed = (1..).zip(of_moves).map(|(ply, made)| ((*number, ply), made));
                    found.lock().expect("no panic").extend(keyed);
                }
            });
        }
    });
    found.into_inner().expect("no panic")
}

/// Prints how the moves of games are marked with a limit, by set, phase and class, and returns the sum.
fn counted(corpus: &Path, judged: &[Judged], sets: &[Set], nodes: u64) -> Count {
    let scale = JudgementScale::default();
    let mut all = Count::default();
    let mut phases = Phase::ALL.map(|phase| (phase, Count::default()));
    let mut classes = BTreeMap::<_, Count>::new();
    for &set in sets {
        let (file, first, last) = set;
        let mut of_set = Count::default();
        for ((game, ply), (judgement, phase)) in marks(&games(corpus, set), nodes) {
            let judged = judged.iter().find(|row| row.file == file && (row.game, row.ply) == (game, ply));
            let of_phase = &mut phases.iter_mut().find(|(of, _)| *of == phase).expect("a phase").1;
            for count in [&mut of_set, &mut all, of_phase] {
                count.add(judged, judgement.is_some());
            }
            // The class of a loss is that by the judge who finds less.
            let class = judged.and_then(|judged| {
                scale.judge(Expectation::new(judged.own.min(judged.other).clamp(0, 1000) as u16, 0))
            });
            if let Some(class) = class {
                classes.entry(class).or_default().add_loss(judged, judgement.is_some());
            }
            if let Some(judgement) = judgement {
                classes.entry(judgement).or_default().add_mark(judged);
            }
        }
        println!("{nodes} nodes, {file} {first}-{last}: {}", of_set.text());
    }
    println!("{nodes} nodes: {}", all.text());
    for (phase, count) in phases {
        println!("{nodes} nodes, {}: {}", phase.name(), count.text());
    }
    for (class, count) in classes {
        println!("{nodes} nodes, {class:?}: {}", count.text());
    }
    all
}

#[test]
fn marks_find_what_better_searches_confirm() {
    if !corpus::long_tests() {
        return;
    }
    let Some(folder) = corpus::corpus() else { return };
    let reader = csv::Reader::from_path("tests/data/annotate/judged.csv").expect("a table in the repository");
    let judged: Vec<Judged> = reader.into_deserialize().map(|row| row.expect("a row")).collect();
    // How many moves are lost at least, the shares of them that must be found, in percent, by the number of nodes, and the share of
    // the marks that must be right.
    let sets =
        [(&INTERNATIONAL[..], 100, [34, 40], 80), (&UNSEEN, 280, [38, 50], 83), (&SMALL_BOARDS, 100, [27, 45], 80)];
    for (sets, lost, [fewer, more], right) in sets {
        for (nodes, least) in [(20_000, fewer), (100_000, more)] {
            let all = counted(&folder, &judged, sets, nodes);
            assert!(all.lost >= lost, "{}", all.text());
            assert!(100 * all.found >= least * all.lost, "{}", all.text());
            assert!(100 * all.right >= right * (all.marks - all.unknown), "{}", all.text());
        }
    }
}
