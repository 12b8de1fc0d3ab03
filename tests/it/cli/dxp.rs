//! `pdn dxp` and matches over DXP, on connections within this machine.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::thread;

use crate::support::binary::{Folder, Run};

/// Opponents wait for this long before they give up; only a failing test reaches it.
const PATIENCE: &str = "300";
const NODES: [&str; 4] = ["--nodes", "30", "--hash", "1"];
/// Limits that no search reaches.
const ENDLESS: [&str; 4] = ["--depth", "90", "--hash", "1"];
/// White wins in a few moves.
const SHORT: &str = "W:WK46,K47,K48:BK5";
/// A conversation recorded with another program: `>` to the follower, `<` from it.
const TRANSCRIPT: &str = include_str!("../../data/dxp-transcript.txt");

/// A running `pdn dxp --listen`.
struct Listening {
    child: Child,
    address: String,
    /// The rest of the standard error.
    errors: thread::JoinHandle<String>,
}

impl Listening {
    /// Starts an engine that searches few nodes.
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        Self::with_limits(folder, &[&NODES[..], arguments].concat())
    }

    fn with_limits(folder: &Folder, arguments: &[&str]) -> Self {
        let listen = ["dxp", "--listen", "0", "--timeout", PATIENCE];
        let mut command = folder.command(&[&listen, arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("it says where it listens");
        let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        let errors = thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).expect("UTF-8");
            text
        });
        Self { child, address, errors }
    }

    fn finish(self) -> Run {
        let output = self.child.wait_with_output().expect("it ends");
        let errors = self.errors.join().expect("it ends");
        Run { status: output.status.code(), bytes: output.stdout, errors }
    }
}

/// The other end of a connection, driven by the test.
struct Peer {
    stream: TcpStream,
    input: BufReader<TcpStream>,
}

impl Peer {
    fn connect(to: &Listening) -> Self {
        Self::on(TcpStream::connect(&to.address).expect("it listens"))
    }

    fn on(stream: TcpStream) -> Self {
        let input = BufReader::new(stream.try_clone().expect("a socket"));
        Self { stream, input }
    }

    fn send(&mut self, text: &str) {
        self.bytes(format!("{text}\0").as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("an open connection");
    }

    /// Returns the next message; an empty one at the end.
    fn receive(&mut self) -> String {
        let mut bytes = Vec::new();
        self.input.read_until(0, &mut bytes).expect("an open connection");
        bytes.pop_if(|byte| *byte == 0);
        String::from_utf8(bytes).expect("ASCII")
    }

    /// Sends a proposal in which the follower has a side.
    fn propose(&mut self, side: char, setup: &str) {
        self.send(&format!("R01{:<32}{side}001075{setup}", "Peer"));
        assert_eq!(self.receive(), format!("A{:<32}0", "pdn"));
    }
}

/// Plays games between two processes and returns the runs of the follower, who listens, and of the initiator.
fn two_processes(folder: &Folder, follower: &[&str], initiator: &[&str]) -> [Run; 2] {
    let listening = Listening::start(folder, follower);
    let connect = ["dxp", "--connect", &listening.address, "--initiate", "--timeout", PATIENCE];
    let run = folder.run(&[&connect, &NODES[..], initiator].concat());
    [listening.finish(), run]
}

/// Returns the moves of the games in a text, without comments.
fn moves(text: &str) -> Vec<String> {
    let without_comments = |game: &serde_json::Value| {
        let moves = game["moves"].as_array().expect("moves");
        moves.iter().map(|step| step["notation"].as_str().expect("a move")).collect::<Vec<_>>().join(" ")
    };
    crate::support::library::games(text).iter().map(without_comments).collect()
}

#[test]
fn two_processes_play_the_same_games() {
    let folder = Folder::new();
    let games = ["--games", "3", "--fen", "W:W27,31,32,37:B13,14,19,23", "--side", "black", "--log", "b.log"];
    let initiator = [&games[..], &["-o", "b.pdn", "--name", "Initiator", "--chat", "hello"]].concat();
    let [a, b] = two_processes(&folder, &["-o", "a.pdn", "--name", "Follower", "--log", "a.log"], &initiator);
    let (a, _) = (a.is(0), b.is(0));
    assert!(a.errors.contains("opponent: hello") && a.errors.contains("game against Initiator"), "{}", a.errors);
    let (a, b) = (folder.read("a.pdn"), folder.read("b.pdn"));
    assert_eq!(moves(&a), moves(&b));
    assert_eq!(moves(&a).len(), 3);
    assert!(b.contains("[White \"Follower\"]\n[Black \"Initiator\"]"), "{b}");
    assert_eq!(b.matches("[White \"Initiator\"]").count(), 1, "sides alternate");
    let results = |text: &str| text.lines().filter(|line| line.starts_with("[Result")).map(str::to_owned).collect();
    let (of_a, of_b): (Vec<String>, Vec<String>) = (results(&a), results(&b));
    assert_eq!(of_a, of_b);
    assert!(of_a.iter().all(|line| !line.contains('*')), "{of_a:?}");
    folder.run(&["check", "a.pdn", "b.pdn"]).is(0);
    assert_eq!(sent_and_received(&folder.read("a.log")), {
        let [sent, received] = sent_and_received(&folder.read("b.log"));
        [received, sent]
    });
    assert_eq!(folder.names(), ["a.log", "a.pdn", "b.log", "b.pdn"]);
}

fn sent_and_received(log: &str) -> [Vec<String>; 2] {
    ["> ", "< "]
        .map(|direction| log.lines().filter_map(|line| line.strip_prefix(direction)).map(str::to_owned).collect())
}

#[test]
fn an_initiator_may_listen_and_a_follower_connect() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &["--initiate", "--fen", SHORT, "--games", "2"]);
    let follower =
        folder.run(&[&["dxp", "--connect", &listening.address, "--variant", "international"], &NODES[..]].concat());
    let initiator = listening.finish().is(0);
    assert_eq!(moves(initiator.text()), moves(follower.is(0).text()));
}

