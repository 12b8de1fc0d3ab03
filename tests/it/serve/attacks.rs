//! The table of threats in `docs/sites.md`: each is tried while a second client works, whose calls are all answered.

#![expect(clippy::print_stdout, reason = "the times of the second client")]

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pdn::serve::ServeOptions;
use serde_json::json;

use super::client::{GAMES, Served, answer, serve};

/// Time within which each call of the second client is answered. It takes less than 100 ms on an idle machine, and a few seconds while
/// large requests arrive; only a server that makes people wait for each other needs more than this on a busy one.
const GENEROUS: Duration = Duration::from_secs(9);

/// Ends the second client, also if the attack fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Attacks a server while a second client works in a session of its own: it lists the files, asks about positions, and checks the
/// games of the folder.
fn attacked(served: &Served, name: &str, attack: impl FnOnce()) {
    let headers = [served.cookie(), format!("Origin: http://{}", served.host)];
    let headers = headers.each_ref().map(|header| &**header);
    let check = json!({ "inputs": [{ "name": "games.pdn", "path": "games.pdn" }] });
    let calls: [(&str, String); 3] = [
        ("GET /api/files", String::new()),
        ("POST /api/answer?name=position", json!({ "fen": "W:W31:B20" }).to_string()),
        ("POST /api/work?name=check", format!("{check}\n")),
    ];
    let is_over = AtomicBool::new(false);
    let work = || {
        let (mut slowest, mut rounds) = (Duration::ZERO, 0);
        // The first calls are made in any case.
        while rounds < 2 || !is_over.load(Ordering::Relaxed) {
            for (request, body) in &calls {
                let begun = Instant::now();
                let answer = served.send(request, &headers, body.as_bytes());
                assert_eq!(answer.status, 200, "{name}: {request}: {}", answer.head);
                assert!(!answer.body.is_empty(), "{name}: {request}");
                slowest = slowest.max(begun.elapsed());
            }
            rounds += 1;
        }
        (slowest, rounds)
    };
    let (slowest, rounds) = thread::scope(|scope| {
        let second = scope.spawn(work);
        let over = Over(&is_over);
        attack();
        drop(over);
        second.join().expect("the second client")
    });
    println!("{name}: {rounds} rounds of the second client, its slowest call {} ms", slowest.as_millis());
    assert!(slowest < GENEROUS, "{name}: {slowest:?}");
}

/// Begins a request with headers of the page.
fn begun(served: &Served, cookie: &str, request: &str, length: usize, body: &[u8]) -> TcpStream {
    let mut stream = served.connect();
    let own = format!("Host: {0}\r\nOrigin: http://{0}\r\nConnection: close\r\n{cookie}\r\n", served.host);
    let head = format!("{request} HTTP/1.1\r\n{own}Content-Length: {length}\r\n\r\n");
    // A server that refuses early may not take everything.
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
    stream
}

fn pause() {
    thread::sleep(Duration::from_secs(1));
}

#[test]
fn slow_heads_and_silent_connections() {
    let served = serve(|options| options);
    attacked(&served, "slow heads", || {
        let guests: Vec<_> = (0..450)
            .map(|n| {
                let mut stream = served.connect();
                let head: &[u8] = if n % 3 == 0 { b"" } else { b"POST /api/work?name=check HTTP/1.1\r\nX: " };
                let _ = stream.write_all(head);
                stream
            })
            .collect();
        pause();
        drop(guests);
    });
}

#[test]
fn slow_sign_ins_keep_no_one_out() {
    let served = serve(|options| ServeOptions { password: Some("twenty men".to_owned()), ..options });
    let origin = format!("Origin: http://{}", served.host);
    let slow: Vec<_> = (0..450).map(|_| begun(&served, "X: 1", "POST /sign-in", 30, b"pass")).collect();
    for _ in 0..5 {
        assert_eq!(served.send("POST /sign-in", &[&origin], b"password=twenty+men").status, 303);
    }
    // Wrong passwords are few, also from clients that do not wait for the answer.
    for _ in 0..10 {
        drop(begun(&served, "X: 1", "POST /sign-in", 10, b"password=x"));
    }
    pause();
    assert_eq!(served.send("POST /sign-in", &[&origin], b"password=y").status, 429);
    drop(slow);
}

