//! The options of calls.

use std::sync::Arc;

#[cfg(feature = "app-engine")]
use super::host::Host;
use super::outlet::{Out, Outlet};
use crate::check::CheckOptions;
#[cfg(feature = "app-engine")]
use crate::error::ParseError;
use crate::error::{Error, Result};
#[cfg(feature = "app-engine")]
use crate::notation::{Aliases, read_rules};
use crate::rules::Variant;
use crate::source::{ChunkOptions, Input};
use crate::text::in_plain_terms;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The options of a call, from JSON. Each part of the work takes its own, and the last one refuses what is left.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct CallOptions(Map<String, Value>);

/// Returns the error for an option with an unknown name or an invalid value, and what is expected.
fn invalid(name: Option<&str>, error: &serde_json::Error) -> Error {
    let reason = in_plain_terms(&error.to_string());
    let text = match (reason.strip_prefix("unknown field"), name) {
        (Some(rest), name) => {
            // An option of the call itself, not a part of one.
            let is_whole = name.is_some_and(|name| rest.starts_with(&format!(" `{name}`")));
            let (rest, has_none) =
                rest.strip_suffix(", there are no fields").map_or((rest, false), |rest| (rest, true));
            let more = if is_whole && !has_none { ", or a reading option, such as variant or encoding" } else { "" };
            format!("unknown option{rest}{more}")
        }
        (None, Some(name)) => format!("option `{name}`: {reason}"),
        (None, None) => format!("invalid options: {reason}"),
    };
    Error::usage(text)
}

impl CallOptions {
    /// Reads an object in JSON.
    ///
    /// # Errors
    ///
    /// If it is not one.
    pub fn parse(json: &[u8]) -> Result<Self> {
        serde_json::from_slice(json).map_err(|error| invalid(None, &error))
    }

    /// Takes an option, if it is given and not null.
    ///
    /// # Errors
    ///
    /// If its value is invalid.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>> {
        let value = self.0.remove(name).filter(|value| !value.is_null());
        value.map(serde_json::from_value).transpose().map_err(|error| invalid(Some(name), &error))
    }

    /// Takes the variant of games or of a position, given as `rules`: an object with a `variant`, or with the text of a rules file.
    ///
    /// # Errors
    ///
    /// If there is no such variant, or the rules are invalid.
    pub fn take_variant(&mut self) -> Result<Option<Variant>> {
        let rules: Rules = self.take("rules")?.unwrap_or_default();
        rules.variant()
    }

    /// Returns the text of the rules file that [`take_variant`](Self::take_variant) would read.
    #[cfg(feature = "serve")]
    pub(crate) fn rules(&self) -> Option<&str> {
        self.0.get("rules")?.get("rules")?.as_str()
    }

    /// Returns all options that are left.
    ///
    /// # Errors
    ///
    /// If one is unknown or invalid.
    pub fn rest<T: DeserializeOwned>(self) -> Result<T> {
        let read = |options| serde_json::from_value::<T>(Value::Object(options));
        read(self.0.clone()).map_err(|error| {
            // The reader does not say whose value it refused: alone, the same option is refused for the same reason.
            let alone = |name: &str, value: &Value| Map::from_iter([(name.to_owned(), value.clone())]);
            let is_it = |name: &str, value: &Value| {
                read(alone(name, value)).is_err_and(|found| found.to_string() == error.to_string())
            };
            let found = self.0.iter().find(|(name, value)| is_it(name, value));
            invalid(found.map(|(name, _)| name.as_str()), &error)
        })
    }

    /// Checks that no options are left.
    ///
    /// # Errors
    ///
    /// If there are some.
    pub fn end(self) -> Result<()> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Nothing {}
        self.rest().map(|Nothing {}| ())
    }
}

/// The variant of games or of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    /// A name, a GameType number or a GameType value.
    variant: Option<Value>,
    /// The text of a rules file, which the larger module reads.
    rules: Option<String>,
}

impl Rules {
    fn variant(&self) -> Result<Option<Variant>> {
        #[cfg(feature = "app-engine")]
        if let Some(text) = &self.rules {
            let invalid = |issue: ParseError| {
                let (line, column) = crate::text::line_column(text.as_bytes(), issue.range().start);
                Error::usage(format!("invalid rules: {line}:{column}: {issue}"))
            };
            return read_rules(text).map(Some).map_err(invalid);
        }
        #[cfg(not(feature = "app-engine"))]
        if self.rules.is_some() {
            return Err(Error::usage("this module reads no rules files"));
        }
        let text = match &self.variant {
            None => return Ok(None),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        text.parse::<Variant>().map(Some).map_err(|error| Error::usage(error.to_string()))
    }
}

/// The inputs, and how they are read.
pub(super) struct Reading {
    pub(super) inputs: Vec<Result<Input>>,
    pub(super) checks: CheckOptions,
    pub(super) chunks: ChunkOptions,
    pub(super) out: Out,
    pub(super) variant: Option<Variant>,
    /// What the program offers, if there is one.
    #[cfg(feature = "app-engine")]
    pub(super) host: Option<Arc<dyn Host>>,
}

impl Reading {
    /// Takes the options of reading.
    pub(super) fn new(options: &mut CallOptions, inputs: Vec<Result<Input>>, outlet: Arc<dyn Outlet>) -> Result<Self> {
        let variant = options.take_variant()?;
        let (mut checks, mut chunks) = (CheckOptions::default(), ChunkOptions::default());
        checks.replay.variant = variant;
        if let Some(name) = options.take::<String>("encoding")? {
            (chunks, checks.encoding) = chunks.in_encoding(&name)?;
        }
        chunks.max_game = options.take("maxGame")?.unwrap_or(chunks.max_game);
        if chunks.max_game == 0 {
            return Err(Error::usage("option `maxGame`: expected a number of at least 1"));
        }
        chunks.chunk_size = options.take("chunkSize")?.unwrap_or(chunks.chunk_size);
        Ok(Self {
            inputs,
            checks,
            chunks,
            out: Out::new(outlet),
            variant,
            #[cfg(feature = "app-engine")]
            host: None,
        })
    }

    /// Returns the host if it reads inputs with the same options, and so can answer for them.
    #[cfg(feature = "app-engine")]
    pub(super) fn knowing(&self) -> Option<Arc<dyn Host>> {
        let is_plain = self.checks.encoding.is_none()
            && self.chunks.utf16.is_none()
            && self.chunks.recode.is_none()
            && self.chunks.max_game == ChunkOptions::default().max_game
            && self.variant.is_none_or(|variant| Variant::ALL.contains(&variant));
        self.host.clone().filter(|_| is_plain)
    }

    /// Gives players and events the names in the text of a file of aliases.
    #[cfg(feature = "app-engine")]
    pub(super) fn with_aliases(self, text: Option<&str>) -> Result<Self> {
        let text = text.unwrap_or_default();
        let invalid = |error: ParseError| {
            let (line, _) = crate::text::line_column(text.as_bytes(), error.range().start);
            Error::usage(format!("aliases, line {line}: {error}"))
        };
        let aliases = text.parse::<Aliases>().map_err(invalid)?;
        Ok(Self { checks: self.checks.with_aliases(Arc::new(aliases)), ..self })
    }
}
