//! Tables as Parquet: columns are collected in memory, a row group at a time, and encoded as their types suggest.

mod column_data;
mod rows;
mod schema;
mod writer;

pub use rows::ParquetRows;
pub use writer::ParquetWriter;
