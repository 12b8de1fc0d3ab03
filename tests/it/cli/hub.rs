//! `pdn hub` from the point of view of other programs.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use pdn::link::{Message, read_line, read_move, read_position, read_score, write_move, write_score};
use pdn::rules::{Position, Variant};

use crate::support::binary::{Folder, program};

/// A timeout that only a failing test reaches, even on a slow machine.
const TIMEOUT: Duration = Duration::from_mins(2);
const START: &str = "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// A recorded conversation with another engine: `>` to it, `<` from it.
fn transcript() -> Vec<(bool, &'static str)> {
    let lines = include_str!("../../data/hub-transcript.txt").lines();
    lines.map(|line| (line.starts_with('>'), line[1..].trim_start())).collect()
}

struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Conversation {
    fn new(arguments: &[&str]) -> Self {
        let mut command = Command::new(program());
        Self::of(command.arg("hub").args(arguments))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let (sender, output) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { input: child.stdin.take(), child, output }
    }

    /// Starts an engine and initialises it.
    fn ready(arguments: &[&str]) -> Self {
        let mut engine = Self::new(arguments);
        engine.send("hub");
        engine.send("set-param name=hash value=2");
        engine.send("init");
        engine.until("ready");
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("open"), "{line}").expect("it reads");
    }

    fn line(&self) -> Message {
        Message::parse(&self.output.recv_timeout(TIMEOUT).expect("an answer"))
    }

    /// Returns all messages up to and including a command.
    fn until(&self, command: &str) -> Vec<Message> {
        let mut messages = vec![self.line()];
        while messages.last().expect("one").command() != command {
            messages.push(self.line());
        }
        messages
    }

    fn ask(&mut self, line: &str, command: &str) -> Message {
        self.send(line);
        self.until(command).pop().expect("one")
    }

    /// Closes the input and returns the remaining messages and the exit status.
    fn end(mut self) -> (Vec<Message>, Option<i32>) {
        drop(self.input.take());
        let status = self.child.wait().expect("it ends").code();
        (self.output.iter().map(|line| Message::parse(&line)).collect(), status)
    }
}

#[test]
fn every_line_of_the_transcript_is_understood() {
    let variant = Variant::INTERNATIONAL;
    let mut position = Position::start(variant);
    let (mut infos, mut dones) = (0, 0);
    for (ours, line) in transcript() {
        let message = Message::parse(line);
        assert_eq!(message.to_string(), line, "a line is written as it was read");
        match message.command() {
            "pos" if ours => {
                let Some(start) = message.value("pos").and_then(|text| read_position(text, variant)) else { continue };
                let moves = message.value("moves").unwrap_or_default();
                let played = read_line(&start, moves);
                assert_eq!(played.len(), moves.split_whitespace().count());
                position = played.iter().fold(start, |position, step| position.play_unchecked(step));
            }
            "info" => {
                infos += 1;
                let score = message.value("score").expect("a score");
                assert_eq!(write_score(read_score(score).expect("a number")), score);
                let moves = message.value("pv").expect("a line");
                assert_eq!(read_line(&position, moves).len(), moves.split_whitespace().count(), "{moves}");
            }
            "done" => {
                dones += 1;
                let text = message.value("move").expect("a move");
                let best = read_move(&position, text).expect("a legal move");
                assert_eq!(write_move(&best, variant), text);
                let next = message.value("ponder").expect("a move");
                assert!(read_move(&position.play_unchecked(&best), next).is_some());
            }
            _ => {}
        }
    }
    assert_eq!((infos, dones), (79, 4));
}

