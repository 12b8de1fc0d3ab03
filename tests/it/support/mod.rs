//! Helpers that several tests share.

pub(crate) mod binary;
pub(crate) mod board;
pub(crate) mod browser;
pub(crate) mod corpus;
pub(crate) mod library;
pub(crate) mod positions;
pub(crate) mod random;
pub(crate) mod samples;
pub(crate) mod schema;
pub(crate) mod sources;
