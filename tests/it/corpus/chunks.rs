//! Real files: the games of all chunks together are the games of the whole file, at the same places.
//!
//! The collection lies beside the repository; where it is not there, the test says so and passes over itself.

#![expect(clippy::print_stderr, reason = "a test that does nothing must say so")]

use std::io::{Cursor, Read};
use std::path::Path;

use pdn::pdn::games;
use pdn::source::{ChunkOptions, Chunks, Input, expand};

fn offsets_in_chunks(bytes: &[u8], chunk: usize) -> Vec<u64> {
    let mut options = ChunkOptions::default();
    options.chunk_size = chunk;
    let chunks = Chunks::new("-", Box::new(Cursor::new(bytes.to_vec())), &options).expect("memory");
    let mut offsets = Vec::new();
    for chunk in chunks {
        let chunk = chunk.expect("memory");
        offsets.extend(games(chunk.bytes()).map(|game| chunk.offset() + game.offset as u64));
    }
    offsets
}

fn load(input: &Input) -> Vec<u8> {
    let mut bytes = Vec::new();
    input.open().expect("opened").read_to_end(&mut bytes).expect("read");
    bytes
}

#[test]
fn chunks_hold_the_games_of_the_whole_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !folder.is_dir() {
        eprintln!("passed over: no collection of records beside the repository");
        return;
    }
    for input in expand([folder]) {
        let input = input.expect("found");
        let bytes = load(&input);
        let whole: Vec<_> = games(&bytes).map(|game| game.offset as u64).collect();
        for chunk in [1, 10_000] {
            assert!(offsets_in_chunks(&bytes, chunk) == whole, "{} in chunks of {chunk}", input.label());
        }
    }
}
