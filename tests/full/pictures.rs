//! Pictures of boards as PNG and GIF.

use crate::support::binary::Folder;

const FEN: &str = "W:W31,32,K45:B19,20";
const GAMES: &str = "[White \"A & B\"]\n[Black \"C\"]\n[GameType \"20\"]\n\n1. 32-28 {[%cal R32-28]} 19-23 *\n\n\
                     [Event \"Problem\"]\n[GameType \"20\"]\n[FEN \"B:W31:B20\"]\n\n1... 20-24 *\n";

#[test]
fn pictures_with_too_many_pixels_are_errors() {
    let folder = Folder::with("fens.txt", format!("{FEN}\n").repeat(2500));
    for sheet in ["50x50", "20x20"] {
        let run =
            folder.run(&["diagram", "--fens", "fens.txt", "--sheet", sheet, "--width", "8000", "-o", "x.png"]).is(2);
        assert!(run.errors.contains("pixels is too large") && run.errors.contains("--width"), "{}", run.errors);
    }
    assert_eq!(folder.names(), ["fens.txt"]);
    folder.run(&["diagram", "--fens", "fens.txt", "--sheet", "50x50", "--width", "16", "-o", "x.png"]).is(0);
}

#[test]
fn the_moves_of_a_game_are_an_animation() {
    let folder = Folder::with("games.pdn", GAMES);
    folder.run(&["diagram", "games.pdn", "--width", "100", "--delay", "0.5", "-o", "game.gif"]).is(0);
    let bytes = std::fs::read(folder.path("game.gif")).expect("a picture");
    assert!(bytes.starts_with(b"GIF89a\x64\0\x64\0") && bytes.windows(11).any(|window| window == b"NETSCAPE2.0"));
    // Controls of frames: half a second each, and three times as long for the last one.
    let delays: Vec<_> =
        bytes.windows(6).filter(|window| window.starts_with(b"\x21\xf9\x04")).map(|control| control[4]).collect();
    assert_eq!(delays, [50, 50, 150], "the start and two moves");
    folder.run(&["diagram", "games.pdn", "--ply", "1,2", "--width", "100", "-o", "part.gif"]).is(0);
    let part = std::fs::read(folder.path("part.gif")).expect("a picture");
    assert_eq!(part.windows(3).filter(|window| window == b"\x21\xf9\x04").count(), 2);
    for (arguments, expected) in [
        (&["games.pdn", "--ply", "9"][..], "no known position after ply 9"),
        (&["games.pdn", "--game", "7"], "no game 7"),
        (&["games.pdn", "--ply", "2,1"], "such as 20,28"),
        (&["games.pdn", "--sheet", "2x2"], "--sheet"),
        (&["--fen", FEN], "--fen"),
    ] {
        let run = folder.run(&[&["diagram", "--format", "gif"], arguments].concat()).is(2);
        assert!(run.errors.contains(expected) && run.bytes.is_empty(), "{}", run.errors);
    }
    assert!(folder.run(&["diagram", "games.pdn", "--delay", "1", "--game", "1"]).is(2).errors.contains("--delay"));
}

#[test]
fn pictures_are_png_by_their_name() {
    let folder = Folder::new();
    folder.run(&["diagram", "--fen", FEN, "--width", "200", "-o", "board.png"]).is(0);
    let bytes = std::fs::read(folder.path("board.png")).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(bytes[16..24], [0, 0, 0, 200, 0, 0, 0, 200]);
}

#[test]
fn charts_are_png_by_their_name() {
    let folder = Folder::with("games.pdn", GAMES.replace("32-28 {", "32-28 {[%eval 0.10] "));
    folder.run(&["chart", "games.pdn", "-o", "graph.png"]).is(0);
    folder.run(&["chart", "games.pdn", "--width", "380", "-o", "small.png"]).is(0);
    for (name, size) in [("graph.png", [0, 0, 5, 240, 0, 0, 2, 196]), ("small.png", [0, 0, 1, 124, 0, 0, 0, 177])] {
        let bytes = std::fs::read(folder.path(name)).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
        assert_eq!(bytes[16..24], size, "{name}");
    }
}

#[test]
fn games_of_a_site_have_pictures_for_links_elsewhere() {
    let folder = Folder::with("games.pdn", GAMES);
    let url = "https://club.example/games";
    folder.run(&["report", "games.pdn", "--sitemap", url, "--pictures", "-o", "site/"]).is(0);
    let names = || -> Vec<_> {
        let files = std::fs::read_dir(folder.path("site/games")).expect("a folder");
        files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect()
    };
    let mut pictures = 0;
    for page in names().iter().filter_map(|name| name.strip_suffix(".html")) {
        let image = format!("<meta property=\"og:image\" content=\"{url}/games/{page}.png\">");
        assert!(folder.read(&format!("site/games/{page}.html")).contains(&image), "{page}");
        let bytes = std::fs::read(folder.path(&format!("site/games/{page}.png"))).expect("a picture");
        assert_eq!(bytes[16..24], [0, 0, 2, 88, 0, 0, 2, 88], "600 pixels");
        pictures += 1;
    }
    assert_eq!(pictures, 2);
    // The same site again writes nothing; without pictures they are gone, and no page names one.
    let again = folder.run(&["report", "games.pdn", "--sitemap", url, "--pictures", "-o", "site/"]).is(0);
    assert!(again.errors.contains("0 files written"), "{}", again.errors);
    folder.run(&["report", "games.pdn", "--sitemap", url, "-o", "site/"]).is(0);
    let left = names();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.iter().all(|page| !folder.read(&format!("site/games/{page}")).contains("og:image")));
    assert!(folder.run(&["report", "games.pdn", "--pictures", "-o", "site/"]).is(2).errors.contains("--sitemap"));
}

#[cfg(target_os = "linux")]
#[test]
fn pictures_have_text_whatever_fonts_the_system_prefers() {
    let folder = Folder::new();
    let picture = |aliases: &str| {
        let fonts = folder.path("").display().to_string();
        folder.write(
            "fonts.conf",
            format!("<?xml version=\"1.0\"?><fontconfig><dir>{fonts}</dir>{aliases}</fontconfig>"),
        );
        let mut command = folder.command(&["diagram", "--fen", FEN, "-o", "a.png"]);
        crate::support::binary::Run::of(command.env("FONTCONFIG_FILE", folder.path("fonts.conf"))).is(0);
        std::fs::read(folder.path("a.png")).expect("a picture")
    };
    let missing = "<alias><family>sans-serif</family><prefer><family>Not Installed</family></prefer></alias>";
    assert!(picture("") == picture(missing), "square numbers are in the font of the program");
}
