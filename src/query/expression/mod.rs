//! Expressions over tags, names, ratings, dates, results, plies and marks, as used by `search --where`.

mod field;
mod text;

use std::cmp::Ordering;
use std::str::FromStr;

use regex::Regex;

use super::grammar::{Comparison, Joined, Value, Written, whole_expression};
use crate::check::{CheckedGame, Needs};
use crate::error::ParseError;
use crate::notation::{DateParts, WrittenDate, WrittenResult, date_parts, read_date_in, read_result};
use crate::rules::Variant;
use crate::text::{error_at, error_in};
use field::{Field, FieldValue};
use text::pattern;

pub(crate) use text::folded;

/// A condition on games.
///
/// # Examples
///
/// ```
/// use pdn::query::Expression;
///
/// assert!("white ~ \"sijbrands\" and (year >= 1990 or not ECO) and result = 2-0".parse::<Expression>().is_ok());
/// let error = "white ~".parse::<Expression>().unwrap_err().to_string();
/// assert!(error.starts_with("expected"), "{error}");
/// ```
#[derive(Clone, Debug)]
pub struct Expression(Node);

/// A condition is that the field has a value that passes the test.
type Node = Joined<(Field, Test)>;

#[derive(Clone, Debug)]
enum Test {
    Present,
    /// Folded texts are equal.
    Text(String),
    /// Results are the same, regardless of spelling.
    Result(WrittenResult),
    Matches(Regex),
    Number(Order, f64),
    /// Dates agree in the given parts, or are earlier or later.
    Date(Order, DateParts),
}

/// How two numbers or dates compare.
pub(super) type Order = fn(Ordering) -> bool;

/// Returns the order expressed by a sign; `!=` is the opposite of `=`.
pub(super) fn order_of(sign: &str) -> Order {
    match sign {
        "<" => Ordering::is_lt,
        "<=" => Ordering::is_le,
        ">" => Ordering::is_gt,
        ">=" => Ordering::is_ge,
        _ => Ordering::is_eq,
    }
}

/// Returns true if two values have an order; a number that is none has no order.
pub(super) fn are_ordered<T: PartialOrd + ?Sized>(left: &T, order: Order, right: &T) -> bool {
    left.partial_cmp(right).is_some_and(order)
}

/// Deepest nesting of parentheses.
const MAX_DEPTH: usize = 100;

/// Largest number of regular expressions, each of which takes memory.
const MAX_PATTERNS: usize = 500;

impl FromStr for Expression {
    type Err = ParseError;

    /// Reads an expression; `grammar/search.ebnf` has its grammar.
    ///
    /// # Errors
    ///
    /// If it does not fit the grammar, or compares a field with an impossible value.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        check_depth(text)?;
        let written = whole_expression(text).map_err(|found| found.error(text))?;
        let mut compiler = Compiler { text, patterns: 0 };
        compiler.node(&written).map(Self)
    }
}

impl Expression {
    /// Returns how much of a game has to be read.
    pub(crate) fn needs(&self) -> Needs {
        self.0.needs()
    }

    /// Returns true if a game fits the expression.
    pub fn matches(&self, game: &CheckedGame<'_>) -> bool {
        self.0.matches(game)
    }
}

/// Parentheses are read by functions that call themselves.
fn check_depth(text: &str) -> Result<(), ParseError> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            // A parenthesis too many is reported by the grammar.
            b')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(error_in(text, at..at + 1, "parentheses are nested too deeply"));
        }
    }
    Ok(())
}

/// Interprets written expressions.
struct Compiler<'a> {
    text: &'a str,
    patterns: usize,
}

