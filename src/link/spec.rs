//! Specifications of engines: the built-in one with its settings, or another program by its protocol.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::book::read_book;
use super::dxp::DxpAddress;
use super::game_engine::{EngineError, GameEngine, Timeouts};
use super::settings::up_to;
use crate::egdb::Databases;
use crate::engine::{
    Asker, Engine, EngineOptions, Knowledge, Limit, MAX_THREADS, ParseLimitError, SearchFeatures, UnknownFeature,
};
use crate::error::{Error, Result};
use crate::rules::Variant;

/// An engine by its name and settings.
///
/// As text: `builtin`, `builtin:nodes=5000,depth=9,time=0.1,hash=32,threads=2,egdb=DIR,book=FILE,without=probe+singular`,
/// `dxp:HOST:PORT` for a program that waits for games over DXP, or the [command line](CommandLine) of an engine that speaks Hub.
///
/// # Examples
///
/// ```
/// use pdn::engine::Limit;
/// use pdn::link::{EngineSpec, Timeouts};
/// use pdn::rules::{Position, Variant};
///
/// let spec: EngineSpec = "builtin:depth=9,hash=1".parse()?;
/// assert_eq!((spec.to_string(), spec.limit()), ("builtin:depth=9,hash=1".to_owned(), Limit::depth(9)));
/// let mut engine = spec.start(Variant::ITALIAN, Timeouts::default())?;
/// assert_eq!(engine.analyse(&Position::start(Variant::ITALIAN), &[], Limit::depth(3), 1)?.depth(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EngineSpec {
    text: String,
    kind: Kind,
    /// The engine's own limits, which replace the limits of a match.
    limit: Limit,
    /// The file with the opening book of the built-in engine.
    book: Option<PathBuf>,
    /// The file with the weights of the built-in engine.
    weights: Option<PathBuf>,
}

#[derive(Clone, Debug)]
enum Kind {
    BuiltIn(EngineOptions),
    Program(Arc<dyn Launch>),
}

/// A program that is named and can be started.
pub(super) trait Launch: fmt::Debug + Send + Sync {
    /// Returns the engine for a variant. The program itself is started or connected to when it is first needed.
    fn launch(&self, variant: Variant, timeouts: Timeouts) -> Box<dyn GameEngine>;

    /// Returns true if the program can play only one game at a time.
    fn is_single(&self) -> bool {
        false
    }

    /// Returns the command line of a program that is started here.
    #[cfg(feature = "serve")]
    fn command(&self) -> Option<&CommandLine> {
        None
    }
}

/// Reads the name of a program.
type ParseProgram = fn(&str) -> Result<Arc<dyn Launch>, ParseEngineError>;

/// The protocols of other programs by their prefixes. A program without one speaks Hub.
const PROTOCOLS: [(&str, ParseProgram); 1] = [("dxp:", DxpAddress::parse)];

impl EngineSpec {
    /// Returns the built-in engine with options and a name, without limits.
    pub(crate) fn built_in(name: &str, options: EngineOptions) -> Self {
        Self { text: name.to_owned(), kind: Kind::BuiltIn(options), limit: Limit::none(), book: None, weights: None }
    }

    /// Sets the engine's own limits.
    #[must_use]
    pub(crate) fn with_limit(self, limit: Limit) -> Self {
        Self { text: format!("{} ({limit})", self.text), limit, ..self }
    }

    /// Returns the engine's own limits.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the file with the opening book of the built-in engine.
    pub(crate) fn book(&self) -> Option<&Path> {
        self.book.as_deref()
    }

