use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::*;
use crate::check::{CheckOptions, Checking};
use crate::source::{ChunkOptions, Event, Input, Pipeline};

const CUP: &str = "[Event \"Winter Cup\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"Müller, Anna\"]\n[Black \"Boris\"]\n[Result \"2-0\"]\n\
                   [GameType \"20\"]\n\n1. 32-28 {[%eval 0.10] good} 19-23 2. 28x19 14x23 2-0\n\n";
const CLUB: &str = "[Event \"Club\"]\n[White \"boris\"]\n[Black \"{{data}} <b>\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n\n1. 31-27 20-24 1-1\n\n";

fn site(text: &str) -> BTreeMap<String, String> {
    let mut site = Site::new(Language::English, None);
    let mut files = Vec::new();
    let work = Checking::new(SiteWork::new(Language::English, |_| ()), CheckOptions::default());
    let inputs = vec![Ok(Input::stream("-", std::io::Cursor::new(text.to_owned())))];
    let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
    let read = pipeline.run(inputs, &work, |event| {
        if let Event::Done(done) = event {
            files.extend(done.games.into_iter().filter_map(|game| site.add(game)));
        }
        Ok(())
    });
    read.expect("games");
    files.push(site.feed("https://club.example/"));
    let added = site.finish(|file| {
        files.push(file);
        Ok::<_, ()>(())
    });
    added.expect("files");
    files.into_iter().collect()
}

fn games(files: &BTreeMap<String, String>) -> Vec<&str> {
    files.keys().filter(|path| path.starts_with(GAMES)).map(String::as_str).collect()
}

#[test]
fn a_game_keeps_its_address() {
    let alone = site(CUP);
    let [address] = games(&alone)[..] else { panic!("{:?}", alone.keys()) };
    assert!(address.starts_with("games/muller-anna-boris-2026-"), "{address}");
    let both = [site(&[CUP, CLUB].concat()), site(&[CLUB, CUP].concat())];
    assert!(both.iter().all(|files| files.contains_key(address)));
    assert_eq!(games(&both[0]), games(&both[1]));
    // Comments and evaluations are not part of it; the moves and the round are.
    assert_eq!(games(&site(&CUP.replace(" {[%eval 0.10] good}", ""))), [address]);
    for (old, new) in [("14x23", "13x24"), ("Round \"1\"", "Round \"2\"")] {
        assert_ne!(games(&site(&CUP.replace(old, new))), [address]);
    }
}

#[test]
fn equal_games_have_a_suffix() {
    let files = site(&CUP.repeat(3));
    let names = games(&files);
    let stem = names[2].trim_end_matches(".html");
    assert_eq!(names.len(), 3);
    assert!(
        files.contains_key(&format!("{stem}-2.html")) && files.contains_key(&format!("{stem}-3.html")),
        "{names:?}"
    );
}

#[test]
fn dates_are_sorted_however_they_are_written() {
    let dates = ["2024.12.30", "2025-01-01", "2024-12-31", "????.??.??", "2024.??.??"];
    let games = dates.map(|date| CUP.replace("2026.01.02", date).replace("Anna", &format!("Anna {date}")));
    let files = site(&games.concat());
    let order = |text: &str, start: &str| -> Vec<String> {
        text.split(start).skip(1).filter_map(|rest| Some(rest.split_once(" – ")?.0.to_owned())).collect()
    };
    let plain = files["index.html"].split("id=\"plain\"").nth(1).expect("the list");
    let named = |dates: &[&str]| dates.iter().map(|date| format!("Müller, Anna {date}")).collect::<Vec<_>>();
    let listed: Vec<_> =
        order(plain, "<li><a href=").iter().map(|text| text.split_once('>').expect("a name").1.to_owned()).collect();
    assert_eq!(listed, named(&["2025-01-01", "2024-12-31", "2024.12.30", "2024.??.??", "????.??.??"]));
    let feed = &files["feed.xml"];
    assert_eq!(order(feed, "<entry><title>"), named(&["2025-01-01", "2024-12-31", "2024.12.30"]));
    assert!(feed.contains("<updated>2025-01-01T00:00:00Z</updated>"));
}

