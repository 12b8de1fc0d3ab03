//! Files, archives and chunks.

mod chunks;
mod pipeline;
