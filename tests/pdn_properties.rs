//! What holds for every text, however damaged.

use std::fmt::Write as _;

use pdn::diag::Span;
use pdn::pdn::{
    AsWritten, Attachment, Fault, Flow, GameTree, Parsed, RawTag, Visitor, WriteOptions, WrittenNumber, games, read,
    write_game,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Pieces that records are made of, sound and damaged.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "[Event \"a\"]", "[FEN \"W:W31:B20\"]", "[Result \"0-1\"]", "[Round 17]", "[Site \"x]", "Event \"y\"]", "[", "]",
    "[[", "\n", "\n\n", "\r\n", "\r", " ", "\t", "1.", "1...", "12", "1. 32-28", "32-28", "7- 2", "18x 9", "11x18",
    "18x25", "a3b4", "ed4", "C3:D4", "3228", "12-21-32", "...", "-", "--", "- -", "*", "1-0", "1/2-1/2", "1:0", "7-5",
    "!", "?!", "(!)", "$7", "$99999", "(", ")", "((", "{", "}", "{c}", "{a {b} c}", "(see 12)", "prose", "Red won",
    "% line", "; line", "/FEN \"B::\"/", "/", "<42, 29>", "<", "\\r", "\\", "\"", ".", "\0", "\u{1A}", "é", "½-½",
    "32–28", "\u{FEFF}", "9n ", "1-18", "99999999999.", "0-51",
];

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(0u8..128, 1..4),
    ];
    prop::collection::vec((piece, any::<bool>()), 0..40).prop_map(|pieces| {
        pieces.into_iter().flat_map(|(piece, blank)| piece.into_iter().chain(blank.then_some(b' '))).collect()
    })
}

/// Marks every byte that the reader tells of.
struct Cover<'a> {
    bytes: &'a [u8],
    told: Vec<bool>,
    /// Start of the game.
    start: usize,
    /// End of the last token.
    last: u32,
    depth: usize,
    /// End of the furthest span, checked at the end of the game.
    furthest: u32,
}

impl Cover<'_> {
    fn mark(&mut self, span: Span) -> Flow {
        assert!(span.start <= span.end);
        self.furthest = self.furthest.max(span.end);
        self.told[self.start + span.start as usize..self.start + span.end as usize].fill(true);
        Flow::Continue(())
    }

    fn token(&mut self, span: Span) -> Flow {
        assert!(span.start >= self.last, "tokens in order");
        self.last = span.end;
        self.mark(span)
    }

    fn is(&self, text: &[u8], span: Span) {
        assert_eq!(text, &self.bytes[self.start + span.start as usize..self.start + span.end as usize]);
    }
}

impl Visitor for Cover<'_> {
    fn begin_game(&mut self, offset: usize) -> Flow {
        (self.start, self.last, self.furthest) = (offset, 0, 0);
        Flow::Continue(())
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        self.is(tag.value, tag.value_span);
        self.token(tag.span)
    }

    fn number(&mut self, _: WrittenNumber, span: Span) -> Flow {
        // A comment between a number and its move is told first.
        self.mark(span)
    }

    fn move_text(&mut self, text: &[u8], span: Span) -> Flow {
        self.is(text, span);
        self.token(span)
    }

    fn null_move(&mut self, span: Span) -> Flow {
        self.token(span)
    }

    fn ellipsis(&mut self, span: Span) -> Flow {
        self.token(span)
    }

    fn setup(&mut self, _: &[u8], span: Span) -> Flow {
        self.token(span)
    }

    fn strength(&mut self, _: &[u8], span: Span) -> Flow {
        // Marks in front of a move are told behind it.
        self.mark(span)
    }

    fn nag(&mut self, _: u16, span: Span) -> Flow {
        self.token(span)
    }

    fn comment(&mut self, _: &[u8], span: Span) -> Flow {
        self.token(span)
    }

    fn line_comment(&mut self, _: &[u8], span: Span) -> Flow {
        self.token(span)
    }

    fn begin_variation(&mut self, span: Span) -> Flow {
        self.depth += 1;
        self.token(span)
    }

    fn end_variation(&mut self, span: Span) -> Flow {
        self.depth -= 1;
        self.token(span)
    }

    fn terminator(&mut self, text: &[u8], span: Span) -> Flow {
        self.is(text, span);
        self.token(span)
    }

    fn stray(&mut self, text: &[u8], span: Span) -> Flow {
        self.is(text, span);
        self.mark(span)
    }

    fn fault(&mut self, fault: Fault<'_>) -> Flow {
        self.is(fault.text, fault.span);
        self.mark(fault.span)
    }

    fn end_game(&mut self, len: u32) -> Flow {
        assert!(self.furthest <= len, "spans within the game");
        assert_eq!(self.depth, 0, "variations are balanced");
        Flow::Continue(())
    }

    fn outside(&mut self, offset: usize, fault: Fault<'_>) -> Flow {
        self.start = offset;
        self.mark(fault.span)
    }
}

/// Every byte belongs to a token or a fault, or is a blank.
fn check_cover(bytes: &[u8]) {
    let mut cover = Cover { bytes, told: vec![false; bytes.len()], start: 0, last: 0, depth: 0, furthest: 0 };
    assert!(read(bytes, &mut cover).is_continue());
    for (at, &told) in cover.told.iter().enumerate() {
        let blank = bytes[at] <= b' ' || bytes[at..].starts_with(b"\xC2\xA0") || bytes[..at].ends_with(b"\xC2");
        let order_mark = (0..3).any(|back| at >= back && bytes[at - back..].starts_with(b"\xEF\xBB\xBF"));
        assert!(told || blank || order_mark, "byte {at} of {:?}", String::from_utf8_lossy(bytes));
    }
}

