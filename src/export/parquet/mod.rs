//! Tables as Parquet: columns are collected in memory, a row group at a time, and encoded according to their types.

mod column_data;
mod writer;

pub use writer::{ParquetChunk, ParquetGames, ParquetOutput};
