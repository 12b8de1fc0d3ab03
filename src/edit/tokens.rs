//! A game as tokens with their bytes.

use std::ops::Range;

use crate::diag::Span;
use crate::pdn::{Flow, MoveText, RawTag, Visitor, WrittenNumber, read};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tag,
    Number,
    /// A move or null move.
    Move,
    /// Dots that replace a move, or a set-up position.
    Place,
    Strength,
    Nag,
    Comment,
    LineComment,
    Open,
    Close,
    End,
    Stray,
}

/// A token, with its place in the bytes that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// The tokens of the games of some bytes.
#[derive(Debug, Default)]
pub(super) struct Games {
    /// The offset of each game, and the number of tokens before it.
    starts: Vec<(usize, usize)>,
    /// The tokens of all games.
    pub(super) tokens: Vec<Token>,
}

impl Games {
    /// Reads the games of some bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut games = Self::default();
        let _ = read(bytes, &mut games);
        games
    }

    /// Returns the end of the second game of some bytes, or their end.
    pub(super) fn end_of_second(bytes: &[u8]) -> usize {
        let mut third = Third::default();
        let _ = read(bytes, &mut third);
        third.start.unwrap_or(bytes.len())
    }

    /// Returns the tokens of a game with these bytes, which may be part of what the text alone shows as one game.
    pub(super) fn game(&self, bytes: &Range<usize>) -> Range<usize> {
        let before = |offset| self.tokens.partition_point(|token| token.span.start < offset);
        before(bytes.start)..before(bytes.end)
    }

    /// Returns the number of tokens before each game.
    pub(super) fn boundaries(&self) -> impl Iterator<Item = usize> + '_ {
        self.starts.iter().map(|(_, before)| *before)
    }

    fn add(&mut self, kind: Kind, span: Span) -> Flow {
        let start = self.starts.last().map_or(0, |(start, _)| *start);
        self.tokens.push(Token { kind, span: start + span.start as usize..start + span.end as usize });
        Flow::Continue(())
    }
}

/// Looks for the third game of some bytes.
#[derive(Default)]
struct Third {
    before: usize,
    start: Option<usize>,
}

impl Visitor for Third {
    fn begin_game(&mut self, offset: usize) -> Flow {
        if self.before == 2 {
            self.start = Some(offset);
            return Flow::Break(());
        }
        self.before += 1;
        Flow::Continue(())
    }
}

/// Makes the methods of a visitor that each add a token of one kind.
macro_rules! tokens {
    ($($name:ident($($value:ty)?) $kind:ident;)*) => {
        $(fn $name(&mut self, $(_: $value,)? span: Span) -> Flow {
            self.add(Kind::$kind, span)
        })*
    };
}

impl Visitor for Games {
    fn begin_game(&mut self, offset: usize) -> Flow {
        self.starts.push((offset, self.tokens.len()));
        Flow::Continue(())
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        self.add(Kind::Tag, tag.span)
    }

    fn game_move(&mut self, number: Option<(WrittenNumber, Span)>, _: MoveText, span: Span) -> Flow {
        if let Some((_, span)) = number {
            self.add(Kind::Number, span)?;
        }
        self.add(Kind::Move, span)
    }

    tokens! {
        number(WrittenNumber) Number;
        null_move() Move;
        ellipsis() Place;
        setup(&[u8]) Place;
        strength(&[u8]) Strength;
        nag(u16) Nag;
        comment(&[u8]) Comment;
        line_comment(&[u8]) LineComment;
        begin_variation() Open;
        end_variation() Close;
        terminator(&[u8]) End;
        stray(&[u8]) Stray;
    }
}

/// Something after a move in its line: a token, or a variation with all its tokens.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The kind of its first token: [`Kind::Open`] for a variation.
    pub(super) kind: Kind,
    pub(super) tokens: Range<usize>,
}

/// The tokens of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameTokens<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) all: &'a [Token],
}

impl<'a> GameTokens<'a> {
    /// Returns the bytes of a token.
    pub(super) fn text(&self, token: usize) -> &'a [u8] {
        &self.bytes[self.all[token].span.clone()]
    }

    /// Returns the bytes from the first to the last of some tokens.
    pub(super) fn piece(&self, tokens: &Range<usize>) -> &'a [u8] {
        &self.bytes[self.span(tokens)]
    }

    /// Returns the place of some tokens, at least one.
    pub(super) fn span(&self, tokens: &Range<usize>) -> Range<usize> {
        self.all[tokens.start].span.start..self.all[tokens.end - 1].span.end
    }

    /// Returns the token that begins at a byte and is a move or takes the place of one.
    pub(super) fn node_at(&self, start: usize) -> Option<usize> {
        let is_node = |token: &Token| token.span.start == start && matches!(token.kind, Kind::Move | Kind::Place);
        self.all.iter().position(is_node)
    }

    /// Returns the first token of a move: its number, if it has one.
    pub(super) fn with_number(&self, token: usize) -> usize {
        token - usize::from(token > 0 && self.all[token - 1].kind == Kind::Number)
    }

    /// Returns the index of the first token after the tags.
    pub(super) fn first_after_tags(&self) -> usize {
        self.all.iter().rposition(|token| token.kind == Kind::Tag).map_or(0, |last| last + 1)
    }

    /// Returns the token that closes a variation.
    fn close_of(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for (n, token) in self.all.iter().enumerate().skip(open) {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 1 => return Some(n),
                Kind::Close => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns the token that opens the variation with a token in its line, unless that is in the main line.
    pub(super) fn open_of(&self, token: usize) -> Option<usize> {
        let mut depth = 0;
        for n in (0..token).rev() {
            match self.all[n].kind {
                Kind::Close => depth += 1,
                Kind::Open if depth == 0 => return Some(n),
                Kind::Open => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns what follows in a line from a token on, up to the next move. If `wide`, positions that are set up, and dots, do
    /// not end it.
    pub(super) fn slot(&self, from: usize, wide: bool) -> Vec<Item> {
        let mut items = Vec::new();
        let mut at = from;
        while let Some(token) = self.all.get(at) {
            let end = match token.kind {
                Kind::Close | Kind::End | Kind::Move => break,
                Kind::Number if !wide || self.all.get(at + 1).is_none_or(|next| next.kind != Kind::Place) => break,
                Kind::Place if !wide => break,
                Kind::Open => self.close_of(at).map_or(self.all.len(), |close| close + 1),
                _ => at + 1,
            };
            items.push(Item { kind: token.kind, tokens: at..end });
            at = end;
        }
        items
    }

    /// Returns the end of the line from a token on: the token that closes it or ends the game, or the number of tokens.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.all.get(at) {
            match token.kind {
                Kind::Close | Kind::End => return at,
                Kind::Open => at = self.close_of(at).map_or(self.all.len(), |close| close + 1),
                _ => at += 1,
            }
        }
        at
    }
}
