//! Tokens, passwords, hosts, pages of others, and paths.

use std::fs;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pdn::serve::ServeOptions;

use super::client::{GAMES, serve};

#[test]
fn a_browser_is_let_in_by_the_token_and_then_by_its_cookie() {
    let served = serve(|options| options);
    let first = served.send(&format!("GET /?token={}", served.token()), &[], b"");
    assert_eq!((first.status, first.header("location")), (303, Some("/")));
    let cookie = first.header("set-cookie").expect("a cookie");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    let page = served.send("GET /", &[&served.cookie()], b"");
    assert!(page.status == 200 && page.text().starts_with("<!doctype html>"));
    for policy in ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"] {
        assert!(page.header("content-security-policy").is_some_and(|found| found.contains(policy)), "{policy}");
    }
    assert!(!page.text().contains("http-equiv"), "the policy of sites would allow more");
    // An address of an earlier run, such as a bookmark, does not keep out who is known.
    assert_eq!(served.send("GET /?token=0123456789abcdef", &[&served.cookie()], b"").status, 200);
    for (name, value) in
        [("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("cache-control", "no-store")]
    {
        assert_eq!(page.header(name), Some(value));
    }
    assert_eq!(served.send("GET /app.js", &[], b"").header("content-type"), Some("text/javascript; charset=utf-8"));
}

#[test]
fn nothing_of_the_folder_is_shown_without_the_cookie() {
    let served = serve(|options| ServeOptions { write: true, ..options });
    let own = format!("Origin: http://{}", served.host);
    for request in [
        "GET /api/files",
        "GET /api/file?path=games.pdn",
        "PUT /api/file?path=new.pdn",
        "POST /api/work?name=check",
        "POST /api/answer?name=position",
        "POST /api/analyse",
        "GET /api/none",
        "POST /api/",
    ] {
        for cookie in ["Cookie: a=b", "Cookie: pdn=", "Cookie: pdn-0=0123456789abcdef0123456789abcdef"] {
            let answer = served.send(request, &[cookie, &own], b"{}");
            assert_eq!(answer.status, 401, "{request}");
        }
    }
    assert_eq!(served.send("GET /", &[], b"").status, 403);
    assert_eq!(served.send("GET /?token=0123456789abcdef0123456789abcdef", &[], b"").status, 403);
    assert!(!served.place.path().join("club/new.pdn").exists());
}

#[test]
fn hosts_of_others_are_refused_whatever_they_bring() {
    let served = serve(|options| options);
    let port = served.host.split_once(':').expect("a port").1;
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        "127.0.0.1:1".to_owned(),
        format!("192.168.1.2:{port}"),
    ] {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\nConnection: close\r\n\r\n", served.cookie());
        assert_eq!(served.raw(request.as_bytes()).status, 421, "{host}");
    }
    let request = format!("GET / HTTP/1.0\r\n{}\r\n\r\n", served.cookie());
    assert_eq!(served.raw(request.as_bytes()).status, 421, "no host");
    let proxied = format!("GET http://evil.example/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.host);
    assert_eq!(served.raw(proxied.as_bytes()).status, 421);
    let named = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n{}\r\nConnection: close\r\n\r\n", served.cookie());
    assert_eq!(served.raw(named.as_bytes()).status, 200);
}

#[test]
fn pages_of_others_cannot_use_the_cookie() {
    let served = serve(|options| ServeOptions { write: true, ..options });
    let cookie = served.cookie();
    let own = format!("Origin: http://{}", served.host);
    for header in [
        "Origin: http://evil.example",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "X-None: 1",
    ] {
        let written = served.send("PUT /api/file?path=new.pdn", &[&cookie, header], GAMES.as_bytes());
        assert_eq!(written.status, 403, "{header}");
    }
    assert_eq!(served.send("GET /api/files", &[&cookie, "Sec-Fetch-Site: cross-site"], b"").status, 403);
    // A browser says one origin.
    let both =
        served.send("PUT /api/file?path=new.pdn", &[&cookie, &own, "Origin: http://evil.example"], GAMES.as_bytes());
    assert_eq!(both.status, 403);
    assert_eq!(served.send("PUT /api/file?path=new.pdn", &[&cookie, &own], GAMES.as_bytes()).status, 200);
}

#[test]
fn paths_lead_to_records_of_the_folder_alone() {
    let served = serve(|options| ServeOptions { write: true, ..options });
    assert_eq!(served.ask("GET /api/file?path=games.pdn", b"").body, GAMES.as_bytes());
    for path in [
        "../secret.pdn",
        "%2e%2e/secret.pdn",
        "%2e%2e%2fsecret.pdn",
        "..%5csecret.pdn",
        "%252e%252e/secret.pdn",
        "/etc/passwd",
        "games.pdn%00",
        "%00",
        "C:%5cgames.pdn",
        "con.pdn",
        "games.pdn%2fa.pdn",
        "games.pdn%2e",
        "./games.pdn",
        "%c0%ae%c0%ae/secret.pdn",
        "",
        "%",
    ] {
        for request in ["GET", "PUT"] {
            let status = served.ask(&format!("{request} /api/file?path={path}"), b"x").status;
            assert!([400, 404].contains(&status), "{request} {path}: {status}");
        }
    }
    for path in
        ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/parts/../app.js", "/games.pdn", "/club/games.pdn"]
    {
        assert_eq!(served.ask(&format!("GET {path}"), b"").status, 404, "{path}");
    }
    let work = |input: &str| {
        served.ask("POST /api/work?name=check", format!("{{\"inputs\":[{input}]}}\n").as_bytes()).frames().0
    };
    assert!(
        work("{\"name\":\"a\",\"path\":\"../secret.pdn\"}")[0]["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("cannot be read"))
    );
    assert_eq!(fs::read_dir(served.place.path()).expect("a folder").count(), 2);
}

#[test]
fn files_are_saved_only_if_asked_and_only_as_they_were_read() {
    let read_only = serve(|options| options);
    assert_eq!(read_only.ask("PUT /api/file?path=new.pdn", b"x").status, 403);
    let served = serve(|options| ServeOptions { write: true, ..options });
    let read = served.ask("GET /api/file?path=games.pdn", b"");
    let version = format!("If-Match: {}", read.header("etag").expect("a version"));
    let (cookie, origin) = (served.cookie(), format!("Origin: http://{}", served.host));
    let save = |version: &[&str]| {
        let headers = [&[&*cookie, &*origin], version].concat();
        served.send("PUT /api/file?path=games.pdn", &headers, b"1. 32-28 *\n").status
    };
    assert_eq!(save(&[]), 412, "it is there already");
    assert_eq!(save(&[&version]), 200);
    assert_eq!(save(&[&version]), 412, "it has another version now");
    assert_eq!(fs::read(served.place.path().join("club/games.pdn")).expect("a file"), b"1. 32-28 *\n");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_read_only_is_named_as_the_reason() {
    let served = serve(|options| ServeOptions { write: true, ..options });
    let path = served.place.path().join("club/games.pdn");
    let mut permissions = fs::metadata(&path).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("permissions");
    let read = served.ask("GET /api/file?path=games.pdn", b"");
    let version = format!("If-Match: {}", read.header("etag").expect("a version"));
    let (cookie, origin) = (served.cookie(), format!("Origin: http://{}", served.host));
    let refused = served.send("PUT /api/file?path=games.pdn", &[&cookie, &origin, &version], b"1. 32-28 *\n");
    assert!(refused.status == 403 && refused.text().contains("the folder or the file is read-only"), "{refused:?}");
}

#[test]
fn people_sign_in_with_the_password() {
    let served = serve(|options| ServeOptions { password: Some("twenty men".to_owned()), ..options });
    let origin = format!("Origin: http://{}", served.host);
    let page = served.send("GET /", &[], b"");
    assert!(page.status == 200 && page.text().contains("type=\"password\"") && page.header("set-cookie").is_none());
    // With `no-referrer`, browsers send `Origin: null` with the form.
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    let sign_in = |text: &str, origin: &str| served.send("POST /sign-in", &[origin], text.as_bytes());
    let begun = Instant::now();
    let wrong = sign_in("password=twenty+kings", &origin);
    assert!(wrong.status == 401 && wrong.header("set-cookie").is_none());
    assert!(begun.elapsed() >= Duration::from_secs(1), "guesses take time");
    assert_eq!(sign_in("password=twenty+men", "Origin: http://evil.example").status, 403);
    let right = sign_in("password=twenty%20men", &origin);
    assert_eq!(right.status, 303);
    let cookie =
        format!("Cookie: {}", right.header("set-cookie").expect("a cookie").split(';').next().expect("a pair"));
    assert_eq!(served.send("GET /api/files", &[&cookie], b"").status, 200);
    assert_eq!(served.send("GET /api/files", &[], b"").status, 401);
}

#[test]
fn guesses_are_few() {
    let served = serve(|options| ServeOptions { password: Some("twenty men".to_owned()), ..options });
    let request = format!(
        "POST /sign-in HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nConnection: close\r\nContent-Length: 10\r\n\r\npassword=x",
        served.host
    );
    let streams: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = served.connect();
            std::io::Write::write_all(&mut stream, request.as_bytes()).expect("a request");
            stream
        })
        .collect();
    let statuses: Vec<_> = streams.into_iter().map(|mut stream| super::client::answer(&mut stream).status).collect();
    assert!(statuses.iter().filter(|&&status| status == 401).count() <= 4, "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
    let origin = format!("Origin: http://{}", served.host);
    let right = served.send("POST /sign-in", &[&origin], b"password=twenty+men");
    assert_eq!((right.status, right.header("content-type")), (429, Some("text/html; charset=utf-8")));
    assert!(right.text().contains("Too many wrong passwords: wait ten seconds") && right.text().contains("<form"));
}

#[test]
fn methods_are_those_of_their_paths() {
    let served = serve(|options| ServeOptions { password: Some("twenty men".to_owned()), ..options });
    let origin = format!("Origin: http://{}", served.host);
    let answer = |request: &str| served.send(request, &[&origin], b"password=twenty+men");
    let cookie = format!(
        "Cookie: {}",
        answer("POST /sign-in").header("set-cookie").expect("a cookie").split(';').next().expect("a pair")
    );
    let asked = |request: &str| served.send(request, &[&origin, &cookie], b"");
    for path in ["/", "/app.js", "/api/files", "/api/file?path=games.pdn"] {
        let [get, head] = ["GET", "HEAD"].map(|method| asked(&format!("{method} {path}")));
        assert_eq!((get.status, head.status), (200, 200), "{path}");
        assert_eq!(get.header("content-length"), head.header("content-length"), "{path}");
        assert!(!get.body.is_empty() && head.body.is_empty(), "{path}");
    }
    for (request, allow) in [
        ("POST /", "GET, HEAD"),
        ("PUT /app.js", "GET, HEAD"),
        ("DELETE /sign-in", "GET, HEAD, POST"),
        ("POST /api/files", "GET, HEAD"),
        ("DELETE /api/file?path=games.pdn", "GET, HEAD, PUT"),
        ("GET /api/work", "POST"),
        ("PUT /api/answer", "POST"),
        ("HEAD /api/analyse", "POST"),
    ] {
        let answer = asked(request);
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allow)), "{request}");
    }
    for request in ["POST /none", "GET /none", "POST /api/none"] {
        assert_eq!(asked(request).status, 404, "{request}");
    }
    let back = asked("GET /sign-in");
    assert_eq!((back.status, back.header("location")), (303, Some("/")));
}

