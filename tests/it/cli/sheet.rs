//! `pdn sheet`: exercises and games on paper.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use crate::support::binary::{Folder, pdn, pdn_with};

const PROBLEMS: &str = "samples/problems/international.pdn";
const GAME: &str = "[White \"Ada\"]\n[Black \"Ben & Co\"]\n[Event \"Cup\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n\
                    1. 32-28 {a plan} 19-23 2. 28x19 14x23 3. 37-32 10-14?? (3... 20-24 4. 41-37) *\n\n";

fn exercise(result: &str) -> String {
    format!(
        "[Event \"Nr. 7\"]\n[Result \"{result}\"]\n[GameType \"20\"]\n[FEN \"W:W32,37,41:B14,21,23\"]\n\n1. 32-27 21x32 2. 37x10 *\n\n"
    )
}

/// Returns the number of pages of a PDF, which its tree of pages has.
pub(super) fn pages(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    let (_, count) =
        text.split_once("/Type/Pages/Kids").and_then(|(_, rest)| rest.split_once("/Count ")).expect("pages");
    count.split(|c: char| !c.is_ascii_digit()).next().and_then(|count| count.parse().ok()).expect("a number")
}

/// Returns the contents of all streams of a PDF.
fn streams(pdf: &[u8]) -> Vec<Vec<u8>> {
    let starts = memchr_all(pdf, b"\nstream\n");
    let decoded = |start: usize| {
        let mut bytes = Vec::new();
        ZlibDecoder::new(&pdf[start + 8..]).read_to_end(&mut bytes).expect("a compressed stream");
        bytes
    };
    starts.into_iter().map(decoded).collect()
}

fn memchr_all(bytes: &[u8], sought: &[u8]) -> Vec<usize> {
    bytes.windows(sought.len()).enumerate().filter(|(_, window)| *window == sought).map(|(at, _)| at).collect()
}

/// Returns how often an operation is in all streams.
pub(super) fn operations(pdf: &[u8], operation: &str) -> usize {
    streams(pdf).iter().map(|stream| memchr_all(stream, operation.as_bytes()).len()).sum()
}

