//! SVG to pixels and PNG, with the typeface that is part of the command.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Pixels for each unit of the page: 2.5 gives 240 dots an inch.
const SCALE: f32 = 2.5;

/// Draws pages as pixels.
pub(crate) struct Renderer {
    options: usvg::Options<'static>,
}

impl Renderer {
    pub(crate) fn new() -> Self {
        let mut fonts = usvg::fontdb::Database::new();
        for font in [dejavu::sans::regular(), dejavu::sans::bold(), dejavu::sans::oblique()] {
            fonts.load_font_source(usvg::fontdb::Source::Binary(Arc::new(font)));
        }
        fonts.set_sans_serif_family("DejaVu Sans");
        Self { options: usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() } }
    }

    /// What a page is made of.
    pub(crate) fn tree(&self, svg: &str) -> Result<usvg::Tree, String> {
        usvg::Tree::from_str(svg, &self.options)
            .map_err(|error| format!("the figure cannot be rendered: {error}"))
    }

    /// The pixels of a page, so many for each of its units.
    pub(crate) fn pixels(&self, svg: &str, scale: f32) -> Result<tiny_skia::Pixmap, String> {
        let tree = self.tree(svg)?;
        let size = tree.size().to_int_size();
        let mut pixels = size
            .scale_by(scale)
            .and_then(|size| tiny_skia::Pixmap::new(size.width(), size.height()))
            .ok_or_else(|| {
                format!("a page of {} × {} is too large", size.width(), size.height())
            })?;
        let transform = tiny_skia::Transform::from_scale(scale, scale);
        resvg::render(&tree, transform, &mut pixels.as_mut());
        Ok(pixels)
    }
}

/// The PNG of a page.
pub(crate) fn render(svg: &str, dpi: Option<f64>) -> Result<Vec<u8>, String> {
    let pixels = Renderer::new().pixels(svg, dpi.map_or(SCALE, scale))?;
    let bytes =
        pixels.encode_png().map_err(|error| format!("the figure cannot be encoded: {error}"))?;
    // Text may stand anywhere between the head and the end.
    let (head, rest) = bytes.split_at(HEAD);
    Ok([head, &origin(), rest].concat())
}

/// Pixels for each unit of a page, of 1/96 inch.
pub(crate) fn scale(dpi: f64) -> f32 {
    (dpi / 96.0) as f32
}

/// Bytes of a PNG file before what follows its head: the signature and the chunk `IHDR`.
const HEAD: usize = 8 + 12 + 13;

/// The chunk that says what made a figure: length, type, keyword and text, CRC-32 of all but the
/// length.
fn origin() -> Vec<u8> {
    let chunk = b"tEXtSoftware\0eom";
    let length = (chunk.len() - 4) as u32;
    [&length.to_be_bytes()[..], chunk, &crc32fast::hash(chunk).to_be_bytes()].concat()
}

/// Whether a file was made by [`render`].
pub(crate) fn is_own(bytes: &[u8]) -> bool {
    bytes.get(HEAD..).is_some_and(|rest| rest.starts_with(&origin()))
}
