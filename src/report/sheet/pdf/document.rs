//! The objects of a PDF.

use pdf_writer::{Filter, Finish as _, Name, Pdf, Rect, Ref, Settings, TextStr};

use super::board::{PIECES, piece_form, piece_name};
use super::canvas::{Shared, board_name};
use super::compressed;

/// Returns the document with these pages, whose contents are compressed.
pub(super) fn write(title: &str, (width, height): (f32, f32), pages: &[Vec<u8>], shared: &mut Shared) -> Vec<u8> {
    let mut pdf = Pdf::with_settings(Settings { pretty: false });
    let mut last = 0;
    let mut next = || {
        last += 1;
        Ref::new(last)
    };
    let [catalog, tree, info, resources] = [next(), next(), next(), next()];
    let kids: Vec<_> = pages.iter().map(|_| [next(), next()]).collect();
    pdf.catalog(catalog).pages(tree).viewer_preferences().display_doc_title(true);
    pdf.document_info(info).title(TextStr(title)).producer(TextStr(concat!("pdn ", env!("CARGO_PKG_VERSION"))));
    let mut all = pdf.pages(tree);
    all.kids(kids.iter().map(|[page, _]| *page)).count(i32::try_from(pages.len()).unwrap_or(i32::MAX));
    all.media_box(Rect::new(0.0, 0.0, width, height)).pair(Name(b"Resources"), resources);
    all.finish();
    for ([page, content], bytes) in kids.into_iter().zip(pages) {
        pdf.page(page).parent(tree).contents(content);
        pdf.stream(content, bytes).filter(Filter::FlateDecode);
    }
    let boards = shared.boards.clone();
    // Forms name squares, and thus use the fonts, which are written after them.
    let mut forms: Vec<_> = boards.iter().map(|board| (board.size(), board.form(&mut shared.fonts))).collect();
    let names: Vec<_> = (0..forms.len()).map(board_name).collect();
    forms.extend(PIECES.map(|(side, piece)| ((-20.0, 20.0), piece_form(side, piece))));
    let fonts = shared.fonts.write(&mut pdf, &mut next);
    let forms: Vec<_> = forms.into_iter().map(|(size, content)| (next(), size, content)).collect();
    for (id, (right, top), content) in &forms {
        let content = compressed(content);
        let mut form = pdf.form_xobject(*id, &content);
        form.bbox(if *right < 0.0 {
            Rect::new(-20.0, -20.0, 20.0, 20.0)
        } else {
            Rect::new(-1.0, -1.0, right + 1.0, top + 1.0)
        });
        form.resources().fonts().pairs(fonts);
        form.filter(Filter::FlateDecode);
    }
    let mut shown = pdf.indirect(resources).start::<pdf_writer::writers::Resources<'_>>();
    shown.fonts().pairs(fonts);
    let names = names.iter().map(|name| Name(name.as_bytes()));
    let pieces = PIECES.map(|(side, piece)| piece_name(side, piece));
    shown.x_objects().pairs(names.chain(pieces).zip(forms.iter().map(|(id, ..)| *id)));
    shown.finish();
    pdf.finish()
}
