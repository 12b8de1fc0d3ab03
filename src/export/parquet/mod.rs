//! Tables as Parquet: columns are collected in memory, a row group at a time, and encoded according to their types.

mod column_data;
mod index;
mod writer;

pub use index::{FoundPlace, INDEX_FILE, IndexWriter, IndexedFile, PositionIndex};
pub use writer::{ParquetChunk, ParquetGames, ParquetOutput};
