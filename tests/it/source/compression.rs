//! Compressed files of every format and size, read in pieces of every size.

use std::io::{self, Cursor, Read, Write};
use std::num::NonZeroU64;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{CheckType, XzOptions, XzWriter};
use pdn::source::{ChunkOptions, Input};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::Pieces;
use crate::support::random::Dice;

/// A format: its name, the function that compresses, and whether the last bytes may be zeros of no meaning.
type Format = (&'static str, fn(&[u8]) -> Vec<u8>, bool);

const FORMATS: [Format; 7] = [
    ("none", <[u8]>::to_vec, false),
    ("gzip", gzip, true),
    ("bzip2", bzip2, true),
    ("zstd", |data| compress_to_vec(data, CompressionLevel::Fastest), false),
    ("xz", |data| xz(data, CheckType::Crc64), true),
    ("xz with SHA-256", |data| xz(data, CheckType::Sha256), true),
    ("xz without checksums", |data| xz(data, CheckType::None), true),
];

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).expect("memory");
    encoder.finish().expect("memory")
}

fn bzip2(data: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(data).expect("memory");
    encoder.finish().expect("memory")
}

fn xz(data: &[u8], check: CheckType) -> Vec<u8> {
    let mut options = XzOptions::with_preset(0);
    options.set_check_sum_type(check);
    options.block_size = NonZeroU64::new(1 << 20);
    let mut encoder = XzWriter::new(Vec::new(), options).expect("memory");
    encoder.write_all(data).expect("memory");
    encoder.finish().expect("memory")
}

/// The first `size` bytes of games that do not repeat.
fn records(size: usize) -> Vec<u8> {
    let mut dice = Dice(size as u64 + 1);
    let mut text = Vec::with_capacity(size + 100);
    while text.len() < size {
        let [a, b, c] = [(); 3].map(|()| 1 + dice.below(50));
        write!(text, "[Round \"{}\"]\n\n1. {a}-{b} {b}x{c} *\n\n", dice.below(1 << 30)).expect("memory");
    }
    text.truncate(size);
    text
}

/// Reads with buffers of these sizes, in turn, up to the end.
fn read_by(mut reader: impl Read, sizes: &[usize]) -> io::Result<Vec<u8>> {
    let mut buffer = vec![0; sizes.iter().copied().max().unwrap_or_default()];
    let mut data = Vec::new();
    for &size in sizes.iter().cycle() {
        let n = reader.read(&mut buffer[..size])?;
        assert!(n <= size);
        data.extend(&buffer[..n]);
        if n == 0 && size > 0 {
            break;
        }
    }
    assert_eq!(reader.read(&mut buffer)?, 0, "the end remains the end");
    Ok(data)
}

/// Opens stored bytes that arrive in pieces of these sizes.
fn opened(stored: &[u8], pieces: &[usize]) -> pdn::Result<Box<dyn Read + Send>> {
    Input::stream("stream", Pieces::new(stored, pieces)).open()
}

/// Cuts stored bytes into chunks, and joins them.
fn joined(stored: &[u8]) -> pdn::Result<Vec<u8>> {
    let input = Input::stream("stream", Cursor::new(stored.to_vec()));
    let mut data = Vec::new();
    for chunk in input.chunks(&ChunkOptions::default())? {
        data.extend(chunk?.bytes());
    }
    Ok(data)
}

#[test]
fn records_of_any_size_are_read_whole() {
    for size in [1, 2, 9, 10, 100, 4095, 8191, 8192, 8193, 16_384, 70_000, 300_000, 12_000_000] {
        let text = records(size);
        for (name, compress, _) in FORMATS {
            assert!(joined(&compress(&text)).expect("read") == text, "{name}, {size} bytes");
        }
    }
}

#[test]
fn reads_of_any_size_return_the_same() {
    let text = records(40_000);
    for (name, compress, _) in FORMATS {
        let stored = compress(&text);
        for sizes in [&[1][..], &[2], &[7, 0], &[0, 8192, 0, 1], &[8192, 0], &[1 << 20, 0], &[3, 5000, 64]] {
            for pieces in [&[usize::MAX][..], &[1], &[3, 1000]] {
                let data = read_by(opened(&stored, pieces).expect("opened"), sizes).expect("read");
                assert!(data == text, "{name}: reads of {sizes:?} bytes from pieces of {pieces:?}");
            }
        }
    }
}

#[test]
fn streams_are_concatenated() {
    let parts = [records(20_000), Vec::new(), records(1), records(90_000)];
    let text = parts.concat();
    for (name, compress, padded) in FORMATS {
        let streams = parts.each_ref().map(|part| compress(part)).concat();
        assert!(joined(&streams).expect("read") == text, "{name}");
        for sizes in [&[8192, 0][..], &[1000]] {
            assert!(read_by(opened(&streams, &[100]).expect("opened"), sizes).expect("read") == text, "{name}");
        }
        if padded {
            for zeros in [4, 512, 200_000] {
                let padded = [&streams[..], &vec![0; zeros]].concat();
                assert!(joined(&padded).expect("read") == text, "{name} and {zeros} zeros");
                let more = [&padded[..], &streams].concat();
                assert!(joined(&more).expect("read") == text.repeat(2), "{name}, {zeros} zeros, {name}");
                let junk = [&padded[..], b"junk"].concat();
                joined(&junk).expect_err(name);
            }
        }
    }
}

#[test]
fn truncated_data_is_called_so() {
    let text = records(60_000);
    for (name, compress, _) in &FORMATS[1..] {
        let stored = compress(&text);
        for length in [20, stored.len() / 2, stored.len() - 30, stored.len() - 1] {
            let error = joined(&stored[..length]).expect_err(name).to_string();
            assert!(error.contains("data is truncated"), "{length} of {}: {error}", stored.len());
        }
        let mut damaged = stored.clone();
        let middle = stored.len() / 2;
        damaged[middle..middle + 8].fill(0x5A);
        let result = joined(&damaged);
        if *name != "xz without checksums" {
            let error = result.expect_err(name).to_string();
            assert!(error.contains("damaged") && !error.contains('{'), "{error}");
        }
    }
}
