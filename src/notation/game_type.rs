//! The `GameType` tag, and the productions of `grammar/gametype.ebnf`.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{all_consuming, opt, recognize};
use nom::multi::many1_count;
use nom::sequence::{pair, preceded};

use super::fen::{Parsed, token};
use super::numbering::Numbering;
use super::variants::{SET_UP, by_name, by_number, is_american};
use crate::board::{Corner, Names, Side};
use crate::error::ParseError;
use crate::rules::Variant;

use Names::{Algebraic, Numeric};
use Side::{Black, White};

/// The fields of a `GameType` tag, consistent or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameType {
    number: u16,
    start: Option<Side>,
    size: Option<(u8, u8)>,
    notation: Option<(Names, Option<Corner>)>,
    invert: Option<bool>,
}

/// The reason why a `GameType` tag cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GameTypeError {
    /// The tag is empty or a question mark.
    #[error("no game type is given")]
    Missing,
    /// Neither a number nor a known name.
    #[error("`{0}` is neither the number nor the name of a game")]
    Unreadable(String),
    /// A name of two games.
    #[error("`{0}` may be checkers (english, GameType 21) or American pool (pool, GameType 23)")]
    American(String),
    /// An unknown number.
    #[error("unknown game type {0}")]
    UnknownNumber(u32),
    /// A game that is not draughts.
    #[error("game type {number} is {name}, which is not draughts")]
    OtherGame {
        /// Its number.
        number: u16,
        /// Its name.
        name: &'static str,
    },
}

impl GameType {
    /// Returns a value with all fields.
    pub(super) const fn full(
        number: u16,
        start: Side,
        size: (u8, u8),
        (names, corner): (Names, Corner),
        invert: bool,
    ) -> Self {
        Self {
            number,
            start: Some(start),
            size: Some(size),
            notation: Some((names, Some(corner))),
            invert: Some(invert),
        }
    }

    /// Reads a `GameType`, with the kind of error.
    pub(crate) fn read(text: &str) -> Result<Self, GameTypeError> {
        let text = text.trim().trim_end_matches('.');
        let body = strip_word(text, "gametype").trim_start_matches([':', '=']).trim();
        let mut fields = body.split([',', ';']).map(str::trim);
        let first = fields.next().unwrap_or_default();
        if matches!(first, "" | "?" | "-" | "*") {
            return Err(GameTypeError::Missing);
        }
        // Records add the name to the number: `20 International`.
        let word = first.split_whitespace().next().unwrap_or_default();
        // `020` is 20, and `0` alone is chess.
        let digits = match word.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let unknown = if is_american(first) { GameTypeError::American } else { GameTypeError::Unreadable };
            return by_name(first).ok_or_else(|| unknown(text.to_owned()));
        }
        let number = digits.parse().map_err(|_| GameTypeError::UnknownNumber(u32::MAX))?;
        let mut game_type =
            Self { number: known_number(number)?, start: None, size: None, notation: None, invert: None };
        game_type.read_fields(fields);
        Ok(game_type)
    }

    /// Returns true if a value is written as the standard requires: a number alone or with all fields after it.
    pub(crate) fn is_plain(text: &str) -> bool {
        all_consuming(gametype).parse(text).is_ok()
    }

    fn read_fields<'a>(&mut self, mut fields: impl Iterator<Item = &'a str>) {
        self.start = fields.next().and_then(|field| match field {
            "W" | "w" => Some(White),
            "B" | "b" => Some(Black),
            _ => None,
        });
        let width = fields.next().and_then(|field| field.parse().ok());
        let height = fields.next().and_then(|field| field.parse().ok());
        self.size = width.zip(height);
        self.notation = fields.next().and_then(names_and_corner);
        self.invert = fields.next().and_then(|field| match field {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        });
    }

    /// Returns the fields that [`Display`](fmt::Display) writes: all of them, or the number alone if one is missing.
    #[must_use]
    pub(crate) const fn as_shown(self) -> Self {
        match (self.start, self.size, self.notation) {
            (Some(_), Some(_), Some(_)) => self,
            _ => Self { number: self.number, start: None, size: None, notation: None, invert: None },
        }
    }

    /// Returns the number; 99 for a variant without one.
    pub const fn number(self) -> u16 {
        self.number
    }

    /// Returns width and height of the board, if the tag names them.
    pub const fn size(self) -> Option<(u8, u8)> {
        self.size
    }

    /// Returns the variant that the tag names, `None` for a set-up position.
    pub fn variant(self) -> Option<Variant> {
        match self.number {
            23 => Some(self.pool_variant()),
            number => by_number(number),
        }
    }

    /// Three variants share the number 23; the fields after it decide.
    fn pool_variant(self) -> Variant {
        let (letters, other_corner) = match self.notation {
            Some((Names::Algebraic | Names::Short, corner)) => (true, corner == Some(Corner::BottomRight)),
            _ => (false, false),
        };
        if self.invert == Some(true) || (other_corner && self.start != Some(White)) {
            Variant::JAMAICAN
        } else if letters || self.start == Some(White) {
            Variant::POOL_UNIFIED
        } else {
            Variant::POOL
        }
    }

    /// Returns the names that the tag gives to the squares of a variant's board, where `starts` makes the first move;
    /// `None` if they are the variant's own or do not fit the board.
    ///
    /// The start colour of the tag only names the pieces: the corner is that of the variant's own starting side.
    pub(crate) fn numbering(self, own: Numbering, starts: Side) -> Option<Numbering> {
        let shape = own.shape();
        // `20,W,8,8,N1,0` contradicts itself; its names of squares are for another board.
        if self.size.is_some_and(|size| size != (shape.width(), shape.height())) {
            return None;
        }
        let (names, corner) = self.notation?;
        let mirrored = self.invert.unwrap_or(own.is_mirrored());
        let asked = Numbering::new(shape, mirrored, names, own.corner()).with_capture_sign(own.capture_sign());
        let asked = match corner {
            Some(corner) => asked.with_corner(corner.seen_by(starts)),
            None if asked.is_algebraic() == own.is_algebraic() => asked,
            None => asked.from_usual_corner(),
        };
        let same = |n: Numbering| (n.is_mirrored(), n.is_algebraic(), n.corner());
        (same(asked) != same(own)).then_some(asked)
    }
}

