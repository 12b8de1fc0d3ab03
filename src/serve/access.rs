//! Who may ask: the token or the password, the host that a request names, and the page that it comes from.

use std::hint::black_box;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use hyper::Method;
use hyper::header::{COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};

use super::session::{Session, Sessions, random};
use crate::error::{Error, Result};
use crate::shared::lock;

/// What a browser says about the page that sent a request.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

// With four guesses in ten seconds from one address, eight random letters last for 16,000 years.
/// Shortest password that is accepted, in characters.
const SHORTEST_PASSWORD: usize = 8;

/// The secrets of a server, and the names under which it may be asked.
#[derive(Debug)]
pub(super) struct Access {
    /// What the printed address has. It is not in a cookie.
    token: String,
    /// What the address has that the program itself opens in a browser; other users of the machine may see it in the list of
    /// processes, so that it opens once.
    token_once: Mutex<Option<String>>,
    password: Option<String>,
    pub(super) sessions: Sessions,
    /// The name that was given for the address, in lower case, without its port.
    name: Option<String>,
    port: u16,
    /// The address under which a proxy answers for this server.
    public: Option<PublicUrl>,
    /// True if only this machine can reach the server.
    is_local: bool,
}

/// The address of a site without a path, such as `https://club.example`, as a browser names it.
#[derive(Clone, Debug)]
pub(super) struct PublicUrl {
    /// The whole address.
    origin: String,
    /// Its host, with a port that is not the usual one.
    host: String,
}

impl PublicUrl {
    /// Parses an address.
    ///
    /// # Errors
    ///
    /// If it is not `http` or `https` with a host alone.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let invalid = || {
            Error::usage(format!("{text}: expected the address of a site without a path, such as https://club.example"))
        };
        let lower = text.to_ascii_lowercase();
        let (scheme, host) = lower.split_once("://").ok_or_else(invalid)?;
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(invalid()),
        };
        let host = host.strip_suffix('/').unwrap_or(host);
        let (name, port) = split_host(host).ok_or_else(invalid)?;
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-._:".contains(letter);
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(invalid());
        }
        // Browsers leave out the usual port.
        let host = if port == Some(usual) { host.rsplit_once(':').map_or(host, |(host, _)| host) } else { host };
        Ok(Self { origin: format!("{scheme}://{host}"), host: host.to_owned() })
    }
}

impl Access {
    /// Returns the access to a server that listens at a port of an address.
    ///
    /// # Errors
    ///
    /// If others could reach the server and there is no password, or it is too short; or without random numbers.
    pub(super) fn new(
        (address, port): (IpAddr, u16),
        name: Option<&str>,
        public: Option<PublicUrl>,
        password: Option<String>,
    ) -> Result<Self> {
        let is_local = address.is_loopback();
        match &password {
            None if !is_local || public.is_some() => {
                return Err(Error::usage("a server that others can reach needs a password"));
            }
            Some(password) if password.chars().count() < SHORTEST_PASSWORD => {
                return Err(Error::usage(format!("expected a password of at least {SHORTEST_PASSWORD} characters")));
            }
            _ => {}
        }
        Ok(Self {
            token: random()?,
            token_once: Mutex::default(),
            password,
            sessions: Sessions::default(),
            name: name.map(str::to_ascii_lowercase),
            port,
            public,
            is_local,
        })
    }

    /// Returns the query of the first address: the token, unless a password is asked for.
    pub(super) fn query(&self) -> String {
        if self.has_password() { String::new() } else { format!("?token={}", self.token) }
    }

    /// Returns the query of an address that opens once.
    ///
    /// # Errors
    ///
    /// Without random numbers.
    pub(super) fn query_once(&self) -> Result<String> {
        if self.has_password() {
            return Ok(String::new());
        }
        let token = random()?;
        let query = format!("?token={token}");
        *lock(&self.token_once) = Some(token);
        Ok(query)
    }

    /// Returns true if people sign in with a password.
    pub(super) const fn has_password(&self) -> bool {
        self.password.is_some()
    }

