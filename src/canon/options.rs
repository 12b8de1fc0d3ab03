//! Options for writing canonical games.

use serde::{Deserialize, Deserializer, de};

use super::strip::{StripKind, stripped};
use crate::notation::GameType;
use crate::options;
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::rules::ResultStyle;

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum MoveStyle {
    /// First and last square, with the full path only if that is ambiguous
    #[default]
    Short,
    /// Captures with their full path
    Full,
    /// As in the record
    Written,
}

/// Options for writing games. The default follows PDN 3.0.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub struct FormatOptions {
    /// Maximum line width; a longer token gets a line to itself
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 80, value_parser = widths(), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "options::number::<20, 65_535, _, _>")]
    pub width: usize,
    /// How to write moves
    #[cfg_attr(feature = "cli", arg(id = "notation", long, value_name = "STYLE", default_value = "short"))]
    #[serde(rename = "notation")]
    pub moves: MoveStyle,
    /// How to write results [default: the usual style of the variant]
    #[cfg_attr(feature = "cli", arg(long, value_name = "STYLE", help_heading = ADVANCED))]
    pub result_style: Option<ResultStyle>,
    /// In games of the same variant, name squares as this GameType does, and write it as the tag; games with illegal moves stay
    /// unchanged
    #[cfg_attr(feature = "cli", arg(long, value_name = "T", value_parser = parse_game_type, help_heading = ADVANCED))]
    #[serde(deserialize_with = "read_game_type")]
    pub game_type: Option<GameType>,
    /// Remove all comments
    #[cfg_attr(feature = "cli", arg(long = "no-comments", action = clap::ArgAction::SetFalse))]
    pub comments: bool,
    /// Remove all variations
    #[cfg_attr(feature = "cli", arg(long = "no-variations", action = clap::ArgAction::SetFalse))]
    pub variations: bool,
    /// Remove these parts of games, and the comments that they leave empty
    #[cfg_attr(feature = "cli", arg(long, value_name = "KINDS", value_delimiter = ','))]
    pub strip: Vec<StripKind>,
    /// End games with their results, as many programs expect
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "strict", help_heading = ADVANCED))]
    pub results: bool,
    /// Write only what the strict grammar prefers: no end-of-line comments, and no comments before the tags or after a game
    #[cfg_attr(feature = "cli", arg(long, help_heading = ADVANCED))]
    pub strict: bool,
}

/// Returns the parser of widths.
#[cfg(feature = "cli")]
fn widths() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(20..=u64::from(u16::MAX))
}

fn parse_game_type(text: &str) -> Result<GameType, String> {
    let read = text.parse::<GameType>().map_err(|error| error.to_string())?;
    if read.variant().is_some() { Ok(read) } else { Err("no variant has this GameType".to_owned()) }
}

fn read_game_type<'de, D: Deserializer<'de>>(from: D) -> Result<Option<GameType>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| parse_game_type(&text)).transpose().map_err(de::Error::custom)
}

impl FormatOptions {
    /// Returns true if the text of comments is kept.
    pub(super) fn keeps_text(&self) -> bool {
        self.comments && !self.strip.contains(&StripKind::Comments)
    }

    /// Returns what is kept of a comment between games.
    pub(crate) fn kept_comment(&self, text: &str) -> Option<String> {
        stripped(text, &self.strip).filter(|_| self.comments)
    }
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self {
            width: 80,
            comments: true,
            variations: true,
            strip: Vec::new(),
            moves: MoveStyle::Short,
            results: false,
            result_style: None,
            game_type: None,
            strict: false,
        }
    }
}
