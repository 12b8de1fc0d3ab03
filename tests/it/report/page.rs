//! Every key, button and gesture of a page, in a real browser.

use super::{GAMES, folder};
use crate::support::binary::Folder;
use crate::support::browser::Browser;

const PLACE: &str = "location.hash";

/// Presses keys and requires the place that each leads to.
#[track_caller]
fn steps(browser: &mut Browser, steps: &[(&str, &str)]) {
    for (key, place) in steps {
        browser.press(key);
        assert_eq!(browser.text(PLACE), *place, "{key}");
    }
}

#[track_caller]
fn is_true(browser: &mut Browser, condition: &str) {
    assert_eq!(browser.value(condition), true, "{condition}");
}

#[test]
fn keys_walk_through_games() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "");
    steps(
        &mut browser,
        &[
            ("ArrowRight", "#game=1&ply=1"),
            ("ArrowRight", "#game=1&ply=2"),
            ("ArrowLeft", "#game=1&ply=1"),
            ("End", "#game=1&ply=7"),
            ("ArrowRight", "#game=1&ply=7"),
            ("Home", "#game=1&ply=0"),
            ("ArrowLeft", "#game=1&ply=0"),
            ("ArrowDown", "#game=2&ply=0"),
            ("ArrowDown", "#game=2&ply=0"),
            ("End", "#game=2&ply=2"),
            ("ArrowUp", "#game=1&ply=0"),
        ],
    );
    for (key, condition) in [
        ("f", "document.querySelector('#bottom-player bdi').textContent === 'Boris'"),
        ("F", "document.querySelector('#bottom-player bdi').textContent === 'Anna Müller'"),
        ("c", "document.querySelector('#board').classList.contains('bare')"),
        ("C", "!document.querySelector('#board').classList.contains('bare')"),
        ("a", "document.querySelector('#arrows').getAttribute('aria-pressed') === 'false'"),
        ("A", "document.querySelector('#arrows').getAttribute('aria-pressed') === 'true'"),
    ] {
        browser.press(key);
        is_true(&mut browser, condition);
    }
    browser.is_quiet(&["report.html"]);
}

#[test]
fn buttons_do_what_they_say() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "");
    for (button, place) in [
        ("#next", "#game=1&ply=1"),
        ("#last", "#game=1&ply=7"),
        ("#previous", "#game=1&ply=6"),
        ("#first", "#game=1&ply=0"),
        ("#next-game", "#game=2&ply=0"),
        ("#previous-game", "#game=1&ply=0"),
        ("#sides .blunder td:last-child button", "#game=1&ply=6"),
        ("#status .better", "#game=1&ply=6.1.1"),
        ("#games li:nth-child(2) a", "#game=2&ply=0"),
        ("#moves .row .move", "#game=2&ply=1"),
    ] {
        browser.click(button);
        // A click on a link changes the address first, and then the page.
        browser.until(&format!("{PLACE} === '{place}'"));
    }
    is_true(&mut browser, "document.querySelector('#moves .unplayed').textContent === '1-2'");
    for (button, condition) in [
        ("#flip", "document.querySelector('#board-frame').classList.contains('flipped')"),
        ("#coordinates", "document.querySelector('#board').classList.contains('bare')"),
        ("#arrows", "document.querySelector('#arrows').getAttribute('aria-pressed') === 'false'"),
        ("#theme", "document.documentElement.style.colorScheme === 'dark'"),
        ("#theme", "document.documentElement.style.colorScheme === 'light'"),
    ] {
        browser.click(button);
        is_true(&mut browser, condition);
    }
    browser.is_quiet(&["report.html"]);
}

#[test]
fn the_board_turns_swipes_and_taps_into_steps() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "");
    for (from, to, place) in [(0.9, 0.1, "1"), (0.1, 0.9, "0"), (0.8, 0.8, "1"), (0.2, 0.2, "0")] {
        browser.drag("#board", from, to);
        assert_eq!(browser.text(PLACE), format!("#game=1&ply={place}"), "{from} to {to}");
    }
    browser.is_quiet(&["report.html"]);
}

#[test]
fn the_graph_leads_to_its_moves() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "");
    for (share, ply) in [(0.999, 7), (0.001, 0), (0.57, 4)] {
        browser.click_at("#graph", share);
        assert_eq!(browser.text(PLACE), format!("#game=1&ply={ply}"), "{share}");
    }
    browser.drag("#graph", 0.1, 0.86);
    assert_eq!(browser.text(PLACE), "#game=1&ply=6");
    is_true(
        &mut browser,
        "document.querySelector('#graph').getAttribute('aria-valuetext') === '3… 10-14, Evaluation +2.00'",
    );
    assert_eq!(browser.value("document.querySelectorAll('#graph .dot.blunder').length"), 1);
    is_true(
        &mut browser,
        "(({ x, width }) => x === 0 && width === 600)(document.querySelector('#graph .white-share').getBBox())",
    );
    browser.open(&folder.path("report.html"), "#game=2");
    is_true(&mut browser, "document.querySelector('#graph-frame').hidden");
    browser.is_quiet(&["report.html"]);
}

