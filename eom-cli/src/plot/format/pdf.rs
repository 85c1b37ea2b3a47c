//! SVG to PDF: lines and areas stay such, text is the outlines of its letters, so that no reader needs the typeface.
//!
//! ```text
//! SVG ──usvg──▶ groups, paths, letters as paths ──▶ operators of a page, 3/4 point for each unit
//! ```

use super::png::Renderer;
use resvg::tiny_skia::{PathSegment, Transform};
use resvg::usvg::{
    Fill, FillRule, Group, LineCap, LineJoin, Node, Opacity, Paint, PaintOrder, Path, Stroke,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Points for each unit of a page, which is 1/96 inch.
const POINTS: f32 = 0.75;

/// What says who made a file.
const PRODUCER: &str = "eom";

/// The PDF of a page.
pub(crate) fn render(svg: &str) -> Result<Vec<u8>, String> {
    let tree = Renderer::new().tree(svg)?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| POINTS * side);
    let mut page = Page { content: String::new(), states: BTreeMap::new() };
    // y goes down in SVG, and up in PDF.
    page.write(&[POINTS, 0.0, 0.0, -POINTS, 0.0, height], "cm");
    page.group(tree.root())?;
    Ok(page.finish(width, height))
}

/// Whether a file was made by [`render`].
pub(crate) fn is_own(head: &[u8]) -> bool {
    let mark = format!("/Producer({PRODUCER})");
    head.windows(mark.len()).any(|part| part == mark.as_bytes())
}

/// A page with the opacities that it uses, and what it calls them.
struct Page {
    content: String,
    states: BTreeMap<[u8; 2], String>,
}

impl Page {
    /// An operator behind its numbers.
    fn write(&mut self, numbers: &[f32], operator: &str) {
        for number in numbers {
            // Writing to a string does not fail.
            let _ = write!(self.content, "{number} ");
        }
        self.content.push_str(operator);
        self.content.push('\n');
    }

