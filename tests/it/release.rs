//! The files of a release: an archive of the program that was built for the tests is served over HTTP, installed from there, and
//! used.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]
#![cfg(unix)]

use std::env::consts::{ARCH, OS};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use sha2::{Digest, Sha256};
use tempfile::{TempDir, tempdir};

use crate::support::binary::program;
use crate::support::sources::root;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the name of the archive for this system; `None` where the tools of a release are missing.
fn archive() -> Option<String> {
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    let target = match (OS, ARCH) {
        ("linux", "x86_64" | "aarch64") => format!("{ARCH}-unknown-linux-musl"),
        _ => return None,
    };
    (has("bash") && has("curl") && has("tar")).then(|| format!("pdn-v{VERSION}-{target}"))
}

/// Runs a script of the release, which has to succeed.
fn script(name: &str, arguments: &[&str]) {
    let output = Command::new(root().join("release").join(name)).args(arguments).output().expect("it starts");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Makes a release with one archive, and a stand-in for that of Windows.
fn release(archive: &str) -> TempDir {
    let folder = tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    script("binary", &[path, archive.strip_prefix(&format!("pdn-v{VERSION}-")).expect("a target"), program()]);
    fs::write(folder.path().join(format!("pdn-v{VERSION}-x86_64-pc-windows-msvc.zip")), "zip").expect("written");
    script("checksums", &[path]);
    script("manifests", &[path]);
    folder
}

/// Serves the files of a folder on this machine, and returns the address.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(answer(&folder, stream))));
    address
}

fn answer(folder: &Path, mut stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    lines.take_while(|line| line.as_ref().is_ok_and(|line| !line.is_empty())).for_each(drop);
    let name = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
    let (status, body) = fs::read(folder.join(name)).map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
    stream.write_all(&body)
}

/// Runs the installer of a release with an empty home folder.
fn install(release: &Path, address: &str, home: &Path) -> Output {
    let mut command = Command::new("sh");
    let command = command.arg(release.join("install.sh")).env("PDN_BASE_URL", address).env("HOME", home);
    command.env_remove("http_proxy").env("no_proxy", "*").output().expect("sh starts")
}

#[test]
fn the_installed_program_runs_the_first_command_of_the_readme() {
    let Some(archive) = archive() else {
        println!("skipped: no tools for releases");
        return;
    };
    let (release, home) = (release(&archive), tempdir().expect("a folder"));
    let address = serve(release.path().to_owned());
    let output = install(release.path(), &address, home.path());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains(&format!("installed pdn {VERSION}")) && text.contains("to PATH"), "{text}");

    let local = home.path().join(".local");
    for name in ["share/man/man1/pdn-check.1", "share/bash-completion/completions/pdn", "share/zsh/site-functions/_pdn"]
    {
        assert!(local.join(name).exists(), "{name}");
    }
    let mut command = Command::new(local.join("bin/pdn"));
    let command = command.current_dir(root()).args(["annotate", "--nodes", "50", "samples/games/brazilian.pdn"]);
    let output = command.output().expect("the installed program starts");
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).matches("[%eval").count() > 400);

    // Nothing is installed from a damaged archive, nor from a release without it.
    let other = tempdir().expect("a folder");
    fs::write(release.path().join(format!("{archive}.tar.gz")), "damaged").expect("written");
    for reason in ["wrong checksum", "does not list"] {
        let output = install(release.path(), &address, other.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{errors}");
        assert!(!other.path().join(".local").exists(), "{reason}");
        fs::write(release.path().join("SHA256SUMS"), "").expect("written");
    }
    let output = install(release.path(), &format!("{address}/none"), other.path());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot download"));
}

/// Runs a step of the action on a repository with an error and a note.
fn action(step: &str, address: &str, work: &Path, fail_on: &str) -> Output {
    let mut command = Command::new("bash");
    let command = command.arg(root().join("release/action")).arg(step).current_dir(work).env("RUNNER_TEMP", work);
    let command =
        command.env("PDN_BASE_URL", address).env("no_proxy", "*").env("REPOSITORY", "https://example.org/pdn");
    let command = command.env("FILES", "games").env("ARGUMENTS", "--ignore draw").env("FAIL_ON", fail_on);
    command.env("GITHUB_STEP_SUMMARY", work.join("summary.md")).output().expect("bash starts")
}

#[test]
fn the_action_checks_records_with_the_archive_of_its_version() {
    let Some(archive) = archive().filter(|_| Command::new("jq").arg("--version").output().is_ok()) else {
        println!("skipped: no tools for releases");
        return;
    };
    let (release, work) = (release(&archive), tempdir().expect("a folder"));
    let address = serve(release.path().to_owned());
    let output = action("install", &address, work.path(), "error");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::create_dir(work.path().join("games")).expect("a folder");
    let warning = "[Date \"1995.11.1\"]\n[GameType \"20\"]\n1. 32-28 *\n";
    for (record, expected) in [(warning, [0, 1, 0]), (include_str!("../../docs/typed.pdn"), [1, 1, 0])] {
        fs::write(work.path().join("games/a.pdn"), record).expect("written");
        for (fail_on, status) in ["error", "warning", "never"].into_iter().zip(expected) {
            let output = action("check", &address, work.path(), fail_on);
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(status), "{fail_on}: {text}");
            assert!(text.contains("file=games/a.pdn,line="), "{text}");
        }
    }
    let summary = fs::read_to_string(work.path().join("summary.md")).expect("UTF-8");
    assert!(summary.contains("| `tag/date` | warning | 1 |") && summary.contains("| `move/illegal` | error | 1 |"));
    assert_eq!(action("check", &address, work.path(), "always").status.code(), Some(2));
}

