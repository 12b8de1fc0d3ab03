//! The evaluation graph of a game: White's expected score after each move.

use super::canvas::{Canvas, Plot, Sign, TOP};
use super::{Words, curve};
use crate::board::Side;
use crate::check::CheckedGame;
use crate::pdn::Evaluation;
use crate::records::{Judgement, MoveRow, checked_row};
use crate::report::page::date_for;
use crate::rules::Variant;

/// A game with evaluations, as far as its graph shows it.
#[derive(Clone, Debug)]
pub(super) struct EvaluationGraph {
    /// The players, the one who begins the game first.
    players: [String; 2],
    event: String,
    round: String,
    date: String,
    result: String,
    /// The side that begins games of the variant.
    first: char,
    /// The accuracy of White and Black in percent.
    accuracy: [Option<f64>; 2],
    moves: Vec<GraphMove>,
}

#[derive(Clone, Debug)]
struct GraphMove {
    number: u32,
    side: char,
    text: String,
    evaluation: Option<Evaluation>,
    judgement: Option<Judgement>,
    /// White's expected score after the move, in thousandths of a point.
    white: Option<u16>,
}

impl GraphMove {
    /// Returns the move with its number, as in `12… 20-24`.
    fn numbered(&self, first: char) -> String {
        format!("{}{} {}", self.number, if self.side == first { "." } else { "…" }, self.text)
    }
}

/// Returns an evaluation in short; in words if a side wins in an unknown number of plies, where the number means nothing.
fn short(evaluation: Evaluation, words: &Words) -> String {
    match (evaluation.win_in(), evaluation.winner()) {
        (None, Some(winner)) => words.of(if winner == 'W' { "White wins" } else { "Black wins" }),
        _ => evaluation.to_string(),
    }
}

impl EvaluationGraph {
    pub(super) fn of(game: &CheckedGame<'_>) -> Self {
        let mut row = checked_row(game);
        row.assess();
        let tag = |name: &str| game.known_tag(name).unwrap_or_default().trim().to_owned();
        let first = game.variant().map_or(Side::White, Variant::starts);
        let sides = if first == Side::White { ["White", "Black"] } else { ["Black", "White"] };
        let known = |name: &str| Some(tag(name)).filter(|name| !name.is_empty()).unwrap_or_else(|| "?".to_owned());
        let shares = curve(&row).into_iter().chain(std::iter::repeat(None));
        let moved = |(row, white): (&MoveRow<'_>, Option<u16>)| GraphMove {
            number: row.move_no,
            side: row.side,
            text: row.notation.as_deref().unwrap_or(&row.written).to_owned(),
            evaluation: row.eval,
            judgement: row.assessment.as_ref().and_then(|assessment| assessment.judgement),
            white,
        };
        let accuracy = |side| row.performance.as_ref().and_then(|game| game.side(side).all.accuracy);
        Self {
            players: sides.map(known),
            event: tag("Event"),
            round: tag("Round"),
            date: tag("Date"),
            first: first.letter(),
            result: game.result().unwrap_or_default().trim().trim_matches(['*', '?']).to_owned(),
            accuracy: [accuracy(Side::White), accuracy(Side::Black)],
            moves: row.moves.iter().zip(shares).map(moved).collect(),
        }
    }

    /// Returns true if a move has an evaluation.
    pub(super) fn is_known(&self) -> bool {
        self.moves.iter().any(|played| played.white.is_some())
    }

    /// Returns the numbers of the graph, a row for each move, after their names.
    pub(super) fn table(&self) -> Vec<Vec<String>> {
        let names = ["ply", "move_no", "side", "move", "eval", "expected_score", "judgement"];
        let text = |value: Option<String>| value.unwrap_or_default();
        let row = |(n, played): (usize, &GraphMove)| {
            vec![
                (n + 1).to_string(),
                played.number.to_string(),
                played.side.to_string(),
                played.text.clone(),
                text(played.evaluation.map(|evaluation| evaluation.to_string())),
                text(played.white.map(|white| format!("{:.3}", f64::from(white) / 1000.0))),
                text(played.judgement.map(|judgement| judgement.name().to_owned())),
            ]
        };
        super::table(&names, self.moves.iter().enumerate().map(row))
    }

