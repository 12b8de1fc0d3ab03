//! Pictures as an animated GIF.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use gif::{Encoder, Frame, Repeat};
use resvg::tiny_skia::Pixmap;

use super::svg::{Renderer, unavailable};
use crate::error::Result;

// The last position is seen before the animation begins again.
/// The factor by which the last picture is shown longer than the others.
const LAST: u16 = 3;

/// An animation of pictures of the same size, which repeats forever.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use pdn::report::{Animation, BoardView, Diagram};
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::ENGLISH);
/// let mut animation = Animation::new(0.5, Duration::from_secs(1));
/// for position in [start, start.play_unchecked(&start.legal_moves()[0])] {
///     animation.add(&Diagram::new(position, BoardView::default()).svg())?;
/// }
/// assert!(animation.finish()?.starts_with(b"GIF89a"));
/// # Ok::<(), pdn::Error>(())
/// ```
pub struct Animation {
    renderer: Renderer,
    factor: f32,
    /// Hundredths of a second.
    delay: u16,
    encoder: Option<Encoder<Vec<u8>>>,
    last: Option<Pixmap>,
    /// The frame that is not written yet: the last one is shown longer.
    pending: Option<Frame<'static>>,
}

impl Animation {
    /// Returns an animation that enlarges its pictures by a factor, and shows each for a time.
    pub fn new(factor: f32, delay: Duration) -> Self {
        // GIF counts hundredths of a second, and three times the delay must fit too.
        let delay = u16::try_from(delay.as_millis() / 10).unwrap_or(u16::MAX / LAST);
        Self { renderer: Renderer::new(), factor, delay, encoder: None, last: None, pending: None }
    }

    /// Adds a picture, an SVG document.
    ///
    /// # Errors
    ///
    /// If it is not SVG, or too large.
    pub fn add(&mut self, svg: &str) -> Result<()> {
        let picture = self.renderer.draw(svg, self.factor)?;
        let frame = Frame { delay: self.delay, ..changed(self.last.as_ref(), &picture) };
        if self.encoder.is_none() {
            let mut encoder = Encoder::new(Vec::new(), frame.width, frame.height, &[]).map_err(unavailable)?;
            encoder.set_repeat(Repeat::Infinite).map_err(unavailable)?;
            self.encoder = Some(encoder);
        }
        self.last = Some(picture);
        self.write_pending()?;
        self.pending = Some(frame);
        Ok(())
    }

    fn write_pending(&mut self) -> Result<()> {
        match (&mut self.encoder, self.pending.take()) {
            (Some(encoder), Some(frame)) => encoder.write_frame(&frame).map_err(unavailable),
            _ => Ok(()),
        }
    }

    /// Returns the animation.
    ///
    /// # Errors
    ///
    /// If it has no pictures.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        if let Some(frame) = &mut self.pending {
            frame.delay = self.delay.saturating_mul(LAST);
        }
        self.write_pending()?;
        let encoder = self.encoder.ok_or_else(|| unavailable("an animation needs a picture"))?;
        encoder.into_inner().map_err(unavailable)
    }
}

/// Returns the part of a picture that differs from the one before it.
fn changed(before: Option<&Pixmap>, picture: &Pixmap) -> Frame<'static> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let pixels = picture.pixels();
    let differs = |x: usize, y: usize| {
        before.is_none_or(|before| before.pixels().get(y * width + x) != pixels.get(y * width + x))
    };
    let rows = || (0..height).filter(|&y| (0..width).any(|x| differs(x, y)));
    let columns = || (0..width).filter(|&x| (0..height).any(|y| differs(x, y)));
    // A picture without a change still needs a frame: one pixel.
    let (top, bottom) = (rows().next().unwrap_or(0), rows().next_back().unwrap_or(0));
    let (left, right) = (columns().next().unwrap_or(0), columns().next_back().unwrap_or(0));
    let colours = (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x)).map(|at| {
        let pixel = pixels[at];
        [pixel.red(), pixel.green(), pixel.blue()]
    });
    let (palette, indices) = indexed(&colours.collect::<Vec<_>>());
    let [width, height] = [right - left + 1, bottom - top + 1].map(|length| length as u16);
    let frame = Frame::from_palette_pixels(width, height, indices, palette, None);
    Frame { top: top as u16, left: left as u16, ..frame }
}

/// Returns the 256 most frequent colours and the number of the nearest one for each pixel. A board has few colours; all others
/// are edges between them.
fn indexed(pixels: &[[u8; 3]]) -> (Vec<u8>, Vec<u8>) {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for pixel in pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut palette: Vec<_> = counts.into_iter().collect();
    // Equal counts in a fixed order, so that the same game gives the same bytes.
    palette.sort_unstable_by_key(|(colour, count)| (Reverse(*count), *colour));
    let rare = palette.split_off(palette.len().min(256));
    let distance =
        |one: [u8; 3], other: [u8; 3]| (0..3).map(|n| u32::from(one[n].abs_diff(other[n])).pow(2)).sum::<u32>();
    let nearest = |colour| (0..palette.len()).min_by_key(|&n| distance(palette[n].0, colour)).unwrap_or(0);
    let mut numbers: HashMap<[u8; 3], u8> = (0..=255).zip(&palette).map(|(n, (colour, _))| (*colour, n)).collect();
    for (colour, _) in rare {
        numbers.insert(colour, nearest(colour) as u8);
    }
    let indices = pixels.iter().map(|pixel| numbers[pixel]).collect();
    (palette.into_iter().flat_map(|(colour, _)| colour).collect(), indices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{BoardView, Diagram};
    use crate::rules::{Position, Variant};

    #[test]
    fn later_frames_have_only_what_changed() {
        let start = Position::start(Variant::INTERNATIONAL);
        let played = start.legal_moves()[0];
        let renderer = Renderer::new();
        let picture =
            |position| renderer.draw(&Diagram::new(position, BoardView::default()).svg(), 1.0).expect("a picture");
        let (first, second) = (picture(start), picture(start.play_unchecked(&played)));
        let whole = changed(None, &first);
        assert_eq!((whole.width, whole.height), (400, 400));
        let part = changed(Some(&first), &second);
        // A man moves from one square to a neighbour.
        assert!(part.width <= 80 && part.height <= 80 && part.top > 0, "{} x {}", part.width, part.height);
        let same = changed(Some(&first), &first);
        assert_eq!((same.width, same.height), (1, 1));
    }

    #[test]
    fn rare_colours_become_the_nearest_ones() {
        let mut pixels: Vec<_> = (0..=255).flat_map(|n| [[n, 0, 0]; 2]).collect();
        pixels.push([9, 1, 0]);
        let (palette, indices) = indexed(&pixels);
        let last = usize::from(*indices.last().expect("a pixel"));
        assert_eq!((palette.len(), &palette[3 * last..3 * last + 3]), (768, &[9, 0, 0][..]));
    }
}