/// A repository with a version and public items, in place of those that `cargo public-api` finds.
struct Items {
    folder: TempDir,
}

impl Items {
    fn new() -> Self {
        let folder = tempdir().expect("a folder");
        let items = Self { folder };
        for name in ["release", "tools"] {
            fs::create_dir(items.path(name)).expect("a folder");
        }
        fs::copy(root().join("release/api"), items.path("release/api")).expect("copied");
        items.tool("[ \"$1 $2\" = 'public-api --version' ] || cat items");
        items.git(&["init", "--quiet"]);
        items
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Sets what `cargo` does.
    fn tool(&self, script: &str) {
        fs::write(self.path("tools/cargo"), format!("#!/bin/sh\n{script}\n")).expect("written");
        fs::set_permissions(self.path("tools/cargo"), fs::Permissions::from_mode(0o755)).expect("executable");
    }

    fn git(&self, arguments: &[&str]) {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let git = Command::new("git").args(who).args(arguments).current_dir(self.folder.path()).output();
        assert!(git.is_ok_and(|output| output.status.success()), "{arguments:?}");
    }

    fn version(&self, version: &str, items: &str) {
        fs::write(self.path("Cargo.toml"), format!("[package]\nversion = \"{version}\"\n")).expect("written");
        fs::write(self.path("items"), items).expect("written");
    }

    fn release(&self, version: &str, items: &str) {
        self.version(version, items);
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "-m", version]);
        self.git(&["tag", &format!("v{version}")]);
    }

    /// Returns the exit status of the script, and all that it prints.
    fn compared(&self) -> (Option<i32>, String) {
        let path = format!("{}:{}", self.path("tools").display(), std::env::var("PATH").expect("a path"));
        let mut command = Command::new(self.path("release/api"));
        let output = command.arg(self.path("dist")).env("PATH", path).output().expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    }
}

#[test]
fn public_items_that_are_gone_are_named() {
    if archive().is_none() || Command::new("git").arg("--version").output().is_err() {
        println!("skipped: no tools for releases");
        return;
    }
    let items = Items::new();
    items.release("0.1.0", "pub fn pdn::read\npub fn pdn::write\n");
    assert_eq!(items.compared(), (Some(0), "nothing to compare: no version was released before 0.1.0\n".to_owned()));
    assert_eq!(
        fs::read_to_string(items.path("dist/pdn-api.txt")).expect("a list"),
        "pub fn pdn::read\npub fn pdn::write\n"
    );

    items.version("0.1.1", "pub fn pdn::edit\npub fn pdn::read\npub fn pdn::write\n");
    assert_eq!(items.compared(), (Some(0), "New public items since v0.1.0:\npub fn pdn::edit\n".to_owned()));
    let gone = "Public items of v0.1.0 that are gone or changed in ";
    items.version("0.1.1", "pub fn pdn::read\n");
    let (status, text) = items.compared();
    assert_eq!(status, Some(1));
    assert!(text.starts_with(&format!("{gone}0.1.1:\npub fn pdn::write\n")), "{text}");
    assert!(text.contains("error: a program that uses them does not compile with 0.1.1"), "{text}");
    items.version("0.2.0", "pub fn pdn::read\n");
    assert_eq!(items.compared(), (Some(0), format!("{gone}0.2.0:\npub fn pdn::write\n")));
    assert!(!items.path(".git/worktrees/pdn").exists());

    items.tool("exit 101");
    let (status, text) = items.compared();
    assert!(
        status == Some(0) && text.starts_with("skipped: no list of public items without cargo-public-api"),
        "{text}"
    );
}

#[test]
fn the_hooks_have_the_version_of_the_program() {
    let hooks = include_str!("../../pyproject.toml");
    assert!(hooks.contains(&format!("version = \"{VERSION}\"")) && hooks.contains(&format!("\"pdn=={VERSION}\"")));
}

#[test]
fn manifests_name_the_archives_with_their_checksums() {
    let Some(archive) = archive() else {
        println!("skipped: no tools for releases");
        return;
    };
    let release = release(&archive);
    let read = |name: &str| fs::read_to_string(release.path().join(name)).expect(name);
    let sum = |name: &str| {
        let digest = Sha256::digest(fs::read(release.path().join(name)).expect(name));
        digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    };
    let formula = read("pdn.rb");
    assert!(formula.contains(&format!("/releases/download/v{VERSION}/{archive}.tar.gz\"")), "{formula}");
    assert!(formula.contains(&format!("sha256 \"{}\"", sum(&format!("{archive}.tar.gz")))), "{formula}");

    let windows = sum(&format!("pdn-v{VERSION}-x86_64-pc-windows-msvc.zip"));
    let scoop: serde_json::Value = serde_json::from_str(&read("pdn.json")).expect("JSON");
    assert_eq!(scoop["architecture"]["64bit"]["hash"], windows.as_str());
    assert_eq!(scoop["version"], VERSION);
    assert!(read("winget/pdn.pdn.installer.yaml").contains(&windows.to_uppercase()));
    for name in ["install.sh", "install.ps1", "pdn.rb", "pdn.json", "winget/pdn.pdn.yaml"] {
        let text = read(name);
        assert!(!text.contains("@VERSION@") && !text.contains("@REPOSITORY@") && text.contains(VERSION), "{name}");
    }
}
