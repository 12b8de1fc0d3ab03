//! Options for writing canonical games.

use crate::notation::GameType;
use crate::rules::ResultStyle;

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveStyle {
    /// First and last squares, with the full path if that is ambiguous: the writing rule of the standard.
    #[default]
    Short,
    /// Captures with their full path.
    Full,
    /// As in the record.
    Written,
}

/// Options for writing games. The default follows PDN 3.0.
///
/// # Examples
///
/// ```
/// use pdn::canon::{FormatOptions, MoveStyle};
///
/// let options = FormatOptions::default().width(100).moves(MoveStyle::Full).comments(false);
/// assert_ne!(options, FormatOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub struct FormatOptions {
    pub(super) width: usize,
    pub(super) comments: bool,
    pub(super) variations: bool,
    pub(super) moves: MoveStyle,
    pub(super) results: bool,
    pub(super) result_style: Option<ResultStyle>,
    pub(super) game_type: Option<GameType>,
    pub(super) strict: bool,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self {
            width: 80,
            comments: true,
            variations: true,
            moves: MoveStyle::Short,
            results: false,
            result_style: None,
            game_type: None,
            strict: false,
        }
    }
}

impl FormatOptions {
    /// Sets the maximum line width in characters (80 by default); a longer token gets a line to itself.
    #[must_use]
    pub const fn width(mut self, width: usize) -> Self {
        self.width = width;
        self
    }

    /// Sets whether comments are kept (by default, they are).
    #[must_use]
    pub const fn comments(mut self, kept: bool) -> Self {
        self.comments = kept;
        self
    }

    /// Sets whether variations are kept (by default, they are).
    #[must_use]
    pub const fn variations(mut self, kept: bool) -> Self {
        self.variations = kept;
        self
    }

    /// Sets how moves are written.
    #[must_use]
    pub const fn moves(mut self, style: MoveStyle) -> Self {
        self.moves = style;
        self
    }

    /// Sets whether a game ends with its result, as many programs expect, instead of `*`, as the standard requires.
    #[must_use]
    pub const fn results(mut self, repeated: bool) -> Self {
        self.results = repeated;
        self
    }

    /// Sets how results are written; by default, in the usual style of the variant.
    #[must_use]
    pub const fn result_style(mut self, style: Option<ResultStyle>) -> Self {
        self.result_style = style;
        self
    }

    /// Sets the GameType for games of its variant, with the names of squares that it requires. Games with moves that cannot be
    /// played, or positions that cannot be read, keep their own.
    #[must_use]
    pub const fn game_type(mut self, game_type: Option<GameType>) -> Self {
        self.game_type = game_type;
        self
    }

    /// Sets whether only forms of the strict grammar are written: line comments become comments in braces, and all comments of a
    /// game are placed among its moves, as is a result that contradicts the Result tag.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    pub(crate) const fn is_strict(&self) -> bool {
        self.strict
    }

    pub(crate) const fn keeps_comments(&self) -> bool {
        self.comments
    }
}
