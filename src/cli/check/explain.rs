//! Explanations of codes, with examples.

use std::fmt::Write as _;

use crate::diag::Code;

/// The sample records that are named after codes.
macro_rules! samples {
    ($($folder:literal: $($name:literal)*;)*) => {
        &[$($(($name, include_bytes!(concat!("../../../samples/", $folder, "/", $name, ".pdn")))),*),*]
    };
}

/// Names and texts of the samples: deviations from the reading grammar are in one folder, all others in another.
#[rustfmt::skip]
const SAMPLES: &[(&str, &[u8])] = samples! {
    "reject":
        "backslash" "bare-quote" "blank-in-result" "captured-list" "colon-result" "control-character" "dash-result"
        "dashed-capture" "empty-tag" "empty-variation" "encoding" "forced-star" "letter-for-digit" "lone-result"
        "missing-blank" "missing-bracket" "missing-opening-bracket" "missing-separator" "missing-terminator"
        "nested-comment" "null-move" "number-typo" "number-without-dot" "number-without-move" "odd-result"
        "odd-separator" "padded-value" "prose-in-parentheses" "result-in-variation" "score" "spelling" "split-capture"
        "stray-brace" "stray-bracket" "stray-comma" "stray-comment" "stray-period" "stray-text" "strength-apart" "strength-before"
        "tag-name" "typed-escape" "ultra-short" "unclosed-comment" "unclosed-setup" "unclosed-string"
        "unclosed-variation" "unopened-variation" "unquoted-value" "upper-case" "variation-first";
    "diagnostics":
        "draw-12-move" "draw-13-move" "draw-15-move" "draw-16-move" "draw-20-move" "draw-25-move" "draw-30-move"
        "draw-40-move" "draw-5-move" "draw-60-move" "draw-7-move" "draw-early" "draw-last-pieces" "draw-limit"
        "draw-long-diagonal" "draw-repetition" "draw-three-kings" "draw-threefold" "event-double-game" "event-illegal-game"
        "event-missing-game" "event-no-player" "event-no-result" "event-player-twice" "event-result"
        "event-same-player" "event-similar-names" "fen-side" "fen-side-deduced"
        "fen-strict-form" "fen-syntax" "fen-unplayable" "fen-unusual" "move-ambiguous" "move-ambiguous-resolved"
        "move-captured" "move-illegal" "move-left-out" "move-null" "move-number" "move-side" "move-sign" "move-stops"
        "move-strict-blank" "move-strict-leading-zero" "move-strict-notation" "move-strict-path" "move-strict-sign"
        "move-strict-strength" "replay-continuation" "replay-deep-variation" "replay-duplicate"
        "replay-inferred-variant" "replay-too-large" "replay-unknown-variant" "replay-variant-overridden"
        "replay-variation-shifted" "result-board" "result-endgame" "result-format" "result-mismatch" "result-strict-separator"
        "result-strict-spelling" "tag-date" "tag-duplicate" "tag-game-type" "tag-game-type-contradicted"
        "tag-missing" "tag-ply-count" "tag-rating" "tag-set-up" "tag-set-up-missing" "tag-strict-encoding" "tag-strict-game-type"
        "tag-strict-roster" "tag-time" "tag-time-control" "tag-title" "tag-translated";
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

fn sample(code: Code) -> Option<&'static [u8]> {
    let name = code.name().replace('/', "-");
    let found = |name: &str| SAMPLES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    found(&name).or_else(|| found(code.kind()))
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