#[test]
fn the_engine_answers_the_transcript_in_the_same_form() {
    let lines = transcript();
    let mut engine = Conversation::new(&[]);
    for (n, &(ours, line)) in lines.iter().enumerate() {
        // The recorded engine ignores an invalid level.
        if !ours || line == "level nodes=-3" {
            continue;
        }
        engine.send(line);
        let answers = lines[n + 1..].iter().take_while(|(ours, _)| !ours).map(|(_, line)| Message::parse(line));
        let commands: Vec<String> = answers.map(|message| message.command().to_owned()).collect();
        let last = commands.iter().rfind(|command| ["wait", "ready", "pong", "done", "error"].contains(&&command[..]));
        let Some(last) = last else { continue };
        let expected: BTreeSet<&str> = commands.iter().map(String::as_str).chain(["info"]).collect();
        for answer in engine.until(last) {
            assert!(expected.contains(answer.command()), "{line}: {answer}");
        }
    }
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn every_iteration_is_reported() {
    let mut engine = Conversation::ready(&[]);
    engine.send(START);
    engine.send("level depth=5");
    engine.send("go think");
    let mut answers = engine.until("done");
    let done = answers.pop().expect("one");
    for (depth, info) in (1..).zip(&answers) {
        assert_eq!(info.value("depth"), Some(&depth.to_string()[..]));
        assert!(["score", "nodes", "time", "pv"].iter().all(|name| info.has(name)), "{info}");
    }
    assert_eq!(answers.len(), 5);
    let line: Vec<_> = answers[4].value("pv").expect("a line").split(' ').map(str::to_owned).collect();
    assert_eq!((done.value("move"), done.value("ponder")), (Some(&line[0][..]), Some(&line[1][..])));
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn every_variant_is_played() {
    for &variant in Variant::ALL {
        let mut engine = Conversation::new(&["--variant", variant.name()]);
        engine.send("hub");
        let params = engine.until("wait");
        let own = params.iter().find(|message| message.value("name") == Some("variant")).expect("declared");
        assert_eq!(own.value("value"), Some(variant.name()));
        engine.ask("init", "ready");
        let mut position = Position::start(variant);
        engine.send(&format!("pos pos={}", pdn::link::write_position(&position)));
        engine.send("level nodes=200");
        let done = engine.ask("go think", "done");
        let best = read_move(&position, done.value("move").expect("a move")).expect("a legal move");
        position = position.play_unchecked(&best);
        assert!(done.value("ponder").is_none_or(|text| read_move(&position, text).is_some()), "{variant}");
        assert_eq!(engine.end(), (Vec::new(), Some(0)));
    }
}

#[test]
fn a_variant_can_be_set_by_its_name_or_an_alias() {
    for (name, squares) in [("italian", 32), ("normal", 50), ("losing", 50), ("canadian", 72)] {
        let mut engine = Conversation::new(&[]);
        engine.send("hub");
        engine.send(&format!("set-param name=variant value={name}"));
        engine.send("init");
        engine.until("ready");
        engine.send(&format!(
            "pos pos=W{}b{}w{}",
            "e".repeat(8),
            "e".repeat(squares / 2 - 9),
            "e".repeat(squares / 2 - 1)
        ));
        engine.send("level depth=1");
        engine.ask("go think", "done");
        assert_eq!(engine.end().1, Some(0));
    }
}

#[test]
fn a_stop_is_answered_exactly_once() {
    let mut engine = Conversation::ready(&[]);
    engine.send(START);
    engine.send("level infinite");
    for mode in ["think", "analyze", "ponder"] {
        engine.send(&format!("go {mode}"));
        engine.send("stop");
        engine.send("stop");
        engine.until("done");
        engine.send("ping");
        assert_eq!(engine.until("pong").len(), 1, "no message except the answer to the ping");
    }
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn pondering_waits_for_the_move_of_the_opponent() {
    let mut engine = Conversation::ready(&[]);
    engine.send(&format!("{START} moves=\"32-28\""));
    engine.send("level depth=2 move-time=0");
    engine.send("go ponder");
    engine.send("ping");
    assert!(engine.until("pong").iter().all(|message| message.command() != "done"));
    engine.send("ponder-hit");
    engine.until("done");
    engine.send("ponder-hit");
    engine.ask("ping", "pong");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn several_lines_are_reported_with_the_best_one_last() {
    let mut engine = Conversation::new(&[]);
    engine.send("hub");
    for line in ["set-param name=lines value=3", "set-param name=threads value=2", "init", "level depth=4", START] {
        engine.send(line);
    }
    engine.until("ready");
    engine.send("go analyze");
    let messages = engine.until("done");
    let last: Vec<_> = messages.iter().filter(|message| message.value("depth") == Some("4")).collect();
    let lines: Vec<_> = last.iter().map(|message| message.value("line")).collect();
    assert_eq!(lines, [Some("3"), Some("2"), None]);
    let first = |message: &Message| message.value("pv").and_then(|line| line.split(' ').next()).map(str::to_owned);
    let moves: BTreeSet<_> = last.iter().map(|message| first(message)).collect();
    assert_eq!(moves.len(), 3, "{moves:?}");
    assert_eq!(first(last[2]).as_deref(), messages.last().expect("done").value("move"));
}

#[test]
fn a_game_clock_is_respected() {
    let mut engine = Conversation::ready(&[]);
    engine.send(START);
    let started = Instant::now();
    engine.send("level time=1 inc=0.01");
    engine.ask("go think", "done");
    // A move takes at most half of the clock; the rest allows for slow machines.
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn invalid_commands_are_errors_and_change_nothing() {
    let mut engine = Conversation::new(&[]);
    for line in ["go think", START, "set-param name=hash value=1"] {
        engine.send(line);
    }
    engine.send("hub");
    engine.until("wait");
    for line in [
        "set-param name=hash value=0",
        "set-param name=hash value=lots",
        "set-param name=threads value=1000",
        "set-param name=variant value=ludo",
        "set-param name=hash",
        "set-param",
    ] {
        engine.ask(line, "error");
    }
    engine.ask("init", "ready");
    engine.ask("go think", "error");
    engine.send("level nodes=500");
    engine.send(START);
    let first = engine.ask("go think", "done");
    for line in [
        "set-param name=hash value=1",
        "pos",
        "pos pos=",
        "pos pos=Wxyz",
        "pos pos=Wbbbbbbbbbbbbbbbbbbbb",
        "pos pos=Zbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "pos pos=Wwbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        &format!("{START} moves=\"32-28 32-28\""),
        &format!("{START} moves=rubbish"),
        "level",
        "level depth=0",
        "level depth=-1",
        "level nodes=1e999",
        "level move-time=soon",
        "go",
        "go home",
    ] {
        let error = engine.ask(line, "error");
        assert!(error.value("message").is_some_and(|message| !message.is_empty()), "{line}: {error}");
    }
    engine.send("new-game");
    let again = engine.ask("go think", "done");
    assert_eq!(first, again, "the position and the level are unchanged");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn unknown_commands_are_ignored() {
    let mut engine = Conversation::ready(&[]);
    for line in ["", "   ", "potato", "= = =", "go=think", "\"", "stop", "ponder-hit", "PING", "info depth=1"] {
        engine.send(line);
    }
    engine.input.as_mut().expect("open").write_all(b"\xff\xfe\x00\x80\n").expect("it reads");
    assert_eq!(engine.ask("ping", "pong"), Message::new("pong"));
    engine.send(&"x".repeat(3_000_000));
    engine.until("error");
    engine.ask("ping", "pong");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn a_finished_game_is_an_error() {
    let mut engine = Conversation::ready(&[]);
    // White has no pieces; then White's only man, in the corner, is blocked.
    for black_and_white in [(&[1][..], None), (&[37, 41], Some(46))] {
        let (black, white) = black_and_white;
        let squares = (1..=50).map(|n| {
            if black.contains(&n) {
                'b'
            } else if white == Some(n) {
                'w'
            } else {
                'e'
            }
        });
        let squares: String = squares.collect();
        engine.send(&format!("pos pos=W{squares}"));
        engine.send("level depth=3");
        let error = engine.ask("go think", "error");
        assert!(error.value("message").is_some_and(|message| message.contains("no legal move")), "{error}");
    }
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn a_second_search_is_an_error() {
    let mut engine = Conversation::ready(&[]);
    engine.send(START);
    engine.send("level infinite");
    engine.send("go analyze");
    engine.ask("go think", "error");
    engine.ask("stop", "done");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn a_search_after_a_stop_waits_for_the_answer_of_the_first() {
    let mut engine = Conversation::ready(&[]);
    engine.send(START);
    engine.send("level infinite");
    engine.send("go analyze");
    // Everything after the second `go` comes after it, also where the first search is still being stopped.
    let lines = ["stop", "level depth=2", "go think", "stop", "go think", "stop", "level infinite", "go analyze"];
    for line in lines.into_iter().chain(["ping", "stop"]) {
        engine.send(line);
    }
    let mut answers = Vec::new();
    while answers.iter().filter(|message: &&Message| message.command() == "done").count() < 4 {
        answers.push(engine.line());
    }
    assert!(answers.iter().all(|message| message.command() != "error"), "{answers:?}");
    let pong = answers.iter().position(|message| message.command() == "pong").expect("an answer");
    assert_eq!(answers[..pong].iter().filter(|message| message.command() == "done").count(), 3);
    for line in ["go analyze", "stop", "go think"] {
        engine.send(line);
    }
    let (answers, status) = engine.end();
    assert_eq!(answers.iter().filter(|message| message.command() == "done").count(), 2, "{answers:?}");
    assert_eq!(status, Some(0));
}

#[cfg(unix)]
#[test]
fn a_table_that_does_not_fit_is_an_error() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 4000000; exec \"$0\" hub", program()]);
    let mut engine = Conversation::of(&mut command);
    for line in ["hub", "set-param name=hash value=65536", "init"] {
        engine.send(line);
    }
    let error = engine.until("error").pop().expect("one");
    assert_eq!(error.value("message"), Some("a transposition table of 65536 MB does not fit into memory"));
    engine.send("set-param name=hash value=2");
    engine.ask("init", "ready");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
    for arguments in [
        "match builtin:hash=65536 builtin",
        "annotate --hash 65536 samples/games",
        "play --hash 65536",
        "bench problems --hash 65536 samples/problems",
    ] {
        let script = format!("ulimit -v 4000000; exec \"$0\" {arguments}");
        let output = Command::new("sh").args(["-c", &script, program()]).stdin(Stdio::null()).output();
        let output = output.expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert_eq!(errors, "pdn: a transposition table of 65536 MB does not fit into memory\n", "{arguments}");
    }
}

#[test]
fn the_end_of_the_input_stops_the_search_with_an_answer() {
    for last in ["", "quit"] {
        let mut engine = Conversation::ready(&[]);
        for line in [START, "level infinite", "go think", last] {
            engine.send(line);
        }
        let (answers, status) = engine.end();
        assert_eq!(status, Some(0));
        assert_eq!(answers.iter().filter(|message| message.command() == "done").count(), 1);
    }
}

#[test]
fn a_closed_output_ends_the_engine_silently() {
    let mut command = Command::new(program());
    command.arg("hub").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    child.stdin.as_mut().expect("a pipe").write_all(b"hub\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn moves_of_a_book_are_played_but_not_analysed() {
    let folder = Folder::new();
    folder.write("book.pdn", "1. 34-29 19-23 2. 40-34 *\n");
    let book = folder.path("book.pdn");
    let book = book.to_str().expect("a path in UTF-8");
    for by_option in [true, false] {
        let option = ["--book", book];
        let mut engine = Conversation::new(if by_option { &option } else { &[] });
        engine.send("hub");
        let declared = engine.until("wait");
        let parameter = declared.iter().find(|message| message.value("name") == Some("book-file"));
        let value = parameter.expect("it is declared").value("value").unwrap_or_default();
        assert_eq!(value, if by_option { book } else { "" });
        if !by_option {
            engine.send(&format!("set-param name=book-file value=\"{book}\""));
        }
        engine.send("init");
        engine.until("ready");
        engine.send(&format!("{START} moves=\"34-29 19-23\""));
        engine.send("level depth=2");
        engine.send("go think");
        let answer = engine.line();
        assert_eq!((answer.command(), answer.value("move")), ("done", Some("40-34")), "no search is reported");
        engine.send("go analyze");
        assert_eq!(engine.line().command(), "info");
        engine.until("done");
        engine.send(&format!("{START} moves=\"34-29 20-25\""));
        engine.send("go think");
        assert_eq!(engine.line().command(), "info", "beyond the book, it searches");
    }
    let mut engine = Conversation::new(&[]);
    engine.send("hub");
    engine.send("set-param name=book-file value=missing.pdn");
    engine.send("init");
    let error = engine.until("error").pop().expect("one");
    assert!(error.value("message").is_some_and(|message| message.contains("missing.pdn")), "{error}");
}