    /// Returns the files that the built-in engine reads, each with a description.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let book = self.book().map(|path| ("opening book", path));
        book.into_iter().chain(self.weights.as_deref().map(|path| ("file of weights", path)))
    }

    /// Checks that the weights of the built-in engine fit a variant, where it plays no other.
    ///
    /// # Errors
    ///
    /// If they do not.
    pub(crate) fn check(&self, variant: Variant) -> Result<()> {
        if let Kind::BuiltIn(options) = &self.kind { options.knowledge.check(variant) } else { Ok(()) }
    }

    /// Returns the engine for a variant.
    ///
    /// # Errors
    ///
    /// If the transposition table of the built-in engine does not fit into memory, or its opening book cannot be read. Other
    /// programs fail when they are first used.
    pub fn start(&self, variant: Variant, timeouts: Timeouts) -> Result<Box<dyn GameEngine>, EngineError> {
        match &self.kind {
            Kind::BuiltIn(options) => {
                let mut engine = Engine::try_with_options(variant, options.clone())?;
                if let Some(path) = &self.book {
                    let (book, _) = read_book(path, variant).map_err(|error| EngineError::Book(error.to_string()))?;
                    engine.set_book(book);
                }
                Ok(Box::new(engine))
            }
            Kind::Program(program) => Ok(program.launch(variant, timeouts)),
        }
    }

    /// Sets the endgame databases of the built-in engine, unless its settings name a folder.
    #[must_use]
    pub(crate) fn with_databases(mut self, databases: Databases) -> Self {
        if let Kind::BuiltIn(options) = &mut self.kind
            && options.databases() == Databases::embedded()
        {
            *options = options.clone().with_databases(databases);
        }
        self
    }

    /// Returns the endgame databases of the built-in engine.
    pub(crate) fn databases(&self) -> Databases {
        match &self.kind {
            Kind::BuiltIn(options) => options.databases(),
            Kind::Program(_) => Databases::embedded(),
        }
    }

    /// Returns the options of the built-in engine, if it is this one.
    #[cfg(feature = "serve")]
    pub(crate) const fn options(&self) -> Option<&EngineOptions> {
        match &self.kind {
            Kind::BuiltIn(options) => Some(options),
            Kind::Program(_) => None,
        }
    }

    /// Returns the command line of an engine that speaks Hub.
    #[cfg(feature = "serve")]
    pub(crate) fn command(&self) -> Option<&CommandLine> {
        match &self.kind {
            Kind::BuiltIn(_) => None,
            Kind::Program(program) => program.command(),
        }
    }

    /// Returns true if the engine can play only one game at a time.
    pub(crate) fn is_single(&self) -> bool {
        matches!(&self.kind, Kind::Program(program) if program.is_single())
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for EngineSpec {
    type Err = ParseEngineError;

    fn from_str(text: &str) -> Result<Self, ParseEngineError> {
        let text = text.trim();
        // `builtinx` is a program.
        let settings = text.strip_prefix("builtin").filter(|rest| rest.is_empty() || rest.starts_with(':'));
        if let Some(settings) = settings {
            let read = built_in(settings.strip_prefix(':').unwrap_or_default())?;
            return Ok(Self { text: text.to_owned(), ..read });
        }
        let mut named = PROTOCOLS.iter().filter_map(|(prefix, parse)| text.strip_prefix(prefix).map(parse));
        let program = named.next().unwrap_or_else(|| Ok(Arc::new(text.parse::<CommandLine>()?)))?;
        let (text, kind) = (text.to_owned(), Kind::Program(program));
        Ok(Self { text, kind, limit: Limit::none(), book: None, weights: None })
    }
}

/// Reads the settings of the built-in engine.
fn built_in(text: &str) -> Result<EngineSpec, ParseEngineError> {
    let (mut limit, mut options, mut book, mut weights) = (Limit::none(), EngineOptions::default(), None, None);
    for setting in text.split(',').filter(|setting| !setting.is_empty()) {
        let no_value = || ParseEngineError::NoValue(setting.to_owned());
        let (name, value) = setting.split_once('=').ok_or_else(no_value)?;
        let number = |maximum: usize| {
            let (name, text) = (name.trim().to_owned(), value.to_owned());
            up_to(maximum, value).ok_or(ParseEngineError::InvalidValue { name, value: text, maximum })
        };
        match name.trim() {
            name @ ("nodes" | "depth" | "time") => limit.set(name, value)?,
            "hash" => options.hash_mb = number(Asker::Owner.max_hash_mb())?,
            "threads" => options.threads = number(MAX_THREADS)?,
            "weights" => {
                options = options.with_knowledge(value.parse()?);
                weights = matches!(options.knowledge, Knowledge::Weights(_)).then(|| value.into());
            }
            "egdb" => options = options.with_databases(Databases::in_folder(value.as_ref())?),
            "book" => book = Some(value.into()),
            "without" => options.features = SearchFeatures::all() - value.parse()?,
            _ => return Err(ParseEngineError::UnknownSetting(name.to_owned())),
        }
    }
    Ok(EngineSpec { text: String::new(), kind: Kind::BuiltIn(options), limit, book, weights })
}

/// The error for a text that is not an [`EngineSpec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseEngineError {
    /// A setting of the built-in engine has no value.
    #[error("expected a setting such as nodes=5000, found `{0}`")]
    NoValue(String),
    /// The built-in engine has no setting of this name.
    #[error("unknown setting `{0}`; expected nodes, depth, time, hash, threads, weights, egdb, book or without")]
    UnknownSetting(String),
    /// A value is not a number from 1 to a maximum.
    #[error("invalid value `{value}` for {name}; expected a number from 1 to {maximum}")]
    InvalidValue {
        /// Name of the setting.
        name: String,
        /// The value as written.
        value: String,
        /// Maximum value.
        maximum: usize,
    },
    /// This is not the address of a program that speaks DXP.
    #[error("invalid address `{0}`; expected HOST or HOST:PORT")]
    InvalidAddress(String),
    /// A limit is invalid.
    #[error(transparent)]
    Limit(#[from] ParseLimitError),
    /// There is no search feature of that name.
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    /// The command line is invalid.
    #[error(transparent)]
    Command(#[from] ParseCommandError),
    /// A weights file or a folder of endgame databases cannot be used, for this reason.
    #[error("{0}")]
    File(String),
}

impl From<Error> for ParseEngineError {
    fn from(error: Error) -> Self {
        Self::File(error.to_string())
    }
}

/// A program and its arguments, written as for a POSIX shell: words separated by whitespace, with quotes and backslashes.
/// Nothing is expanded. On Windows, backslashes are part of paths, and only quotes group words. `hub:` before it and parameters in
/// braces after it, as in `hub:scan hub{threads=2,book=false}`, set parameters of the engine; a value with a comma is in double quotes,
/// and so is a brace that belongs to the command.
///
/// # Examples
///
/// ```
/// use pdn::link::CommandLine;
///
/// let command: CommandLine = "'my engine/scan' hub".parse()?;
/// assert_eq!(command.to_string(), "'my engine/scan' hub");
/// assert!("hub:scan hub{threads=2}".parse::<CommandLine>().is_ok());
/// assert!(" ".parse::<CommandLine>().is_err());
/// # Ok::<(), pdn::link::ParseCommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    text: String,
    words: Vec<String>,
    parameters: Vec<(String, String)>,
}

impl CommandLine {
    /// Returns the program and its arguments; there is at least one word.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the names and values of the parameters that are set before the engine is used.
    pub(crate) fn parameters(&self) -> &[(String, String)] {
        &self.parameters
    }

    /// Adds parameters that are set before the engine is used.
    #[must_use]
    pub fn with_parameters(mut self, parameters: impl IntoIterator<Item = (String, String)>) -> Self {
        self.parameters.extend(parameters);
        self
    }
}

impl FromStr for CommandLine {
    type Err = ParseCommandError;

    fn from_str(text: &str) -> Result<Self, ParseCommandError> {
        let text = text.trim();
        // Without the prefix, braces are a part of the command.
        let (command, parameters) = match text.strip_prefix("hub:") {
            Some(rest) => {
                let (command, braces) = rest.split_at(first_brace(rest, true).unwrap_or(rest.len()));
                let parameters = if braces.is_empty() { Some("") } else { within_braces(braces) };
                (command, read_parameters(parameters.ok_or(ParseCommandError::Brace)?)?)
            }
            None => (text, Vec::new()),
        };
        let words = if cfg!(windows) { words_with_paths(command) } else { shlex::split(command) };
        let words = words.ok_or(ParseCommandError::Unclosed)?;
        if words.is_empty() {
            return Err(ParseCommandError::Empty);
        }
        Ok(Self { text: text.to_owned(), words, parameters })
    }
}

/// Returns what is in braces, if nothing is after them and no others are in them.
fn within_braces(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}').filter(|inner| first_brace(inner, false).is_none())
}

