//! Moves and positions as text and back, over the hard positions of `tests/data`.

use pdn::MoveText;
use pdn::notation::{Numbering, ResolveError, parse_fen, resolve};
use pdn::rules::{Move, Position, Variant};
use serde_json::Value;

const VARIANTS: [Variant; 6] = [
    Variant::INTERNATIONAL,
    Variant::FRISIAN,
    Variant::ITALIAN,
    Variant::ENGLISH,
    Variant::RUSSIAN,
    Variant::BRAZILIAN,
];

fn lines(variant: Variant) -> Vec<Value> {
    let path = format!("{}/tests/data/rules/legal/{variant}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn position(variant: Variant, fen: &str) -> Position {
    let setup = parse_fen(fen, Numbering::for_variant(variant)).unwrap_or_else(|e| panic!("{fen}: {e}"));
    Position::from_setup(variant, &setup).unwrap().0
}

fn positions() -> impl Iterator<Item = Position> {
    VARIANTS.into_iter().flat_map(|variant| {
        lines(variant).into_iter().map(move |line| position(variant, line["fen"].as_str().unwrap()))
    })
}

fn read(position: &Position, text: &str) -> Result<Move, ResolveError> {
    let text: MoveText = text.parse().unwrap_or_else(|_| panic!("{text} is no move"));
    resolve(position, &text, Numbering::for_variant(position.variant())).map(|(played, _)| played)
}

#[test]
fn numeric_and_algebraic_fens_agree_and_round_trip() {
    for variant in VARIANTS {
        for line in lines(variant) {
            let numeric = position(variant, line["fen"].as_str().unwrap());
            if let Some(algebraic) = line["fen_alg"].as_str() {
                assert_eq!(position(variant, algebraic), numeric, "{algebraic}");
            }
            assert_eq!(position(variant, &numeric.fen()), numeric);
        }
    }
}

#[test]
fn internal_numbers_are_those_of_the_data() {
    for variant in VARIANTS {
        let internal = Numbering::internal(variant);
        for line in lines(variant) {
            let position = position(variant, line["fen"].as_str().unwrap());
            let mut ours: Vec<_> = position
                .legal_moves()
                .iter()
                .map(|played| {
                    let mut captured: Vec<_> =
                        played.captured().iter().map(|s| u64::from(internal.number(s))).collect();
                    captured.sort_unstable();
                    (u64::from(internal.number(played.from())), u64::from(internal.number(played.to())), captured)
                })
                .collect();
            let number = |value: &Value| value.as_u64().unwrap();
            let list = |value: &Value| value.as_array().unwrap().iter().map(number).collect::<Vec<_>>();
            let theirs = line["moves"].as_array().unwrap().iter();
            let mut theirs: Vec<_> =
                theirs.map(|entry| (number(&entry["from"]), number(&entry["to"]), list(&entry["captured"]))).collect();
            ours.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "{line}");
        }
    }
}

#[test]
fn what_is_written_is_read_back() {
    let mut paths = 0;
    for position in positions() {
        let numbering = Numbering::for_variant(position.variant());
        for played in position.legal_moves() {
            for text in [position.short(&played), position.full(&played)] {
                assert_eq!(read(&position, &text), Ok(played), "{text} in {}", position.fen());
                let (_, deviation) = resolve(&position, &text.parse().unwrap(), numbering).unwrap();
                assert_eq!(deviation, None, "{text}");
                paths += usize::from(text.parse::<MoveText>().unwrap().squares().len() > 2);
            }
            for path in position.paths(&played) {
                let names: Vec<_> = path.iter().map(|&square| numbering.name(square).to_string()).collect();
                assert_eq!(read(&position, &names.join("x")), Ok(played), "{names:?} in {}", position.fen());
            }
        }
    }
    assert!(paths > 1000, "the data holds many captures with several stops");
}

#[test]
fn lists_of_captured_pieces_decide() {
    for position in positions().filter(Position::can_capture) {
        let numbering = Numbering::for_variant(position.variant());
        for played in position.legal_moves() {
            let captured: Vec<_> = played.captured().iter().map(|s| numbering.name(s).to_string()).collect();
            let (from, to) = (numbering.name(played.from()), numbering.name(played.to()));
            let text = format!("{from}x{to} <{}>", captured.join(", "));
            assert_eq!(read(&position, &text), Ok(played), "{text} in {}", position.fen());
        }
    }
}

