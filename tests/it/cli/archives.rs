//! Archives and files that are not text.

use std::io::Write as _;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

use crate::support::binary::{Folder, pdn_with};

const GAME: &str = "[Event \"e\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n";

/// A file in an archive.
pub(super) struct Member {
    name: &'static str,
    data: Vec<u8>,
    deflated: bool,
    flags: u16,
    /// Added to the checksum and to the size that the archive states.
    wrong_crc: u32,
    wrong_size: u32,
}

impl Member {
    pub(super) fn new(name: &'static str, data: impl Into<Vec<u8>>) -> Self {
        Self { name, data: data.into(), deflated: true, flags: 0, wrong_crc: 0, wrong_size: 0 }
    }

    /// Returns the compressed data, and the fields that the two headers of the member share.
    fn parts(&self) -> (Vec<u8>, Vec<u8>) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.data).expect("memory");
        let deflated = encoder.finish().expect("memory");
        let stored = if self.deflated { deflated } else { self.data.clone() };
        let mut crc = Crc::new();
        crc.update(&self.data);
        let mut fields = Vec::new();
        for short in [20, self.flags, if self.deflated { 8 } else { 0 }, 0, 0] {
            fields.extend(short.to_le_bytes());
        }
        let size = self.data.len() as u32 + self.wrong_size;
        for long in [crc.sum() ^ self.wrong_crc, stored.len() as u32, size] {
            fields.extend(long.to_le_bytes());
        }
        fields.extend((self.name.len() as u16).to_le_bytes());
        (stored, fields)
    }
}

/// Returns a ZIP archive.
pub(super) fn zip(members: &[Member]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let (stored, fields) = member.parts();
        let start = archive.len() as u32;
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&fields);
        directory.extend([0; 12]);
        directory.extend(start.to_le_bytes());
        directory.extend(member.name.bytes());
        archive.extend(b"PK\x03\x04");
        archive.extend(&fields);
        archive.extend([0; 2]);
        archive.extend(member.name.bytes());
        archive.extend(stored);
    }
    let (start, length, count) = (archive.len() as u32, directory.len() as u32, members.len() as u16);
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\x00\x00\x00\x00");
    archive.extend([count, count].into_iter().flat_map(u16::to_le_bytes));
    archive.extend([length, start].into_iter().flat_map(u32::to_le_bytes));
    archive.extend([0; 2]);
    archive
}

