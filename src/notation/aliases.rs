//! Aliases of players and events.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;

use super::tags::english_tag;
use crate::error::ParseError;
use crate::pdn::GameTree;

/// The tags whose values have aliases. A file of aliases has one list for all of them: a player and an event with the
/// same name are too rare for two.
const NAMED: [&str; 3] = ["White", "Black", "Event"];

/// The names of players and events, by alias.
///
/// # Examples
///
/// ```
/// use pdn::notation::Aliases;
///
/// let aliases = "# the champion\nSijbrands, T. = T. Sijbrands\nT. Sijbrands = Ton Sijbrands\n".parse::<Aliases>().unwrap();
/// assert_eq!(aliases.name(" Sijbrands,  T. "), "Ton Sijbrands");
/// assert_eq!(aliases.name("Harm Wiersma"), "Harm Wiersma");
/// assert_eq!("no name".parse::<Aliases>().unwrap_err().to_string(), "expected `alias = name`");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases(HashMap<String, String>);

impl FromStr for Aliases {
    type Err = ParseError;

    /// Reads a line `alias = name` for each alias. Empty lines and lines that begin with `#` are ignored, and a name that is
    /// itself an alias is replaced by its name. Text in double quotes is taken literally, with `\"` for a quote.
    ///
    /// # Errors
    ///
    /// The first line that is invalid, repeats an alias, or closes a cycle.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut direct: HashMap<String, (String, usize)> = HashMap::new();
        // Editors on Windows put a byte order mark at the start.
        let lines: Vec<_> = text.trim_start_matches('\u{feff}').lines().map(str::trim).collect();
        let error = |line: usize, reason: String| {
            let start = lines[line - 1].as_ptr() as usize - text.as_ptr() as usize;
            ParseError::at(start..start + lines[line - 1].len(), reason)
        };
        for (text, line) in lines.iter().zip(1..) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (alias, name) = pair(text).ok_or_else(|| error(line, "expected `alias = name`".to_owned()))?;
            if let Some((_, first)) = direct.get(&alias) {
                return Err(error(line, format!("the alias `{alias}` is already on line {first}")));
            }
            direct.insert(alias, (name, line));
        }
        let circular = |(line, alias)| error(line, format!("the alias `{alias}` leads back to itself"));
        resolved(&direct).map(Self).map_err(circular)
    }
}

impl Aliases {
    /// Returns true if there are no aliases.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the name for a spelling, without surrounding whitespace; a spelling that is not an alias is a name itself.
    pub fn name<'a>(&'a self, spelling: &'a str) -> &'a str {
        let spelling = spelling.trim();
        self.known(spelling).unwrap_or(spelling)
    }

    /// Returns the names, so that those that become tags can be checked.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }

    /// Returns the value of a tag, or its name if the tag is that of a player or an event and the value is an alias.
    pub(crate) fn value<'a>(&'a self, tag: &str, value: &'a str) -> &'a str {
        let is_named = || {
            let name = english_tag(tag).unwrap_or(tag);
            NAMED.iter().any(|named| named.eq_ignore_ascii_case(name))
        };
        if self.0.is_empty() || !is_named() { value } else { self.known(value).unwrap_or(value) }
    }

    /// Replaces aliases in the tags of a game.
    pub(crate) fn apply(&self, tree: &mut GameTree) {
        if self.0.is_empty() {
            return;
        }
        for tag in tree.tags_mut() {
            let name = self.value(tag.name(), tag.value());
            if name != tag.value() {
                tag.set_value(name.to_owned());
            }
        }
    }

    fn known(&self, spelling: &str) -> Option<&str> {
        self.0.get(&*one_space(spelling)).map(String::as_str)
    }
}

