//! Inputs of realistic size, plain and in every compressed format that is read. With `PDN_BINARY`, which names a release
//! build, they are eight times as large.

use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::archives::{Member, zip};
use crate::support::binary::{Folder, Run, is_given, numbers};
use crate::support::samples::sample;

/// Games in the sample that the text is made of.
const GAMES: usize = 8;

/// Returns how often the sample is repeated: 20 MB in all, or 2.5 MB for a build that is not optimized.
fn times() -> usize {
    if is_given() { 2400 } else { 300 }
}

/// A collection in which the event of each game names its repetition.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let sample = sample("international");
    (0..times()).map(|n| sample.trim_end().replace("[Event \"", &format!("[Event \"{n} ")) + "\n\n").collect()
});

/// The names of the files, each with the text in another format.
const NAMES: [&str; 6] = ["plain.pdn", "a.pdn.gz", "a.pdn.bz2", "a.pdn.zst", "a.pdn.xz", "a.zip"];

fn compressed(name: &str) -> Vec<u8> {
    let text = TEXT.as_bytes();
    match name.rsplit('.').next() {
        Some("gz") => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text).expect("memory");
            encoder.finish().expect("memory")
        }
        Some("bz2") => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(text).expect("memory");
            encoder.finish().expect("memory")
        }
        Some("zst") => ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest),
        Some("xz") => {
            let options = lzma_rust2::XzOptions::with_preset(1);
            let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).expect("memory");
            encoder.write_all(text).expect("memory");
            encoder.finish().expect("memory")
        }
        Some("zip") => zip(&[Member::new("a.pdn", text)]),
        _ => text.to_vec(),
    }
}

fn folder(name: &str) -> Folder {
    Folder::with(name, compressed(name))
}

#[test]
fn every_format_has_the_same_games() {
    let sample = folder("plain.pdn").run(&["search", "--count", "--where", "event ~ \"^7 \"", "plain.pdn"]).is(0);
    assert_eq!(sample.text(), "8\n");
    let plain = folder("plain.pdn").run(&["fmt", "plain.pdn"]).is(0);
    for name in NAMES {
        let folder = folder(name);
        let summary = folder.run(&["check", "--format", "json", name]).is(0).summary();
        let counted = numbers(&summary, ["files", "games", "clean_games", "errors", "warnings"]);
        let games = (GAMES * times()) as u64;
        assert_eq!(counted, [1, games, games, 0, 0], "{name}");
        let formatted = folder.run(&["fmt", name]).is(0);
        assert!(formatted.bytes == plain.bytes, "{name} has another text");
    }
}

#[test]
fn the_output_has_every_game_and_is_read_again() {
    let folder = folder("plain.pdn");
    let run = |arguments: &[&str]| -> Run { folder.run(arguments).is(0) };
    run(&["fmt", "plain.pdn", "-o", "formatted.pdn"]);
    let again = run(&["fmt", "--check", "formatted.pdn"]);
    assert!(again.bytes.is_empty(), "formatted again");
    for jobs in ["1", "2"] {
        let rows = run(&["convert", "--to", "csv", "--jobs", jobs, "plain.pdn"]);
        assert_eq!(csv::Reader::from_reader(&rows.bytes[..]).records().count(), GAMES * times());
    }
    let found = run(&["search", "--where", "event ~ \"^29\"", "plain.pdn"]);
    let events = (0..times()).filter(|n| n.to_string().starts_with("29")).count();
    assert_eq!(found.text().matches("[Event \"29").count(), GAMES * events);
    assert_eq!(found.text().matches("[Event ").count(), GAMES * events);
}
