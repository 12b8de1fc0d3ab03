//! Diagnostics: problems found in a record, with their location and severity.
//!
//! A [`Diagnostic`] is a [`Code`], a [`Span`] and arguments; the wording is in one table and is applied when the
//! diagnostic is rendered.

mod code;
mod codes;
mod collector;
mod diagnostic;
mod examples;
pub(crate) mod messages;
mod render;
mod selection;
mod template;

pub use code::{Code, Group, Severity, UnknownCode, UnknownGroup};
pub(crate) use collector::Collector;
pub use diagnostic::{Diagnostic, Span};
pub use render::{Paint, Renderer, Snippet, render};
pub use selection::{Selection, Selector, UnknownSelector};
pub use template::{Argument, Reason};
