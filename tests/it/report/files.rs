//! What is written, and where.

use serde_json::Value;

use super::{GAMES, blocks, folder};
use crate::support::binary::{Folder, pdn_with};
use crate::support::sources::root;

fn json(line: &str) -> Value {
    serde_json::from_str(line).expect(line)
}

#[test]
fn a_page_has_all_games_and_loads_nothing() {
    let folder = folder();
    let page = folder.read("report.html");
    let games = blocks(&page, "game");
    assert_eq!((games.len(), blocks(&page, "board").len()), (2, 1));
    assert_eq!(json(games[0][0])["white"], "Anna Müller");
    assert_eq!(json(games[0][1])["sides"][1]["blunders"], 1);
    assert!(json(games[1][1]).get("sides").is_none(), "no evaluations, no accuracy");
    let records: Vec<_> = games.iter().map(|game| json(game[2]).as_str().expect("text").to_owned()).collect();
    assert_eq!(records.join("\n\n") + "\n", GAMES);
    assert!(page.contains("content=\"default-src 'none'; script-src 'sha256-"), "a content security policy");
    for word in [" src=", "<link rel=\"stylesheet", "http-equiv=\"refresh", "https:"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn a_page_goes_to_standard_output_and_knows_languages() {
    for (lang, text) in [("en", "Download the game"), ("nl", "Partij downloaden"), ("ru", "Скачать партию")]
    {
        let run = pdn_with(GAMES, &["report", "--lang", lang, "-"]).is(0);
        let expected = format!("<!doctype html>\n<html lang=\"{lang}\">");
        assert!(run.text().starts_with(&expected) && run.text().contains(text), "{lang}");
    }
    let run = pdn_with(GAMES, &["report", "--lang", "xx", "-"]).is(2);
    assert!(run.errors.contains("possible values: en, nl, fr, it, pt, ru"), "{}", run.errors);
}

#[test]
fn the_same_page_with_any_number_of_threads() {
    let page = |jobs| pdn_with(GAMES.repeat(60), &["report", "--jobs", jobs, "-"]).is(0).bytes;
    assert!(page("1") == page("3"));
}

/// Returns the paths of the pages of games in a site, in their order.
pub(super) fn addresses(folder: &Folder, site: &str) -> Vec<String> {
    let list = json(&folder.read(&format!("{site}/site.json")));
    list["games"].as_array().expect("games").iter().map(|path| path.as_str().expect("a path").to_owned()).collect()
}

#[test]
fn a_folder_is_a_site_with_a_page_for_each_game() {
    let folder = Folder::with("games.pdn", GAMES);
    let run = folder.run(&["report", "games.pdn", "-o", "new/"]).is(0);
    assert!(run.errors.contains("2 games"), "{}", run.errors);
    let index = folder.read("new/index.html");
    let heads = blocks(&index, "game");
    assert_eq!(heads.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1], "heads only");
    let games = addresses(&folder, "new");
    let names: Vec<_> = games.iter().map(|path| path.strip_prefix("games/").expect("a page")).collect();
    for (n, [previous, next]) in [[None, Some(names[1])], [Some(names[0]), None]].into_iter().enumerate() {
        let page = folder.read(&format!("new/{}", games[n]));
        let links = &json(blocks(&page, "page")[0][0])["links"];
        assert_eq!((links["previous"].as_str(), links["next"].as_str()), (previous, next));
        assert_eq!(blocks(&page, "game").len(), 1);
        assert_eq!(json(heads[n][0])["page"], names[n]);
        assert!(page.len() < 15_000 && !page.contains("https:"), "{}", page.len());
    }
    // An existing folder needs no slash.
    folder.run(&["report", "--quiet", "games.pdn", "-o", "new"]).is(0);
}

#[test]
fn moves_are_numbered_from_those_of_the_side_that_begins() {
    let text = "[White \"A\"]\n[Black \"B\"]\n[GameType \"21\"]\n\n1. 11-15 24-20 2. 8-11 *\n\n\
        [White \"C\"]\n[Black \"D\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"B:W32,37:B19,20\"]\n\n1... 19-23 2. 32-28 23x32 *\n";
    let folder = Folder::with("games.pdn", text);
    folder.run(&["report", "games.pdn", "-o", "site/"]).is(0);
    let pages: String = addresses(&folder, "site").iter().map(|page| folder.read(&format!("site/{page}"))).collect();
    for moves in ["<p>1. 11-15 24-20 2. 8-11 ", "<p>1... 19-23 2. 32-28 23x32 "] {
        assert!(pages.contains(moves), "{moves}\n{pages}");
    }
}

#[test]
fn a_site_is_written_where_it_changed() {
    let folder = Folder::with("games.pdn", GAMES);
    let (first, second) = GAMES.split_at(GAMES.find("[Event \"Summer").expect("a second game"));
    let report =
        |arguments: &[&str], status| folder.run(&[&["report", "-o", "site"][..], arguments].concat()).is(status).errors;
    let new = |arguments| {
        std::fs::create_dir_all(folder.path("site")).expect("a folder");
        report(arguments, 0)
    };
    assert!(new(&["games.pdn"]).contains("files written"));
    folder.write("site/CNAME", "club.example");
    folder.write("site/games/notes.html", "mine");
    let before = addresses(&folder, "site");
    assert!(report(&["games.pdn"], 0).contains(": 0 files written\n"));
    // Another order, and another game before them, change no address.
    folder.write("games.pdn", format!("{second}\n{first}\n1. 33-29 *\n"));
    report(&["games.pdn"], 0);
    let after = addresses(&folder, "site");
    assert_eq!([&after[1], &after[0]], [&before[0], &before[1]]);
    // What an unreadable input had is kept; a game that is gone goes.
    folder.write("games.pdn", first);
    report(&["games.pdn", "missing.pdn"], 2);
    assert!(after.iter().all(|path| folder.path(&format!("site/{path}")).exists()));
    assert!(report(&["games.pdn"], 0).contains("removed"));
    assert!(
        folder.path(&format!("site/{}", before[0])).exists() && !folder.path(&format!("site/{}", before[1])).exists()
    );
    assert_eq!(
        (folder.read("site/CNAME"), folder.read("site/games/notes.html")),
        ("club.example".into(), "mine".into())
    );
    // The list of what was written is only believed as far as a site goes.
    folder.write(
        "site/site.json",
        "{\"files\":[\"index.html\",\"players.html\",\"events.html\",\"../games.pdn\",\"CNAME\",\
         \"games/notes.html/../../../games.pdn\"],\"games\":[]}",
    );
    report(&["games.pdn"], 0);
    assert!(folder.path("games.pdn").exists() && folder.path("site/CNAME").exists());
    folder.write("site/site.json", "no list");
    assert!(report(&["games.pdn"], 2).contains("site.json"));
}

#[test]
fn inputs_without_games_leave_a_site_as_it_is() {
    let folder = Folder::with("games.pdn", GAMES);
    folder.write("letter.pdn", "Dear members, the club is closed on Monday.\n");
    folder.run(&["report", "games.pdn", "-o", "site/"]).is(0);
    let (list, index) = (folder.read("site/site.json"), folder.read("site/index.html"));
    let run = folder.run(&["report", "letter.pdn", "-o", "site/"]).is(2);
    assert!(run.errors.contains("no games in the inputs: the site in site/ is left unchanged"), "{}", run.errors);
    assert_eq!((folder.read("site/site.json"), folder.read("site/index.html")), (list, index));
    assert!(addresses(&folder, "site").iter().all(|page| folder.path(&format!("site/{page}")).exists()));
    // A new site may be empty, and have games later.
    folder.run(&["report", "letter.pdn", "-o", "new/"]).is(0);
    folder.run(&["report", "letter.pdn", "-o", "new/"]).is(0);
    folder.run(&["report", "games.pdn", "-o", "new/"]).is(0);
}

#[test]
fn byte_order_marks_are_not_part_of_styles_and_footers() {
    let folder = Folder::with("games.pdn", GAMES);
    folder.write("club.css", "\u{feff}body { color: red }\n");
    folder.write("club.html", "\u{feff}<footer>The club</footer>\n");
    folder.run(&["report", "games.pdn", "--css", "club.css", "--footer", "club.html", "-o", "site/"]).is(0);
    for name in ["report", "tables"] {
        let styles = folder.read(&format!("site/assets/{name}.css"));
        assert!(styles.ends_with("body { color: red }\n") && !styles.contains('\u{feff}'), "{name}");
    }
    let page = folder.read("site/players.html");
    assert!(page.contains("<div id=\"site-footer\"><footer>The club</footer>") && !page.contains('\u{feff}'), "{page}");
}

#[test]
fn a_site_has_a_title_a_map_and_a_feed_if_asked() {
    let folder = Folder::with("games.pdn", GAMES);
    folder
        .run(&["report", "games.pdn", "--title", "A & B", "--sitemap", "https://club.example/", "--feed", "-o", "new/"])
        .is(0);
    assert!(folder.read("new/index.html").contains("<title>A &amp; B</title>"));
    let map = folder.read("new/sitemap.xml");
    for path in
        addresses(&folder, "new").iter().map(String::as_str).chain(["index.html", "players.html", "events.html"])
    {
        assert!(map.contains(&format!("<loc>https://club.example/{path}</loc>")), "{path}: {map}");
    }
    assert!(folder.read("new/feed.xml").contains("<title>A &amp; B</title>"));
    for (arguments, expected) in [
        (&["--feed", "-o", "new/"][..], "--sitemap"),
        (&["--sitemap", "club.example", "-o", "new/"], "expected an address"),
        (&["--sitemap", "https://x/?a", "-o", "new/"], "expected an address"),
        (&["--sitemap", "https://x/a", "-o", "x.html"], "use -o site/"),
    ] {
        let run = folder.run(&[&["report", "games.pdn"][..], arguments].concat()).is(2);
        assert!(run.errors.contains(expected), "{}", run.errors);
    }
}

#[test]
fn pages_of_others_stay() {
    let folder = Folder::with("games.pdn", GAMES);
    for (name, more) in [
        ("index.html", &[][..]),
        ("players.html", &[]),
        ("feed.xml", &["--sitemap", "https://club.example", "--feed"]),
        ("index.html", &["--solve"]),
    ] {
        folder.write(&format!("own/{name}"), "mine");
        let run = folder.run(&[&["report", "games.pdn", "-o", "own/"], more].concat()).is(2);
        let text = "is not a page of a site: use another folder, or remove it";
        assert!(run.errors.contains(&format!("{name} {text}")), "{}", run.errors);
        assert_eq!(folder.read(&format!("own/{name}")), "mine");
        assert_eq!(std::fs::read_dir(folder.path("own")).expect("a folder").count(), 1);
        std::fs::remove_file(folder.path(&format!("own/{name}"))).expect("removed");
    }
    // What is not written may be there.
    folder.write("own/sitemap.xml", "mine");
    folder.run(&["report", "games.pdn", "-o", "own/"]).is(0);
    folder.run(&["report", "games.pdn", "-o", "own/"]).is(0);
    assert_eq!(folder.read("own/sitemap.xml"), "mine");
    folder.write("bad/site.json", "not a list");
    folder.run(&["report", "games.pdn", "-o", "bad/"]).is(2);
    assert_eq!(std::fs::read_dir(folder.path("bad")).expect("a folder").count(), 1);
}

#[test]
fn problems_of_files_are_reported() {
    let folder = Folder::with("games.pdn", GAMES);
    folder.run(&["report", "missing.pdn", "-o", "x.html"]).is(2);
    assert_eq!(folder.names(), ["games.pdn"]);
    folder.run(&["report", "missing.pdn", "-o", "pages/"]).is(2);
    assert_eq!(folder.names(), ["games.pdn"], "no folder without games");
    folder.write("file", "");
    assert!(folder.run(&["report", "games.pdn", "-o", "file/"]).is(2).errors.contains("file"));
}

#[test]
fn records_of_unknown_variants_have_a_page() {
    let run = pdn_with("[White \"x\"]\n\n1. 99-98 *\n", &["report", "-"]).is(0);
    let games = blocks(run.text(), "game");
    assert_eq!((games.len(), blocks(run.text(), "board").len()), (1, 0));
    assert_eq!(json(games[0][1])["moves"][0][1], "99-98");
}

#[test]
fn the_viewer_is_one_script_if_it_was_built() {
    let folder = Folder::with("games.pdn", GAMES);
    let is_built = root().join("web/dist/pdn-viewer.js.gz").exists();
    let run = folder.run(&["report", "--viewer", "-o", "viewer.js"]).is(if is_built { 0 } else { 2 });
    if is_built {
        assert!(folder.read("viewer.js").contains("pdn-viewer"));
    } else {
        assert!(run.errors.contains("from a release") && !folder.path("viewer.js").exists(), "{}", run.errors);
    }
}

#[test]
fn a_page_has_a_title() {
    let run = pdn_with("1. 32-28 *\n", &["report", "--title", "{{style}} <Our club>", "-"]).is(0);
    assert!(run.text().contains("<title>{{style}} &lt;Our club&gt;</title>"));
}

#[test]
fn the_application_is_one_page_if_it_was_built() {
    let folder = Folder::with("games.pdn", GAMES);
    let is_built = root().join("web/dist/pdn.html.gz").exists();
    let run = folder.run(&["report", "--app", "-o", "pdn.html"]).is(if is_built { 0 } else { 2 });
    if is_built {
        let page = folder.read("pdn.html");
        assert!(page.starts_with("<!doctype html>") && page.contains("data-file=\"pdn-tables.wasm\""));
        folder.run(&["report", "--app", "games.pdn", "-o", "site/"]).is(0);
        assert_eq!(folder.read("site/app.html"), page);
        let mut pages = std::fs::read_dir(folder.path("site/games")).expect("pages");
        assert!(
            pages
                .all(|page| folder.read(page.expect("a page").path().to_str().expect("UTF-8")).contains("../app.html"))
        );
    } else {
        assert!(run.errors.contains("`.ci/web app`") && !folder.path("pdn.html").exists(), "{}", run.errors);
    }
    for (arguments, expected) in [
        (&["report", "--app", "-o", "pages/"][..], "one page"),
        (&["report", "--app", "games.pdn", "-o", "pdn.html"], "part of their site"),
        (&["report", "--app", "--lang", "nl", "-o", "pdn.html"], "no options for games"),
        (&["report", "-o", "pdn.html"], "required arguments were not provided"),
        (&["report", "--viewer", "-o", "pages/"], "one script"),
        (&["report", "--footer", "games.pdn", "games.pdn", "-o", "page.html"], "for a site"),
        (&["report", "--css", "none.css", "games.pdn", "-o", "site/"], "cannot read none.css"),
    ] {
        let run = folder.run(arguments).is(2);
        assert!(run.errors.contains(expected), "{}", run.errors);
    }
}

#[test]
fn players_of_a_site_have_the_numbers_of_its_language() {
    let folder =
        Folder::with("games.pdn", "[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 2-0\n");
    folder.run(&["report", "games.pdn", "--lang", "fr", "-o", "site/"]).is(0);
    assert!(folder.read("site/players.html").contains(">100,0 %<"), "{}", folder.read("site/players.html"));
    let pages = std::fs::read_dir(folder.path("site/players")).expect("a folder");
    let first = pages.map(|page| page.expect("a page").path()).min().expect("a page");
    let page = std::fs::read_to_string(first).expect("UTF-8");
    assert!(page.contains("\u{a0}: ") && page.contains("(100,0 %)"), "{page}");
}
