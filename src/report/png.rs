//! Pictures as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::error::{Error, Result};

/// Returns an SVG document as PNG, enlarged by a factor. Text is drawn in a font of the system, and left out if there is none.
///
/// # Errors
///
/// If the document is not SVG, or the picture is too large.
pub fn png(svg: &str, factor: f32) -> Result<Vec<u8>> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    let tree = Tree::from_str(svg, &options).map_err(|error| Error::unavailable(error.to_string()))?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|length| (length * factor).ceil() as u32);
    let too_large = || Error::unavailable(format!("a picture of {width} by {height} pixels is too large"));
    let mut picture = Pixmap::new(width, height).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::from_scale(factor, factor), &mut picture.as_mut());
    picture.encode_png().map_err(|error| Error::unavailable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{BoardView, Diagram};
    use crate::rules::{Position, Variant};

    #[test]
    fn a_board_is_a_picture_of_its_size() {
        let svg = Diagram::new(Position::start(Variant::INTERNATIONAL), BoardView::default()).svg();
        let bytes = png(&svg, 1.5).expect("a picture");
        let picture = Pixmap::decode_png(&bytes).expect("PNG");
        assert_eq!((picture.width(), picture.height()), (600, 600));
        // A light square, and a black man.
        let colour = |x, y| picture.pixel(x, y).map(|pixel| (pixel.red(), pixel.green(), pixel.blue()));
        assert_eq!((colour(30, 30), colour(90, 30)), (Some((0xf2, 0xe2, 0xc0)), Some((0x22, 0x22, 0x22))));
        assert!(png("<p>", 1.0).is_err() && png(&svg, 1e6).is_err());
    }
}
