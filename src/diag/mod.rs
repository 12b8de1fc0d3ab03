//! Diagnostics: problems found in a record, with their location and severity.
//!
//! A [`Diagnostic`] is a [`Code`], a [`Span`] and values; it is put into words when it is shown.

mod code;
mod codes;
mod collector;
mod diagnostic;
mod examples;
pub(crate) mod messages;
mod render;
mod selection;
mod values;
mod wording;

pub use code::{Group, Severity};
pub use codes::Code;
pub(crate) use collector::Collector;
pub use diagnostic::{Diagnostic, Span};
#[cfg(feature = "cli")]
pub(crate) use render::{Paint, Renderer};
pub use render::{Snippet, render};
pub use selection::{Selection, Selector};
pub(crate) use values::Reason;
pub(crate) use wording::in_language;