#[test]
fn every_variant_with_50_squares_is_played() {
    for variant in ["frisian", "killer", "breakthrough", "antidraughts", "frysk"] {
        let folder = Folder::new();
        let [a, b] = two_processes(&folder, &["--variant", variant], &["--variant", variant]);
        let (a, b) = (a.is(0), b.is(0));
        assert!(b.text().contains("1. "), "{}", b.text());
        let of = |run: &Run| {
            let text = crate::support::binary::pdn_with(
                &run.bytes,
                &["convert", "--variant", variant, "--to", "csv", "--table", "moves", "-"],
            );
            text.lines().len()
        };
        assert_eq!(of(&a), of(&b), "{variant}");
    }
    let folder = Folder::new();
    let run = folder.run(&["dxp", "--listen", "0", "--variant", "russian"]).is(2);
    assert!(run.errors.contains("50 squares"), "{}", run.errors);
}

#[test]
fn the_recorded_conversation_is_answered() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &[]);
    let mut peer = Peer::connect(&listening);
    for line in TRANSCRIPT.lines() {
        match line.split_at(2) {
            ("> ", text) => peer.send(text),
            (_, text) => {
                let answer = peer.receive();
                match &text[..1] {
                    "A" => assert_eq!(answer, format!("A{:<32}0", "pdn")),
                    // The other program may prefer another move.
                    "M" => assert_eq!((answer.len(), &answer[..1]), (text.len(), "M")),
                    _ => assert_eq!(answer, text),
                }
            }
        }
    }
    assert_eq!(peer.receive(), "", "the connection is closed");
    let run = listening.finish().is(0);
    assert!(run.errors.contains("opponent: Hello from a client"), "{}", run.errors);
    let games = moves(run.text());
    assert!(games[0].starts_with("33-28 ") && games[1].starts_with("5-10 "), "{games:?}");
    let text = run.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("{ended by the opponent} *") && text.contains("{declared lost by the opponent} 2-0"),
        "{text}"
    );
}