    fn group(&mut self, group: &Group) -> Result<(), String> {
        let is_plain =
            group.opacity() == Opacity::ONE && group.mask().is_none() && group.filters().is_empty();
        if !is_plain {
            return Err("a figure in PDF has no mask, no filter and no group with opacity".into());
        }
        self.write(&[], "q");
        let Transform { sx, ky, kx, sy, tx, ty } = group.transform();
        self.write(&[sx, ky, kx, sy, tx, ty], "cm");
        if let Some(clip) = group.clip_path() {
            for node in clip.root().children() {
                if let Node::Path(path) = node {
                    self.outline(path, clip.transform());
                }
            }
            self.write(&[], "W n");
        }
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner)?,
                Node::Path(path) => self.path(path)?,
                Node::Text(text) => self.group(text.flattened())?,
                Node::Image(_) => return Err("a figure in PDF has no image".into()),
            }
        }
        self.write(&[], "Q");
        Ok(())
    }

    fn path(&mut self, path: &Path) -> Result<(), String> {
        if !path.is_visible() {
            return Ok(());
        }
        let (fill, stroke) = (path.fill(), path.stroke());
        match path.paint_order() {
            PaintOrder::FillAndStroke => {
                self.fill(path, fill)?;
                self.stroke(path, stroke)
            }
            PaintOrder::StrokeAndFill => {
                self.stroke(path, stroke)?;
                self.fill(path, fill)
            }
        }
    }

    fn fill(&mut self, path: &Path, fill: Option<&Fill>) -> Result<(), String> {
        let Some(fill) = fill else { return Ok(()) };
        let color = color(fill.paint())?;
        self.write(&[], "q");
        self.opacity(fill.opacity(), 0);
        self.write(&color, "rg");
        self.outline(path, Transform::identity());
        self.write(&[], if fill.rule() == FillRule::NonZero { "f" } else { "f*" });
        self.write(&[], "Q");
        Ok(())
    }

    fn stroke(&mut self, path: &Path, stroke: Option<&Stroke>) -> Result<(), String> {
        let Some(stroke) = stroke else { return Ok(()) };
        let color = color(stroke.paint())?;
        let cap = match stroke.linecap() {
            LineCap::Butt => 0.0,
            LineCap::Round => 1.0,
            LineCap::Square => 2.0,
        };
        let join = match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => 0.0,
            LineJoin::Round => 1.0,
            LineJoin::Bevel => 2.0,
        };
        self.write(&[], "q");
        self.opacity(stroke.opacity(), 1);
        self.write(&color, "RG");
        self.write(&[stroke.width().get()], "w");
        self.write(&[stroke.miterlimit().get()], "M");
        self.write(&[cap], "J");
        self.write(&[join], "j");
        if let Some(dashes) = stroke.dasharray() {
            self.content.push_str("[ ");
            self.write(dashes, "]");
            self.write(&[stroke.dashoffset()], "d");
        }
        self.outline(path, Transform::identity());
        self.write(&[], "S");
        self.write(&[], "Q");
        Ok(())
    }

    /// The opacity of what is filled, 0, or of lines, 1.
    fn opacity(&mut self, opacity: Opacity, which: usize) {
        if opacity == Opacity::ONE {
            return;
        }
        let mut key = [u8::MAX; 2];
        key[which] = opacity.to_u8();
        let count = self.states.len();
        let name = self.states.entry(key).or_insert_with(|| format!("G{count}"));
        let _ = writeln!(self.content, "/{name} gs");
    }

    /// The segments of a path; a parabola is a cubic with 2/3 of its way to the middle point.
    fn outline(&mut self, path: &Path, transform: Transform) {
        let Some(data) = path.data().clone().transform(transform) else { return };
        let mut last = [0.0; 2];
        for segment in data.segments() {
            match segment {
                PathSegment::MoveTo(p) => {
                    self.write(&[p.x, p.y], "m");
                    last = [p.x, p.y];
                }
                PathSegment::LineTo(p) => {
                    self.write(&[p.x, p.y], "l");
                    last = [p.x, p.y];
                }
                PathSegment::QuadTo(c, p) => {
                    let toward = |from: f32, to: f32| from + 2.0 / 3.0 * (to - from);
                    let first = [toward(last[0], c.x), toward(last[1], c.y)];
                    let second = [toward(p.x, c.x), toward(p.y, c.y)];
                    self.write(&[first[0], first[1], second[0], second[1], p.x, p.y], "c");
                    last = [p.x, p.y];
                }
                PathSegment::CubicTo(a, b, p) => {
                    self.write(&[a.x, a.y, b.x, b.y, p.x, p.y], "c");
                    last = [p.x, p.y];
                }
                PathSegment::Close => self.write(&[], "h"),
            }
        }
    }

    /// The file. Its bytes hold no time and no place: the same figure gives the same.
    fn finish(self, width: f32, height: f32) -> Vec<u8> {
        let operators = miniz_oxide::deflate::compress_to_vec_zlib(self.content.as_bytes(), 9);
        let part = |byte: u8| f32::from(byte) / 255.0;
        let mut states = String::new();
        for ([fill, line], name) in &self.states {
            let _ = write!(states, "/{name}<</ca {}/CA {}>>", part(*fill), part(*line));
        }
        let head = format!("<</Filter/FlateDecode/Length {}>>\nstream\n", operators.len());
        let objects = [
            // First, since it says whose file it is.
            format!("<</Producer({PRODUCER})>>").into_bytes(),
            b"<</Type/Catalog/Pages 3 0 R>>".to_vec(),
            b"<</Type/Pages/Kids[4 0 R]/Count 1>>".to_vec(),
            format!(
                "<</Type/Page/Parent 3 0 R/MediaBox[0 0 {width} {height}]\
                 /Resources<</ExtGState<<{states}>>>>/Contents 5 0 R>>"
            )
            .into_bytes(),
            [head.as_bytes(), &operators, b"\nendstream"].concat(),
        ];
        file(&objects)
    }
}

/// A file of objects, numbered from 1, with the table of their places.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    // A line of bytes that are no text, so that nobody takes it for one.
    let mut bytes = b"%PDF-1.7\n%\x80\x80\x80\x80\n".to_vec();
    let count = objects.len() + 1;
    let mut table = format!("xref\n0 {count}\n0000000000 65535 f \n");
    for (number, object) in (1..).zip(objects) {
        // Writing to a string does not fail.
        let _ = writeln!(table, "{:010} 00000 n ", bytes.len());
        bytes.extend(format!("{number} 0 obj\n").as_bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let at = bytes.len();
    let tail =
        format!("trailer\n<</Size {count}/Root 2 0 R/Info 1 0 R>>\nstartxref\n{at}\n%%EOF\n");
    bytes.extend(table.as_bytes());
    bytes.extend(tail.as_bytes());
    bytes
}

fn color(paint: &Paint) -> Result<[f32; 3], String> {
    match paint {
        Paint::Color(color) => {
            Ok([color.red, color.green, color.blue].map(|part| f32::from(part) / 255.0))
        }
        _ => Err("a figure in PDF has plain colours".into()),
    }
}
