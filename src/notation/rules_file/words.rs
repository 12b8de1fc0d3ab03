//! The words of rules files.

use crate::board::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Corner, Geometry, Names, Shape, Side};

use crate::rules::{
    Diagonal, Goal, KingLanding, KingRange, ManCaptures, ManMoves, Precedence, Promotion, Removal, ResultStyle,
    Standing,
};

/// Values that stand as words in a file.
pub(super) trait Words: Copy + PartialEq + 'static {
    /// All values with their words.
    const WORDS: &'static [(&'static str, Self)];

    /// The word of a value.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }

    /// All words as an enumeration.
    fn all() -> String {
        let words: Vec<_> = Self::WORDS.iter().map(|(word, _)| *word).collect();
        list(&words)
    }
}

/// Enumerates words.
pub(super) fn list(words: &[&str]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

macro_rules! words {
    ($($type:ident { $($word:literal $value:expr,)* })*) => {
        $(impl Words for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, $value)),*];
        })*
    };
}

words! {
    Shape {
        "8x8" Board8x8::SHAPE,
        "10x8" Board10x8::SHAPE,
        "10x10" Board10x10::SHAPE,
        "12x12" Board12x12::SHAPE,
        "8x8-all" Board8x8Full::SHAPE,
    }
    Side {
        "white" Side::White,
        "black" Side::Black,
    }
    ManMoves {
        "diagonally-forward" ManMoves::DiagonallyForward,
        "forward-and-sideways" ManMoves::ForwardAndSideways,
    }
    ManCaptures {
        "diagonally-forward" ManCaptures::DiagonallyForward,
        "diagonally" ManCaptures::Diagonally,
        "eight-ways" ManCaptures::EightWays,
        "forward-and-sideways" ManCaptures::ForwardAndSideways,
    }
    KingRange {
        "short" KingRange::Short,
        "flying" KingRange::Flying,
    }
    KingLanding {
        "anywhere" KingLanding::Anywhere,
        "directly-behind" KingLanding::DirectlyBehind,
        "directly-behind-king" KingLanding::DirectlyBehindKing,
    }
    Removal {
        "after-move" Removal::AfterMove,
        "at-once" Removal::AtOnce,
    }
    Promotion {
        "at-end" Promotion::AtEnd,
        "ends-move" Promotion::EndsMove,
        "goes-on-as-king" Promotion::GoesOnAsKing,
    }
    Precedence {
        "free" Precedence::Free,
        "most" Precedence::Most,
        "most-then-kings" Precedence::MostThenKings,
        "italian" Precedence::Italian,
        "highest-value" Precedence::HighestValue,
        "with-king" Precedence::WithKing,
    }
    Goal {
        "block" Goal::Block,
        "lose" Goal::Lose,
        "first-king" Goal::FirstKing,
    }
    Standing {
        "automatic" Standing::Automatic,
        "claim" Standing::Claim,
    }
    Diagonal {
        "any" Diagonal::Any,
        "lone-king" Diagonal::LoneKing,
        "stronger" Diagonal::Stronger,
    }
    Kind {
        "no-progress" Kind::NoProgress,
        "lone-king" Kind::LoneKing,
        "both-kings" Kind::BothKings,
    }
    Names {
        "numbers" Names::Numeric,
        "letters" Names::Algebraic,
    }
    Corner {
        "bottom-left" Corner::BottomLeft,
        "bottom-right" Corner::BottomRight,
        "top-left" Corner::TopLeft,
        "top-right" Corner::TopRight,
    }
    ResultStyle {
        "1-0" ResultStyle::OnePoint,
        "2-0" ResultStyle::TwoPoints,
    }
    char {
        "x" 'x',
        ":" ':',
        "-" '-',
    }
}

/// The kinds of endings in which moves without progress are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    NoProgress,
    LoneKing,
    BothKings,
}