#[test]
fn moves_are_taken_back_also_during_a_search() {
    let folder = Folder::new();
    let listening = Listening::with_limits(&folder, &ENDLESS);
    let mut peer = Peer::connect(&listening);
    peer.propose('Z', "A");
    // The search would not end.
    peer.send("M0001322800");
    peer.send("B001W");
    assert_eq!(peer.receive(), "K0");
    for beyond in ["B002W", "B001Z", "B999Z", "B000W"] {
        peer.send(beyond);
        assert_eq!(peer.receive(), "K1", "{beyond}");
    }
    peer.send("M0001312700");
    peer.send("E11");
    assert_eq!(peer.receive(), "E01");
    let run = listening.finish().is(0);
    assert_eq!(moves(run.text()), ["31-27"]);
    assert!(run.errors.contains("took moves back to ply 0"), "{}", run.errors);
}

#[test]
fn other_connections_do_not_occupy_a_listener() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &["--games", "1"]);
    let mut strays: Vec<_> = (0..3).map(|_| Peer::connect(&listening)).collect();
    strays[1].bytes(b"GET / HTTP/1.1\r\n\r\n");
    strays[2].bytes(b"nonsense\0");
    let mut peer = Peer::connect(&listening);
    peer.propose('Z', "A");
    peer.send("E11");
    assert_eq!(peer.receive(), "E01");
    assert_eq!(strays[0].receive(), "", "the connection is closed");
    listening.finish().is(0);
}

#[test]
fn an_initiator_that_listens_goes_on_to_the_next_connection() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &["--initiate", "--fen", SHORT]);
    let mut stray = Peer::connect(&listening);
    stray.bytes(b"GET / HTTP/1.1\r\n\r\n");
    drop(stray);
    let follower = folder.run(&[&["dxp", "--connect", &listening.address], &NODES[..]].concat());
    let initiator = listening.finish().is(0);
    assert_eq!(moves(initiator.text()), moves(follower.is(0).text()));
    assert!(
        initiator.errors.contains("the opponent closed the connection; waiting for another"),
        "{}",
        initiator.errors
    );
}

#[test]
fn the_name_of_an_opponent_cannot_control_a_terminal() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &[]);
    let mut peer = Peer::connect(&listening);
    peer.send(&format!("R01{:<32}Z001075A", "A\u{1b}[2J"));
    assert_eq!(peer.receive(), format!("A{:<32}0", "pdn"));
    peer.send("E11");
    assert_eq!(peer.receive(), "E01");
    let run = listening.finish().is(0);
    assert!(run.text().contains("[White \"A\u{fffd}[2J\"]") && !run.text().contains('\u{1b}'), "{:?}", run.text());
}

#[test]
fn moves_are_kept_on_request() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &["--no-take-back"]);
    let mut peer = Peer::connect(&listening);
    peer.propose('Z', "A");
    peer.send("M0001322800");
    assert!(peer.receive().starts_with('M'));
    peer.send("B001W");
    assert_eq!(peer.receive(), "K1");
    peer.send("E21");
    assert_eq!(peer.receive(), "E01");
    assert!(listening.finish().is(0).text().contains("1-1"));
}

#[test]
fn proposals_that_cannot_be_played_are_declined() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &["--games", "1", "--name", "A name longer than thirty-two characters"]);
    let mut peer = Peer::connect(&listening);
    let mut answer = |text: &str| {
        peer.send(text);
        let answer = peer.receive();
        assert!(answer.starts_with("AA name longer than thirty-two c"), "{answer}");
        answer.chars().last()
    };
    let request = |side: char, setup: &str| format!("R01{:<32}{side}001075{setup}", "Peer");
    assert_eq!(answer("R02future"), Some('1'));
    let empty = "e".repeat(50);
    for position in ["BW".to_owned() + &empty, "BWz".to_owned() + &empty[1..], "BWb".to_owned() + &empty[1..]] {
        assert_eq!(answer(&request('W', &position)), Some('2'), "{position}");
    }
    let position = format!("BZzeeee{}W", &empty[6..]);
    assert_eq!(answer(&request('W', &position)), Some('0'));
    peer.send("E31");
    assert_eq!(peer.receive(), "E01");
    let run = listening.finish().is(0);
    assert!(run.text().contains("[Result \"*\"]") && run.errors.contains("declined a game"), "{}", run.text());
}