#[test]
fn the_standards_own_example_is_ambiguous() {
    let position = position(Variant::INTERNATIONAL, "W:WK47:B42,29,14,31,19");
    let numbering = Numbering::for_variant(position.variant());
    let error = resolve(&position, &"47x36".parse().unwrap(), numbering).expect_err("two captures have these squares");
    assert!(error.is_ambiguous());
    assert_eq!(error.candidates().len(), 2);
    for played in error.candidates() {
        assert_eq!(read(&position, &position.full(played)), Ok(*played));
    }
}

#[test]
fn careless_texts_are_read() {
    let russian = position(Variant::RUSSIAN, "W:Wc3,a1:Bb4,d6");
    let capture = read(&russian, "c3:a5").unwrap();
    for text in ["C3:A5", "c3xa5", "c3-a5", "c3a5", "ca5", "c:a5"] {
        assert_eq!(read(&russian, text), Ok(capture), "{text}");
    }
    // Numbers are the internal ones where the variant is algebraic: c3 is 22, a5 is 13.
    assert_eq!(read(&russian, "22x13"), Ok(capture));
    let short = position(Variant::RUSSIAN, "B:Wg3,a1:Bh4,a7");
    assert_eq!(read(&short, "hf2"), read(&short, "h4:f2"));
    let same_file = position(Variant::RUSSIAN, "B:We3,a1:Bf4,a7");
    assert_eq!(read(&same_file, "fd2"), read(&same_file, "f4:d2"));
    let start = Position::start(Variant::INTERNATIONAL);
    let quiet = read(&start, "32-28").unwrap();
    for text in ["3228", "32x28", "032-028", "32 - 28", "d4-e5"] {
        assert_eq!(read(&start, text), Ok(quiet), "{text}");
    }
}

#[test]
fn stops_on_the_way_of_a_king_are_enough() {
    // The standard asks for e5, directly after d4.
    let position = position(Variant::RUSSIAN, "W:WKa1:Bd4,g7");
    let capture = read(&position, "a1xe5xh8").unwrap();
    assert_eq!(read(&position, "a1xf6xh8"), Ok(capture));
    assert_eq!(position.full(&capture), "a1:e5:h8");
    let numbering = Numbering::for_variant(Variant::RUSSIAN);
    let (_, loose) = resolve(&position, &"a1:f6:h8".parse().unwrap(), numbering).unwrap();
    assert_eq!(loose.unwrap().to_string(), pdn::notation::Deviation::OtherStops.to_string());
    let (_, wrong) = resolve(&position, &"a1:c5:h8".parse().unwrap(), numbering).unwrap();
    assert_eq!(wrong, Some(pdn::notation::Deviation::WrongStops));
}

#[test]
fn illegal_moves_are_explained() {
    let start = Position::start(Variant::INTERNATIONAL);
    let explain = |text: &str| match read(&start, text) {
        Err(explanation) if !explanation.is_ambiguous() => {
            let question = explanation.question(&start, Numbering::for_variant(start.variant()));
            format!("{explanation}; {}", question.unwrap_or_default())
        }
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(explain("28-32"), "there is no piece on 28; did White mean 32-28?");
    assert_eq!(explain("38-33"), "the piece on 38 cannot move to 33; ");
    assert_eq!(explain("19-23"), "the piece on 19 is Black's, but White is to move; ");
    assert_eq!(explain("37-28"), "the piece on 37 cannot move to 28; did White mean 32-28 or 33-28?");
    assert_eq!(explain("32-51"), "the board has no square 51; did White mean 32-27 or 32-28?");
}

#[test]
fn reasons_have_columns_of_characters_in_a_fen_of_megabytes() {
    let fen = format!("W:W31:Bé,{}", "x,".repeat(300_000));
    let error = Position::from_fen(Variant::INTERNATIONAL, &fen).expect_err("no squares").to_string();
    assert!(error.contains("column 8: ") && error.contains("column 10: "), "{}", &error[error.len() - 300..]);
}
