//! Makes inputs out of records: cuts, copies, joins and damages them where their parts meet.

use std::path::PathBuf;

use crate::support::corpus::records;

/// Bytes of an input at most, but for one in a hundred that has no such limit.
const USUAL: usize = 1500;
const LONGEST: usize = 20_000;
/// Bytes of a whole file at most.
const LARGEST_FILE: usize = 40_000;

/// Parts of records, sound and damaged.
#[rustfmt::skip]
const DICTIONARY: &[&str] = &[
    "[Event \"a\"]", "[FEN \"W:W31:B20\"]", "[FEN \"B:WK5,31-40:B1,K20.\"]", "[Result \"0-1\"]", "[Round 17]", "[Site \"x]",
    "Event \"y\"]", "[Date \"1841-??-??\"]", "[SetUp \"1\"]", "[GameType \"20\"]", "[GameType \"25,W,8,8,A0,0\"]",
    "[GameType \"31\"]", "[GameType \"41\"]", "[ResultFormat \"Delfts\"]", "[", "]", "[[", "\n", "\n\n", "\r\n", "\r", " ",
    "\t", "1.", "1...", "12", "1. 32-28", "32-28", "19-23", "28x19", "14x23", "7- 2", "18x 9", "11x18", "18x25", "a3b4",
    "c3-d4", "ed4", "C3:D4", "b6:d4:f2", "3228", "12-21-32", "3-26", "1x4", "...", "..", "-", "--", "- -", "*", "1-0",
    "0-2", "1/2-1/2", "1:0", "7-5", "!", "?!", "(!)", "$7", "$99999", "(", ")", "((", "{", "}", "{c}", "{a {b} c}",
    "{[%clk 0:01:02]}", "{[%eval -0.032]}", "{[%eval #7]}", "{[%clock w0:10:00 B0:09:50]}", "(see 12)", "prose",
    "Red won", "% line\n", "; line\n", "/FEN \"B::\"/", "/FEN \"W:W28,K1:B22\"/", "/FEN \"?:W28:B22,K5\"/", "/", "<42, 29>",
    "<", "\\r", "\\", "\\\"", "\"", ".", "\0", "\u{1A}", "é", "½-½", "32–28", "\u{FEFF}", "\u{A0}", "9n ", "1-18",
    "99999999999.", "0-51", "K", "W:", ":B", ",", "31-50", "47x36", "(1. 31-27)", "(1... 18-23)",
];

/// Bytes that begin or end something.
const SIGNS: &[u8] = b"[](){}\"\\/%;.-x:*!?$ \n\r0129abcK";

/// Numbers that are the same in every run (splitmix64).
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn range(&mut self, len: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(len + 1);
        start..(start + self.below(most) + 1).min(len)
    }
}

/// Returns where the first paragraph after an offset begins, or the offset if none does.
fn next_paragraph(bytes: &[u8], at: usize) -> usize {
    let gaps = bytes[at..].windows(3).position(|three| matches!(three, b"\n\n[" | b"\r\n["));
    gaps.map_or(at, |gap| at + gap + 2)
}

/// Makes one input after another.
pub(crate) struct Mutator {
    seeds: Vec<Vec<u8>>,
    /// Whole files, or the beginnings of large ones.
    files: Vec<Vec<u8>>,
    dice: Dice,
}

impl Mutator {
    /// Takes pieces of all records below the folders.
    pub(crate) fn new(folders: &[PathBuf], seed: u64) -> Self {
        let (mut seeds, mut files) = (Vec::new(), Vec::new());
        for record in folders.iter().flat_map(|folder| records(folder)) {
            // A hundred pieces represent a large file, and ten of these are longer and begin where a game does.
            let bytes = record.bytes;
            files.push(bytes[..bytes.len().min(LARGEST_FILE)].to_vec());
            let step = (bytes.len() / 100).max(USUAL);
            seeds.extend((0..bytes.len()).step_by(step).enumerate().map(|(n, at)| {
                let (at, most) = if n % 10 == 0 { (next_paragraph(&bytes, at), 4 * USUAL) } else { (at, USUAL) };
                bytes[at..bytes.len().min(at + most)].to_vec()
            }));
        }
        Self { seeds, files, dice: Dice::new(seed) }
    }