impl Compiler<'_> {
    fn error(&self, part: &str, message: impl Into<String>) -> ParseError {
        error_at(self.text, part, message)
    }

    fn node(&mut self, written: &Written<'_>) -> Result<Node, ParseError> {
        match written {
            Written::Any(list) => list.iter().map(|item| self.node(item)).collect::<Result<_, _>>().map(Node::Any),
            Written::All(list) => list.iter().map(|item| self.node(item)).collect::<Result<_, _>>().map(Node::All),
            Written::Not(inner) => Ok(Node::Not(Box::new(self.node(inner)?))),
            Written::One(comparison) => self.comparison(comparison),
        }
    }

    fn comparison(&mut self, comparison: &Comparison<'_>) -> Result<Node, ParseError> {
        let name = comparison.field;
        let field = Field::named(name).ok_or_else(|| {
            let fields = Field::names().join(", ");
            self.error(name, format!("unknown field; expected the name of a tag, with a capital, or one of {fields}"))
        })?;
        let Some((operator, value)) = &comparison.operand else { return Ok(Node::One((field, Test::Present))) };
        let test = match (*operator, &field) {
            ("~" | "!~", Field::Number(_)) => {
                return Err(self.error(operator, "a number is compared with =, !=, <, <=, > or >="));
            }
            ("~" | "!~", _) => self.pattern(value)?,
            (_, Field::Number(_)) => self.number(operator, value)?,
            (_, Field::Date) => self.date(operator, value)?,
            ("=" | "!=", field) => self.text(field, value)?,
            (_, Field::Tag(_)) => self.number(operator, value)?,
            _ => return Err(self.error(operator, "text can only be compared with =, !=, ~ or !~")),
        };
        let node = Node::One((field, test));
        Ok(if operator.starts_with('!') { Node::Not(Box::new(node)) } else { node })
    }

    fn pattern(&mut self, value: &Value<'_>) -> Result<Test, ParseError> {
        self.patterns += 1;
        if self.patterns > MAX_PATTERNS {
            return Err(self.error(value.written, format!("more than {MAX_PATTERNS} regular expressions")));
        }
        pattern(&value.text).map(Test::Matches).map_err(|message| self.error(value.written, message))
    }

    fn number(&self, operator: &str, value: &Value<'_>) -> Result<Test, ParseError> {
        let number = value.text.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| self.error(value.written, "expected a number"))?;
        Ok(Test::Number(order_of(operator), number))
    }

    fn date(&self, operator: &str, value: &Value<'_>) -> Result<Test, ParseError> {
        let parts = date_parts(&value.text);
        // Of a value such as `1990.05.32`, only the year has a meaning.
        let is_clear =
            read_date_in(&value.text, None) != WrittenDate::Unclear && parts.is_sorted_by_key(Option::is_none);
        if parts[0].is_none() || !is_clear {
            return Err(self.error(value.written, "expected a date: YYYY, YYYY.MM or YYYY.MM.DD"));
        }
        Ok(Test::Date(order_of(operator), parts))
    }

    fn text(&self, field: &Field, value: &Value<'_>) -> Result<Test, ParseError> {
        let text = match field {
            Field::Variant => {
                let variant: Result<Variant, _> = value.text.parse();
                let unknown = "expected the name of a variant or a GameType number";
                variant.map_err(|_| self.error(value.written, unknown))?.name()
            }
            Field::Winner => match &*folded(&value.text) {
                "w" | "white" => "w",
                "b" | "black" => "b",
                "draw" => "draw",
                _ => return Err(self.error(value.written, "expected W, B or draw")),
            },
            Field::Played => match &*folded(&value.text) {
                "yes" | "y" | "true" => "yes",
                "no" | "n" | "false" => "no",
                _ => return Err(self.error(value.written, "expected yes or no")),
            },
            Field::Result => match read_result(value.text.trim()) {
                Some(result) => return Ok(Test::Result(result)),
                None => value.text.trim(),
            },
            _ => value.text.trim(),
        };
        Ok(Test::Text(folded(text).into_owned()))
    }
}

impl Node {
    fn needs(&self) -> Needs {
        match self {
            Self::Any(list) | Self::All(list) => list.iter().map(Self::needs).max().unwrap_or(Needs::Tags),
            Self::Not(inner) => inner.needs(),
            Self::One((field, _)) => field.needs(),
        }
    }

    fn matches(&self, game: &CheckedGame<'_>) -> bool {
        match self {
            Self::Any(list) => list.iter().any(|node| node.matches(game)),
            Self::All(list) => list.iter().all(|node| node.matches(game)),
            Self::Not(inner) => !inner.matches(game),
            Self::One((Field::Date, Test::Present)) => game.date()[0].is_some(),
            Self::One((Field::Date, Test::Date(order, wanted))) => date_holds(*order, game.date(), *wanted),
            Self::One((field, test)) => field.any(game, |value| test.holds(value)),
        }
    }
}