pub(super) fn gzip(data: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

/// Returns the file and the number of each game.
fn games(folder: &Folder, name: &str) -> Vec<(String, u64)> {
    let run = folder.run(&["convert", "--to", "jsonl", name]);
    run.values()
        .iter()
        .map(|row| (row["file"].as_str().expect("a name").to_owned(), row["game"].as_u64().expect("a number")))
        .collect()
}

#[test]
fn each_member_is_a_file() {
    let stored = Member { deflated: false, ..Member::new("b/b.PDN", GAME.repeat(2)) };
    let others = [Member::new("notes.txt", "1. 32-28"), Member::new(".hidden.pdn", GAME), Member::new("c/", "")];
    let members = [Member::new("a.pdn", GAME), stored, Member::new("c/c.pdn.gz", gzip(GAME))];
    let archive = zip(&members.into_iter().chain(others).collect::<Vec<_>>());
    let folder = Folder::with("in/x.zip", &archive);
    folder.write("in/y.pdn", GAME);
    let named = |name: &str, game| (format!("in/x.zip/{name}"), game);
    let all = [named("a.pdn", 1), named("b/b.PDN", 1), named("b/b.PDN", 2), named("c/c.pdn.gz", 1)];
    assert_eq!(games(&folder, "in/x.zip"), all);
    assert_eq!(games(&folder, "in"), [&all[..], &[("in/y.pdn".to_owned(), 1)]].concat());
    assert_eq!(games(&folder, "in/x.zip/b/b.PDN"), all[1..3]);
    assert_eq!(games(&folder, "in/x.zip/notes.txt"), [named("notes.txt", 1)]);
    for name in ["in/x.zip/d.pdn", "in/x.zip/c", "in/x.zip/.hidden.pdn"] {
        let run = folder.run(&["check", name]).is(2);
        assert!(run.errors.contains("in/x.zip has no such member"), "{}", run.errors);
    }
    // The same path twice.
    folder.write("twice.zip", zip(&[Member::new("a/a.pdn", GAME), Member::new("a//a.pdn", GAME.repeat(2))]));
    assert_eq!(games(&folder, "twice.zip/a/a.pdn").len(), 3);
    folder.write("in/x.dat", &archive);
    assert_eq!(games(&folder, "in/x.dat").len(), 4);
    let run = folder.run(&["fmt", "--write", "in/x.zip"]).is(2);
    assert!(run.errors.contains("in/x.zip/a.pdn is compressed"), "{}", run.errors);
}

#[test]
fn members_that_cannot_be_read_do_not_stop_the_others() {
    for (member, reason) in [
        (Member { flags: 1, ..Member::new("b.pdn", GAME) }, "encrypted"),
        (Member { wrong_crc: 1, ..Member::new("b.pdn", GAME) }, "checksum does not match"),
        (Member { wrong_size: 1, ..Member::new("b.pdn", GAME) }, "truncated"),
        (Member { wrong_size: u32::MAX - GAME.len() as u32 - 1, ..Member::new("b.pdn", GAME) }, "400 times"),
    ] {
        let folder = Folder::with("x.zip", zip(&[Member::new("a.pdn", GAME), member, Member::new("c.pdn", GAME)]));
        let run = folder.run(&["check", "x.zip"]).is(2);
        assert!(run.errors.contains("x.zip/b.pdn") && run.errors.contains(reason), "{}", run.errors);
        assert!(
            ["x.zip/a.pdn", "x.zip/c.pdn"]
                .iter()
                .all(|name| games(&folder, "x.zip").iter().any(|(file, _)| file == name))
        );
    }
    let inner = Member::new("inner.ZIP", zip(&[Member::new("d.pdn", GAME)]));
    let folder = Folder::with("x.zip", zip(&[Member::new("a.pdn", GAME), inner]));
    let run = folder.run(&["check", "x.zip"]).is(2);
    assert!(run.errors.contains("x.zip/inner.ZIP") && run.errors.contains("extract this one first"), "{}", run.errors);
    assert_eq!(games(&folder, "x.zip"), [("x.zip/a.pdn".to_owned(), 1)]);
    let run = folder.run(&["check", "x.zip/inner.ZIP"]).is(2);
    assert!(run.errors.contains("extract this one first"), "{}", run.errors);
    let folder = Folder::with("none.zip", zip(&[Member::new("a.txt", GAME)]));
    let run = folder.run(&["check", "none.zip"]).is(2);
    assert!(run.errors.contains("nothing to read"), "{}", run.errors);
    folder.write("cut.zip", &zip(&[Member::new("a.pdn", GAME)])[..40]);
    let run = folder.run(&["check", "cut.zip"]).is(2);
    assert!(run.errors.contains("damaged ZIP archive"), "{}", run.errors);
}

#[test]
fn binary_files_are_one_error() {
    let noise: Vec<u8> = (0..5000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for (bytes, kind) in [
        (&b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n"[..], "a PDF document"),
        (b"7z\xBC\xAF\x27\x1C\0\x04", "a 7z archive"),
        (&noise, "a binary file"),
    ] {
        let folder = Folder::with("x.pdn", bytes);
        folder.write("y.pdn", GAME);
        for command in ["check", "fmt"] {
            let run = folder.run(&[command, "x.pdn", "y.pdn"]).is(2);
            assert!(run.errors.contains(&format!("cannot read x.pdn: {kind}, not text")), "{}", run.errors);
            assert_eq!(run.errors.lines().filter(|line| line.contains("x.pdn")).count(), 1, "{}", run.errors);
        }
    }
    let run = pdn_with(zip(&[Member::new("a.pdn", GAME)]), &["check", "-"]).is(2);
    assert!(run.errors.contains("a ZIP archive"), "{}", run.errors);
}

#[test]
fn other_encodings_are_text() {
    let russian = "[Event \"Чемпионат мира, Москва\"]\n[GameType \"25\"]\n\n1. c3-d4 {ход} *\n";
    let (cp1251, _, _) = encoding_rs::WINDOWS_1251.encode(russian);
    let utf16: Vec<u8> = russian.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [cp1251.into_owned(), utf16, russian.as_bytes().to_vec()] {
        let values = pdn_with(bytes, &["convert", "--to", "jsonl", "-"]).is(0).values();
        assert_eq!((values.len(), &values[0]["tags"]["Event"]), (1, &"Чемпионат мира, Москва".into()));
    }
}

#[test]
fn a_truncated_skippable_frame_is_an_error() {
    let frame = [&0x184D_2A50_u32.to_le_bytes()[..], &1000_u32.to_le_bytes(), b"short"].concat();
    let run = pdn_with(frame, &["check", "-"]).is(2);
    assert_eq!(run.errors, "pdn: cannot read -: the zstd data is truncated\n");
}