#[test]
fn trickled_requests_take_neither_turns_nor_memory() {
    let served = serve(|options| ServeOptions { write: true, ..options });
    let cookie = served.cookie();
    attacked(&served, "trickled requests", || {
        let mut slow: Vec<_> = [
            ("POST /api/work?name=check", 10),
            ("PUT /api/file?path=x.pdn", 10),
            ("POST /api/answer?name=position", 10),
        ]
        .into_iter()
        .flat_map(|(request, count)| vec![request; count])
        .map(|request| begun(&served, &cookie, request, 1_000_000, b"{"))
        .collect();
        for _ in 0..4 {
            pause();
            for stream in &mut slow {
                let _ = stream.write_all(b" ");
            }
        }
        // They are given up for their rate, although bytes arrive.
        assert_eq!(answer(&mut slow[0]).status, 408);
    });
}

#[test]
fn a_session_has_a_part_of_the_requests() {
    let served = serve(|options| options);
    let cookie = served.cookie();
    attacked(&served, "many requests", || {
        let many: Vec<_> =
            (0..300).map(|_| begun(&served, &cookie, "POST /api/work?name=check", 1_000_000, b"{")).collect();
        pause();
        let mut last = begun(&served, &cookie, "GET /api/files", 0, b"");
        assert_eq!(answer(&mut last).status, 503, "of the same session");
        drop(many);
    });
}

#[test]
fn large_requests_and_answers_without_a_reader() {
    let served = serve(|options| options);
    fs::write(served.place.path().join("club/large.pdn"), GAMES.repeat(100_000)).expect("a file");
    let cookie = served.cookie();
    let head = b"{\"inputs\":[{\"name\":\"a.pdn\",\"size\":20000000}]}\n";
    let large = [&head[..], &GAMES.repeat(200_000).as_bytes()[..20_000_000]].concat();
    attacked(&served, "large requests", || {
        let unread = || begun(&served, &cookie, "GET /api/file?path=large.pdn", 0, b"");
        let guests: Vec<_> = (0..8).map(|_| unread()).collect();
        let sent: Vec<_> =
            (0..4).map(|_| begun(&served, &cookie, "POST /api/work?name=convert", large.len(), &large)).collect();
        pause();
        drop((guests, sent));
    });
}

#[test]
fn options_that_fill_the_memory() {
    let served = serve(|options| options);
    let cookie = served.cookie();
    let numbers = |count| format!("{{\"x\":[{}0]}}\n", "0,".repeat(count));
    let nested = ["{\"\":".repeat(100), "0".to_owned(), "}".repeat(100), ",".to_owned()].concat();
    attacked(&served, "options", || {
        for body in [numbers(2_000_000), format!("{{\"x\":[{}0]}}\n", nested.repeat(400))] {
            let answer = served.ask("POST /api/work?name=check", body.as_bytes());
            assert!(answer.status == 413 && answer.text().contains("the options are too large"), "{}", answer.text());
        }
        // Smaller ones wait for each other: together, they have the memory of a session.
        let body = numbers(200_000);
        let begin = |_| begun(&served, &cookie, "POST /api/work?name=check", body.len(), body.as_bytes());
        let mut many: Vec<_> = (0..20).map(begin).collect();
        for stream in &mut many {
            let answer = answer(stream);
            assert!(answer.status == 200 && answer.frames().0[0]["error"].is_object(), "{}", answer.head);
        }
    });
}