    /// Returns true for the password.
    pub(super) fn is_password(&self, given: &[u8]) -> bool {
        self.password.as_ref().is_some_and(|password| is_same(password.as_bytes(), given))
    }

    /// Returns true for the token in the first address, and once for the one in the address that was opened.
    pub(super) fn is_token(&self, given: &str) -> bool {
        let mut once = lock(&self.token_once);
        let is_once = once.take_if(|token| is_same(token.as_bytes(), given.as_bytes())).is_some();
        is_once || !self.has_password() && is_same(self.token.as_bytes(), given.as_bytes())
    }

    /// Begins a session, and returns the cookie for the browser that sent some headers. Browsers share cookies between the ports of
    /// a machine.
    ///
    /// # Errors
    ///
    /// Without random numbers.
    pub(super) fn cookie(&self, address: IpAddr, headers: &HeaderMap) -> Result<String> {
        let secret = self.sessions.begin(address)?;
        // The server can also be reached without the proxy, and then without HTTPS.
        let is_secure = self.public.as_ref().is_some_and(|public| {
            let is_there =
                is_host(headers, &public.host) || headers.get(ORIGIN).is_some_and(|it| *it == *public.origin);
            is_there && public.origin.starts_with("https:")
        });
        let secure = if is_secure { "; Secure" } else { "" };
        Ok(format!("{}={secret}; Path=/; HttpOnly; SameSite=Strict{secure}", self.cookie_name()))
    }

    fn cookie_name(&self) -> String {
        format!("pdn-{}", self.port)
    }

    /// Returns the session whose cookie a request has.
    pub(super) fn session(&self, headers: &HeaderMap) -> Option<Arc<Session>> {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        self.sessions.find(pairs.filter(|(key, _)| *key == name).map(|(_, value)| value))
    }

    /// Returns true if the request names this server: a page whose name was made to lead here names its own host.
    pub(super) fn is_own_host(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).into_iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        if self.public.as_ref().is_some_and(|public| is_host(headers, &public.host)) {
            return true;
        }
        let Some((host, port)) = host.to_str().ok().and_then(split_host) else { return false };
        let is_named = match host.parse::<IpAddr>() {
            Ok(address) => !self.is_local || address.is_loopback(),
            Err(_) => {
                host.eq_ignore_ascii_case("localhost")
                    || self.name.as_ref().is_some_and(|name| host.eq_ignore_ascii_case(name))
            }
        };
        // Browsers leave out the port of HTTP.
        is_named && port.unwrap_or(80) == self.port
    }

    /// Returns true if a request comes from a page of this server, or from none. One that changes or computes something must
    /// say that it does.
    pub(super) fn is_own_page(&self, method: &Method, headers: &HeaderMap) -> bool {
        let is_safe = matches!(*method, Method::GET | Method::HEAD);
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let own = format!("http://{host}");
        // A proxy may pass on its own name or that of this server.
        let is_own = |origin: &HeaderValue| match &self.public {
            Some(public) if *origin == *public.origin => true,
            Some(public) if is_host(headers, &public.host) => false,
            _ => origin == own.as_str(),
        };
        // `none` is an address that somebody typed or kept: it may show a page, but change nothing.
        let is_site = |site: &HeaderValue| site == "same-origin" || site == "none" && is_safe;
        match (all(headers, ORIGIN, is_own), all(headers, FETCH_SITE, is_site)) {
            (Some(false), _) | (_, Some(false)) => false,
            (None, None) => is_safe,
            _ => true,
        }
    }
}

/// Returns true if all headers of a name have a property, and nothing if there are none.
fn all(headers: &HeaderMap, name: HeaderName, test: impl Fn(&HeaderValue) -> bool) -> Option<bool> {
    let mut values = headers.get_all(name).into_iter().peekable();
    values.peek().is_some().then(|| values.all(test))
}

/// Returns true if a request names a host.
fn is_host(headers: &HeaderMap, host: &str) -> bool {
    headers.get(HOST).is_some_and(|named| named.as_bytes().eq_ignore_ascii_case(host.as_bytes()))
}