#[test]
fn addresses_lead_to_games_plies_and_variations() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    for (address, place) in [
        ("#game=2&ply=1", "#game=2&ply=1"),
        ("#game=1&ply=6.1.3", "#game=1&ply=6.1.3"),
        ("#game=1&ply=6.1.2.1.1", "#game=1&ply=6.1.2.1.1"),
        ("#game=1&ply=99", "#game=1&ply=0"),
        ("#game=99", "#game=1&ply=0"),
        ("#game=-1&ply=x", "#game=1&ply=0"),
    ] {
        browser.open(&folder.path("report.html"), address);
        assert_eq!(browser.text(PLACE), place, "{address}");
    }
    browser.value("new Promise((done) => { addEventListener('hashchange', done); location.hash = '#game=2&ply=2'; })");
    assert_eq!(browser.text("document.querySelector('#fen').value").split(':').next(), Some("W"));
    is_true(&mut browser, "document.title === 'Clara – Anna Müller'");
    browser.is_quiet(&["report.html"]);
}

#[test]
fn a_move_has_its_evaluation_marks_arrows_and_clock() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "#game=1&ply=6");
    assert_eq!(
        browser.text("document.querySelector('#status').textContent"),
        "3… 10-14 ?? · Evaluation +2.00 · Blunder · Better: 20-24 · White to move"
    );
    is_true(&mut browser, "document.querySelector('#board .sign.blunder text').textContent === '??'");
    is_true(&mut browser, "document.querySelector('#bottom-player .clock').textContent === '59:00'");
    browser.press("ArrowLeft");
    assert_eq!(browser.value("document.querySelectorAll('#board .arrow').length"), 2, "the better line");
    browser.press("ArrowLeft");
    assert_eq!(browser.value("document.querySelectorAll('#board .arrow').length"), 1, "the arrow of the comment");
    assert_eq!(browser.value("document.querySelectorAll('#board .coloured').length"), 1);
    browser.press("End");
    assert!(browser.text("document.querySelector('#status').textContent").contains("White wins in 7 plies"));
    browser.is_quiet(&["report.html"]);
}

/// Returns the least contrast between the text of these elements and what is behind it, as WCAG 2 defines it.
const CONTRAST: &str = "((selectors) => {
    const channels = (colour) => colour.match(/[0-9.]+/g).map(Number);
    const linear = (part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => [r, g, b].map((part) => linear(part / 255)).reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
    const ground = (node) => {
        const own = channels(getComputedStyle(node).backgroundColor);
        return own[3] === 0 ? ground(node.parentElement) : own;
    };
    const contrast = (node) => {
        const [a, b] = [channels(getComputedStyle(node).color), ground(node)].map(light);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const all = selectors.map((selector) => document.querySelector(selector)).map((node) => Number(getComputedStyle(node).opacity) < 1 ? 0 : contrast(node));
    return Math.min(...all);
})(['#status', '.better', '.judged', '.count:disabled', '.count:not(:disabled)', '.marks', '.value', '#games .event', '#help'])";

#[test]
fn texts_can_be_read_in_both_themes() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "#game=1&ply=6");
    for theme in ["light", "dark"] {
        browser.value(&format!("document.documentElement.style.colorScheme = '{theme}'"));
        let contrast = browser.value(CONTRAST).as_f64().expect("a number");
        assert!(contrast >= 4.5, "{theme}: {contrast}");
    }
}

#[test]
fn the_printed_page_keeps_the_colours_of_pieces() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.print_media();
    browser.open(&folder.path("report.html"), "#game=1&ply=6");
    for kept in ["#board", "#graph", ".stone.white", ".stone.black"] {
        is_true(
            &mut browser,
            &format!("getComputedStyle(document.querySelector('{kept}')).printColorAdjust === 'exact'"),
        );
    }
}

#[test]
fn positions_are_copied_and_records_downloaded() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    folder.write("downloads/readme", "");
    browser.download_to(&folder.path("downloads"));
    browser.open(&folder.path("report.html"), "#game=2&ply=1");
    browser.click("#copy");
    browser.until("document.querySelector('#copy').textContent === 'Copied'");
    let (_, second) = GAMES.split_once("*\n\n").expect("two games");
    for (button, name, content) in [("#download", "game-2.pdn", second), ("#download-all", "games.pdn", GAMES)] {
        browser.click(button);
        browser.wait_for("download");
        assert_eq!(folder.read(&format!("downloads/{name}")), content);
    }
    browser.is_quiet(&["report.html"]);
}