    pub(super) fn svg(&self, words: &Words) -> String {
        const HEIGHT: f64 = 216.0;
        let title = self.players.join(" – ");
        let round = if self.round.is_empty() { String::new() } else { words.filled("round {}", &self.round) };
        let facts = [self.event.clone(), round, date_for(words.language, &self.date), self.result.clone()];
        let facts = super::joined(&facts);
        let known = self.moves.iter().filter(|played| played.white.is_some()).count();
        let accuracy = self.accuracy_text(words);
        let desc = super::joined(&[
            words.of("White's expected score after each move"),
            words.filled("{} of the moves have an evaluation", &format!("{known}/{}", self.moves.len())),
            accuracy.clone(),
        ]);
        let mut canvas = Canvas::new(TOP + HEIGHT + 54.0, &title, &facts, &desc);
        let plot = Plot::new(HEIGHT, [0.0, self.moves.len() as f64], [0.0, 100.0]);
        canvas.text([plot.right(), TOP - 12.0], "muted end", &accuracy);
        self.areas(&mut canvas, &plot);
        plot.upright_axis(&mut canvas, [0, 25, 50, 75, 100]);
        let middle = plot.y(50.0);
        canvas.line("even", [plot.frame[0], middle, plot.right(), middle]);
        let line = |run: &Vec<[f64; 2]>| format!("M {}", points(run));
        canvas.path("curve", &self.runs(&plot).iter().map(line).collect::<Vec<_>>().join(" "));
        self.marks(&mut canvas, &plot, words);
        plot.axes(&mut canvas, &words.of("White's expected score (%)"));
        canvas.text([plot.right(), plot.bottom() + 36.0], "muted end", &words.of("Move"));
        self.numbers(&mut canvas, &plot);
        let sign = |judgement: Judgement| (Sign::Dot(radius(judgement)), judgement.name());
        let names = Judgement::ALL.map(|judgement| (sign(judgement), words.of(judgement.name())));
        let used = |name: &str| self.moves.iter().any(|played| played.judgement.is_some_and(|own| own.name() == name));
        let shown: Vec<_> = names.iter().filter(|((_, name), _)| used(name)).collect();
        let legend: Vec<_> = shown.iter().map(|((sign, class), word)| (*sign, *class, word.as_str())).collect();
        canvas.legend([plot.frame[0], plot.bottom() + 36.0], &legend);
        canvas.finish()
    }

    fn accuracy_text(&self, words: &Words) -> String {
        let [Some(white), Some(black)] = self.accuracy else { return String::new() };
        let of = |side: &str, accuracy| format!("{} {} %", words.of(side), words.decimal(accuracy));
        words.labelled("Accuracy", format!("{}, {}", of("White", white), of("Black", black)))
    }

    /// Returns the points of each run of moves with evaluations: between them, the graph has gaps. A single move is as wide as a ply.
    fn runs(&self, plot: &Plot) -> Vec<Vec<[f64; 2]>> {
        let mut runs: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut before = None;
        for (ply, played) in (1_u32..).zip(&self.moves) {
            if let Some(white) = played.white {
                let y = plot.y(f64::from(white) / 10.0);
                if before.is_none() {
                    runs.push(vec![[plot.x(if ply == 1 { 0.0 } else { f64::from(ply) - 0.5 }), y]]);
                }
                runs.last_mut().expect("a run was begun").push([plot.x(ply.into()), y]);
            }
            before = played.white;
        }
        runs
    }

    /// Draws the shares of White and Black where they are known.
    fn areas(&self, canvas: &mut Canvas, plot: &Plot) {
        for run in self.runs(plot) {
            let (Some([left, _]), Some([right, _])) = (run.first(), run.last()) else { continue };
            canvas.rect("black-share", [*left, plot.frame[1], right - left, plot.frame[3]], "");
            let [from, to, floor] = [*left, *right, plot.bottom()].map(super::canvas::units);
            canvas.path("white-share", &format!("M {from} {floor} L {} L {to} {floor} Z", points(&run)));
        }
    }

    /// Draws the judgements.
    fn marks(&self, canvas: &mut Canvas, plot: &Plot, words: &Words) {
        for (ply, played) in (1_u32..).zip(&self.moves) {
            let (Some(judgement), Some(white)) = (played.judgement, played.white) else { continue };
            let evaluation = played.evaluation.map(|evaluation| short(evaluation, words)).unwrap_or_default();
            let tip = super::joined(&[played.numbered(self.first), words.of(judgement.name()), evaluation]);
            let place = [plot.x(ply.into()), plot.y(f64::from(white) / 10.0)];
            canvas.dot(judgement.name(), place, radius(judgement), &tip);
        }
    }

    /// Draws move numbers below the plot.
    fn numbers(&self, canvas: &mut Canvas, plot: &Plot) {
        let most = self.moves.last().map_or(0, |played| played.number);
        let step = super::step(most, 14);
        let mut last = 0;
        for (ply, played) in (1_u32..).zip(&self.moves) {
            if played.number % step == 0 && played.number > last {
                plot.tick(canvas, ply.into(), &played.number.to_string());
                last = played.number;
            }
        }
    }
}

/// Returns the size of a mark: the worse the move, the larger.
const fn radius(judgement: Judgement) -> f64 {
    match judgement {
        Judgement::Inaccuracy => 3.5,
        Judgement::Mistake => 4.5,
        Judgement::Blunder => 5.5,
    }
}

fn points(run: &[[f64; 2]]) -> String {
    let point = |[x, y]: &[f64; 2]| format!("{} {}", super::canvas::units(*x), super::canvas::units(*y));
    run.iter().map(point).collect::<Vec<_>>().join(" L ")
}