/// Returns the place of the first brace outside quotes: those of a command, or, in parameters, double quotes alone.
fn first_brace(text: &str, is_command: bool) -> Option<usize> {
    let (mut quote, mut is_escaped) = (None, false);
    text.find(|letter| {
        if std::mem::take(&mut is_escaped) {
            return false;
        }
        match letter {
            // On Windows, it is part of a path.
            '\\' => is_escaped = is_command && quote != Some('\'') && !cfg!(windows),
            '\'' if !is_command => {}
            '"' | '\'' if quote.is_none() => quote = Some(letter),
            _ if quote == Some(letter) => quote = None,
            _ => {}
        }
        quote.is_none() && matches!(letter, '{' | '}')
    })
}

/// Reads parameters: names and values, separated by commas outside double quotes, which may enclose a value.
fn read_parameters(text: &str) -> Result<Vec<(String, String)>, ParseCommandError> {
    let mut is_quoted = false;
    let is_separator = |letter: char| {
        is_quoted ^= letter == '"';
        letter == ',' && !is_quoted
    };
    let settings: Vec<_> = text.split(is_separator).map(str::trim).filter(|setting| !setting.is_empty()).collect();
    if is_quoted {
        return Err(ParseCommandError::Unclosed);
    }
    let read = |setting: &str| {
        let pair = setting.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        let pair = pair.filter(|(name, _)| !name.is_empty());
        let (name, value) = pair.ok_or_else(|| ParseCommandError::Parameter(setting.to_owned()))?;
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        // The protocol has no escape for a quote.
        if name.contains('"') || value.contains('"') {
            return Err(ParseCommandError::Quote(setting.to_owned()));
        }
        Ok((name.to_owned(), value.to_owned()))
    };
    settings.into_iter().map(read).collect()
}

