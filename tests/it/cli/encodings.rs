//! Encodings: labels, guesses that are said, and files that are not rewritten on a guess.

use crate::support::binary::Folder;

const GAME: &str = "[White \"Иванов, Сергей\"]\n[GameType \"20\"]\n\n1. 32-28   19-23 *\n";

fn encoded(text: &str, label: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).expect(label).encode(text).0.into_owned()
}

#[test]
fn every_label_of_the_web_is_known() {
    let folder = Folder::new();
    let cyrillic = [
        "windows-1251",
        "x-cp1251",
        "cp866",
        "866",
        "csIBM866",
        "koi8-r",
        "KOI8",
        "iso-8859-5",
        "cyrillic",
        "x-mac-cyrillic",
        "gb18030",
        "shift_jis",
        "utf-8",
    ];
    for label in cyrillic {
        folder.write("a.pdn", encoded(GAME, label));
        let run = folder.run(&["convert", "--encoding", label, "--to", "csv", "a.pdn"]).is(0);
        assert!(run.text().contains("Иванов, Сергей"), "{label}: {}", run.text());
    }
    for label in ["utf-16", "utf-16be", "latin2", "big5", "euc-kr", "iso-2022-jp", "437", "cp850", "ibm850", "ascii"] {
        folder.write("a.pdn", "[White \"a\"]\n1. 32-28 *\n");
        assert!(matches!(folder.run(&["check", "-q", "--encoding", label, "a.pdn"]).status, Some(0 | 1)), "{label}");
    }
    assert_eq!(folder.run(&["check", "--encoding", "cp9", "a.pdn"]).status, Some(2));
}

#[test]
fn offsets_of_converted_text_are_those_of_the_file() {
    let folder =
        Folder::with("a.pdn", encoded("[White \"十一\"]\n[GameType \"20\"]\n1. 32-28 19-24x *\n", "shift_jis"));
    let run = folder.run(&["check", "--encoding", "sjis", "--format", "json", "a.pdn"]);
    let values = run.values();
    let stray = values.iter().find(|row| row["line"] == 3).expect("a diagnostic of the third line");
    assert_eq!(stray["offset"].as_u64().expect("an offset") - stray["column"].as_u64().expect("a column"), 30);
}

#[test]
fn a_guess_is_said_once_a_file_and_rewrites_nothing() {
    let folder = Folder::with("a.pdn", encoded(&GAME.repeat(3), "koi8-r"));
    folder.write("b.pdn", "[White \"b\"]\n1. 32-28  19-23 *\n");
    let before = std::fs::read(folder.path("a.pdn")).expect("the file");
    for command in [
        &["convert", "--to", "csv", "a.pdn"][..],
        &["fmt", "a.pdn"],
        &["stats", "a.pdn"],
        &["search", "--count", "--where", "white ~ x", "a.pdn"],
        &["merge", "--dedupe", "a.pdn"],
    ] {
        let run = folder.run(command);
        assert_eq!(run.errors.matches("koi8-r").count(), 1, "{command:?}: {}", run.errors);
    }
    for command in
        [&["fmt", "--write", "a.pdn", "b.pdn"][..], &["edit", "--set", "Site=x", "--write", "a.pdn", "b.pdn"]]
    {
        let run = folder.run(command).is(2);
        assert!(
            run.errors.contains("a.pdn is left unchanged") && run.errors.contains("--encoding koi8-r"),
            "{}",
            run.errors
        );
        assert_eq!(std::fs::read(folder.path("a.pdn")).expect("the file"), before);
    }
    assert!(folder.read("b.pdn").contains("32-28 19-23") && folder.read("b.pdn").contains("[Site \"x\"]"));
    folder.run(&["fmt", "--write", "--encoding", "koi8-r", "a.pdn"]).is(0);
    assert!(folder.read("a.pdn").contains("Иванов, Сергей"));
    folder.write("c.pdn", encoded(GAME, "windows-1251"));
    folder.run(&["fmt", "--write", "--yes", "c.pdn"]).is(0);
    assert!(folder.read("c.pdn").contains("Иванов, Сергей"));
}

#[test]
fn damaged_bytes_are_said_and_written_as_they_were() {
    let damaged =
        b"[White \"M\xC3\xBCller\"]\n[Site \"\xFF\xC3\"]\n[GameType \"20\"]\n\n1. 32-28   {Gr\xC3\xB6\xFEe} 19-23 *\n";
    let folder = Folder::with("a.pdn", damaged);
    let run = folder.run(&["check", "--format", "json", "a.pdn"]);
    let found: Vec<_> = run.values().into_iter().filter(|row| row["code"] == "tag/bad-byte").collect();
    assert!(found.len() >= 2 && found[0]["severity"] == "warning" && found[0]["line"] == 2, "{}", run.text());
    let run = folder.run(&["convert", "--to", "csv", "a.pdn"]);
    assert!(run.text().contains("Müller") && run.errors.contains("not UTF-8"), "{}", run.errors);
    folder.run(&["fmt", "--write", "a.pdn"]).is(2);
    assert_eq!(std::fs::read(folder.path("a.pdn")).expect("the file"), damaged);
    folder.run(&["fmt", "--write", "--yes", "a.pdn"]).is(0);
    let written = std::fs::read(folder.path("a.pdn")).expect("the file");
    let has = |part: &[u8]| written.windows(part.len()).any(|window| window == part);
    assert!(
        has(b"[Site \"\xFF\xC3\"]") && has(b"{Gr\xC3\xB6\xFEe}") && has(b"32-28 {"),
        "{}",
        String::from_utf8_lossy(&written)
    );
}