#[test]
fn a_date_without_digits_is_not_shown() {
    for date in ["????.??.??", "??-??", "."] {
        let files = site(&CUP.replace("2026.01.02", date));
        for (path, text) in files.iter().filter(|(path, _)| !path.starts_with("assets/")) {
            let game = &text[text.find("{\"text\"").unwrap_or(text.len())..];
            let text = text.replace(game, "");
            assert!(!text.contains(&format!("· {date}")) && !text.contains(&format!(">{date}<")), "{path}: {text}");
            assert!(!text.contains(&format!("\"date\":\"{date}\"")), "{path}: {text}");
        }
    }
}

#[test]
fn a_feed_is_well_formed_whatever_names_have() {
    let files = site(&CUP.replace("Boris", "B\u{fffe}o\u{ffff}ris\u{1}"));
    assert!(files["feed.xml"].contains("B\u{fffd}o\u{fffd}ris\u{fffd}"), "{}", files["feed.xml"]);
}

#[test]
fn a_page_says_without_scripts_what_it_shows() {
    let files = site(&[CUP, CLUB].concat());
    let page = &files[games(&files).into_iter().find(|path| path.contains("muller")).expect("a page")];
    for part in [
        "<title>Müller, Anna – Boris</title>",
        "content=\"Winter Cup · 1 · 2 Jan 2026 · 2-0\"",
        "1. 32-28 19-23 2. 28x19 14x23 2-0",
        "<script src=\"../assets/report.js\"></script>",
        "script-src 'self'; style-src 'self'",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(!page.contains("{{") && !page.contains("<style>") && !page.contains("<path"));
    assert!(page.len() < 15_000, "{}", page.len());
    // What all pages have is in the script.
    assert!(!page.contains("id=\"board\"") && files["assets/report.js"].contains("id=\\\"board\\\""));
    let hostile = &files[games(&files).into_iter().find(|path| path.contains("boris-data")).expect("a page")];
    assert!(hostile.contains("boris – {{data}} &lt;b&gt;</title>") && !hostile.contains("<b>"), "{hostile}");
    assert_eq!(hostile.matches("class=\"game\"").count(), 1);
    let start = &files["index.html"];
    assert_eq!(start.matches("class=\"game\"").count(), 2);
    assert!(start.contains(&format!("<a href=\"{}\">", games(&files)[0])));
}

#[test]
fn every_link_leads_to_a_file() {
    let files = site(&[CUP, CLUB, &CUP.replace("Boris", "BORIS")].concat());
    for (path, content) in files.iter().filter(|(_, content)| content.starts_with("<!doctype html>")) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for attribute in ["href=\"", "src=\""] {
            for address in content.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
                if let Some(id) = address.strip_prefix('#') {
                    assert!(content.contains(&format!(" id=\"{id}\"")), "{path}: {address}");
                    continue;
                }
                let found = match address.strip_prefix("../") {
                    _ if address.starts_with("data:") => continue,
                    Some(rest) => rest.to_owned(),
                    None if folder.is_empty() => address.to_owned(),
                    None => format!("{folder}/{address}"),
                };
                assert!(files.contains_key(&found), "{path}: {address}");
            }
        }
    }
    let boris = files.iter().find(|(path, _)| path.starts_with("players/boris")).expect("a player").1;
    assert_eq!(boris.matches("<a href=\"../games/").count(), 6, "three games, by their dates and results: {boris}");
    assert!(boris.contains("3 · wins") || boris.contains("Games: 3 · Wins: 0 · Draws: 1 · Losses: 2"), "{boris}");
}

#[test]
fn the_missing_opponent_of_a_bye_is_not_a_player() {
    let bye = |name: &str| {
        format!(
            "[Event \"Cup\"]\n[Round \"1\"]\n[White \"Ann\"]\n[Black \"{name}\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n2-0\n\n"
        )
    };
    for name in ["bye", "Vrij", "Freilos", "-"] {
        let files = site(&[&bye(name), CLUB].concat());
        let players = files.keys().filter_map(|path| path.strip_prefix("players/")?.split('-').next());
        let players: Vec<_> = players.collect();
        assert_eq!(players, ["ann", "boris", "data"], "{name}");
        assert_eq!(files["players.html"].matches("<a href=\"players/").count(), 3, "{name}");
        let file = |start: &str| files.iter().find(|(path, _)| path.starts_with(start)).expect("a file").1;
        assert!(file("players/ann").contains("<b>Ann</b> – bye</td>"), "{name}: {}", file("players/ann"));
        assert_eq!(file("games/ann").matches("../players/").count(), 1, "{name}");
        assert!(file("events/cup").contains(">2-0 (bye)</a>"), "{name}: {}", file("events/cup"));
    }
    let ann = bye("vrij");
    assert_eq!(counts(&ann, "players/ann"), "Games: 0 · Wins: 0 · Draws: 0 · Losses: 0 · Byes: 1 · Points: 2");
    // With moves it is a game, whatever the name.
    let played = site(&CLUB.replace("boris", "Freilos"));
    assert!(played["players.html"].contains(">Freilos</a>"));
}

