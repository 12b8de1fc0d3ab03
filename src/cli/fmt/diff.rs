//! The difference between a record and its canonical form, as a unified diff.

use std::io::Write as _;
use std::ops::Range;

use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Token};

use crate::text::{printable, visible};

// As in `diff -u` and Git.
/// Number of unchanged lines around a change.
const CONTEXT: u32 = 3;
/// Lines that occur so often in the other text, or not at all, do not show where they belong: for each of them the comparison
/// looks back to the last line that does.
const FREQUENT: u32 = 64;
/// Number of such lines in sequence after which looking back takes too long.
const LONGEST_RUN: usize = 8192;
/// Number of equal lines that are taken as the same line in a text with such a run; more than that are different lines.
const SHARED: u32 = FREQUENT / 2;

/// The unified diff of a file, whose text arrives in pieces that begin at the same line of both texts.
pub(in crate::cli) struct UnifiedDiff {
    label: String,
    /// Numbers of the lines before the next piece.
    old_lines: u64,
    new_lines: u64,
    begun: bool,
}

type Input<'a> = InternedInput<&'a [u8]>;

impl UnifiedDiff {
    /// Returns the diff of a file of that name.
    pub(in crate::cli) fn new(label: &str) -> Self {
        Self { label: label.to_owned(), old_lines: 0, new_lines: 0, begun: false }
    }

    /// Returns the diff of the next piece of both texts.
    pub(in crate::cli) fn add(&mut self, old: &[u8], new: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let input = InternedInput::new(byte_lines(old), byte_lines(new));
        if old != new {
            let mut diff = difference(&input);
            diff.postprocess_lines(&input);
            // Equal lines with different numbers are no change.
            let is_change = |hunk: &Hunk| lines(&input.before, &hunk.before) != lines(&input.after, &hunk.after);
            let hunks: Vec<_> = diff.hunks().filter(is_change).collect();
            // Closer changes would repeat the lines between them.
            let near = |one: &Hunk, next: &Hunk| next.before.start - one.before.end <= 2 * CONTEXT;
            for group in hunks.chunk_by(near) {
                self.write_group(&mut out, group, &input);
            }
        }
        self.old_lines += input.before.len() as u64;
        self.new_lines += input.after.len() as u64;
        out
    }

    /// Writes neighbouring changes, with the lines around them.
    fn write_group(&mut self, out: &mut Vec<u8>, group: &[Hunk], input: &Input<'_>) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        if !std::mem::replace(&mut self.begun, true) {
            // Writing to memory cannot fail, here and below.
            let _ = write!(out, "--- {0}\n+++ {0}\n", printable(&self.label));
        }
        let before = CONTEXT.min(first.before.start);
        let after = CONTEXT.min(input.before.len() as u32 - last.before.end);
        let old = first.before.start - before..last.before.end + after;
        let new = first.after.start - before..last.after.end + after;
        let _ = writeln!(out, "@@ -{} +{} @@", range(&old, self.old_lines), range(&new, self.new_lines));
        let mut at = old.start;
        for Hunk { before, after } in group {
            write_lines(out, b' ', lines(&input.before, &(at..before.start)), input);
            write_lines(out, b'-', lines(&input.before, before), input);
            write_lines(out, b'+', lines(&input.after, after), input);
            at = before.end;
        }
        write_lines(out, b' ', lines(&input.before, &(at..old.end)), input);
    }
}

/// Compares the lines. Texts with long parts of lines that do not show where they belong are compared by numbered
/// lines.
fn difference(input: &Input<'_>) -> Diff {
    let (before, after) = (&input.before, &input.after);
    if !has_long_run(before, &counts(after, input)) && !has_long_run(after, &counts(before, input)) {
        return Diff::compute(Algorithm::Histogram, input);
    }
    let mut numbered: InternedInput<(u32, u32)> = InternedInput::default();
    numbered.update_before(numbered_lines(before, input).into_iter());
    numbered.update_after(numbered_lines(after, input).into_iter());
    // Myers follows the order of the numbered lines, and needs no distinctive ones.
    Diff::compute(Algorithm::Myers, &numbered)
}

/// Returns how often each line occurs.
fn counts(lines: &[Token], input: &Input<'_>) -> Vec<u32> {
    let mut counts = vec![0; input.interner.num_tokens() as usize];
    for line in lines {
        counts[line.0 as usize] += 1;
    }
    counts
}

fn has_long_run(lines: &[Token], counts_in_other: &[u32]) -> bool {
    let is_distinctive = |line: &Token| (1..FREQUENT).contains(&counts_in_other[line.0 as usize]);
    lines.split(is_distinctive).any(|run| run.len() > LONGEST_RUN)
}

