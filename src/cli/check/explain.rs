//! Explanations of codes, with examples.

use std::fmt::Write as _;

use crate::diag::Code;

/// Returns the sample records by their paths.
macro_rules! samples {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../../samples/", $name, ".pdn")))),*]
    };
}

/// One sample for each code, written by the test of `docs/codes.md`.
#[rustfmt::skip]
const SAMPLES: &[(&str, &[u8])] = samples! {
    "diagnostics/draw-12-move" "diagnostics/draw-13-move" "diagnostics/draw-15-move" "diagnostics/draw-16-move"
    "diagnostics/draw-20-move" "diagnostics/draw-25-move" "diagnostics/draw-30-move" "diagnostics/draw-40-move"
    "diagnostics/draw-5-move" "diagnostics/draw-60-move" "diagnostics/draw-7-move" "diagnostics/draw-early"
    "diagnostics/draw-last-pieces" "diagnostics/draw-limit" "diagnostics/draw-long-diagonal"
    "diagnostics/draw-repetition" "diagnostics/draw-three-kings" "diagnostics/draw-threefold"
    "diagnostics/event-double-game" "diagnostics/event-illegal-game" "diagnostics/event-missing-game"
    "diagnostics/event-no-player" "diagnostics/event-no-result" "diagnostics/event-player-twice"
    "diagnostics/event-result" "diagnostics/event-same-player" "diagnostics/event-similar-names"
    "diagnostics/fen-side-deduced" "diagnostics/fen-side" "diagnostics/fen-strict-form" "diagnostics/fen-syntax"
    "diagnostics/fen-unplayable" "diagnostics/fen-unusual" "diagnostics/move-ambiguous-resolved"
    "diagnostics/move-ambiguous" "diagnostics/move-captured" "diagnostics/move-illegal" "diagnostics/move-left-out"
    "diagnostics/move-null" "diagnostics/move-number" "diagnostics/move-side" "diagnostics/move-sign"
    "diagnostics/move-stops" "diagnostics/move-strict-blank" "diagnostics/move-strict-leading-zero"
    "diagnostics/move-strict-notation" "diagnostics/move-strict-path" "diagnostics/move-strict-sign"
    "diagnostics/move-strict-strength" "diagnostics/replay-continuation" "diagnostics/replay-deep-variation"
    "diagnostics/replay-duplicate" "diagnostics/replay-inferred-variant" "diagnostics/replay-too-large"
    "diagnostics/replay-unknown-variant" "diagnostics/replay-variant-overridden" "diagnostics/replay-variation-shifted"
    "diagnostics/result-board" "diagnostics/result-endgame" "diagnostics/result-format" "diagnostics/result-mismatch"
    "diagnostics/result-strict-separator" "diagnostics/result-strict-spelling" "diagnostics/syntax-no-game"
    "diagnostics/tag-date" "diagnostics/tag-duplicate" "diagnostics/tag-game-type-contradicted"
    "diagnostics/tag-game-type" "diagnostics/tag-missing" "diagnostics/tag-ply-count" "diagnostics/tag-rating"
    "diagnostics/tag-set-up-missing" "diagnostics/tag-set-up" "diagnostics/tag-strict-encoding"
    "diagnostics/tag-strict-game-type" "diagnostics/tag-strict-roster" "diagnostics/tag-time-control"
    "diagnostics/tag-time" "diagnostics/tag-title" "diagnostics/tag-translated" "reject/backslash" "reject/bare-quote"
    "reject/blank-in-result" "reject/captured-list" "reject/colon-result" "reject/control-character"
    "reject/dash-result" "reject/dashed-capture" "reject/empty-tag" "reject/empty-variation" "reject/encoding"
    "reject/forced-star" "reject/letter-for-digit" "reject/lone-result" "reject/missing-blank" "reject/missing-bracket"
    "reject/missing-opening-bracket" "reject/missing-separator" "reject/missing-terminator" "reject/nested-comment"
    "reject/null-move" "reject/number-typo" "reject/number-without-dot" "reject/number-without-move" "reject/odd-result"
    "reject/odd-separator" "reject/padded-value" "reject/prose-in-parentheses" "reject/result-in-variation"
    "reject/score" "reject/spelling" "reject/split-capture" "reject/stray-brace" "reject/stray-bracket"
    "reject/stray-comma" "reject/stray-comment" "reject/stray-period" "reject/stray-text" "reject/strength-apart"
    "reject/strength-before" "reject/tag-name" "reject/typed-escape" "reject/ultra-short" "reject/unclosed-comment"
    "reject/unclosed-setup" "reject/unclosed-string" "reject/unclosed-variation" "reject/unopened-variation"
    "reject/unquoted-value" "reject/upper-case" "reject/variation-first"
};

/// Returns the meaning of a code, its severity, and a record with such a diagnostic.
pub(super) fn explain(code: Code) -> String {
    let mut text = format!("{code} ({})\n\n{}\n", code.severity(), code.meaning());
    if let Some(sample) = sample(code) {
        text.push_str("\nExample:\n\n");
        for line in shown(sample).lines() {
            let _ = writeln!(text, "{}", format!("    {line}").trim_end());
        }
    }
    text
}

/// Returns the sample that is named after the code, or only after its kind if it deviates from the reading grammar.
fn sample(code: Code) -> Option<&'static [u8]> {
    let names = [format!("diagnostics/{}", code.name().replace('/', "-")), format!("reject/{}", code.kind())];
    SAMPLES.iter().find(|(name, _)| names.iter().any(|wanted| wanted == name)).map(|(_, text)| *text)
}

/// Returns a record as text for a terminal, with symbols for control characters and without bytes that are not text.
fn shown(sample: &[u8]) -> String {
    let picture = |letter: char| match letter {
        '\n' | '\t' => letter,
        control @ '\0'..='\x1f' => char::from_u32(0x2400 + control as u32).unwrap_or(control),
        other => other,
    };
    String::from_utf8_lossy(sample).replace("\r\n", "\n").chars().map(picture).collect()
}