    /// Number of records that inputs are made of.
    pub(crate) const fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// Makes an input.
    pub(crate) fn input(&mut self) -> Vec<u8> {
        if self.dice.one_in(10) {
            return self.soup();
        }
        let mut bytes = self.piece();
        // Half of them are damaged a little, some beyond recognition, and a few not at all.
        let times = [0, 1, 1, 2, 3, 5, 8, 20][self.dice.below(8)];
        for _ in 0..times {
            self.mutate(&mut bytes);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    /// Makes an input of a whole file with a few kinds of damage.
    pub(crate) fn file(&mut self) -> Vec<u8> {
        let file = self.dice.below(self.files.len());
        let mut bytes = self.files[file].clone();
        for _ in 0..=self.dice.below(12) {
            self.mutate(&mut bytes);
        }
        bytes
    }

    /// Returns a sequence of words of the dictionary.
    fn soup(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.dice.below(60) {
            bytes.extend_from_slice(self.word());
            if !self.dice.one_in(3) {
                bytes.push(b' ');
            }
        }
        bytes
    }

    fn word(&mut self) -> &'static [u8] {
        DICTIONARY[self.dice.below(DICTIONARY.len())].as_bytes()
    }

    /// A record, or a part of one.
    fn piece(&mut self) -> Vec<u8> {
        let seed = self.dice.below(self.seeds.len());
        let seed = &self.seeds[seed];
        if self.dice.one_in(2) {
            return seed.clone();
        }
        let range = self.dice.range(seed.len(), 400);
        seed[range].to_vec()
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        match self.dice.below(15) {
            0 | 1 => {
                let at = self.dice.below(bytes.len() + 1);
                bytes.splice(at..at, self.word().iter().copied());
            }
            2 => {
                let (at, other) = (self.dice.below(bytes.len() + 1), self.piece());
                bytes.splice(at..at, other);
            }
            3 => {
                let (at, other) = (self.dice.below(bytes.len() + 1), self.piece());
                bytes.truncate(at);
                bytes.extend(other);
            }
            4 => drop(bytes.drain(self.dice.range(bytes.len(), 40))),
            5 => {
                let copy = bytes[self.dice.range(bytes.len(), 60)].to_vec();
                let at = self.dice.below(bytes.len() + 1);
                let times = if self.dice.one_in(20) { 60 } else { 1 };
                bytes.splice(at..at, copy.repeat(times));
            }
            6 => self.at_byte(bytes, |dice, byte| byte ^ 1 << dice.below(8)),
            7 => self.at_byte(bytes, |dice, _| dice.next() as u8),
            8 => self.at_byte(bytes, |dice, _| SIGNS[dice.below(SIGNS.len())]),
            9 => self.swap_lines(bytes),
            10 => self.replace_word(bytes),
            11 => self.change_digit(bytes),
            12 => self.drop_tag(bytes),
            13 => self.swap_spans(bytes),
            _ => {
                let at = self.dice.below(bytes.len() + 1);
                bytes.truncate(at);
            }
        }
    }

    fn at_byte(&mut self, bytes: &mut [u8], change: fn(&mut Dice, u8) -> u8) {
        let at = self.dice.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte = change(&mut self.dice, *byte);
        }
    }

    /// Writes another digit in the place of the next one.
    fn change_digit(&mut self, bytes: &mut [u8]) {
        let (at, digit) = (self.dice.below(bytes.len()), b'0' + self.dice.below(10) as u8);
        if let Some(next) = bytes.iter_mut().skip(at).find(|byte| byte.is_ascii_digit()) {
            *next = digit;
        }
    }

    /// Removes the next line that is a tag.
    fn drop_tag(&mut self, bytes: &mut Vec<u8>) {
        let at = self.dice.below(bytes.len() + 1);
        let Some(start) = bytes[at..].windows(2).position(|pair| pair == b"\n[").map(|found| at + found + 1) else {
            return;
        };
        let length = bytes[start..].iter().position(|&byte| byte == b'\n');
        drop(bytes.drain(start..length.map_or(bytes.len(), |length| start + length + 1)));
    }

    /// Swaps two spans that follow one another.
    fn swap_spans(&mut self, bytes: &mut [u8]) {
        let range = self.dice.range(bytes.len(), 200);
        let middle = self.dice.below(range.len() + 1);
        bytes[range].rotate_left(middle);
    }

    fn swap_lines(&mut self, bytes: &mut Vec<u8>) {
        let mut lines: Vec<_> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        if !lines.is_empty() {
            let (one, other) = (self.dice.below(lines.len()), self.dice.below(lines.len()));
            lines.swap(one, other);
            *bytes = lines.concat();
        }
    }

    /// Puts a word of the dictionary in the place of one of the text.
    fn replace_word(&mut self, bytes: &mut Vec<u8>) {
        let at = self.dice.below(bytes.len() + 1);
        let start = bytes[..at].iter().rposition(u8::is_ascii_whitespace).map_or(0, |space| space + 1);
        let end = bytes[at..].iter().position(u8::is_ascii_whitespace).map_or(bytes.len(), |space| at + space);
        bytes.splice(start..end, self.word().iter().copied());
    }
}
