//! Clients that send too much, too slowly, or too often.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use pdn::serve::ServeOptions;
use serde_json::json;

use super::client::{Served, answer, serve};

fn is_alive(served: &Served) -> bool {
    let begun = Instant::now();
    served.ask("GET /api/files", b"").status == 200 && begun.elapsed() < Duration::from_secs(5)
}

#[test]
fn requests_have_a_largest_size() {
    let served = serve(|options| ServeOptions { write: true, ..options });
    let head = |request: &str, length: &str| {
        let own =
            format!("Host: {0}\r\nOrigin: http://{0}\r\nConnection: close\r\n{1}\r\n", served.host, served.cookie());
        served.raw(format!("{request} HTTP/1.1\r\n{own}{length}\r\n\r\n").as_bytes()).status
    };
    assert_eq!(head("POST /api/answer?name=position", "Content-Length: 2000000"), 413);
    assert_eq!(head("POST /api/work?name=check", "Content-Length: 99999999999"), 413);
    assert_eq!(head("PUT /api/file?path=a.pdn", "Content-Length: 99999999999"), 413);
    assert_eq!(head("POST /sign-in", "Content-Length: 5000"), 413);
    assert_eq!(head("POST /api/work?name=check", "Transfer-Encoding: chunked"), 411);
    let long = format!("X-Long: {}", "a".repeat(100_000));
    assert!([0, 400, 431].contains(&head("GET /api/files", &long)));
    assert!(served.raw(&vec![0xff; 50_000]).status != 200);
    assert!(is_alive(&served));
}

#[test]
fn a_thousand_connections_do_not_stop_it() {
    let served = serve(|options| options);
    let mut guests = Vec::new();
    for n in 0..1000 {
        // Half of them say nothing, the others begin a request.
        let mut stream = served.connect();
        if n % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
        }
        guests.push(stream);
        assert!(n % 250 != 0 || is_alive(&served), "after {n}");
    }
    assert!(is_alive(&served));
}

#[test]
fn a_client_that_begins_and_does_not_go_on_is_given_up() {
    let served = serve(|options| options);
    let mut stream = served.connect();
    stream.write_all(b"GET / HTTP/1.1\r\n").expect("a part");
    let begun = Instant::now();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    let mut stream = served.connect();
    let own = format!("Host: {0}\r\nOrigin: http://{0}\r\nConnection: close\r\n{1}\r\n", served.host, served.cookie());
    stream
        .write_all(format!("POST /api/work?name=check HTTP/1.1\r\n{own}Content-Length: 100\r\n\r\n{{").as_bytes())
        .expect("a part");
    assert_eq!(answer(&mut stream).status, 408);
}

/// Sends the same request on many connections, which stay open.
fn crowd(served: &Served, size: usize, request: &str, body: &str) -> Vec<std::net::TcpStream> {
    let own = format!("Host: {0}\r\nOrigin: http://{0}\r\n{1}\r\n", served.host, served.cookie());
    let text = format!("{request} HTTP/1.1\r\n{own}{body}");
    let open = |_| {
        let mut stream = served.connect();
        let _ = stream.write_all(text.as_bytes());
        stream
    };
    (0..size).map(open).collect()
}

#[test]
fn streams_that_stay_open_and_slow_requests_leave_room_for_others() {
    let served = serve(|options| options);
    let streams = crowd(&served, 500, "POST /api/analyse", "Content-Length: 12\r\n\r\n{\"fen\":null}");
    assert!(is_alive(&served), "streams");
    drop(streams);
    let slow = crowd(&served, 500, "POST /api/work?name=check", "Content-Length: 200000000\r\n\r\n{");
    assert!(is_alive(&served), "slow requests");
    drop(slow);
}

#[test]
fn people_who_wait_get_their_turn() {
    let served = serve(|options| options);
    let others = crowd(&served, 2, "POST /api/analyse", "Content-Length: 12\r\n\r\n{\"fen\":null}");
    for mut stream in &others {
        stream.read_exact(&mut [0; 1000]).expect("thoughts");
    }
    let answer = served.ask("POST /api/analyse", b"{\"fen\":null,\"depth\":2}");
    assert!(answer.text().contains("event: result"), "{}", answer.head);
}

#[test]
fn a_search_ends_when_its_client_is_gone() {
    // Two searches at a time: a third one is answered only after the others ended.
    let served = serve(|options| options);
    let own = format!("Host: {0}\r\nOrigin: http://{0}\r\n{1}\r\n", served.host, served.cookie());
    let question = json!({ "fen": null }).to_string();
    for _ in 0..3 {
        let streams = [(); 2].map(|()| {
            let mut stream = served.connect();
            let request =
                format!("POST /api/analyse HTTP/1.1\r\n{own}Content-Length: {}\r\n\r\n{question}", question.len());
            stream.write_all(request.as_bytes()).expect("a request");
            stream.read_exact(&mut [0; 2000]).expect("thoughts");
            stream
        });
        drop(streams);
    }
    let begun = Instant::now();
    let answer = served.ask("POST /api/analyse", b"{\"fen\":null,\"depth\":2}");
    assert!(answer.text().contains("event: result"), "{}", answer.head);
    assert!(begun.elapsed() < Duration::from_secs(20));
}
