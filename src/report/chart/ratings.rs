//! Results by the difference in rating, as bars, with the score that the ratings predict.

use super::canvas::{Canvas, LEFT, Plot, Sign, TOP, units};
use super::{Chart, Words};
use crate::query::{LeadRow, RATING_LIMIT, RATING_STEP};
use crate::records::ScoreRow;

/// Returns the chart of a player, or of the players with the higher rating; the group of games with the smallest lead is the first one.
pub(super) fn chart(facts: &str, leads: &[LeadRow], words: &Words) -> Chart {
    Chart { svg: svg(facts, leads, words), table: table(leads) }
}

/// Returns the score that a lead in rating predicts, from 0 to 1.
fn expected(lead: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-lead / 400.0))
}

/// Returns the numbers of the chart, a row for each group, after their names.
fn table(leads: &[LeadRow]) -> Vec<Vec<String>> {
    let names = ["difference_from", "games", "wins", "draws", "losses", "score", "expected_score"];
    let row = |row: &LeadRow| {
        let ScoreRow { games, wins, draws, losses, score, .. } = row.score;
        let counts = [games, wins, draws, losses].map(|count| count.to_string());
        let predicted = format!("{:.3}", expected(middle(row)));
        let score = score.map(|score| score.to_string()).unwrap_or_default();
        std::iter::once(row.from.to_string()).chain(counts).chain([score, predicted]).collect()
    };
    super::table(&names, leads.iter().map(row))
}

fn svg(facts: &str, leads: &[LeadRow], words: &Words) -> String {
    const HEIGHT: f64 = 240.0;
    let [from, last] = [leads.first(), leads.last()].map(|row| row.map_or(0, |row| row.from));
    let to = last + RATING_STEP;
    let games = leads.iter().map(|row| row.score.games).sum();
    let title = words.of("Results by difference in rating");
    let desc = super::joined(&[title.clone(), words.count("games", games)]);
    let mut canvas = Canvas::new(TOP + HEIGHT + 90.0, &title, facts, &desc);
    let plot = Plot::new(HEIGHT, [from.into(), to.into()], [0.0, 100.0]);
    plot.upright_axis(&mut canvas, [0, 25, 50, 75, 100]);
    let steps = ((to - from) / RATING_STEP).max(1);
    let gap = (plot.frame[2] / f64::from(steps) * 0.12).min(8.0);
    for row in leads {
        bar(&mut canvas, &plot, row, gap, words);
    }
    canvas.line("even", [plot.frame[0], plot.y(50.0), plot.right(), plot.y(50.0)]);
    let point = |n: i32| {
        let lead = f64::from(from) + f64::from(to - from) * f64::from(n) / 60.0;
        format!("{} {}", units(plot.x(lead)), units(plot.y(100.0 * expected(lead))))
    };
    canvas.path("expected", &format!("M {}", (0..=60).map(point).collect::<Vec<_>>().join(" L ")));
    for row in leads {
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
    let legend: Vec<_> = signs.iter().zip(&texts).map(|((sign, class), text)| (*sign, *class, text.as_str())).collect();
    canvas.legend([plot.frame[0], plot.bottom() + 76.0], &legend);
    canvas.finish()
}

/// Returns the middle of a group.
fn middle(row: &LeadRow) -> f64 {
    f64::from(row.from) + f64::from(RATING_STEP) / 2.0
}

fn tip(row: &LeadRow, words: &Words) -> String {
    let score = row.score.score.map(|score| words.decimal(100.0 * score)).unwrap_or_default();
    let leads = format!("{:+} … {:+}", row.from, row.from + RATING_STEP);
    words.language.labelled(&leads, format!("{score} % ({})", words.count("games", row.score.games)))
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
            let share = format!("{count} ({} %)", words.whole(count as f64 / games as f64));
            let tip = words.labelled(name, share);
            canvas.rect(class, [left, top, right - left, bottom - top], &tip);
        }
        below += count;
    }
    canvas.text([plot.x(middle(row)), plot.bottom() + 36.0], "muted middle", &games.to_string());
}
