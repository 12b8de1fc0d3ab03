//! Files, archives and chunks.

mod chunks;
mod compression;
mod growing;
mod pipeline;

use std::io::{self, Cursor, Read};

/// Brings bytes in pieces of the sizes given, over and over.
struct Pieces {
    bytes: Cursor<Vec<u8>>,
    sizes: Vec<usize>,
    turn: usize,
}

impl Pieces {
    fn new(bytes: &[u8], sizes: &[usize]) -> Self {
        Self { bytes: Cursor::new(bytes.to_vec()), sizes: sizes.to_vec(), turn: 0 }
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        let size = self.sizes[self.turn % self.sizes.len()].min(buffer.len());
        self.bytes.read(&mut buffer[..size])
    }
}