#[test]
fn a_program_that_looks_at_the_address_does_not_use_up_the_token() {
    let served = serve(|options| options);
    let looked = served.send(&format!("HEAD /?token={}", served.token()), &[], b"");
    assert!(looked.status == 403 && looked.header("set-cookie").is_none());
    assert_eq!(served.send(&format!("GET /?token={}", served.token()), &[], b"").status, 303);
}

#[test]
fn people_sign_in_through_a_proxy_with_https() {
    let served = serve(|options| ServeOptions {
        password: Some("twenty men".to_owned()),
        public_url: Some("https://club.example".to_owned()),
        ..options
    });
    let sign_in = |host: &str, origin: &str| {
        let body = "password=twenty+men";
        let request = format!(
            "POST /sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        served.raw(request.as_bytes())
    };
    // A proxy passes on its own name, or that of the server.
    for host in ["club.example", &served.host] {
        let let_in = sign_in(host, "https://club.example");
        let cookie = let_in.header("set-cookie").expect("a cookie");
        assert!(let_in.status == 303 && cookie.ends_with("; SameSite=Strict; Secure"), "{cookie}");
        let pair = cookie.split(';').next().expect("a pair");
        let request = format!(
            "GET /api/files HTTP/1.1\r\nHost: {host}\r\nCookie: {pair}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(served.raw(request.as_bytes()).status, 200, "{host}");
    }
    let direct = sign_in(&served.host, &format!("http://{}", served.host));
    assert!(direct.status == 303 && !direct.header("set-cookie").expect("a cookie").contains("Secure"));
    assert_eq!(sign_in("club.example", "http://club.example").status, 403);
    assert_eq!(sign_in("club.example", "https://evil.example").status, 403);
    assert_eq!(sign_in("evil.example", "https://club.example").status, 421);
}

#[cfg(target_os = "linux")]
#[test]
fn records_that_are_not_listed_are_counted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let served = serve(|options| options);
    let club = served.place.path().join("club");
    fs::write(club.join("12:30.pdn"), GAMES).expect("a file");
    fs::write(club.join(OsStr::from_bytes(b"M\xFCller.pdn")), GAMES).expect("a file");
    let listed = served.ask("GET /api/files", b"").json();
    assert_eq!((listed["files"].as_array().map(Vec::len), &listed["leftOut"]), (Some(2), &1.into()));
    assert_eq!(served.ask("GET /api/file?path=12%3A30.pdn", b"").status, 200);
    fs::remove_dir_all(club).expect("removed");
    let gone = served.ask("GET /api/files", b"");
    assert!(gone.status == 500 && gone.text().contains("the folder cannot be read: No such file"), "{}", gone.text());
}