/// Returns the last name that each alias leads to, or the first line that closes a circle. An alias whose end is known is not
/// followed again, so that long chains take linear time.
fn resolved(direct: &HashMap<String, (String, usize)>) -> Result<HashMap<String, String>, (usize, &str)> {
    let mut ends: HashMap<&str, &str> = HashMap::new();
    let mut circle: Option<(usize, &str)> = None;
    for alias in direct.keys() {
        let (mut path, mut places, mut end) = (Vec::new(), HashMap::new(), alias.as_str());
        while let Some((next, line)) = direct.get(end) {
            if let Some(&known) = ends.get(end) {
                end = known;
                break;
            }
            if let Some(&first) = places.get(end) {
                let closing = path[first..].iter().copied().max();
                circle = closing.into_iter().chain(circle).min();
                break;
            }
            places.insert(end, path.len());
            path.push((*line, end));
            end = next;
        }
        ends.extend(path.into_iter().map(|(_, alias)| (alias, end)));
    }
    match circle {
        Some(closing) => Err(closing),
        None => Ok(ends.into_iter().map(|(alias, name)| (alias.to_owned(), name.to_owned())).collect()),
    }
}

/// Returns a text with one space between words.
pub(crate) fn one_space(text: &str) -> Cow<'_, str> {
    let is_plain = !text.starts_with(char::is_whitespace)
        && !text.ends_with(char::is_whitespace)
        && !text.contains("  ")
        && !text.chars().any(|letter| letter.is_whitespace() && letter != ' ');
    if is_plain { Cow::Borrowed(text) } else { Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")) }
}

/// Reads `alias = name`.
fn pair(line: &str) -> Option<(String, String)> {
    let (alias, rest) = match quoted(line) {
        Some((alias, rest)) => (alias, rest.trim_start().strip_prefix('=')?),
        None => line.split_once('=').map(|(alias, rest)| (one_space(alias).into_owned(), rest))?,
    };
    let name = match quoted(rest.trim()) {
        Some((name, "")) => name,
        _ => one_space(rest).into_owned(),
    };
    (!alias.is_empty() && !name.is_empty()).then_some((alias, name))
}

/// Reads a text in quotes and returns the rest after it; `None` if the line does not begin with one.
fn quoted(line: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut letters = line.strip_prefix('"')?.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            // The places of the letters begin after the first quote.
            '"' => return Some((text, &line[at + 2..])),
            '\\' => text.push(letters.next()?.1),
            _ => text.push(letter),
        }
    }
    None
}

/// Returns a line of an alias file, with quotes if a spelling would otherwise be misread.
pub(crate) fn alias_line(alias: &str, name: &str) -> String {
    let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let alias =
        if alias.starts_with(['#', '"', '\u{feff}']) || alias.contains('=') { quote(alias) } else { alias.into() };
    let name = if name.starts_with('"') { quote(name) } else { name.to_owned() };
    format!("{alias} = {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (usize, String) {
        let error = text.parse::<Aliases>().unwrap_err();
        (text[..error.range().start].matches('\n').count() + 1, error.to_string())
    }

    #[test]
    fn repeated_and_circular_aliases_are_errors_with_their_lines() {
        assert_eq!(error("# names\n\nA = B\nA  = C\n"), (4, "the alias `A` is already on line 3".to_owned()));
        assert_eq!(error("A = B\nC = A\nB = C"), (3, "the alias `B` leads back to itself".to_owned()));
        assert_eq!(error("A = A"), (1, "the alias `A` leads back to itself".to_owned()));
        for text in ["A", "= A", "A =", "\"A", "\"A\" B = C"] {
            assert_eq!(error(text), (1, "expected `alias = name`".to_owned()), "{text}");
        }
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_aliases_ends_in_one_name() {
        let lines: Vec<_> = (0..100_000).rev().map(|n| format!("{n} = {}", n + 1)).collect();
        let aliases = lines.join("\n").parse::<Aliases>().unwrap();
        assert_eq!((aliases.name("0"), aliases.name("99999")), ("100000", "100000"));
    }

    #[test]
    fn written_lines_are_read_again() {
        for (alias, name) in [("A", "B"), ("#1", "\"B\""), ("a = b", "c = d"), ("\"x\" \\", "y"), ("x\"=", "z\\")] {
            let line = alias_line(alias, name);
            assert_eq!(line.parse::<Aliases>().unwrap().name(alias), name, "{line}");
        }
    }

    #[test]
    fn only_players_and_events_have_aliases() {
        let aliases = "A = B".parse::<Aliases>().unwrap();
        assert_eq!(["White", "Wit", "WHITE", "Event"].map(|tag| aliases.value(tag, " A ")), ["B"; 4]);
        assert_eq!(["Site", "Result"].map(|tag| aliases.value(tag, "A")), ["A"; 2]);
    }
}