#[test]
fn half_open_and_pipelined_connections() {
    let served = serve(|options| options);
    let cookie = served.cookie();
    let one = format!("GET /api/files HTTP/1.1\r\nHost: {}\r\n{cookie}\r\n\r\n", served.host);
    attacked(&served, "half-open", || {
        let guests: Vec<_> = (0..100)
            .map(|n| {
                let mut stream = served.connect();
                let _ = stream.write_all(one.repeat(if n % 10 == 0 { 200 } else { 1 }).as_bytes());
                let _ = stream.shutdown(if n % 2 == 0 { Shutdown::Write } else { Shutdown::Read });
                stream
            })
            .collect();
        pause();
        drop(guests);
    });
}

#[test]
fn other_hosts_tokens_ranges_and_encodings() {
    let served = serve(|options| options);
    let cookie = served.cookie();
    attacked(&served, "wrong requests", || {
        let origin = format!("Origin: http://{}", served.host);
        for n in 0..50 {
            assert_eq!(served.send(&format!("GET /?token={n:032x}"), &[], b"").status, 403);
            let other = format!("GET / HTTP/1.1\r\nHost: evil{n}.example\r\n{cookie}\r\nConnection: close\r\n\r\n");
            assert_eq!(served.raw(other.as_bytes()).status, 421);
        }
        // A range that is not served gets the whole; the content has no encoding, whatever its header says.
        let range = ["Range: bytes=0-0,1-1,2-99999999999", &cookie, &origin];
        assert_eq!(served.send("GET /api/file?path=games.pdn", &range, b"").body, GAMES.as_bytes());
        let encoded = ["Content-Encoding: gzip", &cookie, &origin];
        assert_eq!(served.send("POST /api/answer?name=position", &encoded, b"{}").status, 200);
    });
}

#[test]
fn compressed_bombs() {
    let served = serve(|options| options);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..2 {
        packed.write_all(&vec![b'{'; 1 << 20]).expect("memory");
    }
    let packed = packed.finish().expect("memory");
    let question = json!({ "inputs": [{ "name": "a.pdn.gz", "size": packed.len() }] });
    let body = [format!("{question}\n").as_bytes(), &packed].concat();
    attacked(&served, "bombs", || {
        for name in ["check", "convert", "games"] {
            assert_eq!(served.ask(&format!("POST /api/work?name={name}"), &body).status, 200);
        }
    });
}

#[test]
fn hostile_records_in_every_view() {
    let served = serve(|options| options);
    let records = [
        format!("[GameType \"20\"]\n\n1. 32-28 {}", "(1. 31-27 ".repeat(600)),
        format!("1. 32-28 {{{} *\n", "{[%eval ".repeat(1000)),
        format!("[Event \"{}\"]\n[White \"\0\u{202e}<script>\"]\n\n1. 32-28 *\n", "\\\"".repeat(10_000)),
        "[GameType \"20\"]\n[FEN \"W:WK1-50:B\"]\n\n1. 1-50 *\n".repeat(60),
        format!(
            "[Date \"{}\"]\n[Result \"{}\"]\n\n{}*\n",
            "9".repeat(2000),
            "1-".repeat(2000),
            "1. 32x41 ".repeat(1000)
        ),
        "\u{feff}\u{0}[[[[(((({{{{;;;;%%%%".repeat(500),
    ];
    attacked(&served, "hostile records", || {
        for record in &records {
            let question = json!({ "inputs": [{ "name": "a.pdn", "size": record.len() }] });
            let body = format!("{question}\n{record}");
            for name in [
                "check",
                "convert",
                "fmt",
                "games",
                "reportRows",
                "report",
                "search",
                "openings",
                "event",
                "stats",
                "chart",
                "players",
                "count",
            ] {
                let made = served.ask(&format!("POST /api/work?name={name}"), body.as_bytes());
                assert_eq!(made.status, 200, "{name}");
                assert!(!made.body.is_empty(), "{name} says how it ended");
            }
        }
    });
}

/// Returns the message of the error that answers a question to the engine.
fn refused(served: &Served, question: &str) -> String {
    let answer = served.ask("POST /api/analyse", question.as_bytes());
    let text = answer.text();
    assert!(text.starts_with("event: error\n"), "{question}: {text}");
    text.to_owned()
}