#[test]
fn garbage_and_half_messages_are_survived() {
    let folder = Folder::new();
    let listening = Listening::start(&folder, &[]);
    let mut peer = Peer::connect(&listening);
    peer.bytes(b"\0\0\xff\xfe\0R01short\0K0\0");
    peer.bytes(&vec![b'C'; 1_000_000]);
    peer.bytes(b"\0E00\0");
    peer.propose('Z', "A");
    for text in ["", "M", "Q", "K9", "A"] {
        peer.send(text);
    }
    peer.bytes(b"M00013");
    peer.bytes(b"22800");
    peer.bytes(b"\0");
    assert!(peer.receive().starts_with('M'));
    peer.send("E11");
    assert_eq!(peer.receive(), "E01");
    let run = listening.finish().is(0);
    assert!(run.errors.contains("ignored a message from the opponent: `\\xff\\xfe`"), "{}", run.errors);
    assert!(run.errors.len() < 5000, "{}", run.errors.len());
}

/// Begins a game as the initiator, does something, and returns the run of the follower.
#[track_caller]
fn broken_off(limits: &[&str], act: impl FnOnce(&mut Peer)) -> Run {
    let folder = Folder::new();
    let listening = Listening::with_limits(&folder, &[limits, &["-o", "games.pdn"]].concat());
    let mut peer = Peer::connect(&listening);
    peer.propose('Z', "A");
    act(&mut peer);
    drop(peer);
    let run = listening.finish().is(2);
    let text = folder.read("games.pdn");
    assert!(text.contains("[Result \"*\"]") && text.contains("aborted"), "{text}");
    run
}

#[test]
fn games_that_are_broken_off_are_kept_and_reported() {
    let run = broken_off(&NODES, |peer| peer.bytes(b"M0001322"));
    assert_eq!(run.errors.lines().last(), Some("pdn: game 1: the opponent closed the connection"));
    for illegal in ["M0001322300", "M0001999900", "M000132280123"] {
        let run = broken_off(&NODES, |peer| {
            peer.send(illegal);
            assert_eq!(peer.receive(), "E01");
        });
        assert!(run.errors.contains(&format!("illegal move: `{illegal}`")), "{}", run.errors);
    }
    let run = broken_off(&ENDLESS, |peer| {
        peer.send("M0001322800");
        peer.send("M0001332900");
        peer.send("E00");
        peer.receive();
    });
    assert!(run.errors.contains("unexpected message: `M0001332900`"), "{}", run.errors);
}

#[test]
fn a_silent_opponent_is_a_timeout() {
    let folder = Folder::new();
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = silent.local_addr().expect("an address").to_string();
    let run = folder.run(&["dxp", "--connect", &address, "--initiate", "--timeout", "0.05"]).is(2);
    assert_eq!(run.errors, "pdn: the opponent sent nothing within 0.05 s\n");
    drop(silent);
    let run = folder.run(&["dxp", "--connect", &address, "--timeout", "5"]).is(2);
    assert!(run.errors.starts_with(&format!("pdn: cannot connect to {address}: ")), "{}", run.errors);
}

#[test]
fn opponents_that_leave_between_games_are_missed() {
    let folder = Folder::new();
    let [a, b] = two_processes(&folder, &["--games", "2"], &["--fen", SHORT]);
    assert_eq!(a.is(2).errors.lines().last(), Some("pdn: the opponent left after 1 of 2 games"));
    b.is(0);
    let [a, b] = two_processes(&folder, &["--games", "1"], &["--fen", SHORT, "--games", "2"]);
    a.is(0);
    assert_eq!(b.is(2).errors.lines().last(), Some("pdn: the opponent left after 1 of 2 games"));
}

#[test]
fn invalid_options_are_errors() {
    let folder = Folder::new();
    for arguments in [
        &["dxp"][..],
        &["dxp", "--listen", "0", "--connect", "localhost"],
        &["dxp", "--listen", "x"],
        &["dxp", "--listen", ":5"],
        &["dxp", "--connect", "localhost:99999"],
        &["dxp", "--listen", "0", "--fen", SHORT],
        &["dxp", "--listen", "0", "--initiate", "--minutes", "0"],
        &["dxp", "--listen", "0", "--log", "no/such/folder"],
        &["match", "builtin", "dxp:"],
    ] {
        let run = folder.run(arguments).is(2);
        assert!(!run.errors.is_empty() && run.text().is_empty(), "{arguments:?}");
    }
    folder.run(&["dxp", "--listen", "0", "--initiate", "--fen", "x"]).is(1);
}

