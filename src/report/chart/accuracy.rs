//! Accuracy by year, as points that are joined in years that follow each other.

use super::canvas::{Canvas, LEFT, Plot, Sign, TOP, text_width, units};
use super::{Chart, Words};
use crate::records::AccuracyRow;

/// The years with moves that count, the first one first.
type Years = [(u16, AccuracyRow<'static>)];

/// Returns the chart of a player, or of all players.
pub(super) fn chart(facts: &str, years: &Years, all: &AccuracyRow<'static>, words: &Words) -> Chart {
    Chart { svg: svg(facts, years, all, words), table: table(years) }
}

/// Returns the numbers of the chart, a row for each year, after their names.
fn table(years: &Years) -> Vec<Vec<String>> {
    let names = ["year", "games", "moves", "accuracy", "average_loss_cm", "inaccuracies", "mistakes", "blunders"];
    let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let row = |(year, row): &(u16, AccuracyRow<'static>)| {
        let counts = [row.inaccuracies, row.mistakes, row.blunders].map(|count| count.to_string());
        let [year, games, moves] = [u64::from(*year), row.games, row.moves].map(|number| number.to_string());
        let averages = [row.accuracy, row.average_loss_cm].map(text);
        [year, games, moves].into_iter().chain(averages).chain(counts).collect()
    };
    super::table(&names, years.iter().map(row))
}

fn svg(facts: &str, years: &Years, all: &AccuracyRow<'static>, words: &Words) -> String {
    const HEIGHT: f64 = 220.0;
    let [first, last] = [years.first(), years.last()].map(|row| row.map_or(0, |row| row.0));
    let accuracies = || years.iter().filter_map(|(_, row)| row.accuracy);
    let lowest = accuracies().fold(100.0, f64::min);
    // Whole tens, and room below the lowest point.
    let floor = (((lowest - 4.0) / 10.0).floor() * 10.0).clamp(0.0, 80.0);
    let share = all.accuracy.map(|accuracy| words.decimal(accuracy)).unwrap_or_default();
    let average = words.labelled("all years", format!("{share} %"));
    let title = words.of("Accuracy by year");
    let desc = super::joined(&[title.clone(), format!("{first}–{last}"), average.clone()]);
    let mut canvas = Canvas::new(TOP + HEIGHT + 72.0, &title, facts, &desc);
    let plot = Plot::new(HEIGHT, [f64::from(first) - 0.6, f64::from(last) + 0.6], [floor, 100.0]);
    let step = if floor < 50.0 { 20 } else { 10 };
    plot.upright_axis(&mut canvas, (floor as i32..=100).step_by(step));
    if let Some(accuracy) = all.accuracy {
        canvas.line("even", [plot.frame[0], plot.y(accuracy), plot.right(), plot.y(accuracy)]);
    }
    canvas.path("curve", &path(years, &plot));
    // More numbers would run into each other.
    let has_values = years.len() <= 16;
    for (year, row) in years {
        let Some(accuracy) = row.accuracy else { continue };
        let (x, y) = (plot.x((*year).into()), plot.y(accuracy));
        let counted = [words.count("games", row.games), words.count("moves", row.moves)];
        let share = format!("{} % ({})", words.decimal(accuracy), counted.join(", "));
        let tip = words.language.labelled(&year.to_string(), share);
        canvas.dot("point", [x, y], 4.5, &tip);
        if has_values {
            // Where the line comes down and goes up again, there is more room below.
            let below = is_low(years, *year, accuracy);
            canvas.text([x, if below { y + 20.0 } else { y - 10.0 }], "middle", &words.decimal(accuracy));
        }
    }
    plot.axes(&mut canvas, &words.of("Accuracy (%)"));
    canvas.text([plot.right(), plot.bottom() + 54.0], "muted end", &words.of("Year"));
    ticks(&mut canvas, years, &plot, words, [first, last]);
    let left = plot.right() - text_width(&average) - 17.0;
    canvas.legend([left, TOP - 12.0], &[(Sign::Line, "even", &average)]);
    canvas.finish()
}

/// Returns true if the accuracy in the years before and after a year is higher, as far as it is known.
fn is_low(years: &Years, year: u16, accuracy: f64) -> bool {
    let near = years.iter().filter(|(other, _)| other.abs_diff(year) == 1);
    let mut near = near.filter_map(|(_, row)| row.accuracy).peekable();
    near.peek().is_some() && near.all(|other| other > accuracy)
}

/// Returns the lines between years that follow each other.
fn path(years: &Years, plot: &Plot) -> String {
    let mut path = String::new();
    let mut before = None;
    for (year, accuracy) in years.iter().filter_map(|(year, row)| Some((*year, row.accuracy?))) {
        path += if before == Some(year - 1) { " L " } else { " M " };
        path += &units(plot.x(year.into()));
        path += " ";
        path += &units(plot.y(accuracy));
        before = Some(year);
    }
    path.trim_start().to_owned()
}

/// Draws the years, and below each the number of its games.
fn ticks(canvas: &mut Canvas, years: &Years, plot: &Plot, words: &Words, [first, last]: [u16; 2]) {
    let step = super::step(u32::from(last - first) + 1, 16);
    for year in first..=last {
        if u32::from(year) % step == 0 || step == 1 {
            plot.tick(canvas, year.into(), &year.to_string());
        }
    }
    if step > 1 {
        return;
    }
    canvas.text([LEFT, plot.bottom() + 36.0], "muted", &words.of("Games"));
    for (year, row) in years {
        canvas.text([plot.x((*year).into()), plot.bottom() + 36.0], "muted middle", &row.games.to_string());
    }
}
