//! The positions of games in a table sorted by their keys, which is made with bounded memory and answers questions about
//! positions: of one file, or of the files of a collection.

mod collection;
mod places;
mod sorter;
mod table;

pub(crate) use collection::{INDEX_FILE, IndexWriter, IndexedFile, PositionIndex};
pub(crate) use places::{GameFacts, GamePositions};
pub(crate) use table::{PositionTable, PositionTableWriter};