impl FromStr for GameType {
    type Err = ParseError;

    /// Reads a `GameType` in any of its spellings: `20`, `20,W,10,10,N2,0`, `GameType 23, …`, a name.
    ///
    /// Invalid fields after the number are ignored, since they only confirm it.
    ///
    /// # Errors
    ///
    /// If the text does not name a draughts game.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::notation::GameType;
    /// use pdn::rules::Variant;
    ///
    /// let full = "25,W,8,8,A0,0".parse::<GameType>()?;
    /// assert_eq!(full.variant(), Some(Variant::RUSSIAN));
    /// assert_eq!(full.size(), Some((8, 8)));
    /// assert_eq!("25".parse::<GameType>()?.size(), None);
    /// assert!("chess".parse::<GameType>().is_err());
    /// # Ok::<(), pdn::ParseError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::read(text).map_err(|error| ParseError::new(error.to_string()))
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        let (Some(start), Some((width, height)), Some((names, corner))) = (self.start, self.size, self.notation) else {
            return Ok(());
        };
        write!(f, ",{},{width},{height},{}", start.letter(), names.letter())?;
        if let Some(corner) = corner {
            write!(f, "{}", corner.digit())?;
        }
        self.invert.map_or(Ok(()), |invert| write!(f, ",{}", u8::from(invert)))
    }
}

fn strip_word<'a>(text: &'a str, word: &str) -> &'a str {
    match text.get(..word.len()) {
        Some(start) if start.eq_ignore_ascii_case(word) => text[word.len()..].trim_start(),
        _ => text,
    }
}

fn known_number(number: u32) -> Result<u16, GameTypeError> {
    let other = |name| Err(GameTypeError::OtherGame { number: number as u16, name });
    match number {
        0 => other("chess"),
        1 => other("Chinese chess"),
        50 => other("Othello"),
        2..=19 => other("one of the chess games"),
        _ => {
            let is_known = |number: &u16| *number == SET_UP || by_number(*number).is_some();
            u16::try_from(number).ok().filter(is_known).ok_or(GameTypeError::UnknownNumber(number))
        }
    }
}