/// Returns what the page of a player says of the games of a record.
fn counts(text: &str, player: &str) -> String {
    let files = site(text);
    let page = files.iter().find(|(path, _)| path.starts_with(player)).expect("a player").1;
    page.split_once("</h1>\n<p>").and_then(|(_, rest)| rest.split_once("</p>")).expect("numbers").0.to_owned()
}

#[test]
fn a_player_has_the_numbers_of_the_tournament() {
    let record = |round: u32, [white, black]: [&str; 2], result: &str, more: &str| {
        format!(
            "[Event \"Cup\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{more}\
             [GameType \"20\"]\n\n{}{result}\n\n",
            if result == "*" { "1. 32-28 " } else { "" }
        )
    };
    let text = [
        record(1, ["Carl", "Ann"], "1-1", ""),
        record(2, ["Ann", "Bob"], "0-2", "[Termination \"forfeit\"]\n"),
        record(3, ["Ann", "Carl"], "*", ""),
        record(4, ["Ann", "vrij"], "2-0", ""),
        record(5, ["Ann", "Carl"], "0-0", ""),
    ]
    .concat();
    let ann = "Games: 3 · Wins: 0 · Draws: 1 · Losses: 1 · Byes: 1 · Forfeit losses: 1 · Points: 3 (25.0 %)";
    assert_eq!(counts(&text, "players/ann"), ann);
    assert_eq!(counts(&text, "players/carl"), "Games: 3 · Wins: 0 · Draws: 1 · Losses: 1 · Points: 1 (25.0 %)");
    assert_eq!(counts(&text, "players/bob"), "Games: 0 · Wins: 0 · Draws: 0 · Losses: 0 · Forfeit wins: 1 · Points: 2");
    let himself = record(1, ["Dan", "DAN"], "2-0", "");
    assert_eq!(counts(&himself, "players/dan"), "Games: 0 · Wins: 0 · Draws: 0 · Losses: 0 · Points: 0");
    let files = site(&text);
    let event = files.iter().find(|(path, _)| path.starts_with("events/cup")).expect("an event").1;
    let standing = event.split("</tr>").find(|row| row.contains(">Ann</a>")).expect("a row");
    let numbers = |row: &str| row.split("</td><td>").filter_map(|cell| cell.parse().ok()).collect::<Vec<u32>>();
    // Points, games, wins, draws and losses.
    assert_eq!(&numbers(standing)[..5], [3, 3, 0, 1, 1], "{standing}");
    let player = files["players.html"].split("</tr>").find(|row| row.contains(">Ann</a>")).expect("a row");
    assert_eq!(&numbers(player)[..5], [3, 3, 0, 1, 1], "{player}");
}

#[test]
fn pages_of_tables_have_descriptions() {
    let files = site(&[CUP, "[Event \"Future\"]\n[GameType \"20\"]\n\n1. 32-28 *\n\n"].concat());
    let described = |start: &str| {
        let page = files.iter().find(|(path, _)| path.starts_with(start)).expect(start).1;
        page.split_once("\"description\" content=\"").and_then(|(_, rest)| rest.split_once('"')).expect(start).0
    };
    for (page, text) in [
        ("events.html", "Tournaments: 2"),
        ("players.html", "Players: 2"),
        ("events/future", "Future"),
        ("events/winter-cup", "Winter Cup · Müller, Anna, Boris"),
    ] {
        assert_eq!(described(page), text);
    }
}