fn rewrite(tree: &GameTree) -> (String, Vec<Parsed>) {
    let options = WriteOptions { stray_as_comment: true, ..WriteOptions::default() };
    let text = write_game(tree, options, &AsWritten);
    let parsed = games(text.as_bytes()).collect();
    (text, parsed)
}

/// Once strays are comments and braces parentheses, writing and reading change nothing any more.
fn check_stable(tree: &GameTree) {
    let (text, first) = rewrite(tree);
    let Some(first) = first.into_iter().next() else {
        assert!(tree.tags.is_empty() && tree.nodes.is_empty(), "{text}");
        return;
    };
    let (again, second) = rewrite(&first.tree);
    assert_eq!(second.len(), 1, "{text}\n---\n{again}");
    assert_eq!(first.tree.without_spans(), second[0].tree.clone().without_spans(), "{text}\n---\n{again}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, rng_seed: RngSeed::Fixed(64), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_cover(&bytes);
        games(&bytes).for_each(|game| assert!(game.offset + game.tree.len as usize <= bytes.len()));
    }

    #[test]
    fn every_byte_is_told(bytes in damaged()) {
        check_cover(&bytes);
    }

    #[test]
    fn writing_is_stable(bytes in damaged()) {
        for game in games(&bytes) {
            check_stable(&game.tree);
        }
    }

    #[test]
    fn sound_games_are_kept(moves in prop::collection::vec((3u8..=50, 1u8..=50, any::<bool>(), 0usize..7), 0..60)) {
        let mut text = String::from("[Event \"x\"]\n");
        for &(from, to, takes, extra) in &moves {
            let sign = if takes { 'x' } else { '-' };
            let _ = write!(text, " 7. {from}{sign}{to}");
            text += [" {a comment}", " (1. 32-28 (18-23) 19-23)", " $3", "!?", "", "", ""][extra];
        }
        text.push_str(" *");
        let parsed: Vec<Parsed> = games(text.as_bytes()).collect();
        prop_assert_eq!(parsed.len(), 1);
        prop_assert_eq!(parsed[0].tree.written_moves(), moves.len());
        prop_assert_eq!(&parsed[0].diagnostics, &[]);
        let again = write_game(&parsed[0].tree, WriteOptions::default(), &AsWritten);
        let again = games(again.as_bytes()).next().unwrap();
        prop_assert_eq!(again.tree.without_spans(), parsed[0].tree.clone().without_spans());
    }
}

/// The cost of each of these is in proportion to its length; a quadratic one would not end.
#[rustfmt::skip]
#[test]
fn hostile_texts_take_linear_time() {
    const TIMES: usize = 100_000;
    for piece in [
        "(", "( ", "(a", "( a ", ")", "{", "}", "{ { }", "{a}", "{\n\n[A \"", "[A \"x\n", "[A \"", "[A \"x\\", "[", "\"",
        "1.", "1. ", "1-0 ", "*", "- ", "(32-28 ", "(1. 32-28 {x} ", "{c} x ", "{c} 1. ", "% x\n", "!", "$", "word ",
        "12 ", "32-28", "11x18 ", "18x18 ", "18x", "\\r", "\0", "/FEN \"", "<", "...", "\n\n", "[Event \"x\"]\n\n",
        "Event \"x\"\n", "a", "a1", "7", "7 ", "½", "[Result \"7-5\"] 7-5 ", "\r", "\u{1}", "/", "(!", "( {",
    ] {
        for start in ["", "[Event \"x\"]\n1. 32-28 "] {
            let text = start.to_owned() + &piece.repeat(TIMES);
            let len: usize = games(text.as_bytes()).map(|game| game.tree.len as usize).sum();
            assert!(len <= text.len(), "{piece}");
        }
    }
}

#[test]
fn deep_nesting_survives_everything() {
    const DEEP: usize = 100_000;
    let text = "1. 32-28 ".to_owned() + &"(1. 33-29 ".repeat(DEEP) + &")".repeat(DEEP) + " *";
    let game = games(text.as_bytes()).next().unwrap();
    assert_eq!(game.tree.lines.len(), DEEP + 1);
    let again = write_game(&game.tree, WriteOptions::default(), &AsWritten);
    let again = games(again.as_bytes()).next().unwrap();
    assert!(again.tree.without_spans() == game.tree.without_spans());
}

#[test]
fn an_early_exit_stops_the_reader() {
    struct First(usize);
    impl Visitor for First {
        fn move_text(&mut self, _: &[u8], _: Span) -> Flow {
            self.0 += 1;
            Flow::Break(())
        }
    }
    let mut first = First(0);
    assert!(read(b"1. 32-28 19-23 *", &mut first).is_break());
    assert_eq!(first.0, 1);
}

#[test]
fn a_fault_loses_at_most_its_own_game() {
    let sound = "[Event \"x\"]\n[White \"w\"]\n\n1. 32-28 {c} 19-23 (1... 18-23) 2. 28x19 1-0\n\n";
    for fault in ["{", "(", "((", "[Round \"1", "\"", "}", ")", "[", "%", "/FEN \"", "<1,", "\\", "1."] {
        for cut in (0..sound.len() - 1).filter(|&cut| sound.is_char_boundary(cut)) {
            let damaged = sound[..cut].to_owned() + fault + &sound[cut..];
            let text = sound.to_owned() + &damaged + sound + sound;
            let whole = games(text.as_bytes()).filter(|game| {
                let comments = game.tree.nodes.iter().flat_map(|node| &node.after);
                let comments = comments.filter(|item| matches!(item, Attachment::Comment { .. }));
                game.tree.written_moves() == 3 && game.tree.terminator.is_some() && comments.count() == 1
            });
            assert!(whole.count() >= 3, "{fault} at {cut}: {text}");
        }
    }
}