fn names_and_corner(field: &str) -> Option<(Names, Option<Corner>)> {
    let mut letters = field.chars();
    let names = match letters.next()?.to_ascii_uppercase() {
        'N' => Numeric,
        'A' => Algebraic,
        'S' => Names::Short,
        _ => return None,
    };
    let corner = letters.as_str().trim();
    match corner {
        "" => Some((names, None)),
        _ => Some((names, Some(Corner::from_digit(corner.parse().ok()?)?))),
    }
}

/// `gametype = number, [ ",", side, ",", size, ",", size, ",", notation, [ ",", invert ] ]`
fn gametype(input: &str) -> Parsed<'_> {
    let comma = || char(',');
    let board = (preceded(comma(), token(size)), preceded(comma(), token(size)));
    let names = (preceded(comma(), token(notation)), opt(preceded(comma(), token(invert))));
    recognize((token(number), opt((preceded(comma(), token(side)), board, names)))).parse(input)
}

/// `number = digit, { digit }`
fn number(input: &str) -> Parsed<'_> {
    recognize(many1_count(digit)).parse(input)
}

/// `side = "W" | "B"`
fn side(input: &str) -> Parsed<'_, char> {
    one_of("WB").parse(input)
}

/// `size = digit, [ digit ]`
fn size(input: &str) -> Parsed<'_> {
    take_while_m_n(1, 2, |letter: char| letter.is_ascii_digit()).parse(input)
}

/// `notation = ( "A" | "N" | "S" ), corner`
fn notation(input: &str) -> Parsed<'_> {
    recognize(pair(one_of("ANS"), corner)).parse(input)
}

/// `corner = "0" | "1" | "2" | "3"`
fn corner(input: &str) -> Parsed<'_, char> {
    one_of("0123").parse(input)
}

