//! Diagnostics: what was found in a record, where, and how severe it is.
//!
//! A [`Diagnostic`] is a [`Code`], a [`Span`] and arguments; the wording is in one table and is applied when the
//! diagnostic is rendered.

mod code;
mod codes;
mod collector;
mod diagnostic;
mod group;
pub(crate) mod messages;
mod reason;
mod render;
mod selection;
mod severity;
mod span;
mod template;

pub use code::{Code, UnknownCode};
pub(crate) use collector::Collector;
pub use diagnostic::Diagnostic;
pub use group::{Group, UnknownGroup};
pub use reason::Reason;
pub use render::{Paint, Renderer, Snippet, render};
pub use selection::{Selection, Selector, UnknownSelector};
pub use severity::Severity;
pub use span::Span;
pub use template::Argument;
