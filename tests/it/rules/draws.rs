//! The draw rules, each on games that shuffle kings to and fro.

use crate::support::board::{position, square};
use pdn::notation::rules_json;
use pdn::rules::{DrawTracker, Move, Position, Standing, Variant};

/// Four quiet moves that lead back to a position without a capture on the way.
fn shuffle(start: Position) -> [Move; 4] {
    let mut found = None;
    quiet(start, &mut |a, after_a| {
        quiet(after_a, &mut |b, after_b| {
            let (c, d) = (back(after_a, &a), back(after_b, &b));
            let cycle = c.zip(d).filter(|(c, _)| after_b.is_legal(c) && calm(after_b.play_unchecked(c)));
            let closes = |(c, d): &(Move, Move)| after_b.play_unchecked(c).is_legal(d);
            found = found.or(cycle.filter(closes).map(|(c, d)| [a, b, c, d]));
        });
    });
    found.expect("kings that can shuffle")
}

fn quiet(from: Position, visit: &mut dyn FnMut(Move, Position)) {
    for played in from.legal_moves().into_iter().filter(|played| !played.is_capture() && !played.promotes()) {
        let next = from.play_unchecked(&played);
        if calm(next) {
            visit(played, next);
        }
    }
}

fn calm(position: Position) -> bool {
    !position.can_capture() && !position.pass().can_capture()
}

/// The move that takes a move back.
fn back(after: Position, played: &Move) -> Option<Move> {
    after.pass().moves_between(played.to(), played.from()).first().copied()
}

struct Game {
    position: Position,
    tracker: DrawTracker,
    ply: u32,
    events: Vec<(u32, &'static str)>,
    standings: Vec<Standing>,
    unverified: Vec<&'static str>,
}

impl Game {
    fn new(variant: &str, fen: &str) -> Self {
        let position = position(Variant::by_name(variant).expect("a variant"), fen);
        let tracker = DrawTracker::new(&position);
        Self { position, tracker, ply: 0, events: Vec::new(), standings: Vec::new(), unverified: Vec::new() }
    }

    fn play(&mut self, played: &Move) {
        let next = self.position.play(played).expect("a legal move");
        self.ply += 1;
        for event in self.tracker.record(&self.position, played, &next) {
            assert_eq!(event.ply(), self.ply);
            assert!(event.since_ply() <= event.ply() && !event.article().is_empty());
            self.events.push((event.ply(), event.name()));
            self.standings.push(event.standing());
            self.unverified.extend((!event.is_verified()).then_some(event.name()));
        }
        self.position = next;
    }

    fn play_squares(&mut self, from: u8, to: u8) {
        let variant = self.position.variant();
        let moves = self.position.moves_between(square(variant, from), square(variant, to));
        self.play(moves.first().expect("a legal move"));
    }

    fn shuffle(&mut self, plies: u32) {
        let cycle = shuffle(self.position);
        for n in 0..plies {
            self.play(&cycle[n as usize % 4]);
        }
    }

