//! The command line that starts an engine.

use std::fmt;
use std::str::FromStr;

/// A program and its arguments, written as for a POSIX shell: words separated by whitespace, with quotes and backslashes.
/// Nothing is expanded.
///
/// # Examples
///
/// ```
/// use pdn::link::CommandLine;
///
/// let command: CommandLine = "'my engine/scan' hub".parse()?;
/// assert_eq!(command.words(), ["my engine/scan", "hub"]);
/// assert!(" ".parse::<CommandLine>().is_err());
/// # Ok::<(), pdn::link::ParseCommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    text: String,
    words: Vec<String>,
}

impl CommandLine {
    /// Returns the program and its arguments; there is at least one word.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

impl FromStr for CommandLine {
    type Err = ParseCommandError;

    fn from_str(text: &str) -> Result<Self, ParseCommandError> {
        let words = shlex::split(text).ok_or(ParseCommandError::Unclosed)?;
        if words.is_empty() {
            return Err(ParseCommandError::Empty);
        }
        Ok(Self { text: text.trim().to_owned(), words })
    }
}

impl fmt::Display for CommandLine {
    /// Writes the command line as it was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The error for a text that is not a [`CommandLine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseCommandError {
    /// There is no word.
    Empty,
    /// A quote is not closed, or a backslash is at the end.
    Unclosed,
}

impl fmt::Display for ParseCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the command line is empty",
            Self::Unclosed => "a quote in the command line is not closed",
        })
    }
}

impl std::error::Error for ParseCommandError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_into_words() {
        let table: [(&str, &[&str]); 5] = [
            ("scan hub", &["scan", "hub"]),
            ("  'a b'/c  --x=\"d e\" ", &["a b/c", "--x=d e"]),
            ("sh -c 'cd \"x\" && ./scan hub'", &["sh", "-c", "cd \"x\" && ./scan hub"]),
            (r"my\ engine 'C:\scan.exe'", &["my engine", r"C:\scan.exe"]),
            ("a ''", &["a", ""]),
        ];
        for (text, expected) in table {
            assert_eq!(text.parse::<CommandLine>().unwrap().words(), expected, "{text}");
        }
    }

    #[test]
    fn invalid_command_lines_are_errors() {
        for (text, error) in [
            ("", ParseCommandError::Empty),
            ("  ", ParseCommandError::Empty),
            ("a 'b", ParseCommandError::Unclosed),
            ("\"", ParseCommandError::Unclosed),
        ] {
            assert_eq!(text.parse::<CommandLine>(), Err(error), "{text}");
        }
    }
}