#[test]
fn limits_out_of_range_are_refused() {
    let served = serve(|options| options);
    attacked(&served, "limits", || {
        for (limit, reason) in [
            ("\"hash\":20000", "expected a number from 1 to 256"),
            ("\"hash\":0", "expected a number from 1 to 256"),
            ("\"hash\":18446744073709551615", "expected a number from 1 to 256"),
            ("\"lines\":4000000000", "expected a number from 1 to 100"),
            ("\"time\":1e300", "for time; expected a smaller number of seconds"),
            ("\"time\":0", "invalid value `0.0` for time; expected a number of milliseconds greater than 0"),
            ("\"time\":-1", "invalid value `-1.0` for time; expected a number of milliseconds greater than 0"),
            ("\"depth\":0", "for depth"),
            ("\"nodes\":0", "for nodes"),
        ] {
            let text = refused(&served, &format!("{{\"fen\":null,{limit}}}"));
            assert!(text.contains(reason), "{limit}: {text}");
        }
        // One that is never reached is a limit all the same, and the first one reached counts.
        let answer = served.ask("POST /api/analyse", b"{\"fen\":null,\"time\":1e22,\"depth\":3}");
        assert!(answer.text().contains("event: result"), "{}", answer.text());
        let annotate = json!({
            "inputs": [{ "name": "games.pdn", "path": "games.pdn" }],
            "options": { "hash": 20_000, "nodes": 100, "all": [2, 5] },
        });
        let (messages, _) = served.ask("POST /api/work?name=annotate", format!("{annotate}\n").as_bytes()).frames();
        let error = messages.last().expect("a message")["error"]["message"].to_string();
        assert!(error.contains("from 1 to 256"), "{error}");
    });
}

#[test]
fn house_rules_are_small() {
    let served = serve(|options| options);
    let long = format!("base = \"international\"\nname = \"{}\"\n", "a".repeat(900_000));
    let question = json!({ "rules": { "rules": long } }).to_string();
    attacked(&served, "house rules", || {
        for _ in 0..20 {
            let answer = served.ask("POST /api/answer?name=position", question.as_bytes());
            let error = answer.json()["error"]["message"].to_string();
            assert!(error.contains("at most 64"), "{}", &error[..error.len().min(300)]);
        }
    });
}

#[cfg(unix)]
#[test]
fn an_engine_that_hangs() {
    let engine = "sleep 30".parse().expect("an engine");
    let served = serve(|options| ServeOptions { engine: Some(engine), ..options });
    let cookie = served.cookie();
    attacked(&served, "a hanging engine", || {
        let question = b"{\"fen\":null}";
        let guests: Vec<_> =
            (0..40).map(|_| begun(&served, &cookie, "POST /api/analyse", question.len(), question)).collect();
        pause();
        drop(guests);
    });
}

#[test]
fn searches_without_end() {
    let served = serve(|options| options);
    let cookie = served.cookie();
    attacked(&served, "searches", || {
        let question = b"{\"fen\":null,\"hash\":256}";
        let mut guests: Vec<_> =
            (0..20).map(|_| begun(&served, &cookie, "POST /api/analyse", question.len(), question)).collect();
        guests[0].read_exact(&mut [0; 1000]).expect("thoughts");
        pause();
        drop(guests);
    });
}

#[test]
fn the_table_of_threats_names_tests() {
    let sources = [
        include_str!("access.rs"),
        include_str!("attacks.rs"),
        include_str!("../../../src/serve/access.rs"),
        include_str!("../../../src/serve/session.rs"),
    ];
    let page = include_str!("../../../docs/sites.md");
    let cells = page.lines().filter(|line| line.starts_with('|')).filter_map(|line| line.split(" | ").nth(3));
    let names: Vec<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        assert!(sources.iter().any(|source| source.contains(&format!("fn {name}()"))), "{name}");
    }
}
