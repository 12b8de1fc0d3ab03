//! The options of calls.

use std::sync::Arc;

#[cfg(feature = "app-engine")]
use super::host::Host;
use super::outlet::{Out, Outlet};
use super::session::Session;
use crate::check::CheckOptions;
use crate::error::{Error, Result};
#[cfg(feature = "app-engine")]
use crate::notation::{AliasError, Aliases, read_rules};
use crate::rules::Variant;
use crate::source::{ChunkOptions, Input, Utf16Order};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads options of a call.
///
/// # Errors
///
/// If they are invalid.
pub fn options_of<T: DeserializeOwned>(options: Value) -> Result<T> {
    serde_json::from_value(options).map_err(|error| Error::usage(format!("invalid options: {error}")))
}

/// Reads options of a call as JSON.
///
/// # Errors
///
/// If they are invalid.
pub fn parse_options<T: DeserializeOwned>(text: &[u8]) -> Result<T> {
    serde_json::from_slice(text).map_err(|error| Error::usage(format!("invalid options: {error}")))
}

/// The variant of games or of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// A name, a GameType number or a GameType value.
    variant: Option<Value>,
    /// The text of a rules file, which the larger module reads.
    rules: Option<String>,
}

impl Rules {
    /// Returns the variant, if one is given.
    ///
    /// # Errors
    ///
    /// If there is no such variant, or the rules are invalid.
    pub fn variant(&self) -> Result<Option<Variant>> {
        #[cfg(feature = "app-engine")]
        if let Some(text) = &self.rules {
            let invalid = |issues: crate::notation::RulesIssues| {
                let mut lines = crate::text::Lines::new(text.as_bytes());
                let reasons = issues.iter().map(|issue| {
                    let (line, column) = lines.line_column(issue.span().start as usize);
                    format!("{line}:{column}: {}", issue.reason())
                });
                Error::usage(format!("invalid rules: {}", reasons.collect::<Vec<_>>().join("; ")))
            };
            return read_rules(text).map(Some).map_err(invalid);
        }
        #[cfg(not(feature = "app-engine"))]
        if self.rules.is_some() {
            return Err(Error::usage("this module reads no rules files"));
        }
        let text = match &self.variant {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        text.parse().map(Some).map_err(|_| Error::usage(format!("unknown variant `{text}`")))
    }
}

/// What work begins with: how its inputs are read, and the options of the work.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkCall {
    #[serde(default)]
    rules: Rules,
    encoding: Option<String>,
    max_game: Option<usize>,
    #[serde(default)]
    options: Value,
    #[cfg(feature = "app-engine")]
    #[serde(skip)]
    host: Option<Arc<dyn Host>>,
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
    /// Returns the host if it reads inputs with the same options, and so can answer for them.
    #[cfg(feature = "app-engine")]
    pub(super) fn knowing(&self) -> Option<Arc<dyn Host>> {
        let is_plain = self.checks.encoding.is_none()
            && self.chunks.utf16.is_none()
            && self.chunks.max_game == ChunkOptions::default().max_game
            && self.variant.is_none_or(|variant| Variant::ALL.contains(&variant));
        self.host.clone().filter(|_| is_plain)
    }

    /// Gives players and events the names in the text of a file of aliases.
    #[cfg(feature = "app-engine")]
    pub(super) fn with_aliases(self, text: Option<&str>) -> Result<Self> {
        let invalid = |error: AliasError| Error::usage(format!("aliases, {error}"));
        let aliases = Aliases::parse(text.unwrap_or_default()).map_err(invalid)?;
        Ok(Self { checks: self.checks.with_aliases(Arc::new(aliases)), ..self })
    }
}

impl WorkCall {
    /// Sets the program that does a part of the work.
    #[cfg(feature = "app-engine")]
    #[must_use]
    pub fn on(self, host: Arc<dyn Host>) -> Self {
        Self { host: Some(host), ..self }
    }

    /// Begins work on inputs, with answers to an outlet.
    ///
    /// # Errors
    ///
    /// If there is no such work, or its options are invalid.
    pub fn begin(self, name: &str, inputs: Vec<Result<Input>>, outlet: Arc<dyn Outlet>) -> Result<Box<dyn Session>> {
        let reading = self.reading(inputs, outlet)?;
        super::begin(name, reading, self.options)
    }

    fn reading(&self, inputs: Vec<Result<Input>>, outlet: Arc<dyn Outlet>) -> Result<Reading> {
        let variant = self.rules.variant()?;
        let (mut checks, mut chunks) = (CheckOptions::default(), ChunkOptions::default());
        checks.replay.variant = variant;
        if let Some(name) = &self.encoding {
            match name.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
                "utf16le" => chunks.utf16 = Some(Utf16Order::Little),
                "utf16be" => chunks.utf16 = Some(Utf16Order::Big),
                _ => {
                    let unknown = |_| Error::usage(format!("unknown encoding `{name}`"));
                    checks.encoding = Some(name.parse().map_err(unknown)?);
                }
            }
        }
        chunks.max_game = self.max_game.unwrap_or(chunks.max_game);
        Ok(Reading {
            inputs,
            checks,
            chunks,
            out: Out::new(outlet),
            variant,
            #[cfg(feature = "app-engine")]
            host: self.host.clone(),
        })
    }
}
