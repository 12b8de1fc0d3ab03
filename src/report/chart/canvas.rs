//! What all charts have in common: the sheet with its title, axes and legends, as SVG.

use std::fmt::Write as _;

use crate::report::page::escaped;
use crate::report::{shortened, svg_start};

/// Width of a chart, in user units.
pub(super) const WIDTH: f64 = 760.0;
/// Left edge of the title and of legends.
pub(super) const LEFT: f64 = 24.0;
/// Where the plot begins below the title.
pub(super) const TOP: f64 = 84.0;

/// The colours: calm on white paper, and for readers with a dark screen. All rules begin with the class of the chart, since a style in
/// an SVG document that is part of a page applies to the page.
const STYLE: &str = "\
.pdn-chart .paper{fill:#fffdf9}.pdn-chart text{fill:#2b2622;font-size:12px}.pdn-chart .title{font-size:18px;font-weight:600}\
.pdn-chart .muted{fill:#6f665c}.pdn-chart .strong{font-weight:600}.pdn-chart .middle{text-anchor:middle}.pdn-chart .end{text-anchor:end}\
.pdn-chart .grid{stroke:#e7dfd4}.pdn-chart .axis{stroke:#9c9084}.pdn-chart .even{stroke:#8a7f74;stroke-dasharray:3 4}\
.pdn-chart .white{fill:#f4e6c8;stroke:#a3937c;stroke-width:.7}.pdn-chart .draw{fill:#cfc6ba;stroke:#a3937c;stroke-width:.7}\
.pdn-chart .black{fill:#5a5049;stroke:#4a413b;stroke-width:.7}.pdn-chart .win{fill:#8fae83;stroke:#6f8f64;stroke-width:.7}\
.pdn-chart .loss{fill:#d39a86;stroke:#b17a67;stroke-width:.7}.pdn-chart .black-share{fill:#a1958a}.pdn-chart .white-share{fill:#fbf3e3}\
.pdn-chart .curve{fill:none;stroke:#8a5a2b;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\
.pdn-chart .expected{fill:none;stroke:#2b2622;stroke-width:1.5;stroke-dasharray:5 4}.pdn-chart .point{fill:#8a5a2b;stroke:#fffdf9;stroke-width:1.5}\
.pdn-chart .inaccuracy{fill:#d39b00;stroke:#fff}.pdn-chart .mistake{fill:#d0691a;stroke:#fff}.pdn-chart .blunder{fill:#c2332a;stroke:#fff}\
@media (prefers-color-scheme:dark){.pdn-chart .paper{fill:#1c1917}.pdn-chart text{fill:#ece5da}.pdn-chart .muted{fill:#aaa093}\
.pdn-chart .grid{stroke:#38322c}.pdn-chart .axis{stroke:#7d7369}.pdn-chart .even{stroke:#7d7369}.pdn-chart .white{fill:#e5d6b6;stroke:#1c1917}\
.pdn-chart .draw{fill:#857b70;stroke:#1c1917}.pdn-chart .black{fill:#463e38;stroke:#8a7f74}.pdn-chart .win{fill:#6f9463;stroke:#1c1917}\
.pdn-chart .loss{fill:#b0705b;stroke:#1c1917}.pdn-chart .black-share{fill:#2e2925}.pdn-chart .white-share{fill:#b9ae9d}\
.pdn-chart .curve{stroke:#dba76c}.pdn-chart .expected{stroke:#ece5da}.pdn-chart .point{fill:#dba76c;stroke:#1c1917}}";

/// Average width of a letter in units of the size of its font.
const LETTER: f64 = 0.56;

/// Returns about as much room as a text of the usual size takes.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 12.0 * LETTER
}

/// Returns a text that fits into some room.
pub(super) fn fitting(text: &str, room: f64, size: f64) -> String {
    shortened(text, (room / size / LETTER) as u32)
}