/// Returns each line with a number that is the same for the first equal lines, then for the next ones.
fn numbered_lines(lines: &[Token], input: &Input<'_>) -> Vec<(u32, u32)> {
    let mut seen = counts(&[], input);
    let numbered = lines.iter().map(|&line| {
        let seen = &mut seen[line.0 as usize];
        *seen += 1;
        (line.0, (*seen - 1) / SHARED)
    });
    numbered.collect()
}

/// Returns the first line and the number of lines of a range; a range without lines has the number of the line before it.
fn range(lines: &Range<u32>, passed: u64) -> String {
    let first = passed + u64::from(lines.start) + u64::from(!lines.is_empty());
    match lines.len() {
        1 => first.to_string(),
        count => format!("{first},{count}"),
    }
}

/// Returns the lines of a range.
fn lines<'a>(text: &'a [Token], range: &Range<u32>) -> &'a [Token] {
    &text[range.start as usize..range.end as usize]
}

fn write_lines(out: &mut Vec<u8>, sign: u8, lines: &[Token], input: &Input<'_>) {
    for &line in lines {
        let line = input.interner[line];
        out.push(sign);
        write_visible(out, line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// Writes a line without the control characters of a record that a terminal would obey. Tabs, line ends and bytes that are
/// not UTF-8 stay, so that the diff can be applied.
fn write_visible(out: &mut Vec<u8>, line: &[u8]) {
    let end = line.len() - line.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    for chunk in line[..end].utf8_chunks() {
        let safe = |letter| if letter == '\t' { letter } else { visible(letter) };
        out.extend(chunk.valid().chars().map(safe).collect::<String>().bytes());
        out.extend_from_slice(chunk.invalid());
    }
    out.extend_from_slice(&line[end..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_one_diff() {
        let mut diff = UnifiedDiff::new("a.pdn");
        let mut text = diff.add(b"1\n2\n3\n4\n5\n\n", b"1\n2\n3\n4\nfive\n\n");
        text.extend(diff.add(b"6\n7\n8", b"6\n7\n8\n"));
        let expected = "--- a.pdn\n+++ a.pdn\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n \n\
                        @@ -7,3 +7,3 @@\n 6\n 7\n-8\n\\ No newline at end of file\n+8\n";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn control_characters_of_records_stay_out_of_the_terminal() {
        let mut diff = UnifiedDiff::new("\x1b]0;a.pdn");
        let text = diff.add(b"a\tb\r\n{\x1b[2J \xe9}\r\n", "a\tb\r\n{\u{9b}2J é}\r\n".as_bytes());
        let expected = "--- \u{fffd}]0;a.pdn\n+++ \u{fffd}]0;a.pdn\n@@ -1,2 +1,2 @@\n a\tb\r\n-{\u{fffd}[2J ";
        let expected = [expected.as_bytes(), b"\xe9}\r\n+{", "\u{fffd}2J é}\r\n".as_bytes()].concat();
        assert_eq!(String::from_utf8_lossy(&text), String::from_utf8_lossy(&expected));
    }

    #[test]
    fn equal_texts_have_no_diff() {
        let mut diff = UnifiedDiff::new("a.pdn");
        assert!(diff.add(b"1\n\n", b"1\n\n").is_empty() && diff.add(b"2\n", b"2\n").is_empty());
    }

    /// Would take minutes if each line were compared with all lines before it.
    #[test]
    fn many_equal_lines_are_compared_in_linear_time() {
        for lines in [&["a\n"][..], &["a\n", "b\n", "c\n"]] {
            let old: Vec<_> = lines.iter().cycle().take(600_000).copied().collect();
            let mut new = old.clone();
            new.remove(300_000);
            new.insert(200_000, "x\n");
            let (old, new) = (old.concat(), format!("new\n{}end\n", new.concat()));
            let mut diff = UnifiedDiff::new("a.pdn");
            let text = String::from_utf8(diff.add(old.as_bytes(), new.as_bytes())).expect("UTF-8");
            let signed = |sign: &str| text.lines().skip(2).filter(|line| line.starts_with(sign)).count();
            assert!(text.contains("+new\n") && text.contains("+x\n") && text.contains("+end\n"), "{text:.300}");
            let removed = signed("-");
            assert_eq!(signed("+"), removed + 2);
            assert!((1..100).contains(&removed), "{removed}");
        }
    }

    #[test]
    fn ranges_without_lines_follow_the_line_before() {
        let mut diff = UnifiedDiff::new("x");
        assert_eq!(diff.add(b"", b"1\n"), b"--- x\n+++ x\n@@ -0,0 +1 @@\n+1\n");
    }
}
