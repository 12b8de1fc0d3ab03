//! Writes the rules of a variant, with a comment on each field.

use std::fmt::{self, Write};

use super::fields::NONE;
use super::words::{Kind, Words};
use crate::rules::{Agreement, Conventions, DrawLimit, DrawRules, Ending, LastPieces, Repetition, RuleSpec, Variant};

pub(super) fn write(variant: Variant) -> String {
    let mut file = File::default();
    file.rules(variant.spec());
    file.numbering(variant.conventions());
    file.draws(&variant.spec().draws);
    file.text
}

#[derive(Default)]
struct File {
    text: String,
}

fn quoted(text: &str) -> String {
    let sign = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(sign).collect::<String>())
}

impl File {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        // Conventions to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn comment(&mut self, comment: &str) {
        for line in comment.lines() {
            self.line(format_args!("# {line}"));
        }
    }

    fn field(&mut self, name: &str, value: &str) {
        self.line(format_args!("{name} = {value}"));
    }

    fn table(&mut self, name: &str, comment: &str) {
        self.text.push('\n');
        self.comment(comment);
        self.line(format_args!("{name}"));
    }

    fn commented(&mut self, comment: &str, name: &str, value: &str) {
        self.comment(comment);
        self.field(name, value);
    }

    fn word<T: Words>(&mut self, comment: &str, name: &str, value: T) {
        let words: Vec<_> = T::WORDS.iter().map(|(word, _)| *word).collect();
        self.commented(&format!("{comment}:\n  {}", words.join(", ")), name, &quoted(value.word()));
    }

    fn rules(&mut self, spec: &RuleSpec) {
        self.commented("Name of the variant: small letters, digits, `-`", "name", &quoted(spec.name));
        self.word("Board: all but 8x8-all have their dark squares only", "board", spec.shape);
        self.word("Side that makes the first move", "starts", spec.starts);
        self.commented("Rows of men of each side at the start", "start-rows", &spec.start_rows.rows.to_string());
        self.commented("Empty rows behind them", "skipped-rows", &spec.start_rows.skipped.to_string());
        self.word("Steps of men that do not capture; kings go the same ways and back", "man-moves", spec.man_moves);
        self.word(
            "Captures of men; kings capture in the same lines, forward and back",
            "man-captures",
            spec.man_captures,
        );
        self.commented("Whether men may capture kings", "men-take-kings", &spec.men_take_kings.to_string());
        self.word("Reach of kings: one step, or any number of empty squares", "king-range", spec.king_range);
        self.word("Where a flying king may stop behind the last piece it takes", "king-landing", spec.king_landing);
        self.word("When captured pieces leave the board", "removal", spec.removal);
        let comment = "Whether two jumps in a row may go in opposite directions; `false` only with removal at once";
        self.commented(comment, "may-turn-back", &spec.may_turn_back.to_string());
        self.word("A man that reaches the last row while it captures promotes", "promotion", spec.promotion);
        self.word("Captures that are compulsory among the possible ones", "precedence", spec.precedence);
        self.word("A side without a move has lost, or has won; or the first king wins", "goal", spec.goal);
        let limit = spec.king_move_limit.map_or_else(|| quoted(NONE), |limit| limit.to_string());
        let comment = "Quiet moves in a row that a side with a man may make with one king, or none for no limit";
        self.commented(comment, "king-move-limit", &limit);
    }

    fn numbering(&mut self, writing: Conventions) {
        self.table("[numbering]", "How squares, captures and results are written");
        self.word("Squares have", "names", writing.names);
        self.word("Corner of the first square as White sees it", "first", writing.corner);
        let comment = "Whether the bottom-left corner of the real board is no playable square";
        self.commented(comment, "mirrored", &writing.mirrored.to_string());
        self.word("Sign of captures", "capture-sign", writing.capture_sign);
        self.word("How a won game is written", "results", writing.results);
    }

    fn draws(&mut self, draws: &DrawRules) {
        self.table("[draws]", "When the game is drawn; each rule may be \"none\"");
        if draws.repetition.is_none() {
            self.commented("Repetition of a position with the same side to move", "repetition", &quoted(NONE));
        }
        if draws.last_pieces.is_none() {
            self.commented("One piece each that cannot be taken at once", "last-pieces", &quoted(NONE));
        }
        if draws.agreement.is_none() {
            self.commented("When the players may begin to agree on a draw", "agreement", &quoted(NONE));
        }
        if draws.limits.is_empty() {
            self.commented("Limits on moves without progress", "limits", "[]");
        }
        draws.repetition.iter().for_each(|rule| self.repetition(rule));
        draws.last_pieces.iter().for_each(|rule| self.last_pieces(rule));
        draws.agreement.iter().for_each(|rule| self.agreement(rule));
        draws.limits.iter().for_each(|limit| self.limit(limit));
    }

    fn repetition(&mut self, rule: &Repetition) {
        self.table("[draws.repetition]", "Repetition of a position with the same side to move");
        self.commented("The occurrence that makes the draw", "occurrences", &rule.occurrences.to_string());
        self.word("A draw that ends the game, or one to be claimed", "standing", rule.standing);
        self.article(rule.article);
    }

    fn last_pieces(&mut self, rule: &LastPieces) {
        self.table("[draws.last-pieces]", "One piece each that cannot be taken at once");
        self.commented("Whether both must be kings", "kings-only", &rule.kings_only.to_string());
        self.article(rule.article);
    }

    fn agreement(&mut self, rule: &Agreement) {
        self.table("[draws.agreement]", "When the players may begin to agree on a draw");
        self.commented("Moves of each side before that", "after-moves", &rule.after_moves.to_string());
        self.article(rule.article);
    }

    fn article(&mut self, article: &str) {
        self.commented(
            "Article of the rules; it ends in [U] where no official text was seen",
            "article",
            &quoted(article),
        );
    }

    fn limit(&mut self, limit: &DrawLimit) {
        self.table("[[draws.limits]]", "A limit on moves without progress");
        self.commented("Its name in findings", "name", &quoted(limit.name));
        self.commented("Plies, both sides together", "plies", &limit.plies.to_string());
        let pair = |(least, most): (u8, u8)| format!("[{least}, {most}]");
        match limit.ending {
            Ending::NoProgress { except_both_kings } => {
                self.word("What is counted: plies without capture or man move", "ending", Kind::NoProgress);
                let comment = "Not where both sides have kings and so few to so many pieces are left; [0, 0] is always";
                self.commented(comment, "except-both-kings", &pair(except_both_kings));
            }
            Ending::BothKings { pieces } => {
                let comment = "What is counted: plies without capture or promotion while both sides have kings";
                self.word(comment, "ending", Kind::BothKings);
                self.commented("Fewest and most pieces on the board", "pieces", &pair(pieces));
            }
            Ending::LoneKing { pieces, kings, diagonal, outlasts_captures } => {
                self.word("What is counted: plies of a side against a lone king", "ending", Kind::LoneKing);
                self.commented("Fewest and most pieces of the stronger side", "pieces", &pair(pieces));
                self.commented("Fewest kings among them", "kings", &kings.to_string());
                self.word("Who must hold the long diagonal", "diagonal", diagonal);
                let comment = "Whether the count goes on when the stronger side loses pieces";
                self.commented(comment, "outlasts-captures", &outlasts_captures.to_string());
            }
        }
        self.word("A draw that ends the game, or one to be claimed", "standing", limit.standing);
        self.article(limit.article);
    }
}