#[test]
fn a_game_has_one_result_whose_numbers_are_in_the_order_of_the_players() {
    let english = "[Event \"Open\"]\n[Date \"2020.03.??\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\
                   [GameType \"21\"]\n\n1. 11-15 23-19 1-0\n\n";
    let files = site(&[CLUB, english, CUP].concat());
    let file = |start: &str| files.iter().find(|(path, _)| path.starts_with(start)).expect("a file").1;
    // Black begins and has the left number: Bob won.
    let game = file("games/ann-bob-2020");
    assert!(game.contains("<title>Bob – Ann</title>") && game.contains("\"Open · Mar 2020 · 1-0\""), "{game}");
    assert!(game.contains("\"result\":\"1-0\",\"left\":\"B\",\"winner\":\"B\""), "{game}");
    let event = file("events/open");
    let games = event.split("<h2>Games</h2>").nth(1).expect("games");
    let (bob, ann) = (games.find(">Bob</a>").expect("Bob"), games.find(">Ann</a>").expect("Ann"));
    assert!(bob < ann && games.contains(">1-0</a>") && !event.contains("2–0"), "{event}");
    assert!(games.contains("<th>Result</th>") && !games.contains("<th>Points</th>"), "{event}");
    let player = file("players/bob");
    assert!(
        player.contains("<b>Bob</b> – <a ") && player.contains(">1-0</a>") && player.contains("Wins: 1"),
        "{player}"
    );
    let places = |page: &str, names: [&str; 3]| names.map(|name| page.find(name).expect(name));
    let [cup, open, club] = places(&files["index.html"], ["Müller, Anna – Boris", "Bob – Ann", "boris – "]);
    assert!(cup < open && open < club, "the newest game first, and one without a date last");
    let [cup, open, club] = places(&files["events.html"], ["Winter Cup", ">Open<", ">Club<"]);
    assert!(cup < open && open < club && files["events.html"].contains("<td>2 Jan 2026</td>"));
    let [bob, lost, none] = places(&files["players.html"], [">Bob<", ">boris<", ">Ann<"]);
    assert!(bob < lost && lost < none, "by their points: 2, 1 and 0: {}", files["players.html"]);
}

#[test]
fn own_styles_and_a_footer_are_on_all_pages() {
    let site = Site::new(Language::English, None).with_style("h1 { color: red }".to_owned());
    let mut files = BTreeMap::new();
    let added = site.with_footer("<footer>The club</footer>").finish(|(path, content)| {
        files.insert(path, content);
        Ok::<_, ()>(())
    });
    added.expect("files");
    for path in ["index.html", "players.html", "events.html"] {
        assert_eq!(files[path].matches("<footer>The club</footer>").count(), 1, "{path}");
    }
    assert!(["report", "tables"].iter().all(|name| files[&format!("assets/{name}.css")].ends_with("{ color: red }")));
}

#[test]
fn games_without_an_event_are_in_no_table_of_an_event() {
    let lone = CLUB.replace("[Event \"Club\"]\n", "").replace("boris", "Zoe");
    let files = site(&[&lone, CUP].concat());
    let (_, event) = files.iter().find(|(path, _)| path.starts_with("events/")).expect("an event");
    assert!(!event.contains("Zoe") && event.contains("<a href=\"../games/muller-anna-boris-"), "{event}");
}

#[test]
fn the_script_has_every_sign_of_the_template() {
    let (frame, icons) = frame();
    assert_eq!(icons.len(), TEMPLATE.matches("<path d=").count());
    for id in icons.keys() {
        assert!(frame.contains(&format!(" id=\"{id}\"")), "{id}");
    }
    assert_eq!(frame.matches("<svg").count(), 2, "the board and the graph");
}

#[test]
fn machines_read_the_latest_games_and_all_pages() {
    let files = site(&[CUP, CLUB].concat());
    let feed = &files["feed.xml"];
    assert!(feed.contains("<updated>2026-01-02T00:00:00Z</updated>") && feed.matches("<entry>").count() == 1, "{feed}");
    let [(path, map)] = &sitemap("https://club.example/a&b/", &["index.html".to_owned()])[..] else {
        panic!("one file")
    };
    assert!(path == "sitemap.xml" && map.contains("<loc>https://club.example/a&amp;b/index.html</loc>"), "{map}");
    let many: Vec<_> = (0..120_000).map(|n| format!("games/{n}.html")).collect();
    let maps = sitemap("https://club.example", &many);
    assert_eq!(
        maps.iter().map(|(path, _)| &**path).collect::<Vec<_>>(),
        ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]
    );
    assert!(maps.iter().all(|(_, map)| map.matches("<loc>").count() <= 50_000));
}
