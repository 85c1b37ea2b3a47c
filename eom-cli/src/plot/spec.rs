//! Which figure is asked for: `penny.svg`, `x,y`, `t:energy`, `phi:phi_dot=phase.png`.
//!
//! A name of a file alone is the figure of the model's scene. `x,y` is the path in the plane of x
//! and y, with one scale for both; `x:y` is y over x, each with its own scale.

use crate::complaint::{Complaint, Origin};
use crate::plot::ImageFormat;
use crate::plot::along::Along;
use eom_core::System;
use models::scene::{Quantity, Scene};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A figure that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spec {
    /// The axes; `None` for those of the scene.
    axes: Option<Pair>,
    /// The file, where it is named.
    file: Option<PathBuf>,
    /// Where it is asked for.
    pub(crate) origin: Origin,
}

/// Two axes as written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pair {
    texts: [String; 2],
    /// Whether both have one scale.
    plane: bool,
}

/// What is drawn: a scene, and what runs along its axes.
pub(crate) struct Drawn {
    /// The scene.
    pub(crate) scene: Scene,
    /// What runs along its axes.
    pub(crate) along: [Along; 2],
    /// What names of files call the axes.
    pub(crate) words: Option<[String; 2]>,
}

impl Spec {
    /// Reads a figure.
    pub(crate) fn parse(text: &str, origin: &Origin) -> Result<Self, Complaint> {
        let (axes, file) = match text.split_once('=') {
            Some((axes, file)) => (Some(axes), Some(file)),
            None if image_format(Path::new(text)).is_some() => (None, Some(text)),
            None => (Some(text), None),
        };
        let axes = axes.map(|axes| pair(axes).ok_or_else(|| not_a_figure(origin))).transpose()?;
        let file = file.map(PathBuf::from);
        if file.as_ref().is_some_and(|file| image_format(file).is_none()) {
            return Err(not_a_figure(origin));
        }
        Ok(Self { axes, file, origin: origin.clone() })
    }

    /// What it shows of a system.
    pub(crate) fn drawn(&self, scene: Scene, system: &dyn System) -> Result<Drawn, Complaint> {
        let Some(Pair { texts: [x, y], plane }) = &self.axes else {
            let along = [&scene.x, &scene.y].map(|axis| Along::from(axis.quantity));
            return Ok(Drawn { scene, along, words: None });
        };
        let parse = |text: &str| {
            Along::parse(text, &scene, system).map_err(|reason| self.origin.complain(reason))
        };
        let (x, y) = (parse(x)?, parse(y)?);
        let same = |asked: Quantity, scene: Quantity| asked == scene && asked != Quantity::Time;
        let words = Some([x.word, y.word]);
        let along = [x.along, y.along];
        // The plane of the scene: what else it shows belongs to it.
        if *plane
            && same(x.axis.quantity, scene.x.quantity)
            && same(y.axis.quantity, scene.y.quantity)
        {
            let scene = Scene { equal_aspect: true, ..scene };
            return Ok(Drawn { scene, along, words });
        }
        let path = format!("{} against {}", y.axis.symbol, x.axis.symbol);
        let (outlines, body) = (Vec::new(), None);
        let scene =
            Scene { path, x: x.axis, y: y.axis, equal_aspect: *plane, outlines, body, ..scene };
        Ok(Drawn { scene, along, words })
    }

    /// The file that it goes to: the one that is named, else one named after the model and the axes.
    pub(crate) fn path(
        &self,
        model: &str,
        words: Option<&[String; 2]>,
        format: ImageFormat,
    ) -> PathBuf {
        if let Some(file) = &self.file {
            return file.clone();
        }
        let stem = Path::new(model).file_stem().and_then(OsStr::to_str).unwrap_or("figure");
        let axes = words.map_or(String::new(), |[x, y]| format!("-{x}-{y}"));
        PathBuf::from(format!("{stem}{axes}.{}", format.extension()))
    }

    /// Whether its file is named.
    pub(crate) fn is_named(&self) -> bool {
        self.file.is_some()
    }
}

/// The format of a file by its name.
pub(crate) fn image_format(path: &Path) -> Option<ImageFormat> {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(OsStr::to_str) {
        Some("svg") => Some(ImageFormat::Svg),
        Some("png") => Some(ImageFormat::Png),
        _ => None,
    }
}

fn not_a_figure(origin: &Origin) -> Complaint {
    let complaint = origin.complain("the name of a figure ends in .svg or .png");
    complaint.help(
        "axes are written x,y (a plane) or t:energy (one over the other), with =FILE or without",
    )
}

/// The two sides of the one colon or comma that stands in no parentheses.
fn pair(text: &str) -> Option<Pair> {
    let mut depth = 0_i32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ':' | ',' if depth == 0 => {
                let texts = [&text[..at], &text[at + 1..]].map(|side| side.trim().to_owned());
                let is_whole = texts.iter().all(|side| !side.is_empty());
                return is_whole.then_some(Pair { texts, plane: letter == ',' });
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_files_or_axes() {
        let origin = Origin::Argument("--plot".to_owned());
        let axes = |x: &str, y: &str, plane: bool| {
            Some(Pair { texts: [x.to_owned(), y.to_owned()], plane })
        };
        let table = [
            ("a.svg", Some((None, Some("a.svg")))),
            ("C:/a,b.PNG", Some((None, Some("C:/a,b.PNG")))),
            ("x,y", Some((axes("x", "y", true), None))),
            ("t:energy", Some((axes("t", "energy", false), None))),
            ("t: atan2(y, x) =w.svg", Some((axes("t", "atan2(y, x)", false), Some("w.svg")))),
            ("t:atan2(y, x)=w.svg", Some((axes("t", "atan2(y, x)", false), Some("w.svg")))),
            ("a.jpg", None),
            ("x,y=a.jpg", None),
            ("x,", None),
            ("-", None),
        ];
        for (text, expected) in table {
            let found = Spec::parse(text, &origin).ok().map(|spec| (spec.axes, spec.file));
            let expected = expected.map(|(axes, file)| (axes, file.map(PathBuf::from)));
            assert_eq!(found, expected, "{text}");
        }
    }
}