#[test]
fn exercises_have_boards_and_their_solutions_last_at_the_foot_or_nowhere() {
    let folder = Folder::new();
    for (arguments, expected) in [
        (&[][..], 4),
        (&["--solutions", "foot"], 3),
        (&["--solutions", "none"], 3),
        (&["--per-page", "15"], 2),
        (&["--per-page", "1x1", "--solutions", "none"], 15),
    ] {
        let problems = crate::support::sources::root().join(PROBLEMS);
        let problems = problems.to_str().expect("a path");
        let run = folder.run(&[&["sheet", problems, "-o", "a.pdf"], arguments].concat()).is(0);
        assert!(run.errors.contains("15 exercises, 0 games"), "{}", run.errors);
        let pdf = std::fs::read(folder.path("a.pdf")).expect("a PDF");
        assert!(pdf.starts_with(b"%PDF-1.") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
        assert_eq!(pages(&pdf), expected, "{arguments:?}");
        assert_eq!(operations(&pdf, "/B0 Do"), 15, "a board each");
    }
    // Turned by half.
    let foot = pdn(&["sheet", "--format", "pdf", "--solutions", "foot", PROBLEMS]).is(0).bytes;
    assert_eq!((operations(&foot, "-1 0 0 -1 "), pages(&foot)), (3, 3));
}

#[test]
fn the_teachers_copy_is_the_pupils_with_solutions_below_the_boards() {
    let text = exercise("2-0").repeat(7);
    let sheet =
        |solutions, format| pdn_with(&text, &["sheet", "--solutions", solutions, "--format", format, "-"]).is(0).bytes;
    let [pupils, teachers] =
        ["none", "board"].map(|solutions| String::from_utf8(sheet(solutions, "html")).expect("text"));
    assert_eq!((pupils.matches("37x10").count(), teachers.matches("37x10").count()), (0, 7));
    let boards: Vec<_> = teachers.split("<figure ").skip(1).collect();
    assert!(
        boards.len() == 7
            && boards.iter().all(|board| board.split("</figure>").next().is_some_and(|own| own.contains("37x10")))
    );
    let [pupils, teachers] = ["none", "board"].map(|solutions| sheet(solutions, "pdf"));
    assert_eq!((pages(&pupils), pages(&teachers)), (2, 2));
    let texts = |pdf: &[u8]| operations(pdf, "Tj");
    assert!(texts(&teachers) >= texts(&pupils) + 7, "{} {}", texts(&teachers), texts(&pupils));
}

#[test]
fn a_pdf_is_the_same_with_any_number_of_threads_and_has_its_fonts() {
    let sheet = |jobs| pdn(&["sheet", "--format", "pdf", "--lang", "ru", "--jobs", jobs, PROBLEMS]).is(0).bytes;
    let pdf = sheet("1");
    assert!(pdf == sheet("3"));
    let text = String::from_utf8_lossy(&pdf);
    assert_eq!((text.matches("/FontFile2").count(), text.matches("/Subtype/Type0").count()), (2, 2));
    // The titles of the document and of its pages are Cyrillic: their letters are in the map from glyphs to characters.
    let maps: String = streams(&pdf).iter().map(|stream| String::from_utf8_lossy(stream).into_owned()).collect();
    assert!(maps.contains("<0423>") && maps.contains("<0436>"), "Упражнения");
}

#[test]
fn papers_have_their_sizes() {
    for (paper, size) in [("a4", "595.28 841.89"), ("letter", "612 792")] {
        let pdf = pdn_with(GAME, &["sheet", "--format", "pdf", "--paper", paper, "-"]).is(0).bytes;
        assert!(String::from_utf8_lossy(&pdf).contains(&format!("/MediaBox[0 0 {size}]")), "{paper}");
        let page = pdn_with(GAME, &["sheet", "--paper", paper, "-"]).is(0);
        assert!(page.text().contains(&format!("<body class=\"{paper}\">")));
    }
    assert!(pdn_with(GAME, &["sheet", "--per-page", "0x3", "-"]).is(2).errors.contains("such as 2x3"));
}

#[test]
fn a_page_has_tasks_diagrams_and_solutions() {
    let text = [exercise("2-0"), GAME.to_owned(), exercise("1-1")].concat();
    let run = pdn_with(&text, &["sheet", "--lang", "nl", "--title", "<Club>", "-"]).is(0);
    let page = run.text();
    assert!(page.contains("<title>&lt;Club&gt;</title>") && page.contains("style-src 'sha256-"));
    for shown in [
        "Wit aan zet wint",
        "Wit aan zet maakt remise",
        "Ada – Ben &amp; Co",
        "<b class=\"move\">1.\u{a0}32-28</b> a plan",
        "Nr. 7",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    // The boards of both exercises and the diagram before the blunder.
    assert_eq!(page.matches("<svg ").count(), 3);
    let (before, after) = page.split_once("Oplossingen").expect("solutions");
    assert_eq!((before.matches("37x10").count(), after.matches("37x10").count()), (0, 2));
    let foot = pdn_with(&text, &["sheet", "--solutions", "foot", "-"]).is(0);
    assert_eq!(foot.text().matches("<aside class=\"foot\">").count(), 2, "a page before the game and one after it");
    let games = pdn_with(&text, &["sheet", "--games", "-"]).is(0);
    assert_eq!(games.text().matches("<article class=\"game\">").count(), 3);
}

#[test]
fn positions_that_were_not_played_say_so_or_are_left_out() {
    let instead = |tags: &str| {
        let tags = format!("[White \"Ada\"]\n[Black \"Ben\"]\n{tags}\n[Event");
        exercise("*").replace("[Event", &tags)
    };
    let text = instead("[Goal \"win\"]\n[Instead \"34-29 33-28\"]") + &exercise("2-0");
    let run = pdn_with(&text, &["sheet", "-"]).is(0);
    assert_eq!(run.text().matches("<svg ").count(), 1);
    assert!(run.errors.contains("1 exercise, 0 games; left out as not played: 1 position"), "{}", run.errors);
    let page = |text: &str, lang| pdn_with(text, &["sheet", "--all", "--lang", lang, "-"]).is(0).text().to_owned();
    for (lang, shown, ended) in [
        ("en", "after 34-29 instead of the game", "after 34-29, which was not played"),
        ("nl", "na 34-29 in plaats van 33-28 in de partij", "na 34-29, dat niet is gespeeld"),
        ("fr", "après 34-29 au lieu de 33-28 dans la partie", "après 34-29, qui n"),
        ("it", "dopo 34-29 invece di 33-28 della partita", "dopo 34-29, che non fu giocata"),
        ("pt", "após 34-29 em vez de 33-28 da partida", "após 34-29, que não foi jogado"),
        ("ru", "после 34-29 вместо 33-28 в партии", "после хода 34-29, которого не было в партии"),
    ] {
        let both = page(&text, lang);
        assert!(both.contains(shown) && !both.contains("Ada") && both.matches("<svg ").count() == 2, "{both}");
        let last = page(&instead("[Instead \"34-29\"]"), lang);
        assert!(last.contains(ended) && !last.contains("Ada"), "{last}");
    }
    assert_eq!(page(&text, "en").matches("White to move and win<").count(), 2, "the tag Goal gives the task");
    let games = pdn_with(&text, &["sheet", "--all", "--games", "-"]).is(0);
    assert!(games.text().contains("after 34-29") && !games.text().contains("Ada"), "{}", games.text());
}

#[test]
fn solutions_name_their_shots_in_words() {
    let royal = exercise("*").replace("W:W32,37,41:B14,21,23", "W:W27,33,38,39,40,45,48:B3,12,13,14,19,23,24");
    let royal = royal.replace("1. 32-27 21x32 2. 37x10", "1. 33-28 23x34 2. 40x7");
    for (lang, shown) in [
        ("en", "2.\u{a0}40x7</b> The royal shot, winning "),
        ("nl", "</b> Een slagzet (coup royal), met winst van "),
        ("fr", "</b> Le coup royal, qui gagne "),
        ("it", "</b> Una combinazione ("),
        ("pt", "</b> Uma combinação ("),
        ("ru", "</b> Комбинация ("),
    ] {
        let run = pdn_with(&royal, &["sheet", "--words", "--lang", lang, "-"]).is(0);
        assert!(run.text().contains(shown), "{lang}: {}", run.text());
    }
    let without = pdn_with(&royal, &["sheet", "-"]).is(0);
    assert!(!without.text().contains("royal"), "{}", without.text());
    let lost = exercise("*").replace("1. 32-27 21x32 2. 37x10", "1. 32-28 23x32 2. 37x28");
    assert!(!pdn_with(&lost, &["sheet", "--words", "-"]).is(0).text().contains("winning"));
}

#[test]
fn only_shots_are_called_combinations() {
    let with_words = |fen: &str, solution: &str| {
        let text = exercise("*").replace("W:W32,37,41:B14,21,23", fen).replace("1. 32-27 21x32 2. 37x10", solution);
        pdn_with(text, &["sheet", "--words", "-"]).is(0).text().to_owned()
    };
    assert!(
        with_words("W:W32,37,41:B14,21,23", "1. 32-27 21x32 2. 37x10")
            .contains("A combination (direct shot), winning ")
    );
    // A capture that is there, and one that the other side walks into.
    for (fen, solution) in
        [("W:W32,38,48:B28,19,5", "1. 32x14"), ("W:W32,37,48:B14,23,3", "1. 48-42 23-28 2. 32x23 3-8")]
    {
        assert!(!with_words(fen, solution).contains("winning"), "{solution}");
    }
}

#[test]
fn boards_have_titles_in_the_language_of_the_sheet() {
    for text in [exercise("2-0"), GAME.to_owned()] {
        let page = pdn_with(text, &["sheet", "--lang", "ru", "-"]).is(0);
        assert!(page.text().contains("<title>Ход ") && !page.text().contains(" to move"), "{}", page.text());
    }
}

#[test]
fn errors_in_the_records_are_reported() {
    let illegal = exercise("2-0").replace("37x10", "40x17");
    let run = pdn_with(illegal + GAME, &["sheet", "-"]).is(0);
    assert!(
        run.errors.contains("1 exercise, 1 game\n1 error is in the records; `pdn check` shows them"),
        "{}",
        run.errors
    );
    assert!(run.text().contains("40x17") && run.text().ends_with("</html>\n"), "the sheet is complete");
}

#[test]
fn boards_are_shown_from_the_side_to_move() {
    let black = "[GameType \"20\"]\n[FEN \"B:W28,48:B18\"]\n1... 18-23 *\n\n";
    let sheet = |text: &str, arguments: &[&str]| pdn_with(text, &[&["sheet", "-"], arguments].concat()).is(0).bytes;
    assert!(sheet(&exercise("2-0"), &[]) == sheet(&exercise("2-0"), &["--own-side"]), "White is at the bottom");
    assert!(sheet(black, &[]) != sheet(black, &["--own-side"]));
    let pdf = sheet(&(exercise("2-0") + black), &["--format", "pdf", "--own-side"]);
    assert_eq!((operations(&pdf, "/B0 Do"), operations(&pdf, "/B1 Do")), (1, 1), "two boards");
}

#[test]
fn hostile_records_make_bounded_sheets() {
    let name = format!("<b>\u{202e}{}", "W".repeat(5000));
    let deep =
        format!("[White \"{name}\"]\n[GameType \"20\"]\n1. 32-28 {} 19-23 *\n\n", "(1. 31-27 {x} ".repeat(20_000));
    let text = deep
        + &format!("[White \"{name}\"]\n1. 99-98 *\n\n[GameType \"20\"]\n[FEN \"W:W99\"]\n*\n\n")
        + &exercise("\u{1}");
    let page = pdn_with(&text, &["sheet", "-"]).is(0);
    assert!(!page.text().contains("<b>\u{fffd}") && page.text().len() < 200_000, "{}", page.text().len());
    let pdf = pdn_with(&text, &["sheet", "--format", "pdf", "-"]).is(0).bytes;
    assert!(pages(&pdf) < 10 && pdf.len() < 200_000, "{} pages, {} bytes", pages(&pdf), pdf.len());
}

#[test]
fn thousands_of_exercises_are_a_book() {
    let text = exercise("2-0").repeat(3_000);
    let pdf = pdn_with(&text, &["sheet", "--format", "pdf", "--quiet", "-"]).is(0).bytes;
    assert_eq!(operations(&pdf, "/B0 Do"), 3_000);
    assert!(pdf.len() < 2_000_000 && pages(&pdf) > 500, "{} bytes", pdf.len());
    let run = pdn_with(text.repeat(2), &["sheet", "--format", "pdf", "--per-page", "1", "-"]).is(2);
    assert!(run.errors.contains("more than 5000 pages"), "{}", run.errors);
}

#[test]
fn nothing_is_written_for_a_missing_file() {
    let folder = Folder::new();
    folder.run(&["sheet", "missing.pdn", "-o", "a.pdf"]).is(2);
    assert!(folder.names().is_empty());
}

#[test]
fn characters_that_the_font_lacks_are_counted() {
    let game = "[White \"Ada ♔\"]\n[Black \"ע\"]\n[GameType \"20\"]\n1. 32-28 {→ better, ≥ 3} *\n";
    let pdf = pdn_with(game, &["sheet", "--format", "pdf", "-"]).is(0);
    let message = "characters missing from the PDF font, printed as �: 2 (ע ♔); HTML output keeps them\n";
    assert!(pdf.errors.contains(message), "{}", pdf.errors);
    for (text, arguments) in [(GAME, &["--format", "pdf"][..]), (game, &[])] {
        let run = pdn_with(text, &[&["sheet", "-"], arguments].concat()).is(0);
        assert!(!run.errors.contains("missing from the PDF font"), "{}", run.errors);
    }
}