/// A number of user units: one decimal, and none if it is 0.
pub(super) fn units(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A chart that is being drawn.
pub(super) struct Canvas(String);

impl Canvas {
    /// Returns a chart without anything but its title, a line of facts below it, and what it shows in words.
    pub(super) fn new(height: f64, title: &str, facts: &str, description: &str) -> Self {
        let mut svg = svg_start(WIDTH as u32, height as u32, &escaped(title));
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            svg,
            "<desc>{}</desc>\n<style>{STYLE}</style>\n<g class=\"pdn-chart\">\n<rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
            escaped(description)
        );
        let mut canvas = Self(svg);
        canvas.text([LEFT, 32.0], "title", &fitting(title, WIDTH - 2.0 * LEFT, 19.0));
        canvas.text([LEFT, 52.0], "muted", &fitting(facts, WIDTH - 2.0 * LEFT, 12.0));
        canvas
    }

    /// Draws a text; its classes say where it is aligned: at its start, in the `middle` or at its `end`.
    pub(super) fn text(&mut self, [x, y]: [f64; 2], class: &str, text: &str) {
        if !text.is_empty() {
            let text = escaped(text);
            let _ = writeln!(self.0, "<text class=\"{class}\" x=\"{}\" y=\"{}\">{text}</text>", units(x), units(y));
        }
    }

    /// Draws a rectangle; a text is shown when it is pointed at.
    pub(super) fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], tip: &str) {
        let [x, y, width, height] = [x, y, width, height].map(units);
        let shape = format!("rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        self.shape("rect", &shape, tip);
    }

    /// Draws a disc, likewise.
    pub(super) fn dot(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, tip: &str) {
        let [x, y, radius] = [x, y, radius].map(units);
        self.shape("circle", &format!("circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""), tip);
    }

    fn shape(&mut self, name: &str, shape: &str, tip: &str) {
        let _ = match tip {
            "" => writeln!(self.0, "<{shape}/>"),
            tip => writeln!(self.0, "<{shape}><title>{}</title></{name}>", escaped(tip)),
        };
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(units);
        let _ = writeln!(self.0, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    pub(super) fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.0, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// Draws the meanings of colours in a row, from a place on: `dot` or `rect`, its class, and a word.
    pub(super) fn legend(&mut self, [mut x, y]: [f64; 2], items: &[(Sign, &str, &str)]) {
        for &(sign, class, word) in items {
            match sign {
                Sign::Square => self.rect(class, [x, y - 9.0, 11.0, 10.0], ""),
                Sign::Dot(radius) => self.dot(class, [x + 5.5, y - 4.0], radius, ""),
                Sign::Line => self.line(class, [x - 4.0, y - 4.0, x + 12.0, y - 4.0]),
            }
            self.text([x + 17.0, y], "muted", word);
            x += 17.0 + text_width(word) + 18.0;
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</g>\n</svg>\n");
        self.0
    }
}

/// The sign of an entry of a legend.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    Square,
    Dot(f64),
    Line,
}

/// The part of a chart in which values are places: its frame, and the values at its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plot {
    /// Left, top, width and height.
    pub(super) frame: [f64; 4],
    /// The values at the left and right edge.
    pub(super) across: [f64; 2],
    /// The values at the lower and upper edge.
    pub(super) up: [f64; 2],
}

impl Plot {
    /// Returns a plot below the title that takes the width of the chart, with room for its axes.
    pub(super) const fn new(height: f64, across: [f64; 2], up: [f64; 2]) -> Self {
        Self { frame: [64.0, TOP, WIDTH - 64.0 - LEFT, height], across, up }
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        let [left, _, width, _] = self.frame;
        left + (value - self.across[0]) / (self.across[1] - self.across[0]) * width
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        let [_, top, _, height] = self.frame;
        top + (self.up[1] - value) / (self.up[1] - self.up[0]) * height
    }

    pub(super) fn right(&self) -> f64 {
        self.frame[0] + self.frame[2]
    }

    pub(super) fn bottom(&self) -> f64 {
        self.frame[1] + self.frame[3]
    }

    /// Draws lines at values of the upright axis, with the values.
    pub(super) fn upright_axis(&self, canvas: &mut Canvas, values: impl IntoIterator<Item = i32>) {
        for value in values {
            let y = self.y(value.into());
            canvas.line("grid", [self.frame[0], y, self.right(), y]);
            canvas.text([self.frame[0] - 8.0, y + 4.0], "muted end", &value.to_string());
        }
    }

    /// Draws the line below the plot, and the name of the upright axis with its unit.
    pub(super) fn axes(&self, canvas: &mut Canvas, up: &str) {
        canvas.line("axis", [self.frame[0], self.bottom(), self.right(), self.bottom()]);
        canvas.text([LEFT, TOP - 12.0], "muted", up);
    }

    /// Draws the value of a place on the axis across.
    pub(super) fn tick(&self, canvas: &mut Canvas, value: f64, text: &str) {
        canvas.line("axis", [self.x(value), self.bottom(), self.x(value), self.bottom() + 4.0]);
        canvas.text([self.x(value), self.bottom() + 18.0], "muted middle", text);
    }
}
