//! Under which variant, and by which names of squares, a game is to be read.

use super::opening::fen_tag;
use super::walk::{End, Walk};
use crate::diag::{Code, Diagnostic, Span};
use crate::notation::{GameType, GameTypeError, Numbering};
use crate::pdn::{GameTree, LineId, NodeKind, Tag, WrittenSquare};
use crate::rules::Variant;

/// A main line played under one variant and numbering.
pub(super) struct Attempt<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) end: End,
    pub(super) start: super::walk::Cursor,
    pub(super) start_side_known: bool,
    /// Whether the first move is, unannounced, one of the side that does not begin.
    turned: bool,
}

impl<'a> Attempt<'a> {
    fn new(tree: &'a GameTree, variant: Option<Variant>, numbering: Numbering) -> Self {
        let mut walk = Walk::new(tree, variant, numbering);
        let (start, start_side_known) = walk.start();
        let turned = walk.diagnostics.kept().iter().any(|fault| matches!(fault.code, Code::MOVE_SIDE | Code::FEN_SIDE));
        let end = walk.play_line(LineId::MAIN, start);
        Self { walk, end, start, start_side_known, turned }
    }

    /// Whether nothing speaks against it.
    fn fits(&self) -> bool {
        self.end.is_whole() && !self.turned
    }

    /// Whether it explains the game better than another one.
    fn is_better_than(&self, other: &Self) -> bool {
        let rank = |attempt: &Self| (attempt.fits(), attempt.end.is_whole(), attempt.end.played);
        rank(self) > rank(other)
    }

    /// Plays nothing: the variant is not known.
    fn nothing(tree: &'a GameTree) -> Self {
        Self::new(tree, None, Numbering::for_variant(Variant::INTERNATIONAL))
    }
}

/// Reads the `GameType` tag: the tag and what it says.
pub(super) fn game_type(tree: &GameTree) -> Option<(&Tag, Result<GameType, GameTypeError>)> {
    let tag = tree.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case("GameType"))?;
    match GameType::parse(&tag.value) {
        Err(GameTypeError::Missing) => None,
        read => Some((tag, read)),
    }
}

/// Plays the main line under the variant that is asked for, or tagged, or fits best.
pub(super) fn choose<'a>(tree: &'a GameTree, asked: Option<Variant>, faults: &mut Vec<Diagnostic>) -> Attempt<'a> {
    let tagged = game_type(tree);
    if let Some(variant) = asked {
        return as_asked(tree, variant, tagged, faults);
    }
    match tagged {
        Some((tag, Ok(game_type))) => match game_type.variant() {
            Some(variant) => as_tagged(tree, variant, (tag, game_type), faults),
            None => infer(tree, game_type.size(), faults),
        },
        Some((tag, Err(error))) => {
            faults.push(Diagnostic::new(Code::TAG_GAME_TYPE, value_span(tag), error.to_string()));
            match error {
                GameTypeError::OtherGame { .. } => {
                    let message = "the game is not draughts and is not replayed";
                    faults.push(Diagnostic::new(Code::REPLAY_UNKNOWN_VARIANT, value_span(tag), message));
                    Attempt::nothing(tree)
                }
                _ => infer(tree, None, faults),
            }
        }
        None => infer(tree, None, faults),
    }
}

/// Plays the variant that is asked for, and notes where the `GameType` says something else.
fn as_asked<'a>(
    tree: &'a GameTree,
    variant: Variant,
    tagged: Option<(&Tag, Result<GameType, GameTypeError>)>,
    faults: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    const NOTE: Code = Code::REPLAY_VARIANT_OVERRIDDEN;
    let Some((tag, read)) = tagged else { return Attempt::new(tree, Some(variant), Numbering::for_variant(variant)) };
    let what = match read {
        Ok(game_type) if game_type.variant().is_none_or(|tagged| tagged == variant) => {
            return play_as(tree, variant, (tag, game_type), NOTE, faults);
        }
        Ok(game_type) => format!("the GameType is {game_type}"),
        Err(error) => error.to_string(),
    };
    faults.push(Diagnostic::new(NOTE, value_span(tag), format!("taken as {variant}, though {what}")));
    Attempt::new(tree, Some(variant), Numbering::for_variant(variant))
}