    fn events(&self, without: &str) -> Vec<(u32, &'static str)> {
        self.events.iter().copied().filter(|event| event.1 != without).collect()
    }
}

fn after(variant: &str, fen: &str, plies: u32) -> Vec<(u32, &'static str)> {
    let mut game = Game::new(variant, fen);
    game.shuffle(plies);
    game.events
}

const TWO_EACH: &str = "W:WK47,K48:BK3,K4";
const THREE_TO_ONE: &str = "W:WK47,K48,K49:BK3";
const TWO_TO_ONE: &str = "W:WK47,K48:BK3";
const ONE_EACH: &str = "W:WK47:BK3";

#[test]
fn international() {
    for variant in ["international", "canadian"] {
        let fen = |fen: &'static str| if variant == "canadian" { "W:WK68,K69:BK3,K4" } else { fen };
        assert_eq!(after(variant, fen(TWO_EACH), 60), [(8, "threefold"), (50, "25-move")]);
    }
    let expected = [(8, "threefold"), (32, "16-move"), (50, "25-move")];
    assert_eq!(after("international", THREE_TO_ONE, 60), expected);
    let expected = [(8, "threefold"), (10, "5-move"), (50, "25-move")];
    assert_eq!(after("international", TWO_TO_ONE, 60), expected);
    let expected = [(1, "last-pieces"), (8, "threefold"), (10, "5-move")];
    assert_eq!(after("international", ONE_EACH, 20), expected);
}

#[test]
fn killer_has_no_five_moves() {
    assert_eq!(after("killer", TWO_TO_ONE, 60), [(8, "threefold"), (50, "25-move")]);
    assert_eq!(after("killer", THREE_TO_ONE, 40), [(8, "threefold"), (32, "16-move")]);
}

#[test]
fn antidraughts_knows_repetition_only() {
    assert_eq!(after("antidraughts", TWO_TO_ONE, 200), [(8, "threefold")]);
}

#[test]
fn frisian() {
    assert_eq!(after("frisian", "W:WK46,K47:BK3", 40), [(14, "7-move")]);
    assert_eq!(after("frisian", TWO_EACH, 200), []);
    assert_eq!(after("frysk", "W:WK46,K47:BK3", 40), [(14, "7-move")]);
    assert_eq!(after("frisian", ONE_EACH, 20), [(1, "last-pieces")]);
}

#[test]
fn fmjd_64() {
    for variant in ["brazilian", "russian"] {
        assert_eq!(after(variant, "W:WK29,K30:BK3,K4", 130), [(8, "threefold"), (60, "30-move")]);
        let expected = [(8, "threefold"), (120, "60-move")];
        assert_eq!(after(variant, "W:WK29,K30,K31:BK2,K3,K4", 130), expected);
        let expected = [(8, "threefold"), (30, "15-move")];
        assert_eq!(after(variant, "W:WK29,K30,K31,K32:BK1,K2,K3,K4", 130), expected);
        assert_eq!(after(variant, "W:WK30,K31:BK3", 40), [(8, "threefold"), (10, "5-move"), (30, "15-move")]);
    }
}

#[test]
fn three_kings_against_one() {
    let mut game = Game::new("brazilian", "W:WK21,K31,K32:BK1");
    game.shuffle(80);
    assert_eq!(game.events, [(8, "threefold"), (30, "three-kings"), (60, "30-move")]);
    // The lone king stays on the long diagonal, 4 to 29.
    let mut game = Game::new("brazilian", "B:WK1,K30,K28:BK4");
    for _ in 0..4 {
        for (from, to) in [(4, 8), (28, 24), (8, 4), (24, 28)] {
            game.play_squares(from, to);
        }
    }
    assert_eq!(game.events("threefold"), [(10, "long-diagonal")]);
    // It leaves the diagonal: that count ends.
    let mut game = Game::new("brazilian", "B:WK1,K30,K28:BK4");
    for (from, to) in [(4, 8), (28, 24), (8, 12), (24, 28)] {
        game.play_squares(from, to);
    }
    game.shuffle(8);
    assert_eq!(game.events("threefold"), []);
}

#[test]
fn english_draws_are_claims() {
    let mut game = Game::new("english", "W:WK29,K30:BK3,K4");
    game.shuffle(90);
    assert_eq!(game.events, [(8, "threefold"), (80, "40-move")]);
    assert_eq!(game.standings, [Standing::Claim; 2]);
}

#[test]
fn other_eights() {
    assert_eq!(after("italian", "W:WK29,K30:BK3,K4", 90), [(8, "threefold"), (80, "40-move")]);
    assert_eq!(after("czech", "W:WK29,K30:BK3,K4", 90), [(8, "threefold"), (30, "15-move")]);
    for variant in ["thai", "spantsiretti"] {
        let fen = if variant == "thai" { "W:WK29,K30:BK3,K4" } else { "W:WK36,K37:BK4,K5" };
        assert_eq!(after(variant, fen, 200), [(8, "threefold")]);
    }
    for variant in ["spanish", "portuguese"] {
        assert_eq!(after(variant, "W:WK29,K30:BK2,K3", 90), [(8, "threefold"), (40, "20-move")]);
        let expected = [(8, "threefold"), (24, "12-move"), (40, "20-move")];
        assert_eq!(after(variant, "W:WK4,K31,K32:BK1", 90), expected);
    }
    for variant in ["pool", "pool-unified", "jamaican"] {
        assert_eq!(after(variant, "W:WK29,K30:BK2,K3", 90), [(8, "threefold"), (30, "15-move")]);
        let expected = [(8, "threefold"), (26, "13-move"), (30, "15-move")];
        assert_eq!(after(variant, "W:WK4,K31,K32:BK1", 90), expected);
    }
}

#[test]
fn turkish_last_pieces() {
    assert_eq!(after("turkish", "W:WK64:BK1", 9), [(1, "last-pieces"), (8, "threefold")]);
    assert_eq!(after("turkish", "W:WK64:B15", 1), [(1, "last-pieces")]);
    // Men step sideways, so that their positions come again too.
    assert_eq!(after("turkish", "W:W41,58:B15,24", 9), [(8, "threefold")]);
}

#[test]
fn a_capture_or_a_man_move_restarts_the_twenty_five_moves() {
    let mut game = Game::new("international", "W:WK47,K48,46:BK3,K4,10");
    game.shuffle(20);
    game.play_squares(46, 41);
    game.play_squares(3, 8);
    game.shuffle(60);
    assert_eq!(game.events("threefold"), [(71, "25-move")]);
}

/// Lets the stronger side give a king away after so many plies of kings going to and fro.
fn give_a_king_after(variant: &str, fen: &str, plies: u32) -> Game {
    let mut game = Game::new(variant, fen);
    game.shuffle(plies);
    let gift = game.position.legal_moves().into_iter().find_map(|gift| {
        let given = game.position.play_unchecked(&gift);
        let replies = given.legal_moves();
        let taken = replies.into_iter().find(|m| m.captured().len() == 1 && calm(given.play_unchecked(m)))?;
        Some([gift, taken])
    });
    gift.expect("a king to give away").iter().for_each(|played| game.play(played));
    game
}

#[test]
fn a_capture_does_not_restart_the_sixteen_moves() {
    let mut game = give_a_king_after("international", "W:WK47,K46,K50:BK16", 24);
    game.shuffle(12);
    assert_eq!(game.events("threefold"), [(32, "16-move"), (36, "5-move")]);
    let mut game = give_a_king_after("international", "W:WK47,K46,K50:BK16", 8);
    game.shuffle(12);
    assert_eq!(game.events("threefold"), [(20, "5-move")]);
}

#[test]
fn a_promotion_is_not_counted() {
    let mut game = Game::new("international", "W:WK48,K49,7:BK15");
    game.shuffle(8);
    game.play_squares(7, 1);
    let quiet = game.position.legal_moves().into_iter().find(|m| calm(game.position.play_unchecked(m)));
    game.play(&quiet.expect("a quiet move"));
    game.shuffle(40);
    assert_eq!(game.events("threefold"), [(33, "16-move")]);
}

#[test]
fn a_promotion_at_the_limit_is_not_a_second_draw() {
    let mut game = Game::new("international", "W:WK48,K49,7:BK15");
    game.shuffle(32);
    game.play_squares(7, 1);
    game.shuffle(2);
    assert_eq!(game.events("threefold"), [(32, "16-move")]);
}

#[test]
fn a_last_king_that_must_be_lost_is_no_draw() {
    let mut game = Game::new("international", "B:WK46:BK10");
    game.play_squares(10, 5);
    assert_eq!(game.events, []);
    assert!(!Game::new("international", "W:WK46:BK5").position.can_capture());
    let mut game = Game::new("frisian", "B:WK46:BK10");
    game.play_squares(10, 5);
    assert_eq!(game.events, []);
    let mut game = Game::new("international", "B:WK46:BK10");
    game.play_squares(10, 4);
    assert_eq!(game.events, [(1, "last-pieces")]);
    // From 14 the other side goes to 5, and takes the king wherever it goes on the long diagonal.
    let mut game = Game::new("international", "B:WK14,37:BK28");
    game.play_squares(28, 46);
    assert_eq!(game.events, []);
}

#[test]
fn breakthrough_has_no_draws() {
    let draws = &rules_json(Variant::BREAKTHROUGH)["draws"];
    assert!(draws["limits"].as_array().is_some_and(Vec::is_empty) && draws["repetition"].is_null());
}

#[test]
fn a_draw_may_be_proposed_after_forty_moves() {
    let moves = |variant: Variant| rules_json(variant)["draws"]["agreement"]["after_moves"].as_u64();
    assert_eq!(moves(Variant::INTERNATIONAL), Some(40));
    assert_eq!(moves(Variant::RUSSIAN), None);
}

#[test]
fn unverified_articles_are_marked() {
    let mut game = Game::new("international", THREE_TO_ONE);
    game.shuffle(60);
    assert_eq!(game.unverified, ["16-move"]);
}