/// Splits a command line in which backslashes separate folders; `None` if a quote is not closed.
fn words_with_paths(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match quote {
            Some(end) if letter == end => quote = None,
            None if matches!(letter, '"' | '\'') => {
                quote = Some(letter);
                // `""` is a word too, an empty one.
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

impl fmt::Display for CommandLine {
    /// Writes the command line as it was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The error for a text that is not a [`CommandLine`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseCommandError {
    /// There is no word.
    #[error("the command line is empty")]
    Empty,
    /// A quote is not closed, or a backslash is at the end.
    #[error("a quote in the command line is not closed")]
    Unclosed,
    /// A brace is not closed, or text follows the parameters.
    #[error("expected `}}` at the end, as in hub:COMMAND{{threads=2}}; quote a brace that belongs to the command")]
    Brace,
    /// A parameter has no name or no value.
    #[error("expected a parameter such as threads=2, found `{0}`")]
    Parameter(String),
    /// A parameter has a quote that does not enclose its value.
    #[error("a quote within the parameter `{0}`; quotes can only enclose a value")]
    Quote(String),
}

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
            assert_eq!(shlex::split(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn backslashes_are_part_of_paths_on_windows() {
        let table: [(&str, Option<&[&str]>); 6] = [
            (r"C:\engines\scan.exe hub", Some(&[r"C:\engines\scan.exe", "hub"])),
            (r#""C:\Program Files\scan\" 'a "b'"#, Some(&[r"C:\Program Files\scan\", "a \"b"])),
            (r#"\\host\engines\"my scan".exe"#, Some(&[r"\\host\engines\my scan.exe"])),
            (" a '' ", Some(&["a", ""])),
            ("", Some(&[])),
            (r"C:\Users\O'Brien\scan.exe", None),
        ];
        for (text, expected) in table {
            let expected = expected.map(|words| words.iter().map(ToString::to_string).collect());
            assert_eq!(words_with_paths(text), expected, "{text}");
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

    #[test]
    fn engines_are_read() {
        let read = |text: &str| text.parse::<EngineSpec>().expect("an engine");
        let options = |text: &str| match read(text).kind {
            Kind::BuiltIn(options) => options,
            Kind::Program(program) => panic!("{program:?}"),
        };
        assert_eq!(options("builtin"), EngineOptions::default());
        let features = SearchFeatures::all() - SearchFeatures::PROBE;
        let expected = EngineOptions::default().with_hash_mb(2).with_threads(3).with_features(features);
        let text = "builtin:nodes=5000,hash=2,threads=3,without=probe";
        assert_eq!((options(text), read(text).limit()), (expected, Limit::nodes(5000)));
        for (text, program, is_single) in [
            ("scan hub", "CommandLine { text: \"scan hub\", words: [\"scan\", \"hub\"], parameters: [] }", false),
            ("builtinx", "CommandLine { text: \"builtinx\", words: [\"builtinx\"], parameters: [] }", false),
            ("dxp:localhost", "DxpAddress(\"localhost:27531\")", true),
            ("dxp:[::1]:5", "DxpAddress(\"[::1]:5\")", true),
        ] {
            let spec = read(text);
            assert_eq!((spec.to_string(), spec.is_single(), spec.limit()), (text.to_owned(), is_single, Limit::none()));
            assert_eq!(format!("{:?}", spec.kind), format!("Program({program})"));
        }
    }

    #[test]
    fn parameters_follow_the_command() {
        let read = |text: &str| text.parse::<CommandLine>().map(|command| (command.words, command.parameters));
        let pairs = |pairs: &[(&str, &str)]| -> Vec<_> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let set = pairs(&[("threads", "2"), ("book-margin", "0"), ("path", "")]);
        assert_eq!(read("hub:scan hub {threads=2, book-margin = 0,path=}"), Ok((words(&["scan", "hub"]), set)));
        assert_eq!(read("hub:scan hub"), Ok((words(&["scan", "hub"]), Vec::new())));
        assert_eq!(read("run {a=1}"), Ok((words(&["run", "{a=1}"]), Vec::new())));
        assert_eq!(read("hub:{a=1}"), Err(ParseCommandError::Empty));
        assert_eq!(read("hub:scan{threads}"), Err(ParseCommandError::Parameter("threads".to_owned())));
        for text in [
            "hub:run ok{a=1",
            "hub:run{a=1} ok",
            "hub:run{a=1}{b=2}",
            "hub:run {a={b}",
            "hub:run{a=it's, b={}",
            "hub:run{a='x}'}",
            r"hub:run{a=\}}",
            "hub:run a=1}",
            "hub:}",
        ] {
            assert_eq!(read(text), Err(ParseCommandError::Brace), "{text}");
        }
        assert_eq!(read("hub:run 'f() { x; }'"), Ok((words(&["run", "f() { x; }"]), Vec::new())));
        assert_eq!(read("hub:run 'it}' \"{\" {a=1}"), Ok((words(&["run", "it}", "{"]), pairs(&[("a", "1")]))));
        assert_eq!(read("hub:run{a=\"{1}\"}"), Ok((words(&["run"]), pairs(&[("a", "{1}")]))));
        if cfg!(not(windows)) {
            assert_eq!(read(r"hub:it\'s {a=1}"), Ok((words(&["it's"]), pairs(&[("a", "1")]))));
        }
        let quoted = pairs(&[("p", "a b, c"), ("q", ""), ("r", "it's")]);
        assert_eq!(read("hub:scan{p=\"a b, c\",q = \"\", r=it's}"), Ok((words(&["scan"]), quoted)));
        assert_eq!(read("hub:scan{p=\"a}"), Err(ParseCommandError::Unclosed));
        for setting in ["p=a\"b\"", "p=\"a\"b\"c\"", "\"p\"=a"] {
            let refused = Err(ParseCommandError::Quote(setting.to_owned()));
            assert_eq!(read(&format!("hub:scan{{{setting}}}")), refused);
        }
    }

    #[test]
    fn invalid_engines_are_errors() {
        for text in [
            "",
            "builtin:nodes",
            "builtin:nodes=0",
            "builtin:x=1",
            "builtin:time=-1",
            "builtin:clock=60",
            "builtin:hash=0",
            "builtin:threads=0",
            "builtin:without=x",
            "'a",
            "dxp:",
            "dxp::5",
            "dxp:localhost:port",
        ] {
            assert!(text.parse::<EngineSpec>().is_err(), "{text}");
        }
    }
}
