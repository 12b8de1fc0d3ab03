//! Canonical games: written twice they are the same, read again they are the same tree, and nothing is lost of what they
//! were made of.
use std::path::{Path, PathBuf};

use crate::support::random::Dice;
use pdn::canon::{FormatOptions, canonical_tree, format_game};
use pdn::replay::{ReplayOptions, ReplayedGame, replay};
use pdn::{Attachment, GameTree, Line, Node, Parsed, games};

use crate::support::corpus::{corpus, long_tests, records};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn replayed(tree: GameTree) -> ReplayedGame {
    replay(tree, &ReplayOptions::default())
}

/// What a game says, whatever it looks like.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    variant: Option<&'static str>,
    tags: usize,
    written: usize,
    played: Vec<Option<pdn::rules::Move>>,
    final_fen: Option<String>,
    winner: Option<pdn::notation::Outcome>,
    comments: String,
}

impl Content {
    fn of(game: &ReplayedGame) -> Self {
        let tree = game.tree();
        // Moves in the order of the lines, so that superfluous dots do not count.
        let moves = tree.lines().iter().flat_map(Line::nodes);
        let moves = moves.filter(|&&id| tree.node(id).kind().is_written_move());
        let lists = tree.lines().iter().map(Line::intro).chain(tree.nodes().iter().map(Node::attachments));
        let texts = [tree.lead()].into_iter().chain(lists).chain([tree.tail()]).flatten().filter_map(text);
        let letters = texts.flat_map(str::chars).filter(|letter| letter.is_alphabetic()).collect();
        Self {
            variant: game.variant().map(pdn::rules::Variant::name),
            tags: tree.tags().len(),
            written: game.written(),
            played: moves.map(|&id| game.played(id)).collect(),
            final_fen: game.final_fen(),
            winner: winner(game),
            comments: letters,
        }
    }
}

fn winner(game: &ReplayedGame) -> Option<pdn::notation::Outcome> {
    let parsed = Parsed::from(game.tree().clone());
    let mut options = pdn::check::CheckOptions::default();
    options.replay = game.options().clone();
    pdn::check::Review::new(parsed, 1, &[], &options).winner()
}

fn text(item: &Attachment) -> Option<&str> {
    match item {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } | Attachment::Stray { text, .. } => {
            Some(text)
        }
        _ => None,
    }
}

fn check(place: &str, parsed: Parsed, options: &FormatOptions) {
    let first = replayed(parsed.into_tree());
    let once = format_game(&first, options);
    let again: Vec<Parsed> = games(once.as_bytes()).collect();
    assert_eq!(again.len(), 1, "{place}\n{once}");
    let tree = again.into_iter().next().expect("a game").into_tree();
    let ours = canonical_tree(&first, options).without_spans();
    let second = replayed(tree.clone());
    assert_eq!(format_game(&second, options), once, "{place}: not stable");
    let mut content = Content::of(&first);
    let kept = Content::of(&second);
    content.tags = content.tags.max(kept.tags);
    assert!(kept.tags >= first.tree().tags().len(), "{place}\n{once}");
    if !options.strict {
        assert_eq!(kept, content, "{place}\n{once}");
    }
    let same_moves = tree.without_spans().main_line().nodes().len() == ours.main_line().nodes().len();
    assert!(same_moves, "{place}");
    let wide =
        once.lines().find(|line| line.chars().count() > 80 && line.contains(' ') && !line.starts_with(['[', '%']));
    assert!(
        wide.is_none_or(|line| line.contains("[%") || line.contains('{') || line.contains("  ")),
        "{place}: {wide:?}"
    );
}

/// The part of the games of a large file that is checked, unless long tests are requested: they are much alike.
const PART: usize = 7;

fn check_folder(folder: &Path, whole: bool) {
    let mut count = 0;
    for record in records(folder) {
        let part = if whole || record.bytes.len() < 1_000_000 { 1 } else { PART };
        for parsed in games(&record.bytes).step_by(part) {
            count += 1;
            crate::fuzz::targets::write::check_stable(parsed.tree());
            let place = format!("{}, game {count}, byte {}", record.name, parsed.offset());
            let options = FormatOptions { strict: count % 5 == 0, results: count % 5 == 1, ..FormatOptions::default() };
            check(&place, parsed, &options);
        }
    }
    assert!(count > 0, "no games below {}", folder.display());
}

#[test]
fn samples_are_stable() {
    check_folder(&root().join("samples"), true);
}

#[test]
fn real_games_are_stable() {
    if let Some(corpus) = corpus() {
        check_folder(&corpus, long_tests());
    }
}

fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const SIGNS: &[u8] = b"[]{}()\"\\/*-x:.;%!?$<> \n\r0129azAZ\0\x1A\xE9";
    let at = dice.below(bytes.len());
    match dice.below(4) {
        0 => bytes.insert(at, SIGNS[dice.below(SIGNS.len())]),
        1 => bytes[at] = SIGNS[dice.below(SIGNS.len())],
        2 if bytes.len() > 1 => drop(bytes.remove(at)),
        _ => {
            let piece = bytes[at..(at + dice.below(30)).min(bytes.len())].to_vec();
            let into = dice.below(bytes.len());
            bytes.splice(into..into, piece);
        }
    }
}

#[test]
fn damaged_games_are_stable() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for record in records(&root().join("samples")) {
        for n in 0..120 {
            let mut bytes = record.bytes.clone();
            for _ in 0..=dice.below(4) {
                damage(&mut bytes, &mut dice);
            }
            let options = FormatOptions { strict: n % 4 == 0, results: n % 4 == 1, ..FormatOptions::default() };
            for parsed in games(&bytes) {
                let once = format_game(&replayed(parsed.into_tree()), &options);
                let again: Vec<Parsed> = games(once.as_bytes()).collect();
                assert_eq!(again.len(), 1, "{}\n---\n{once}", String::from_utf8_lossy(&bytes));
                let tree = again.into_iter().next().expect("a game").into_tree();
                let twice = format_game(&replayed(tree), &options);
                assert!(twice == once, "{}\n---\n{once}\n---\n{twice}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}