fn value_span(tag: &Tag) -> Span {
    if tag.value_span.is_empty() { tag.span } else { tag.value_span }
}

/// Plays a variant by the names of squares that its `GameType` asks for where they are of the kind that is written, letters
/// or numbers, or lead further than the variant's own. A contradiction is told by the code.
fn play_as<'a>(
    tree: &'a GameTree,
    variant: Variant,
    (tag, game_type): (&Tag, GameType),
    code: Code,
    faults: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    let own = Numbering::for_variant(variant);
    let asked = game_type.numbering(own, variant.starts());
    let attempt = |numbering| Attempt::new(tree, Some(variant), numbering);
    let other_kind = asked.filter(|asked| asked.is_algebraic() != own.is_algebraic());
    let written = other_kind.filter(|asked| asked.is_algebraic() == (Evidence::of(tree).files > 0));
    // Where another corner is asked for than the squares have, they are at least named in the usual way.
    let mut tries = written.into_iter().chain(written.map(Numbering::from_usual_corner)).map(attempt);
    if let Some(fitting) = tries.find(Attempt::fits) {
        if Some(fitting.walk.numbering) != asked {
            contradict((tag, game_type), variant, fitting.walk.numbering, asked, code, faults);
        }
        return fitting;
    }
    let of_own = attempt(own);
    if let Some(asked) = asked.filter(|_| !of_own.fits()) {
        let other = attempt(asked);
        if other.is_better_than(&of_own) {
            return other;
        }
    }
    if of_own.end.played > 0 {
        contradict((tag, game_type), variant, own, asked, code, faults);
    }
    of_own
}

/// Tells which field of a `GameType` contradicts the squares, if one does.
fn contradict(
    (tag, game_type): (&Tag, GameType),
    variant: Variant,
    used: Numbering,
    asked: Option<Numbering>,
    code: Code,
    faults: &mut Vec<Diagnostic>,
) {
    if let Some(what) = contradiction(game_type, used, asked) {
        let message = format!("the GameType has {what}, but squares and moves are those of {variant}");
        faults.push(Diagnostic::new(code, value_span(tag), message));
    }
}

/// Names the first field of a `GameType` that does not fit the variant.
fn contradiction(game_type: GameType, own: Numbering, asked: Option<Numbering>) -> Option<String> {
    let shape = own.shape();
    if let Some((width, height)) = game_type.size().filter(|&size| size != (shape.width(), shape.height())) {
        return Some(format!("a board of {width} by {height}"));
    }
    let asked = asked?;
    Some(if asked.is_algebraic() != own.is_algebraic() {
        format!("{} notation", if asked.is_algebraic() { "algebraic" } else { "numeric" })
    } else if asked.is_mirrored() == own.is_mirrored() {
        "another corner for the first square".to_owned()
    } else {
        "the board the other way round".to_owned()
    })
}

/// Plays the tagged variant, unless the moves do not fit it at all and fit another one to the end.
fn as_tagged<'a>(
    tree: &'a GameTree,
    variant: Variant,
    tagged: (&Tag, GameType),
    faults: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    let attempt = play_as(tree, variant, tagged, Code::TAG_GAME_TYPE_CONTRADICTED, faults);
    let Evidence { files, .. } = Evidence::of(tree);
    let other_notation = (files > 0) != attempt.walk.numbering.is_algebraic();
    // In a few moves from a position of its own a game may by chance fit many variants.
    let telling = other_notation || (attempt.end.written >= 4 && fen_tag(tree).is_none());
    if attempt.end.is_whole() || attempt.end.played > 0 || !telling {
        return attempt;
    }
    let others = candidates(tree, None).into_iter().filter(|&other| other != variant);
    let better = others.map(|other| Attempt::new(tree, Some(other), Numbering::for_variant(other)));
    match better.into_iter().find(Attempt::fits) {
        Some(other) => {
            let name = other.walk.variant.map_or("", Variant::name);
            let message = format!("the GameType stands for {variant}, but the moves are those of {name}");
            faults.push(Diagnostic::new(Code::TAG_GAME_TYPE_CONTRADICTED, value_span(tagged.0), message));
            other
        }
        None => attempt,
    }
}

