//! Text in lines of a width.

use super::font::{Fonts, Weight};
use crate::report::sheet::item::{Run, Style};

/// How a style is printed: weight, size in points and grey level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) weight: Weight,
    pub(super) size: f32,
    pub(super) grey: f32,
}

impl Look {
    pub(super) const fn new(weight: Weight, size: f32) -> Self {
        Self { weight, size, grey: 0.0 }
    }

    /// Returns the look in grey, for what is less important.
    pub(super) const fn muted(self) -> Self {
        Self { grey: 0.35, ..self }
    }

    /// Returns the look of a style in a text of a size.
    const fn of(style: Style, size: f32) -> Self {
        match style {
            Style::Move => Self::new(Weight::Bold, size),
            Style::Comment => Self::new(Weight::Regular, size),
            Style::Aside => Self { grey: 0.2, ..Self::new(Weight::Regular, 0.92 * size) },
        }
    }
}

/// A part of a line in one look, with its distance from the start of the line in points.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) look: Look,
    pub(super) x: f32,
}

/// Breaks texts into lines. A word that is longer than a line is broken within.
pub(super) struct Lines<'a> {
    fonts: &'a Fonts,
    size: f32,
    width: f32,
    done: Vec<Vec<Segment>>,
    line: Vec<Segment>,
    /// The width of the line so far.
    used: f32,
}

impl<'a> Lines<'a> {
    pub(super) const fn new(fonts: &'a Fonts, size: f32, width: f32) -> Self {
        Self { fonts, size, width, done: Vec::new(), line: Vec::new(), used: 0.0 }
    }

    /// Adds texts after a space, and returns the lines with them.
    pub(super) fn with(mut self, runs: &[Run]) -> Self {
        for run in runs {
            let look = Look::of(run.style, self.size);
            run.text.split(' ').for_each(|word| self.word(word, look));
        }
        self
    }

    /// Returns the lines.
    pub(super) fn finish(mut self) -> Vec<Vec<Segment>> {
        self.end_line();
        self.done
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            self.done.push(std::mem::take(&mut self.line));
        }
        self.used = 0.0;
    }

    fn word(&mut self, word: &str, look: Look) {
        let width = self.fonts.width(word, look.weight, look.size);
        let space = if self.line.is_empty() { 0.0 } else { self.fonts.width(" ", look.weight, look.size) };
        if self.used + space + width <= self.width {
            return self.place(word, look, space, width);
        }
        self.end_line();
        if width <= self.width {
            return self.place(word, look, 0.0, width);
        }
        // A word wider than a line, such as an address, is cut where the line is full.
        for character in word.chars() {
            let mut bytes = [0; 4];
            let text: &str = character.encode_utf8(&mut bytes);
            let width = self.fonts.width(text, look.weight, look.size);
            if self.used + width > self.width {
                self.end_line();
            }
            self.place(text, look, 0.0, width);
        }
    }

    fn place(&mut self, text: &str, look: Look, space: f32, width: f32) {
        match self.line.last_mut().filter(|last| last.look == look) {
            Some(last) => {
                last.text.push_str(if space > 0.0 { " " } else { "" });
                last.text.push_str(text);
            }
            None => self.line.push(Segment { text: text.to_owned(), look, x: self.used + space }),
        }
        self.used += space + width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_keep_every_character() {
        let fonts = Fonts::new();
        let runs = [
            Run { text: "1. 32-28 Ж 19-23".to_owned(), style: Style::Move },
            Run { text: "word ".repeat(40) + &"W".repeat(300), style: Style::Comment },
        ];
        let lines = Lines::new(&fonts, 9.0, 100.0).with(&runs).finish();
        let width = |segment: &Segment| fonts.width(&segment.text, segment.look.weight, segment.look.size);
        for line in &lines {
            let end = line.last().map(|last| last.x + width(last)).expect("a segment");
            assert!(end <= 100.1, "{end}: {line:?}");
        }
        let text: String = lines.iter().flatten().map(|segment| &*segment.text).collect();
        assert_eq!((text.matches('W').count(), text.matches("word").count()), (300, 40));
        assert!(lines.len() > 20 && text.contains('Ж'));
    }
}
