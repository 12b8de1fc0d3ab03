//! Records with diagnostics of each code.

use super::Code;

/// Returns the sample records by their paths.
macro_rules! samples {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../samples/", $name)))),*]
    };
}

/// One sample for each code, written by the test of `docs/codes.md`.
#[rustfmt::skip]
const SAMPLES: &[(&str, &[u8])] = samples! {
    "diagnostics/draw-12-move.pdn" "diagnostics/draw-13-move.pdn" "diagnostics/draw-15-move.pdn"
    "diagnostics/draw-16-move.pdn" "diagnostics/draw-20-move.pdn" "diagnostics/draw-25-move.pdn"
    "diagnostics/draw-30-move.pdn" "diagnostics/draw-40-move.pdn" "diagnostics/draw-5-move.pdn"
    "diagnostics/draw-60-move.pdn" "diagnostics/draw-7-move.pdn" "diagnostics/draw-early.pdn"
    "diagnostics/draw-last-pieces.pdn" "diagnostics/draw-limit.pdn" "diagnostics/draw-long-diagonal.pdn"
    "diagnostics/draw-repetition.pdn" "diagnostics/draw-three-kings.pdn" "diagnostics/draw-threefold.pdn"
    "diagnostics/event-copies.pdn" "diagnostics/event-copy-differs.pdn" "diagnostics/event-double-game.pdn"
    "diagnostics/event-illegal-game.pdn" "diagnostics/event-missing-game.pdn" "diagnostics/event-no-player.pdn"
    "diagnostics/event-no-result.pdn" "diagnostics/event-player-twice.pdn" "diagnostics/event-result.pdn"
    "diagnostics/event-same-player.pdn" "diagnostics/event-similar-events.pdn" "diagnostics/event-similar-names.pdn"
    "diagnostics/event-trf-colour.pdn" "diagnostics/event-trf-extra-game.pdn" "diagnostics/event-trf-line.pdn"
    "diagnostics/event-trf-missing-game.pdn" "diagnostics/event-trf-no-games.pdn" "diagnostics/event-trf-number.pdn"
    "diagnostics/event-trf-opponent.pdn" "diagnostics/event-trf-pair.pdn" "diagnostics/event-trf-points.pdn"
    "diagnostics/event-trf-rank.pdn" "diagnostics/event-trf-rating.pdn" "diagnostics/event-trf-result.pdn"
    "diagnostics/event-trf-round.pdn" "diagnostics/event-trf-rounds.pdn" "diagnostics/event-trf-unknown-player.pdn"
    "diagnostics/event-trf-unplayed.pdn" "diagnostics/fen-side-deduced.pdn" "diagnostics/fen-side.pdn"
    "diagnostics/fen-strict-form.pdn" "diagnostics/fen-syntax.pdn" "diagnostics/fen-unplayable.pdn"
    "diagnostics/fen-unusual.pdn" "diagnostics/move-ambiguous-resolved.pdn" "diagnostics/move-ambiguous.pdn"
    "diagnostics/move-captured.pdn" "diagnostics/move-clock-parts.pdn" "diagnostics/move-clock.pdn"
    "diagnostics/move-command.pdn" "diagnostics/move-illegal.pdn" "diagnostics/move-left-out.pdn"
    "diagnostics/move-new-game.pdn" "diagnostics/move-null.pdn" "diagnostics/move-number.pdn"
    "diagnostics/move-reply.pdn" "diagnostics/move-side.pdn" "diagnostics/move-sign.pdn" "diagnostics/move-stops.pdn"
    "diagnostics/move-strict-blank.pdn" "diagnostics/move-strict-leading-zero.pdn"
    "diagnostics/move-strict-notation.pdn" "diagnostics/move-strict-path.pdn" "diagnostics/move-strict-sign.pdn"
    "diagnostics/move-strict-strength.pdn" "diagnostics/replay-continuation.pdn" "diagnostics/replay-deep-variation.pdn"
    "diagnostics/replay-duplicate.pdn" "diagnostics/replay-inferred-variant.pdn" "diagnostics/replay-same-moves.pdn"
    "diagnostics/replay-too-large.pdn" "diagnostics/replay-unknown-variant.pdn"
    "diagnostics/replay-variant-overridden.pdn" "diagnostics/replay-variation-shifted.pdn"
    "diagnostics/result-board.pdn" "diagnostics/result-endgame.pdn" "diagnostics/result-format.pdn"
    "diagnostics/result-in-game.pdn" "diagnostics/result-mismatch.pdn" "diagnostics/result-missing.pdn"
    "diagnostics/result-strict-separator.pdn" "diagnostics/result-strict-spelling.pdn" "diagnostics/syntax-no-game.pdn"
    "diagnostics/tag-bad-byte.pdn" "diagnostics/tag-date.pdn" "diagnostics/tag-duplicate.pdn"
    "diagnostics/tag-game-type-contradicted.pdn" "diagnostics/tag-game-type.pdn" "diagnostics/tag-missing.pdn"
    "diagnostics/tag-ply-count.pdn" "diagnostics/tag-rating.pdn" "diagnostics/tag-set-up-missing.pdn"
    "diagnostics/tag-set-up.pdn" "diagnostics/tag-strict-encoding.pdn" "diagnostics/tag-strict-game-type.pdn"
    "diagnostics/tag-strict-roster.pdn" "diagnostics/tag-time-control.pdn" "diagnostics/tag-time.pdn"
    "diagnostics/tag-title.pdn" "diagnostics/tag-translated.pdn" "reject/backslash.pdn" "reject/bare-fen.pdn"
    "reject/bare-quote.pdn" "reject/blank-in-result.pdn" "reject/board.ldf" "reject/captured-list.pdn"
    "reject/clock.ldf" "reject/colon-result.pdn" "reject/control-character.pdn" "reject/cut-off.ldf"
    "reject/damaged-field.ldf" "reject/damaged-line.ldf" "reject/dash-result.pdn" "reject/dashed-capture.pdn"
    "reject/empty-tag.pdn" "reject/empty-variation.pdn" "reject/encoding.pdn" "reject/forced-star.pdn"
    "reject/json.ndjson" "reject/length.ndjson" "reject/letter-for-digit.pdn" "reject/lone-result.pdn"
    "reject/look-alike.pdn" "reject/markup.pdn" "reject/missing-blank.pdn" "reject/missing-bracket.pdn"
    "reject/missing-line.ldf" "reject/missing-moves.json" "reject/missing-opening-bracket.pdn"
    "reject/missing-separator.pdn" "reject/missing-terminator.pdn" "reject/move.ndjson" "reject/nested-comment.pdn"
    "reject/nesting.ndjson" "reject/null-move.pdn" "reject/number-typo.pdn" "reject/number-without-dot.pdn"
    "reject/number-without-move.pdn" "reject/odd-ellipsis.pdn" "reject/odd-result.pdn" "reject/odd-separator.pdn"
    "reject/padded-value.pdn" "reject/ply.ldf" "reject/prose-in-parentheses.pdn" "reject/repeated-line.ldf"
    "reject/result-in-variation.pdn" "reject/score.pdn" "reject/spelling.pdn" "reject/split-capture.pdn"
    "reject/stray-brace.pdn" "reject/stray-bracket.pdn" "reject/stray-comma.pdn" "reject/stray-comment.pdn"
    "reject/stray-line.txt" "reject/stray-period.pdn" "reject/stray-text.pdn" "reject/strength-apart.pdn"
    "reject/strength-before.pdn" "reject/symbol.pdn" "reject/tag-name.pdn" "reject/typed-escape.pdn"
    "reject/ultra-short.pdn" "reject/unclosed-comment.pdn" "reject/unclosed-setup.pdn" "reject/unclosed-string.pdn"
    "reject/unclosed-variation.pdn" "reject/unicode-space.pdn" "reject/unopened-variation.pdn"
    "reject/unquoted-value.pdn" "reject/upper-case.pdn" "reject/value.ndjson" "reject/variation-first.pdn"
};

impl Code {
    /// Returns a record with such a diagnostic: the sample named after the code, or only after its kind if it deviates
    /// from the reading grammar.
    pub(crate) fn example(self) -> Option<&'static [u8]> {
        let names = [format!("diagnostics/{}", self.name().replace('/', "-")), format!("reject/{}", self.kind())];
        let stem = |name: &'static str| name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        SAMPLES.iter().find(|(name, _)| names.iter().any(|wanted| wanted == stem(name))).map(|(_, text)| *text)
    }
}