/// Plays the variants that the squares allow, in the order of how common such records are, until one fits to the end;
/// else takes the one that fits furthest.
fn infer<'a>(tree: &'a GameTree, size: Option<(u8, u8)>, faults: &mut Vec<Diagnostic>) -> Attempt<'a> {
    let mut best: Option<Attempt<'a>> = None;
    for variant in candidates(tree, size) {
        let attempt = Attempt::new(tree, Some(variant), Numbering::for_variant(variant));
        let fits = attempt.fits();
        if best.as_ref().is_none_or(|best| attempt.is_better_than(best)) {
            best = Some(attempt);
        }
        if fits {
            break;
        }
    }
    let start = tree.main_line().nodes.first().map_or_else(Span::default, |&id| tree.node(id).span);
    match best.filter(|best| is_convincing(tree, best.end)) {
        Some(best) => {
            let name = best.walk.variant.map_or("", Variant::name);
            let fit = if best.end.is_whole() { "fit" } else { "fit best" };
            let message = format!("taken as {name}, which squares and moves {fit}; {}", confidence(best.end));
            faults.push(Diagnostic::new(Code::REPLAY_INFERRED_VARIANT, start, message));
            best
        }
        None => {
            let message = "no tag names the variant, and squares and moves do not tell it";
            let fault = Diagnostic::new(Code::REPLAY_UNKNOWN_VARIANT, start, message);
            faults.push(fault.with_help("name it with --variant"));
            Attempt::nothing(tree)
        }
    }
}

/// How sure an inference is, by the moves that bear it out: about ten tell the common variants apart.
fn confidence(end: End) -> String {
    const MANY: usize = 10;
    let End { written, played, .. } = end;
    let word = match played {
        0..4 => "a guess",
        _ if played < MANY || !end.is_whole() => "likely",
        _ => "nearly certain",
    };
    format!("{word}: {played} of {written} moves fit")
}

/// Whether a game says enough to believe in a variant: all its moves fit, or many; or squares that only one common board
/// has.
fn is_convincing(tree: &GameTree, end: End) -> bool {
    let has_moves = tree.main_line().nodes.iter().any(|&id| tree.node(id).move_text().is_some());
    let enough = has_moves && (end.is_whole() || end.played >= 4);
    let begun = end.last.is_some() && (end.played > 0 || !has_moves);
    enough || (begun && Evidence::of(tree).names_the_board())
}

/// What the squares of a game tell of its board.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    largest_number: u8,
    /// One more than the largest, from 0.
    files: u8,
    ranks: u8,
}

impl Evidence {
    fn of(tree: &GameTree) -> Self {
        let mut evidence = Self::default();
        for &id in &tree.main_line().nodes {
            match &tree.node(id).kind {
                NodeKind::Move(text) => text.squares().iter().for_each(|&square| evidence.add(square)),
                NodeKind::Setup { fen } => evidence.add_fen(fen),
                NodeKind::Null | NodeKind::Ellipsis => {}
            }
        }
        if let Some(tag) = fen_tag(tree) {
            evidence.add_fen(&tag.value);
        }
        evidence
    }