/// Returns true if a date has this order relative to the given parts.
fn date_holds(order: Order, date: DateParts, wanted: DateParts) -> bool {
    let given = wanted.iter().take_while(|part| part.is_some()).count();
    date[..given].iter().all(Option::is_some) && are_ordered(&date[..given], order, &wanted[..given])
}

impl Test {
    fn holds(&self, value: FieldValue<'_>) -> bool {
        match (self, value) {
            (Self::Present, _) => true,
            (Self::Text(wanted), FieldValue::Text(text)) => folded(text) == wanted.as_str(),
            (Self::Result(wanted), FieldValue::Text(text)) => read_result(text.trim()) == Some(*wanted),
            (Self::Matches(pattern), FieldValue::Text(text)) => pattern.is_match(&folded(text)),
            (Self::Number(order, wanted), FieldValue::Number(number)) => are_ordered(&number, *order, wanted),
            (Self::Number(order, wanted), FieldValue::Text(text)) => {
                text.parse::<f64>().is_ok_and(|number| are_ordered(&number, *order, wanted))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Expression>().expect_err(text).to_string()
    }

    #[test]
    fn errors_show_the_place() {
        assert_eq!(error("year >= x"), "expected a number\n  | year >= x\n  |         ^");
        for (text, message, carets) in [
            ("", "expected a field, `not` or `(`", "^"),
            ("white ~", "expected a value", "        ^"),
            ("white = \"a", "expected a closing quotation mark", "          ^"),
            ("(year = 1990", "expected `and`, `or` or `)`", "            ^"),
            ("year = 1990 1991", "expected `and`, `or` or the end", "            ^"),
            ("year = 1990 and", "expected a field", "               ^"),
            ("whit = x", "unknown field", "^^^^"),
            ("year ~ x", "a number is compared with", "     ^"),
            ("winner > W", "text can only be compared with", "       ^"),
            ("winner = x", "expected W, B or draw", "         ^"),
            ("played = x", "expected yes or no", "         ^"),
            ("variant = ludo", "expected the name of a variant", "          ^^^^"),
            ("date > soon", "expected a date", "       ^^^^"),
            ("date = 1990.05.32", "expected a date", "       ^^^^^^^^^^"),
            ("date < 1990.02.30", "expected a date", "       ^^^^^^^^^^"),
            ("date = 1990.??.05", "expected a date", "       ^^^^^^^^^^"),
            ("date = 05/06/1990", "expected a date", "       ^^^^^^^^^^"),
            ("White ~ \"(\"", "not a regular expression: unclosed group", "        ^^^"),
        ] {
            let error = error(text);
            let last = error.lines().last().expect("carets");
            assert!(error.starts_with(message) && last.strip_prefix("  | ").is_some(), "{text}: {error}");
            assert!(last.trim_start_matches("  | ").len() <= carets.len() + 1, "{text}: {error}");
        }
    }

    #[test]
    fn values_have_letters_of_any_alphabet() {
        for text in ["player ~ чижов", "White = ŁUKASZ", "player ~ andré and date = 25.12.1990"] {
            assert!(text.parse::<Expression>().is_ok(), "{text}");
        }
    }

    #[test]
    fn large_expressions_are_read_or_refused() {
        let list = |item: &str, joint: &str, count: usize| vec![item; count].join(joint);
        assert!(list("year = 1990", " or ", 80_000).parse::<Expression>().is_ok());
        assert!(format!("{}year = 1990", "not ".repeat(250_000)).parse::<Expression>().is_ok());
        assert!(format!("Event = \"{}\"", "(".repeat(1_000_000)).parse::<Expression>().is_ok());
        assert!(error(&"(".repeat(1_000_000)).starts_with("parentheses are nested too deeply"));
        assert!(error(&list("White ~ a", " or ", 100_000)).starts_with("more than 500 regular expressions"));
        assert!(error(&"a".repeat(1_000_000)).starts_with("unknown field"));
    }
}
