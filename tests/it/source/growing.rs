//! Games of streams that grow: rows do not wait for the end of the input, and are those of a whole file.

use std::io::{BufRead as _, BufReader, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use pdn::check::{CheckOptions, Checking};
use pdn::export::{Conversion, CsvOptions, RecordFormat, Table, TextOutput};
use pdn::replay::ReplayOptions;
use pdn::rules::Variant;
use pdn::source::{ChunkOptions, Event, Input, Pipeline};

use super::Pieces;
use crate::support::binary::{pdn_with, program};
use crate::support::corpus;
use crate::support::sources::root;

/// Converts a stream that brings pieces of these sizes.
fn converted(text: &[u8], sizes: &[usize], (format, jobs): (&str, usize), variant: Option<Variant>) -> String {
    let writer = RecordFormat::named(format).expect(format).writer(Table::Games, CsvOptions::default());
    let mut checks = CheckOptions::default();
    checks.replay = ReplayOptions::of(variant);
    let mut output = TextOutput::new(Arc::clone(&writer));
    let mut all = output.header();
    let work = Checking::new(Conversion::new(writer), checks);
    let inputs = vec![Ok(Input::stream("-", Pieces::new(text, sizes)))];
    let pipeline = Pipeline::new(NonZeroUsize::new(jobs).expect("not zero"), ChunkOptions::default());
    let consume = |event| match event {
        Event::Begin(_) => Ok(()),
        Event::Done(done) => output.add(done, |text: &[u8]| {
            all.extend_from_slice(text);
            Ok(())
        }),
        Event::Error(error) => {
            all.extend_from_slice(error.to_string().as_bytes());
            Ok(())
        }
    };
    pipeline.run(inputs, &work, consume).expect("threads");
    all.extend(output.finish());
    String::from_utf8(all).expect("UTF-8")
}

/// Requires that a text is converted alike in whatever pieces it comes.
#[track_caller]
fn alike(name: &str, text: &[u8], sizes: &[&[usize]]) {
    for (format, variant) in [("jsonl", None), ("jsonl", Some(Variant::INTERNATIONAL)), ("csv", None)] {
        let whole = converted(text, &[usize::MAX], (format, 1), variant);
        for sizes in sizes {
            for jobs in [1, 3] {
                let pieces = converted(text, sizes, (format, jobs), variant);
                assert!(pieces == whole, "{name}: {format}, {sizes:?}, {jobs} jobs, {variant:?}");
            }
        }
    }
}

fn records(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut inputs = pdn::source::expand([folder]);
    inputs.retain(|input| input.as_ref().is_ok_and(|input| input.path().is_some()));
    let read = |input: pdn::Result<Input>| {
        let input = input.expect("a file");
        let bytes = std::fs::read(input.path().expect("a path")).expect("a file");
        (input.label().to_owned(), bytes)
    };
    inputs.into_iter().map(read).collect()
}

#[test]
fn pieces_of_samples_are_rows_of_the_whole() {
    let mut all = Vec::new();
    for folder in ["games", "accept", "reject", "diagnostics"] {
        for (name, bytes) in records(&root().join("samples").join(folder)) {
            alike(&name, &bytes, &[&[1], &[7, 500, 3]]);
            all.extend_from_slice(&bytes);
            all.extend_from_slice(b"\n\n");
        }
    }
    assert!(all.len() > 50_000, "{}", all.len());
    alike("all samples", &all, &[&[100], &[5_000, 40_000]]);
}

#[test]
fn pieces_of_collections_are_rows_of_the_whole() {
    let Some(folder) = corpus::corpus() else { return };
    for corpus::Record { name, bytes } in corpus::records(&folder) {
        // Two chunks and more.
        let bytes = &bytes[..bytes.len().min(1_500_000)];
        if bytes.len() > 20_000 {
            alike(&name, bytes, &[&[3_000, 20_000, 100]]);
        }
    }
}

/// Sends the lines that a process writes.
fn lines(out: ChildStdout) -> Receiver<String> {
    let (send, receive) = channel();
    thread::spawn(move || BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
    receive
}

/// A test that fails takes this long; one that succeeds does not wait.
const PATIENCE: Duration = Duration::from_mins(1);

fn game(number: usize, tags: &str) -> String {
    format!(
        "[Event \"{number}\"]\n[Date \"2026.01.02\"]\n{tags}[Result \"2-0\"]\n\n1. 32-28 {{good [%clk 1:00]}} 19-23 2. 28x19 14x23 2-0\n\n"
    )
}

#[test]
fn rows_come_while_the_pipe_is_open() {
    let tagged = "[GameType \"20\"]\n";
    for (arguments, tags) in [
        (&["convert", "--to", "jsonl", "-"][..], tagged),
        (&["convert", "--to", "jsonl", "--jobs", "1", "-"], tagged),
        (&["convert", "--to", "csv", "-"], tagged),
        (&["convert", "--to", "jsonl", "--variant", "international", "-"], ""),
    ] {
        let mut command = Command::new(program());
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let (mut input, lines) = (child.stdin.take().expect("a pipe"), lines(child.stdout.take().expect("a pipe")));
        let next = || lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        let (mut written, mut found) = (String::new(), String::new());
        for number in 1..=5 {
            let text = game(number, tags);
            input.write_all(text.as_bytes()).expect("the binary reads");
            written += &text;
            // The first game is whole when the second one begins.
            let expected = if number == 1 { 0 } else { 1 + usize::from(number == 2 && arguments.contains(&"csv")) };
            for _ in 0..expected {
                found += &(next() + "\n");
            }
        }
        drop(input);
        found.extend(lines.iter().map(|line| line + "\n"));
        assert_eq!(child.wait().expect("an end").code(), Some(0), "{arguments:?}");
        let whole = pdn_with(&written, arguments).is(0);
        assert_eq!(found, whole.text(), "{arguments:?}");
    }
}

/// Requires that this number of rows of a stream comes before the last piece of it does.
fn rows_before_the_end(text: &str, last: &str, variant: &[&str], rows: usize) {
    let arguments = [&["convert", "--to", "jsonl"][..], variant, &["-"]].concat();
    let mut command = Command::new(program());
    let command = command.args(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary starts");
    let (mut input, lines) = (child.stdin.take().expect("a pipe"), lines(child.stdout.take().expect("a pipe")));
    input.write_all(text.as_bytes()).expect("the binary reads");
    let next = |_| lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut found: Vec<String> = (0..rows).map(next).collect();
    input.write_all(last.as_bytes()).expect("the binary reads");
    drop(input);
    found.extend(lines.iter());
    assert_eq!(child.wait().expect("an end").code(), Some(0), "{text}");
    let whole = pdn_with(format!("{text}{last}"), &arguments).is(0);
    assert_eq!(found.join("\n") + "\n", whole.text(), "{text}");
}

#[test]
fn games_begin_after_results_leads_and_marks() {
    let (none, variant): (&[&str], &[&str]) = (&[], &["--variant", "international"]);
    let (plain, tagged) = ("1. 32-28 19-23 *\n\n".to_owned(), game(1, "[GameType \"20\"]\n"));
    let close = tagged.replace("2-0\n\n", "2-0\n");
    for (text, last, variant) in [
        (plain.repeat(3), &plain, variant),
        ("1. 32-28 19-23 1-1\n".repeat(3), &plain, variant),
        (format!("{tagged}{}", plain.repeat(2)), &plain, variant),
        (format!("{plain}{}", tagged.repeat(2)), &tagged, variant),
        (format!("{{round 1}}\n\n{}", tagged.repeat(3)), &tagged, none),
        (close.repeat(3), &close, none),
        (format!("\u{feff}{}", tagged.repeat(3)), &tagged, none),
    ] {
        rows_before_the_end(&text, last, variant, 2);
    }
}

#[test]
fn pieces_of_odd_games_are_rows_of_the_whole() {
    let close = game(1, "[GameType \"20\"]\n").replace("2-0\n\n", "2-0\n");
    for text in [
        "1. 32-28 19-23 *\n\n1. 31-26 18-23\n2. 33-28 1-1\n1. 34-29 *\n2. 32-28 *\n",
        "1. 32-28 (1. 31-26 *\n1. 33-28) 19-23 *\n(2-0)\n1. 31-27 2-0 resigned\n1. 33-28 *",
        "1. 32-28 19-23 *\n\n3. Jansen - de Vries 2-0\n1. 31-27 18-22\n12-8\n1. 32-28 * 2-0\n{next} 1. 31-26 *",
        "[Event \"a\"]\n1-1\n1. 32-28 *\n[Event \"b\"]\n12. 31-26 *\n[Black resigned]\n[Event \"c\n1. 31-26 *\n1.\n31-27 *",
        "[Event \"a\"]\n1. 32-28 19-23\n\n[Event \"b\"]\n\n[Event \"c\"]\n1. 31-26 *\n\n[Event \"d\"]\n1. 34-29\n",
        "[FEN \"W:W31:B20\"]\n*\n\n[FEN \"W:W32:B20\"]\n\n[White \"P\"]\n\n1. 32-28 *\n",
        "[FEN \"W:W31:B20\"]\n\n[FEN \"W:W32:B20\"]\n\n[White \"P\"]\n\n1. 32-28 *\n\n[White \"Q\"]\n1. 33-28 *\n",
        "1. 32-28* 19-23 *\n1. {a\n1. 31-26 *\n1. 33-28 *} 31-27 *\n1.5.1999\n1. 31-26 *\n",
    ] {
        alike(text, text.as_bytes(), &[&[1], &[7, 5, 3], &[20]]);
        alike(text, format!("{close}{text}\n{close}").as_bytes(), &[&[1], &[7, 5, 3], &[40]]);
    }
}

#[test]
fn games_without_a_variant_wait_for_the_evidence_of_all() {
    let text = [game(1, ""), game(2, "[GameType \"20\"]\n"), "1. 11-15 24-19 2. 15x24 28x19 *\n".to_owned()].concat();
    alike("mixed", text.as_bytes(), &[&[1], &[50], &[300]]);
    // Two dates whose reading the third decides.
    let dated = |date: &str| game(1, "[GameType \"20\"]\n").replace("2026.01.02", date);
    let text = [dated("05/06/1999"), dated("07/08/1999"), dated("25/08/1999"), dated("1999.09.01")].concat();
    alike("dates", text.as_bytes(), &[&[1], &[50], &[300]]);
}
