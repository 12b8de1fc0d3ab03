//! Collections of real records, if they are available.

mod chunks;
mod conformance;
mod outcomes;
mod replay;
mod table;
