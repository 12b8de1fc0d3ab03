//! Games in the one form that the writing rules of PDN 3.0 leave.
//!
//! A canonical game is a tree again: the writer of trees puts it on the page, and reading it brings the same tree. What
//! could not be played stays as it was written.

mod moves;
mod numbers;
mod repair;
mod tags;
mod texts;

use crate::diag::Code;
use crate::notation::GameType;
use crate::pdn::{AsWritten, GameTree, WriteOptions, games, write_game};
use crate::replay::{ReplayOptions, ReplayedGame, replay};

pub use repair::{Repair, repair};

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveStyle {
    /// First and last square, and the whole path where that is ambiguous: the writing rule of the standard.
    #[default]
    Short,
    /// Captures with their whole path.
    Full,
    /// As they stand in the record.
    Written,
}

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct FormatOptions {
    /// Columns of a line; a single token may be longer.
    pub width: usize,
    /// Whether comments are kept.
    pub comments: bool,
    /// Whether variations are kept.
    pub variations: bool,
    /// How moves are written.
    pub moves: MoveStyle,
    /// Whether a game ends with its result, as many programs want it, and not with `*`, as the standard does.
    pub results: bool,
    /// Whether to leave nothing that the strict grammar has another form for: line comments become comments in braces, a
    /// result behind the moves that contradicts the Result tag becomes one too, and all comments of a game stand among its
    /// moves.
    pub strict: bool,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self { width: 80, comments: true, variations: true, moves: MoveStyle::Short, results: false, strict: false }
    }
}

/// Returns a game in canonical form, as lines that end with a line feed.
///
/// # Examples
///
/// ```
/// use pdn::canon::{FormatOptions, format_game};
/// use pdn::pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let game = games(b"1.32-28* 19-23 02. 28-19 14x23").next().unwrap();
/// let game = replay(game.tree, &ReplayOptions::default());
/// assert_eq!(format_game(&game, &FormatOptions::default()), "1. 32-28 $7 19-23 2. 28x19 14x23 *\n");
/// ```
pub fn format_game(game: &ReplayedGame, options: &FormatOptions) -> String {
    write_canonical(&canonical_tree(game, options), options)
}

/// Returns a tree that is in canonical form as lines that end with a line feed.
pub fn write_canonical(tree: &GameTree, options: &FormatOptions) -> String {
    let page = WriteOptions { width: options.width, roster_first: true, stray_as_comment: true };
    write_game(tree, page, &AsWritten)
}

/// Returns a game in canonical form as a tree.
///
/// Where moves do not fit, or nothing certain names the variant, the canonical text may be taken for another variant than
/// the record was; it is then written until it does not change any more.
pub fn canonical_tree(game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    let tree = rewritten(game, options);
    if is_guessed(game) || !game.is_clean() { settled(tree, game.options(), options) } else { tree }
}

/// Writes, reads and writes again until a text comes back.
fn settled(tree: GameTree, replaying: ReplayOptions, options: &FormatOptions) -> GameTree {
    const ROUNDS: usize = 8;
    let mut last = (write_canonical(&tree, options), tree);
    let mut seen = Vec::new();
    while seen.len() < ROUNDS
        && let Some(parsed) = games(last.0.as_bytes()).next()
    {
        let tree = rewritten(&replay(parsed.tree, &replaying), options);
        let text = write_canonical(&tree, options);
        if text == last.0 {
            break;
        }
        seen.push(std::mem::replace(&mut last, (text, tree)));
        if let Some(n) = seen.iter().position(|(text, _)| *text == last.0) {
            // Texts that lead to one another: whichever of them is read, the same one is written.
            return seen.drain(n..).min_by(|one, other| one.0.cmp(&other.0)).map_or(last.1, |(_, tree)| tree);
        }
    }
    last.1
}

/// Whether the variant is not the one of a tag, or one that was asked for.
fn is_guessed(game: &ReplayedGame) -> bool {
    let guessed = [Code::REPLAY_INFERRED_VARIANT, Code::REPLAY_UNKNOWN_VARIANT, Code::TAG_GAME_TYPE_CONTRADICTED];
    game.diagnostics().iter().any(|found| guessed.contains(&found.code()))
}

/// Whether the moves are those of another variant than the GameType says.
fn is_another(game: &ReplayedGame) -> bool {
    let tagged = game.game_type().and_then(GameType::variant);
    let contradicted = game.diagnostics().iter().any(|found| found.code() == Code::TAG_GAME_TYPE_CONTRADICTED);
    contradicted && tagged != game.variant()
}

