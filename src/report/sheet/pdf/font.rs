//! The fonts of a PDF: measured while text is laid out, and reduced at the end to the characters that were used.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish as _, Name, Pdf, Rect, Ref, Str};
use subsetter::{GlyphRemapper, subset};
use ttf_parser::{Face, GlyphId};
use unicode_normalization::UnicodeNormalization as _;

use super::compressed;
use crate::report::fonts::{BOLD, REGULAR};
use crate::text::printable;

/// Maximum number of characters that the font lacks in a message.
const MAX_SHOWN: usize = 8;

const SYSTEM_INFO: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A weight of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

impl Weight {
    const ALL: [Self; 2] = [Self::Regular, Self::Bold];

    /// Returns the name in the resources of pages.
    pub(super) const fn name(self) -> Name<'static> {
        match self {
            Self::Regular => Name(b"F0"),
            Self::Bold => Name(b"F1"),
        }
    }
}

/// The font in its weights.
pub(super) struct Fonts {
    weights: [Font; 2],
    /// Numbers of the characters that the font lacks.
    missing: BTreeMap<char, u64>,
}

struct Font {
    data: &'static [u8],
    face: Face<'static>,
    remapper: GlyphRemapper,
    /// The glyphs that are used, by their numbers in the PDF: the character and the width.
    used: BTreeMap<u16, (char, f32)>,
}

impl Font {
    fn new(data: &'static [u8]) -> Self {
        let face = Face::parse(data, 0).expect("the font in the program is valid");
        Self { data, face, remapper: GlyphRemapper::new(), used: BTreeMap::new() }
    }

    /// Returns the character that is printed for one, and its glyph: U+FFFD where the font has none.
    fn glyph(&self, character: char) -> (char, GlyphId) {
        let found = |character| Some((character, self.face.glyph_index(character)?));
        found(character).or_else(|| found(char::REPLACEMENT_CHARACTER)).unwrap_or((character, GlyphId(0)))
    }

    /// Returns the width of a glyph in thousandths of the size of the font.
    fn width(&self, glyph: GlyphId) -> f32 {
        f32::from(self.face.glyph_hor_advance(glyph).unwrap_or_default()) * self.scale()
    }

    fn scale(&self) -> f32 {
        1000.0 / f32::from(self.face.units_per_em())
    }

    fn write(&self, pdf: &mut Pdf, font: Ref, next: &mut impl FnMut() -> Ref, name: &str) {
        let [cid, descriptor, file, cmap] = [next(), next(), next(), next()];
        // Six capitals before a `+` are the sign of a part of a font.
        let base = format!("PDNSET+{name}");
        let base = Name(base.as_bytes());
        pdf.type0_font(font)
            .base_font(base)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(cmap);
        let mut descendant = pdf.cid_font(cid);
        descendant.subtype(CidFontType::Type2).base_font(base).system_info(SYSTEM_INFO).font_descriptor(descriptor);
        descendant.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = descendant.widths();
        for (&glyph, &(_, width)) in &self.used {
            widths.consecutive(glyph, [width]);
        }
        widths.finish();
        descendant.finish();
        let (face, scale) = (&self.face, self.scale());
        let [ascent, descent] = [face.ascender(), face.descender()].map(|height| f32::from(height) * scale);
        let bounds = face.global_bounding_box();
        let [x1, y1, x2, y2] =
            [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(|place| f32::from(place) * scale);
        pdf.font_descriptor(descriptor)
            .name(base)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(x1, y1, x2, y2))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(descent)
            .cap_height(f32::from(face.capital_height().unwrap_or_default()) * scale)
            // Only needed where another font replaces this one, which never happens: it is in the document.
            .stem_v(80.0)
            .font_file2(file);
        let data = subset(self.data, 0, &self.remapper).expect("the font in the program is valid");
        pdf.stream(file, &compressed(&data)).filter(Filter::FlateDecode);
        let mut unicode = UnicodeCmap::new(Name(b"Custom"), SYSTEM_INFO);
        for (&glyph, &(character, _)) in &self.used {
            unicode.pair(glyph, character);
        }
        pdf.cmap(cmap, &compressed(&unicode.finish())).filter(Filter::FlateDecode);
    }
}

/// Returns the characters of a text, with those that the font lacks spelt with others as far as that is usual.
fn spelt(text: &str) -> impl Iterator<Item = char> {
    text.nfc().flat_map(|character| {
        let spelling = match character {
            '→' => "->",
            '←' => "<-",
            '↔' => "<->",
            '≥' => ">=",
            '≤' => "<=",
            '−' => "-",
            _ => "",
        };
        spelling.is_empty().then_some(character).into_iter().chain(spelling.chars())
    })
}

impl Fonts {
    pub(super) fn new() -> Self {
        Self { weights: [REGULAR, BOLD].map(Font::new), missing: BTreeMap::new() }
    }

    /// Returns the message that characters were replaced, if some were.
    pub(super) fn replaced(&self) -> Option<String> {
        let number: u64 = self.missing.values().sum();
        let mut shown: Vec<_> = self.missing.keys().take(MAX_SHOWN).map(char::to_string).collect();
        shown.extend((self.missing.len() > MAX_SHOWN).then(|| "…".to_owned()));
        let shown = shown.join(" ");
        let shown = printable(&shown);
        (number > 0).then(|| {
            format!("characters missing from the PDF font, printed as �: {number} ({shown}); HTML output keeps them")
        })
    }

    const fn font(&self, weight: Weight) -> &Font {
        &self.weights[weight as usize]
    }

    /// Returns the width of a text in points.
    pub(super) fn width(&self, text: &str, weight: Weight, size: f32) -> f32 {
        let font = self.font(weight);
        spelt(text).map(|character| font.width(font.glyph(character).1)).sum::<f32>() * size / 1000.0
    }

    /// Returns a text as the numbers of its glyphs, which the PDF will have.
    pub(super) fn encode(&mut self, text: &str, weight: Weight) -> Vec<u8> {
        let font = &mut self.weights[weight as usize];
        let mut bytes = Vec::with_capacity(2 * text.len());
        for character in spelt(text) {
            let (printed, glyph) = font.glyph(character);
            if printed != character {
                *self.missing.entry(character).or_default() += 1;
            }
            let (number, width) = (font.remapper.remap(glyph.0), font.width(glyph));
            font.used.entry(number).or_insert((printed, width));
            bytes.extend(number.to_be_bytes());
        }
        bytes
    }

    /// Returns as much of a text as fits into a width, with an ellipsis if that is not all.
    pub(super) fn cut(&self, text: &str, weight: Weight, (size, width): (f32, f32)) -> String {
        if self.width(text, weight, size) <= width {
            return text.to_owned();
        }
        let mut left = width - self.width("…", weight, size);
        let fits = |character: &char| {
            left -= self.width(character.encode_utf8(&mut [0; 4]), weight, size);
            left >= 0.0
        };
        text.chars().take_while(fits).chain(['…']).collect()
    }

    /// Writes the fonts, reduced to what was used, and returns their objects with their names.
    pub(super) fn write(&self, pdf: &mut Pdf, mut next: impl FnMut() -> Ref) -> [(Name<'static>, Ref); 2] {
        Weight::ALL.map(|weight| {
            let font = next();
            let name = if weight == Weight::Bold { "NotoSans-Bold" } else { "NotoSans-Regular" };
            self.font(weight).write(pdf, font, &mut next, name);
            (weight.name(), font)
        })
    }
}
