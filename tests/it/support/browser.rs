//! A real browser without a window, driven through its debugging pipe.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use super::corpus::skip;

/// Turns tests without a browser into failures if it is 1.
const REQUIRED: &str = "PDN_REQUIRE_BROWSER";

/// Names of the browser, in the order in which they are tried.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    messages: u64,
    /// Addresses that the page requested.
    requests: Vec<String>,
    /// Exceptions, and all messages in the console.
    complaints: Vec<String>,
    /// The events that were not waited for yet.
    events: Vec<String>,
    _profile: TempDir,
}

/// Returns the path of a browser, if there is one.
fn find() -> Option<PathBuf> {
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    let paths = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| cfg!(unix) && path.is_file())
}

impl Browser {
    /// Starts a browser. Without one it reports that the calling test is skipped.
    ///
    /// # Panics
    ///
    /// Panics if there is none and `PDN_REQUIRE_BROWSER` is 1.
    pub(crate) fn start() -> Option<Self> {
        let Some(path) = find() else {
            assert!(env::var_os(REQUIRED).is_none_or(|value| value != "1"), "no browser, but {REQUIRED} is 1");
            skip("no browser");
            return None;
        };
        let profile = tempdir().expect("a folder");
        let mut process = spawn(&path, profile.path());
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut browser = Self {
            process,
            input,
            output,
            session: None,
            messages: 0,
            requests: Vec::new(),
            complaints: Vec::new(),
            events: Vec::new(),
            _profile: profile,
        };
        browser.attach();
        Some(browser)
    }

    fn attach(&mut self) {
        let page = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": page["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", target)["sessionId"].as_str().map(str::to_owned);
        self.session = session;
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        self.resize(1280, 860);
    }

    /// Sets the size of the window.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Shows pages as they are printed.
    pub(crate) fn print_media(&mut self) {
        self.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    }

    /// Saves downloads in a folder.
    pub(crate) fn download_to(&mut self, folder: &Path) {
        let options = json!({ "behavior": "allow", "downloadPath": folder, "eventsEnabled": true });
        self.call("Browser.setDownloadBehavior", options);
    }

    /// Opens a file at a place, such as `#game=2`, and waits until it is loaded.
    pub(crate) fn open(&mut self, path: &Path, place: &str) {
        // Another query loads the file again, where another place alone would not.
        let address = format!("file://{}?{}{place}", path.display(), self.messages);
        self.requests.clear();
        let loader = self.call("Page.navigate", json!({ "url": address }))["loaderId"].clone();
        self.wait_for(&format!("load {loader}"));
    }

    /// Waits for an event that is still to come, or came since the last one that was waited for: `load` or `download`.
    pub(crate) fn wait_for(&mut self, event: &str) {
        while !self.events.iter().any(|seen| seen == event) {
            let message = self.receive();
            self.note(&message);
        }
        self.events.clear();
    }

    /// Returns the value of an expression.
    #[track_caller]
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let options =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true });
        let result = self.call("Runtime.evaluate", options);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Returns the text of an expression.
    #[track_caller]
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression}: {value}")).to_owned()
    }

    /// Waits until a condition holds.
    #[track_caller]
    pub(crate) fn until(&mut self, condition: &str) {
        let wait = format!(
            "new Promise((done) => {{ let left = 4000; const wait = () => \
             ({condition}) ? done(true) : left-- > 0 ? setTimeout(wait) : done(false); wait(); }})"
        );
        assert_eq!(self.value(&wait), true, "{condition}");
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key }));
        }
    }

    /// Types a text into the focused element.
    pub(crate) fn enter(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Clicks on an element, at a share of its width from the left.
    #[track_caller]
    pub(crate) fn click_at(&mut self, selector: &str, share: f64) {
        let [x, y] = self.point(selector, share);
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
    }

    /// Clicks on the middle of an element.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5);
    }

    /// Moves the pressed mouse over an element, from one share of its width to another.
    #[track_caller]
    pub(crate) fn drag(&mut self, selector: &str, from: f64, to: f64) {
        let [[x1, y1], [x2, _]] = [from, to].map(|share| self.point(selector, share));
        self.mouse("mousePressed", x1, y1);
        self.mouse("mouseMoved", x2, y1);
        self.mouse("mouseReleased", x2, y1);
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Returns a point of an element that can be seen.
    #[track_caller]
    fn point(&mut self, selector: &str, share: f64) -> [f64; 2] {
        let selector = serde_json::to_string(selector).expect("text");
        let middle = format!(
            "(() => {{ const node = document.querySelector({selector}); node.scrollIntoView({{ block: 'nearest' }}); \
             const box = node.getBoundingClientRect(); return [box.left + {share} * box.width, box.top + box.height / 2]; }})()"
        );
        let value = self.value(&middle);
        [0, 1].map(|n| value[n].as_f64().expect("a number"))
    }

    /// Requires that the page loaded nothing but the files with these ends of their names, and that nothing went wrong.
    #[track_caller]
    pub(crate) fn is_quiet(&self, files: &[&str]) {
        assert!(self.complaints.is_empty(), "{:#?}", self.complaints);
        let others = |address: &&String| {
            let path = address.split(['?', '#']).next().unwrap_or_default();
            !address.starts_with("data:image/svg+xml,") && !files.iter().any(|file| path.ends_with(file))
        };
        let others: Vec<_> = self.requests.iter().filter(others).collect();
        assert!(others.is_empty(), "{others:?}");
    }

    /// Calls a method of the debugging protocol and returns its result.
    #[track_caller]
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.messages += 1;
        let mut message = json!({ "id": self.messages, "method": method });
        message["params"] = parameters;
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("the browser runs");
        loop {
            let answer = self.receive();
            if answer["id"] == self.messages {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.note(&answer);
        }
    }

    fn receive(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.output.read_until(0, &mut bytes).expect("the browser runs");
        assert_eq!(bytes.pop(), Some(0), "the browser ended");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn note(&mut self, event: &Value) {
        let method = event["method"].as_str().unwrap_or_default();
        match method {
            "Network.requestWillBeSent" => {
                let address = event["params"]["request"]["url"].as_str().unwrap_or_default();
                self.requests.extend((!address.starts_with("about:")).then(|| address.to_owned()));
            }
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => {
                self.complaints.push(event["params"].to_string());
            }
            "Browser.downloadProgress" if event["params"]["state"] == "completed" => {
                self.events.push("download".to_owned());
            }
            "Page.lifecycleEvent" if event["params"]["name"] == "load" => {
                self.events.extend(["load".to_owned(), format!("load {}", event["params"]["loaderId"])]);
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a browser whose debugging pipe, descriptors 3 and 4, is standard input and output.
fn spawn(path: &Path, profile: &Path) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"]).arg(path);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]);
    command.arg(format!("--user-data-dir={}", profile.display())).arg("about:blank");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell")
}