fn rewritten(game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    let mut tree = game.tree().clone();
    // Under the names of another variant than the GameType says nobody would know the moves again.
    let moves = if is_another(game) { MoveStyle::Written } else { options.moves };
    moves::rewrite(&mut tree, game, moves);
    texts::tidy(&mut tree, options);
    numbers::drop_ellipses(&mut tree, game);
    numbers::renumber(&mut tree, game);
    numbers::announce(&mut tree);
    numbers::part_captures(&mut tree);
    tags::complete(&mut tree, game, options);
    if options.strict {
        texts::gather(&mut tree);
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str, options: &FormatOptions) -> String {
        let parsed = games(text.as_bytes()).next().expect("a game");
        format_game(&replay(parsed.tree, &ReplayOptions::default()), options)
    }

    /// The movetext of a game of one tag, in the usual form, which is stable.
    fn body(text: &str) -> String {
        let once = formatted(text, &FormatOptions::default());
        assert_eq!(formatted(&once, &FormatOptions::default()), once, "{text}");
        once.rsplit("\n\n").next().expect("a body").trim_end().to_owned()
    }

    #[test]
    fn moves_and_numbers_are_canonical() {
        for (text, expected) in [
            ("1. 32-28 19-23 2. 28-19 14x23 3. 31-01 1-2", "1. 32-28 19-23 2. 28x19 14x23 3. 31-01 1-2 *"),
            ("7. 32-28 {good} 19-23 8. 28x19", "1. 32-28 {good} 1... 19-23 2. 28x19 *"),
            ("1. ... 19-23 2. 32-28", "1... 19-23 2. 32-28 *"),
            ("1. 32-28 (33-28 18-23) 19-23 5.", "1. 32-28 (1. 33-28 18-23) 1... 19-23 *"),
            ("1. 32-28 19-23 (18-22) (19-24) 2. 28x19", "1. 32-28 19-23 (1... 18-22) (1... 19-24) 2. 28x19 *"),
            ("1. 32-28!(!) 18-23 . see page 2 1-1", "1. 32-28!! 18-23 {. see page 2} *"),
        ] {
            let text = format!("[GameType \"20\"]\n{text}");
            assert_eq!(body(&text), expected, "{text}");
        }
    }

    #[test]
    fn the_roster_is_complete_and_first() {
        let text = "[GameType \"25\"]\n[White \"w\"]\n1. cd4 ba5 1-0";
        assert_eq!(
            formatted(text, &FormatOptions::default()),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"w\"]\n[Black \"?\"]\n\
             [Result \"1-0\"]\n[GameType \"25\"]\n\n1. c3-d4 b6-a5 *\n"
        );
    }

    #[test]
    fn results_are_kept_in_the_tag_and_spelt_as_the_game_wants() {
        let last_lines = |tags: &str, end: &str, options: FormatOptions| {
            let text = formatted(&format!("[GameType \"20\"]{tags}\n1. 32-28 {end}"), &options);
            let result = text.lines().find(|line| line.starts_with("[Result")).expect("a result").to_owned();
            (result, text.trim_end().rsplit(' ').next().expect("an end").to_owned())
        };
        let usual = FormatOptions::default();
        let pair = |tag: &str, end: &str| (format!("[Result \"{tag}\"]"), end.to_owned());
        assert_eq!(last_lines("", "1-0", usual), pair("2-0", "*"));
        assert_eq!(last_lines("[Result \"1/2:1/2\"]", "1-1", usual), pair("1-1", "*"));
        assert_eq!(last_lines("[Result \"0-2\"]", "2-0", usual), pair("0-2", "2-0"));
        assert_eq!(last_lines("[Result \"4-6\"]", "4-6", usual), pair("4-6", "*"));
        assert_eq!(last_lines("[ResultFormat \"x\"][Result \"1-0\"]", "*", usual), pair("1-0", "*"));
        assert_eq!(last_lines("", "1-0", FormatOptions { results: true, ..usual }), pair("2-0", "2-0"));
        let strict = FormatOptions { strict: true, ..usual };
        assert_eq!(last_lines("[Result \"0-2\"]", "2-0", strict), pair("0-2", "*"));
    }

    #[test]
    fn options_leave_out_and_spell_out() {
        let text = "1. 32-28 {c} 19-23 (19-24 $3) 2. 28x19 *";
        let usual = FormatOptions::default();
        let bare = FormatOptions { comments: false, variations: false, ..usual };
        assert_eq!(formatted(text, &bare), "1. 32-28 19-23 2. 28x19 *\n");
        let written = FormatOptions { moves: MoveStyle::Written, ..bare };
        assert_eq!(formatted("01. 32- 28 19-23 28-19 14x23", &written), "1. 32- 28 19-23 2. 28-19 14x23 *\n");
        let fen = "[FEN \"W:W32:B27,17\"]\n";
        let full = formatted(&format!("{fen}32x12"), &FormatOptions { moves: MoveStyle::Full, ..usual });
        assert!(full.ends_with("\n1. 32x21x12 *\n"), "{full}");
        assert!(formatted(&full, &usual).ends_with("\n1. 32x12 *\n"), "{full}");
    }

    #[test]
    fn positions_are_written_plainly() {
        let text = "[GameType \"20\"]\n[FEN \"B:W 31 - 33,K05:B01,02 .\"]\n1. 1-7 /FEN \"W:W31:B20. \"/ 31-27";
        let text = formatted(text, &FormatOptions::default());
        assert!(
            text.contains("[FEN \"B:W31,32,33,K5:B1,2\"]") || text.contains("[FEN \"B:WK5,31,32,33:B1,2\"]"),
            "{text}"
        );
        assert!(text.contains("/FEN \"W:W31:B20\"/"), "{text}");
    }
}
