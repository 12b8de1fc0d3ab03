//! The scores of openings, as bars.

use super::canvas::{Canvas, LEFT, Sign, TOP, WIDTH, fitting};
use super::{Chart, Words};
use crate::records::{GroupRow, ScoreRow};

/// Height of a bar and the space below it.
const ROW: f64 = 26.0;
const BAR: f64 = 17.0;
/// The columns: names of openings, bars, numbers of games, scores.
const BARS: [f64; 2] = [270.0, 556.0];
const GAMES: f64 = 608.0;

/// The openings of all games, or those of a player with each colour, each with a heading.
type Groups = [(Option<&'static str>, Vec<GroupRow>)];

/// Returns the chart of the scores of openings: those of White, or those of a player in games with White and with Black.
pub(super) fn chart(facts: &str, groups: &Groups, is_of_player: bool, words: &Words) -> Chart {
    Chart { svg: svg(facts, groups, is_of_player, words), table: table(groups) }
}

/// Returns the numbers of the chart, a row for each opening, after their names.
fn table(groups: &Groups) -> Vec<Vec<String>> {
    let names = ["side", "opening", "games", "wins", "draws", "losses", "score"];
    let row = |side: Option<&str>, row: &GroupRow| {
        let ScoreRow { games, wins, draws, losses, score, .. } = row.score;
        let counts = [games, wins, draws, losses].map(|count| count.to_string());
        let side = side.map_or("W", |side| if side == "with White" { "W" } else { "B" });
        let score = score.map(|score| score.to_string()).unwrap_or_default();
        [side.to_owned(), row.name.clone()].into_iter().chain(counts).chain([score]).collect()
    };
    let rows = groups.iter().flat_map(|(side, rows)| rows.iter().map(move |own| row(*side, own)));
    super::table(&names, rows)
}

fn svg(facts: &str, groups: &Groups, is_of_player: bool, words: &Words) -> String {
    let rows: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let heads = groups.iter().filter(|(head, _)| head.is_some()).count();
    let height = TOP + ROW * (rows + heads) as f64 + 46.0;
    let score = words.of(if is_of_player { "Score" } else { "White's score" });
    let desc = super::joined(&[words.of("Openings"), words.count("openings", rows as u64), score.clone()]);
    let mut canvas = Canvas::new(height, &words.of("Scores of openings"), facts, &desc);
    canvas.text([LEFT, TOP - 10.0], "muted", &words.of("Opening"));
    canvas.text([GAMES, TOP - 10.0], "muted end", &words.of("Games"));
    canvas.text([WIDTH - LEFT, TOP - 10.0], "muted end", &format!("{score} (%)"));
    let classes = if is_of_player { ["win", "draw", "loss"] } else { ["white", "draw", "black"] };
    let mut y = TOP;
    for (head, rows) in groups {
        if let Some(head) = head {
            canvas.text([LEFT, y + 17.0], "strong", &words.of(head));
            y += ROW;
        }
        for row in rows {
            bar(&mut canvas, y, row, classes, words);
            y += ROW;
        }
    }
    let middle = f64::midpoint(BARS[0], BARS[1]);
    canvas.line("even", [middle, TOP - 4.0, middle, y]);
    let names = if is_of_player { ["wins", "draws", "losses"] } else { ["White wins", "draws", "Black wins"] };
    let names = names.map(|name| words.of(name));
    let legend: Vec<_> =
        classes.into_iter().zip(&names).map(|(class, name)| (Sign::Square, class, name.as_str())).collect();
    canvas.legend([BARS[0], y + 24.0], &legend);
    canvas.finish()
}

/// Draws an opening: its name, and its results as shares of a bar.
fn bar(canvas: &mut Canvas, y: f64, row: &GroupRow, classes: [&str; 3], words: &Words) {
    let ScoreRow { games, wins, draws, losses, score, .. } = row.score;
    canvas.text([LEFT, y + 17.0], "", &fitting(&row.name, BARS[0] - LEFT - 12.0, 12.0));
    let known = (wins + draws + losses).max(1) as f64;
    let mut left = BARS[0];
    for (class, count) in classes.into_iter().zip([wins, draws, losses]) {
        let width = count as f64 / known * (BARS[1] - BARS[0]);
        if count > 0 {
            let share = format!("{count} ({} %)", words.whole(count as f64 / known));
            let tip = words.language.labelled(&row.name, share);
            canvas.rect(class, [left, y + 4.0, width, BAR], &tip);
        }
        left += width;
    }
    canvas.text([GAMES, y + 17.0], "end", &games.to_string());
    let score = score.map_or_else(|| "–".to_owned(), |score| words.decimal(score * 100.0));
    canvas.text([WIDTH - LEFT, y + 17.0], "end strong", &score);
}