/// `invert = "0" | "1"`
fn invert(input: &str) -> Parsed<'_, char> {
    one_of("01").parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &str) -> Parsed<'_, char> {
    satisfy(|letter| letter.is_ascii_digit()).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(variant: &str) -> Numbering {
        Numbering::for_variant(Variant::by_name(variant).unwrap())
    }

    fn variant(text: &str) -> Option<&'static str> {
        text.parse::<GameType>().unwrap().variant().map(Variant::name)
    }

    #[test]
    fn a_plain_value_is_a_number_alone_or_with_all_fields() {
        assert!(GameType::is_plain("20") && GameType::is_plain("21,B,8,8,N1,0"));
        assert!(!GameType::is_plain("21,B,8,8") && !GameType::is_plain("International"));
    }

    #[test]
    fn numbers_in_all_spellings() {
        for text in [
            "20",
            "020",
            " 20 ",
            "20,W,10,10,N2,0",
            "GameType 20",
            "gametype 20, W, 10, 10, N2, 0",
            "20,,,,",
            "20 International",
        ] {
            assert_eq!(variant(text), Some("international"), "{text}");
        }
        for (text, name) in [
            ("23", "pool"),
            ("23,B,8,8,N1,0", "pool"),
            ("23,W,8,8,A0,0", "pool-unified"),
            ("23,B,8,8,A1,1", "jamaican"),
            ("96", "breakthrough"),
            ("97", "frysk"),
            ("98", "antidraughts"),
            ("41,W,10,8,A0,0", "spantsiretti"),
        ] {
            assert_eq!(variant(text), Some(name), "{text}");
        }
        assert_eq!(variant("99"), None);
        assert_eq!("99,W,10,10,N2,0".parse::<GameType>().unwrap().number(), SET_UP);
    }

    #[test]
    fn names_in_place_of_numbers() {
        for (text, name) in [
            ("International", "international"),
            ("american pool", "pool"),
            ("American Pool Checkers", "pool"),
            ("American checkers", "english"),
            ("Pool (unified)", "pool"),
            ("pool-unified", "pool-unified"),
            ("Frysk!", "frysk"),
            ("Brazilian draughts", "brazilian"),
        ] {
            assert_eq!(variant(text), Some(name), "{text}");
        }
    }

    #[test]
    fn other_games_are_refused_with_a_reason() {
        let error = |text: &str| text.parse::<GameType>().unwrap_err().to_string();
        assert_eq!(error("0"), "game type 0 is chess, which is not draughts");
        assert_eq!(error("50,B,8,8,A0,0"), "game type 50 is Othello, which is not draughts");
        assert_eq!(error("77"), "unknown game type 77");
        assert_eq!(error(""), "no game type is given");
        assert_eq!(error("backgammon"), "`backgammon` is neither the number nor the name of a game");
        assert!("99999999999999999999".parse::<GameType>().is_err());
        let both = "`American` may be checkers (english, GameType 21) or American pool (pool, GameType 23)";
        assert_eq!(error("American"), both);
        assert_eq!("American".parse::<Variant>().unwrap_err().to_string(), both);
    }

    #[test]
    fn full_values_print_as_the_standard_writes_them() {
        for text in [
            "20,W,10,10,N2,0",
            "21,B,8,8,N1,0",
            "22,W,8,8,N2,1",
            "23,B,8,8,N1,0",
            "24,W,8,8,N1,1",
            "27,W,12,12,N2,0",
            "31,B,8,8,N2,0",
            "41,W,10,8,A0,0",
        ] {
            let game_type = text.parse::<GameType>().unwrap();
            assert_eq!(game_type.to_string(), text);
            assert_eq!(game_type.variant().unwrap().game_type(), Some(game_type));
        }
    }

    /// Golden facts of every variant: where some squares lie, as (row, column) from the top left with White below.
    #[test]
    fn squares_lie_where_the_rules_say() {
        type NamedSquare = (&'static str, u8, u8);
        let facts: [(&str, &[NamedSquare]); 9] = [
            ("international", &[("1", 0, 1), ("5", 0, 9), ("6", 1, 0), ("46", 9, 0), ("50", 9, 8)]),
            ("italian", &[("1", 0, 0), ("4", 0, 6), ("5", 1, 1), ("29", 7, 1), ("32", 7, 7)]),
            ("english", &[("1", 0, 1), ("4", 0, 7), ("5", 1, 0), ("32", 7, 6)]),
            ("spanish", &[("1", 7, 7), ("4", 7, 1), ("5", 6, 6), ("32", 0, 0)]),
            ("brazilian", &[("a1", 7, 0), ("c1", 7, 2), ("h8", 0, 7), ("b8", 0, 1)]),
            ("jamaican", &[("a1", 0, 0), ("c1", 0, 2), ("b2", 1, 1), ("h8", 7, 7)]),
            ("thai", &[("1", 7, 6), ("4", 7, 0), ("5", 6, 7), ("29", 0, 7), ("32", 0, 1)]),
            ("spantsiretti", &[("a1", 7, 0), ("j8", 0, 9), ("i1", 7, 8)]),
            ("turkish", &[("a1", 7, 0), ("b1", 7, 1), ("h8", 0, 7)]),
        ];
        for (variant, squares) in facts {
            let numbering = numbering(variant);
            for &(name, row, column) in squares {
                let square = numbering.find(name).unwrap();
                let place = (numbering.display_row(square), numbering.display_column(square));
                assert_eq!(place, (row, column), "{variant} {name}");
                assert_eq!(numbering.name(square).to_string(), name, "{variant}");
            }
        }
    }

    #[test]
    fn internal_numbers_run_from_the_top_left() {
        for (variant, number, name) in [
            ("russian", 1, "b8"),
            ("brazilian", 32, "g1"),
            ("jamaican", 1, "a1"),
            ("italian", 1, "1"),
            ("spanish", 1, "1"),
            ("portuguese", 32, "32"),
            ("turkish", 1, "a8"),
            ("turkish", 64, "h1"),
            ("thai", 32, "1"),
            ("spantsiretti", 1, "b8"),
        ] {
            let internal = Numbering::internal(Variant::by_name(variant).unwrap());
            let square = internal.square(number).unwrap();
            assert_eq!(numbering(variant).name(square).to_string(), name, "{variant}");
        }
    }

    #[test]
    fn a_contradictory_corner_is_kept_apart() {
        let own = numbering("international");
        let asked = |text: &str| text.parse::<GameType>().unwrap().numbering(own, White);
        assert_eq!(asked("20,W,10,10,N2,0"), None);
        assert_eq!(asked("20"), None);
        assert_eq!(asked("20,W,8,8,N1,0"), None);
        let other = asked("20,W,10,10,N1,0").unwrap();
        assert_eq!(other.find("1"), own.find("50"));
    }
}