    fn add(&mut self, square: WrittenSquare) {
        match square {
            // What no board has is a slip and tells nothing.
            WrittenSquare::Number(number) if number <= 72 => self.largest_number = self.largest_number.max(number),
            WrittenSquare::Number(_) => {}
            WrittenSquare::File(file) => self.files = self.files.max(file + 1),
            WrittenSquare::Cell { file, rank } => {
                self.files = self.files.max(file + 1);
                self.ranks = self.ranks.max(if rank <= 12 { rank } else { 0 });
            }
        }
    }

    fn add_fen(&mut self, fen: &str) {
        // Each field begins with a colour, which in lower case would pass for the name of a file.
        let lists = fen.split(':').map(|field| field.trim_start().trim_start_matches(['W', 'w', 'B', 'b', '?']));
        for square in lists.flat_map(|list| list.split([',', '-', ' ', '.'])) {
            let square = square.trim_start_matches(['K', 'k']);
            let (letter, digits) = match square.as_bytes().first() {
                Some(letter @ b'a'..=b'l') => (Some(letter - b'a'), &square[1..]),
                _ => (None, square),
            };
            match (letter, digits.parse()) {
                (Some(file), Ok(rank)) => self.add(WrittenSquare::Cell { file, rank }),
                (None, Ok(number)) => self.add(WrittenSquare::Number(number)),
                _ => {}
            }
        }
    }

    /// Whether the squares alone tell the board, and one game is by far the commonest on it.
    const fn names_the_board(self) -> bool {
        self.files == 0 && self.largest_number > 32 || self.files > 8
    }
}

/// Variants written with letters on a board of 8 by 8, and others where letters are rare.
const BY_LETTERS: [Variant; 10] = [
    Variant::RUSSIAN,
    Variant::BRAZILIAN,
    Variant::POOL_UNIFIED,
    Variant::CZECH,
    Variant::TURKISH,
    Variant::JAMAICAN,
    Variant::ENGLISH,
    Variant::ITALIAN,
    Variant::SPANTSIRETTI,
    Variant::INTERNATIONAL,
];

/// Variants that numbers up to 32 may belong to.
const BY_NUMBERS: [Variant; 11] = [
    Variant::ENGLISH,
    Variant::ITALIAN,
    Variant::INTERNATIONAL,
    Variant::SPANISH,
    Variant::POOL,
    Variant::RUSSIAN,
    Variant::BRAZILIAN,
    Variant::THAI,
    Variant::CZECH,
    Variant::FRISIAN,
    Variant::CANADIAN,
];

/// Returns the variants whose boards hold the squares of a game, the likeliest first, and behind them those for which a
/// square of a larger board may be a slip.
fn candidates(tree: &GameTree, size: Option<(u8, u8)>) -> Vec<Variant> {
    let evidence = Evidence::of(tree);
    let (large, small): (&[Variant], &[Variant]) = match evidence {
        Evidence { files: 9.., .. } => {
            (&[Variant::SPANTSIRETTI, Variant::INTERNATIONAL, Variant::CANADIAN], &BY_LETTERS)
        }
        Evidence { ranks: 9.., .. } => (&[Variant::INTERNATIONAL, Variant::CANADIAN], &BY_LETTERS),
        Evidence { files: 1.., .. } => (&[], &BY_LETTERS),
        Evidence { largest_number: 51.., .. } => {
            (&[Variant::CANADIAN, Variant::TURKISH, Variant::INTERNATIONAL], &BY_NUMBERS)
        }
        Evidence { largest_number: 33.., .. } => {
            (&[Variant::INTERNATIONAL, Variant::FRISIAN, Variant::CANADIAN], &BY_NUMBERS)
        }
        _ => (&[], &BY_NUMBERS),
    };
    let mut list = large.to_vec();
    list.extend(small.iter().filter(|variant| !large.contains(variant)));
    if let Some(size) = size {
        list.retain(|variant| (variant.shape().width(), variant.shape().height()) == size);
    }
    list
}
