//! The font of documents and pictures: Noto Sans, reduced to Latin, Greek and Cyrillic characters (`OFL.txt` has its licence).

/// The regular weight.
pub(super) const REGULAR: &[u8] = include_bytes!("NotoSans-Regular.ttf");

/// The bold weight.
#[cfg(feature = "pdf")]
pub(super) const BOLD: &[u8] = include_bytes!("NotoSans-Bold.ttf");