#[test]
fn a_match_is_played_over_dxp() {
    let folder = Folder::new();
    fs::write(folder.path("openings.fen"), "W:W27,31,32,37:B13,14,19,23\nB:W27,31,32,37:B13,14,19,23\n")
        .expect("a file");
    let listening = Listening::start(&folder, &["--name", "Follower", "-o", "follower.pdn"]);
    let opponent = format!("dxp:{}", listening.address);
    let players = ["match", "builtin:nodes=30,hash=1", &opponent, "--jobs", "3"];
    let more = ["--openings", "openings.fen", "--engine-timeout", PATIENCE, "-o", "match.pdn"];
    let run = folder.run(&[&players[..], &more].concat()).is(0);
    listening.finish().is(0);
    assert!(run.text().contains("4 games: "), "{}", run.text());
    assert!(!run.text().contains("failure"), "{}", run.text());
    assert_eq!(moves(&folder.read("match.pdn")), moves(&folder.read("follower.pdn")));
    assert_eq!(folder.read("match.pdn").matches("\"Follower\"]").count(), 4);
}

#[test]
fn an_opponent_in_a_match_may_resign_or_fail() {
    let folder = Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let follower = thread::spawn(move || {
        let mut peer = Peer::on(listener.accept().expect("a connection").0);
        drop(listener);
        // It resigns, offers a draw, wants to take a move back, cheats, and closes the port.
        for (moves_first, messages, answers) in [
            (false, ["Chello", "E10"], &["E00"][..]),
            (true, ["Chello", "E20"], &["E00"]),
            (false, ["B001W", "M0000010100"], &["K1", "E01"]),
        ] {
            assert!(peer.receive().starts_with("R01pdn "));
            peer.send(&format!("A{:<32}0", "Peer"));
            if !moves_first {
                assert!(peer.receive().starts_with('M'));
            }
            for message in messages {
                peer.send(message);
            }
            for answer in answers {
                assert_eq!(peer.receive(), *answer);
            }
        }
    });
    let opponent = format!("dxp:{address}");
    let players = ["match", "builtin:nodes=30,hash=1", &opponent, "--games", "4", "--engine-timeout", PATIENCE];
    fs::write(folder.path("openings.fen"), "W:W31,32:B1,2\n".repeat(4)).expect("a file");
    let run = folder.run(&[&players[..], &["--openings", "openings.fen", "-o", "games.pdn"]].concat());
    follower.join().expect("no failure");
    let run = run.is(2);
    assert!(run.errors.contains("cannot connect to"), "{}", run.errors);
    assert!(run.text().contains("declared by a player 2, failure of a player 1"), "{}", run.text());
}

#[test]
fn games_start_from_openings_and_follow_a_book() {
    let folder = Folder::new();
    folder.write("openings.pdn", "1. 34-29 19-23 *\n\n1. 33-28 18-23 *\n");
    folder.write("book.pdn", "1. 34-29 19-23 2. 40-34 14-19 3. 45-40 10-14 *\n");
    let book = ["--book", "book.pdn"];
    let games = ["--openings", "openings.pdn", "-o", "b.pdn"];
    let [a, b] = two_processes(&folder, &book, &[&games[..], &book].concat());
    let (_, b) = (a.is(0), b.is(0));
    assert!(b.errors.contains("game against"), "{}", b.errors);
    let played = moves(&folder.read("b.pdn"));
    assert_eq!(played.len(), 4, "each opening twice: {played:?}");
    assert!(played[..2].iter().all(|moves| moves.starts_with("40-34 14-19 45-40 10-14 ")), "{played:?}");
    let record = folder.read("b.pdn");
    let whites: Vec<_> = record.lines().filter(|line| line.starts_with("[White ")).collect();
    assert_eq!(record.matches("[FEN ").count(), 4);
    assert!(whites.len() == 4, "{whites:?}");
}
