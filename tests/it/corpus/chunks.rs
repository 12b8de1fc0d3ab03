//! Real files: the games of all chunks together are the games of the whole file, at the same offsets.

use std::io::Cursor;

use pdn::games;
use pdn::source::{ChunkOptions, Chunks};

use crate::support::corpus::{corpus, records};

fn offsets_in_chunks(bytes: &[u8], chunk: usize) -> Vec<u64> {
    let mut options = ChunkOptions::default();
    options.chunk_size = chunk;
    let chunks = Chunks::new("-", Box::new(Cursor::new(bytes.to_vec())), &options).expect("memory");
    let mut offsets = Vec::new();
    for chunk in chunks {
        let chunk = chunk.expect("memory");
        offsets.extend(games(chunk.bytes()).map(|game| chunk.offset() + game.offset() as u64));
    }
    offsets
}

#[test]
fn chunks_hold_the_games_of_the_whole_file() {
    let Some(corpus) = corpus() else { return };
    for record in records(&corpus) {
        let whole: Vec<_> = games(&record.bytes).map(|game| game.offset() as u64).collect();
        for chunk in [1, 10_000] {
            assert!(offsets_in_chunks(&record.bytes, chunk) == whole, "{} in chunks of {chunk}", record.name);
        }
    }
}
