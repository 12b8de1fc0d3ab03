//! Checks of replayed games beyond legality: tags, writing rules, duplicates.

mod fingerprint;
mod strict;
mod tags;
mod time;

pub use fingerprint::fingerprints;
pub use strict::check_writing;
pub use tags::check_tags;
