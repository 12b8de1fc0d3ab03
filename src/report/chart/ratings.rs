//! Results by the difference in rating, as bars, with the score that the ratings predict.

use super::Words;
use super::canvas::{Canvas, LEFT, Plot, Sign, TOP, units};
use crate::query::{LeadRow, RATING_LIMIT, RATING_STEP};
use crate::records::ScoreRow;

/// The results of a player, or of the players with the higher rating.
pub(super) struct RatingsChart<'a> {
    pub(super) title: &'a str,
    pub(super) facts: String,
    /// Groups of games, the one with the smallest lead first.
    pub(super) leads: Vec<LeadRow>,
}

/// Returns the score that a lead in rating predicts, from 0 to 1.
fn expected(lead: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-lead / 400.0))
}

impl RatingsChart<'_> {
    /// Returns the numbers of the chart, a row for each group, after their names.
    pub(super) fn table(&self) -> Vec<Vec<String>> {
        let names = ["difference_from", "games", "wins", "draws", "losses", "score", "expected_score"];
        let row = |row: &LeadRow| {
            let ScoreRow { games, wins, draws, losses, score, .. } = row.score;
            let counts = [games, wins, draws, losses].map(|count| count.to_string());
            let predicted = format!("{:.3}", expected(middle(row)));
            let score = score.map(|score| score.to_string()).unwrap_or_default();
            std::iter::once(row.from.to_string()).chain(counts).chain([score, predicted]).collect()
        };
        std::iter::once(names.map(str::to_owned).to_vec()).chain(self.leads.iter().map(row)).collect()
    }

    pub(super) fn svg(&self, words: &Words) -> String {
        const HEIGHT: f64 = 240.0;
        let [from, last] = [self.leads.first(), self.leads.last()].map(|row| row.map_or(0, |row| row.from));
        let to = last + RATING_STEP;
        let games = self.leads.iter().map(|row| row.score.games).sum();
        let desc = super::joined(&[words.of("Results by difference in rating"), words.count("games", games)]);
        let mut canvas = Canvas::new(TOP + HEIGHT + 90.0, self.title, &self.facts, &desc);
        let plot = Plot::new(HEIGHT, [from.into(), to.into()], [0.0, 100.0]);
        plot.upright_axis(&mut canvas, [0, 25, 50, 75, 100]);
        let steps = ((to - from) / RATING_STEP).max(1);
        let gap = (plot.frame[2] / f64::from(steps) * 0.12).min(8.0);
        for row in &self.leads {
            bar(&mut canvas, &plot, row, gap, words);
        }
        canvas.line("even", [plot.frame[0], plot.y(50.0), plot.right(), plot.y(50.0)]);
        let point = |n: i32| {
            let lead = f64::from(from) + f64::from(to - from) * f64::from(n) / 60.0;
            format!("{} {}", units(plot.x(lead)), units(plot.y(100.0 * expected(lead))))
        };
        canvas.path("expected", &format!("M {}", (0..=60).map(point).collect::<Vec<_>>().join(" L ")));
        for row in &self.leads {
            let Some(score) = row.score.score else { continue };
            canvas.dot("point", [plot.x(middle(row)), plot.y(100.0 * score)], 4.5, &tip(row, words));
        }
        plot.axes(&mut canvas, &words.of("Share of the games (%)"));
        let every = if steps > 10 { 2 * RATING_STEP } else { RATING_STEP };
        for lead in (from..=to).step_by(RATING_STEP as usize).filter(|lead| lead % every == 0) {
            // The outermost groups have all larger differences too.
            let is_open = lead.abs() == RATING_LIMIT;
            let text = if is_open { "…".to_owned() } else { format!("{}{lead}", if lead > 0 { "+" } else { "" }) };
            plot.tick(&mut canvas, lead.into(), &text);
        }
        canvas.text([LEFT, plot.bottom() + 36.0], "muted", &words.of("Games"));
        canvas.text([plot.right(), plot.bottom() + 54.0], "muted end", &words.of("Difference in rating (points)"));
        let texts = ["wins", "draws", "losses", "score", "expected score"].map(|name| words.of(name));
        let signs = [
            (Sign::Square, "win"),
            (Sign::Square, "draw"),
            (Sign::Square, "loss"),
            (Sign::Dot(4.5), "point"),
            (Sign::Line, "expected"),
        ];
        let legend: Vec<_> =
            signs.iter().zip(&texts).map(|((sign, class), text)| (*sign, *class, text.as_str())).collect();
        canvas.legend([plot.frame[0], plot.bottom() + 76.0], &legend);
        canvas.finish()
    }
}

/// Returns the middle of a group.
fn middle(row: &LeadRow) -> f64 {
    f64::from(row.from) + f64::from(RATING_STEP) / 2.0
}

fn tip(row: &LeadRow, words: &Words) -> String {
    let score = row.score.score.map(|score| words.decimal(100.0 * score)).unwrap_or_default();
    format!("{:+} … {:+}: {score} % ({})", row.from, row.from + RATING_STEP, words.count("games", row.score.games))
}

/// Draws the results of a group: wins at the bottom, losses at the top, and the number of games below.
fn bar(canvas: &mut Canvas, plot: &Plot, row: &LeadRow, gap: f64, words: &Words) {
    let ScoreRow { games, wins, draws, losses, .. } = row.score;
    let (left, right) = (plot.x(row.from.into()) + gap / 2.0, plot.x((row.from + RATING_STEP).into()) - gap / 2.0);
    let mut below = 0;
    for (class, name, count) in [("win", "wins", wins), ("draw", "draws", draws), ("loss", "losses", losses)] {
        if count > 0 {
            let share = |count: u64| 100.0 * count as f64 / games as f64;
            let (top, bottom) = (plot.y(share(below + count)), plot.y(share(below)));
            let tip = format!("{}: {count} ({} %)", words.of(name), words.whole(count as f64 / games as f64));
            canvas.rect(class, [left, top, right - left, bottom - top], &tip);
        }
        below += count;
    }
    canvas.text([plot.x(middle(row)), plot.bottom() + 36.0], "muted middle", &games.to_string());
}