#[test]
fn games_are_found_by_players_and_events() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "");
    let found =
        "[...document.querySelectorAll('#games a .event')].map((node) => node.textContent.split(' ·')[0]).join()";
    for (words, games) in
        [("muller", "Winter Cup,Summer Cup"), ("CLARA", "Summer Cup"), ("anna winter", "Winter Cup"), ("zzz", "")]
    {
        browser.click("#search");
        browser.value("document.querySelector('#search').value = ''");
        browser.enter(words);
        assert_eq!(browser.text(found), games, "{words}");
    }
    is_true(&mut browser, "!document.querySelector('#no-games').hidden");
    // Letters that are keys elsewhere are text here.
    is_true(&mut browser, "!document.querySelector('#board-frame').classList.contains('flipped')");
    browser.is_quiet(&["report.html"]);
}

#[test]
fn the_list_opens_over_a_narrow_page() {
    let folder = folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.resize(390, 844);
    browser.open(&folder.path("report.html"), "");
    let is_shown = "getComputedStyle(document.querySelector('#list')).display !== 'none'";
    is_true(&mut browser, &format!("!({is_shown})"));
    browser.click("#open-list");
    is_true(&mut browser, is_shown);
    browser.press("Escape");
    is_true(&mut browser, &format!("!({is_shown})"));
    is_true(&mut browser, "document.documentElement.scrollWidth <= 390");
    browser.is_quiet(&["report.html"]);
}

#[test]
fn a_thousand_games_are_one_page() {
    let folder = Folder::with("games.pdn", GAMES.repeat(500));
    folder.run(&["report", "games.pdn", "-o", "report.html"]).is(0);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "#game=1000&ply=2");
    assert_eq!(browser.text(PLACE), "#game=1000&ply=2");
    assert_eq!(browser.text("document.querySelector('#page-number').textContent"), "20 of 20");
    assert_eq!(browser.value("document.querySelectorAll('#games li').length"), 50, "only a page of the list is made");
    browser.click("#previous-page");
    assert_eq!(browser.text("document.querySelector('#page-number').textContent"), "19 of 20");
    browser.click("#next-page");
    is_true(&mut browser, "document.querySelector('#next-page').disabled");
    browser.is_quiet(&["report.html"]);
}

#[test]
fn pages_in_a_folder_lead_to_each_other() {
    let folder = Folder::with("games.pdn", GAMES);
    folder.write("club.html", "<footer>The club</footer>");
    folder.run(&["report", "games.pdn", "--footer", "club.html", "-o", "new/"]).is(0);
    let Some(mut browser) = Browser::start() else { return };
    let file = "location.pathname.split('/').slice(-2).join('/') + location.hash";
    browser.open(&folder.path("new/index.html"), "");
    let games = super::files::addresses(&folder, "new");
    let at = |n: usize| format!("{}#game=1&ply=0", games[n]);
    for (button, expected) in [
        ("#games li:nth-child(1) a", at(0)),
        ("#next-game", at(1)),
        ("#previous-game", at(0)),
        ("#to-index", "new/index.html".to_owned()),
    ] {
        browser.click(button);
        browser.wait_for("load");
        assert_eq!(browser.text(file), expected, "{button}");
    }
    let names: Vec<_> = games.iter().map(|path| path.trim_start_matches("games/")).collect();
    browser.is_quiet(&["index.html", names[0], names[1], "report.js", "report.css"]);
    is_true(&mut browser, "document.querySelector('footer').offsetHeight > 0");
    browser.open(&folder.path(&format!("new/{}", games[0])), "&embed");
    is_true(&mut browser, "document.querySelector('footer').offsetHeight === 0");
    is_true(
        &mut browser,
        "document.body.classList.contains('embed') && document.querySelector('#bar').offsetHeight === 0",
    );
    is_true(
        &mut browser,
        "document.querySelector('#plain') === null && document.querySelectorAll('#moves .move').length > 0",
    );
}

#[test]
fn everything_has_a_name_in_every_language() {
    let folder = Folder::with("games.pdn", GAMES);
    let Some(mut browser) = Browser::start() else { return };
    for lang in ["en", "nl", "fr", "it", "pt", "ru"] {
        folder.run(&["report", "games.pdn", "--lang", lang, "-o", "report.html"]).is(0);
        browser.open(&folder.path("report.html"), "#game=1&ply=6");
        let nameless = "[...document.querySelectorAll('button, a, input, svg[role], nav, [role]')].filter((node) => \
                        !node.closest('[hidden]') && !node.labels?.length && \
                        !(node.getAttribute('aria-label') || node.textContent.trim())).map((node) => node.id).join()";
        assert_eq!(browser.text(nameless), "", "{lang}");
        is_true(
            &mut browser,
            "!document.body.innerText.includes('undefined') && !document.body.innerText.includes('{}')",
        );
        assert_eq!(browser.text("document.documentElement.lang"), lang);
    }
    browser.is_quiet(&["report.html"]);
}