/// Splits a host from its port; the brackets of an IPv6 address are removed.
fn split_host(text: &str) -> Option<(&str, Option<u16>)> {
    if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']')?;
        host.parse::<Ipv6Addr>().ok()?;
        let port = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?.parse().ok()?) };
        return Some((host, port));
    }
    match text.split_once(':') {
        None => Some((text, None)),
        Some((host, port)) => Some((host, Some(port.parse().ok()?))),
    }
}

/// Returns true if two secrets are the same, in a time that depends on their lengths alone.
pub(super) fn is_same(secret: &[u8], given: &[u8]) -> bool {
    let differences = secret.iter().zip(given).fold(0, |found, (a, b)| black_box(found | (a ^ b)));
    secret.len() == given.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).expect("a value");
        pairs.iter().map(|(name, text)| (HeaderName::from_static(name), value(text))).collect()
    }

    fn local() -> Access {
        Access::new(([127, 0, 0, 1].into(), 8080), None, None, None).expect("random numbers")
    }

    #[expect(clippy::unnecessary_wraps, reason = "as a server takes it")]
    fn password() -> Option<String> {
        Some("dam & schijf".to_owned())
    }

    fn of_club() -> Access {
        Access::new(([0, 0, 0, 0].into(), 8080), Some("Club.example"), None, password()).expect("access")
    }

    fn behind_a_proxy() -> Access {
        let public = PublicUrl::parse("https://Club.example/").expect("an address");
        Access::new(([127, 0, 0, 1].into(), 8080), None, Some(public), password()).expect("access")
    }

    #[test]
    fn a_server_for_others_needs_a_password() {
        // Seven characters, but eight bytes.
        for password in [None, Some("short".to_owned()), Some("шашки14".to_owned())] {
            assert!(Access::new(([192, 168, 1, 2].into(), 1), None, None, password).is_err());
        }
        let public = PublicUrl::parse("http://club.example").ok();
        assert!(Access::new(([127, 0, 0, 1].into(), 1), None, public, None).is_err());
        assert!(of_club().is_password(b"dam & schijf"));
        for wrong in [&b""[..], b"dam & schij", b"dam & schijf ", b"Dam & schijf"] {
            assert!(!of_club().is_password(wrong));
        }
        assert!(!local().is_password(b""));
    }

    #[test]
    fn tokens_are_random_and_of_one_server() {
        let (one, other) = (local(), local());
        assert!(one.token.len() == 32 && one.token != other.token);
        assert!(one.is_token(&one.token) && !one.is_token(&other.token) && !one.is_token(""));
        let cookie = |access: &Access| {
            let cookie = access.cookie([127, 0, 0, 1].into(), &HeaderMap::new()).expect("random numbers");
            cookie.split(';').next().expect("a pair").to_owned()
        };
        let is_known = |cookie: &str| one.session(&headers(&[("cookie", cookie)])).is_some();
        let own = cookie(&one);
        assert!(is_known(&format!("a=b; {own}")) && !own.contains(&one.token));
        for wrong in [
            cookie(&other),
            "pdn-8080=".to_owned(),
            own.replace("8080", "80"),
            format!("pdn-8080={}", one.token),
            String::new(),
        ] {
            assert!(!is_known(&wrong), "{wrong}");
        }
        // With a password, no address lets anybody in.
        let club = of_club();
        assert!(
            !club.is_token(&club.token) && club.query().is_empty() && club.query_once().is_ok_and(|it| it.is_empty())
        );
    }

    #[test]
    fn an_address_in_the_list_of_processes_opens_once() {
        let access = local();
        let query = access.query_once().expect("random numbers");
        let token = query.strip_prefix("?token=").expect("a token");
        assert_ne!(token, access.token);
        assert!(!access.is_token("other") && access.is_token(token) && !access.is_token(token));
        assert!(access.is_token(&access.token));
    }

    #[test]
    fn hosts_of_other_names_are_refused() {
        let (local, club) = (local(), of_club());
        let is_own = |access: &Access, host: &str| access.is_own_host(&headers(&[("host", host)]));
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert!(is_own(&local, host), "{host}");
        }
        for host in
            ["evil.example:8080", "127.0.0.1", "127.0.0.1:80", "192.168.1.2:8080", "[::1]8080", "localhost:x", ""]
        {
            assert!(!is_own(&local, host), "{host}");
        }
        for host in ["192.168.1.2:8080", "club.example:8080", "localhost:8080"] {
            assert!(is_own(&club, host), "{host}");
        }
        assert!(!is_own(&club, "club.example.evil.example:8080"));
        assert!(!local.is_own_host(&HeaderMap::new()));
    }

    #[test]
    fn pages_of_others_are_refused() {
        let own = |method: Method, pairs: &[(&'static str, &str)]| {
            let host = [("host", "localhost:8080")];
            local().is_own_page(&method, &headers(&[&host[..], pairs].concat()))
        };
        assert!(own(Method::GET, &[]) && own(Method::GET, &[("sec-fetch-site", "none")]));
        assert!(own(Method::POST, &[("origin", "http://localhost:8080")]));
        assert!(own(Method::POST, &[("sec-fetch-site", "same-origin")]));
        assert!(!own(Method::POST, &[]) && !own(Method::PUT, &[("sec-fetch-site", "none")]));
        for site in ["cross-site", "same-site"] {
            assert!(!own(Method::GET, &[("sec-fetch-site", site)]));
        }
        for origin in ["http://localhost:8081", "https://localhost:8080", "null", "http://evil.example"] {
            assert!(!own(Method::POST, &[("origin", origin), ("sec-fetch-site", "same-origin")]), "{origin}");
        }
    }

    #[test]
    fn a_proxy_answers_under_its_own_address() {
        let access = behind_a_proxy();
        let (public, local) = (("host", "club.example"), ("host", "127.0.0.1:8080"));
        let posted = |host, origin| access.is_own_page(&Method::POST, &headers(&[host, ("origin", origin)]));
        for host in [public, ("host", "CLUB.example"), local] {
            assert!(access.is_own_host(&headers(&[host])), "{host:?}");
            assert!(posted(host, "https://club.example"), "{host:?}");
            let cookie = |origin| access.cookie([127, 0, 0, 1].into(), &headers(&[host, ("origin", origin)]));
            assert!(cookie("https://club.example").is_ok_and(|cookie| cookie.ends_with("; Secure")), "{host:?}");
        }
        assert!(posted(local, "http://127.0.0.1:8080"));
        let cookie = access.cookie([127, 0, 0, 1].into(), &headers(&[local])).expect("random numbers");
        assert!(!cookie.contains("Secure"), "{cookie}");
        for origin in ["http://club.example", "https://club.example:8443", "https://evil.example", "null"] {
            assert!(!posted(public, origin) && !posted(local, origin), "{origin}");
        }
        for host in ["club.example:8080", "evil.club.example", "club.example.evil.example"] {
            assert!(!access.is_own_host(&headers(&[("host", host)])), "{host}");
        }
    }

    #[test]
    fn a_public_address_has_a_scheme_and_a_host_alone() {
        for (given, origin, host) in [
            ("https://club.example", "https://club.example", "club.example"),
            ("HTTP://Club.Example:80/", "http://club.example", "club.example"),
            ("https://[2001:db8::1]:443", "https://[2001:db8::1]", "[2001:db8::1]"),
            ("https://club.example:8443", "https://club.example:8443", "club.example:8443"),
        ] {
            let public = PublicUrl::parse(given).expect("an address");
            assert_eq!((&*public.origin, &*public.host), (origin, host), "{given}");
        }
        for wrong in [
            "club.example",
            "ftp://club.example",
            "https://",
            "https:///",
            "https://club.example/games",
            "https://club.example?a",
            "https://a@club.example",
            "https://club.example:x",
            "https://club example",
            "https://[::1",
        ] {
            assert!(PublicUrl::parse(wrong).is_err(), "{wrong}");
        }
    }
}
