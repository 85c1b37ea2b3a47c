//! Which figure is asked for: `penny.svg`, `x,y`, `t:energy`, `phi:phi_dot=phase.png`.
//!
//! A name of a file alone is the figure of the model's scene, of a file that has none the plane of its X and Y.
//! `x,y` is the path in the plane of x and y, with one scale for both; `x:y` is y over x, each with its own scale, `t:a,b`
//! has several curves. `x:y@top` are points at events; `a,b:y` is y over two that are swept.

use crate::complaint::{Complaint, Origin};
use crate::plot::ImageFormat;
use crate::plot::along::Along;
use crate::plot::curves::common;
use crate::plot::points::At;
use crate::run::request::Request;
use models::scene::{Axis, Quantity, Scene};
use std::ffi::OsStr;
use std::path::{Path, PathBuf, is_separator};

/// Names of places, along two axes at right angles.
const PLANES: [[&str; 2]; 3] = [["X", "Y"], ["X", "Z"], ["Y", "Z"]];

/// A figure that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spec {
    /// The axes; `None` for those of the scene.
    axes: Option<Axes>,
    /// The file, where it is named.
    file: Option<PathBuf>,
    /// Where it is asked for.
    pub(crate) origin: Origin,
}

/// Axes as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Axes {
    /// What runs along the horizontal axis; two where a field is over them.
    pub(crate) x: Vec<String>,
    /// What runs along the vertical one.
    pub(crate) y: Vec<String>,
    /// Whether both have one scale.
    plane: bool,
    /// The events at which points are taken.
    pub(crate) at: Option<String>,
}

/// What is drawn: a scene, and what runs along its axes.
pub(crate) struct Drawn {
    /// The scene.
    pub(crate) scene: Scene,
    /// What runs along its axes.
    pub(crate) along: [Along; 2],
    /// What else runs along the vertical one.
    pub(crate) more: Vec<(Along, Axis)>,
    /// What names of files call the axes.
    pub(crate) words: Option<Vec<String>>,
    /// The events at which points are taken.
    pub(crate) at: Option<At>,
}

impl Drawn {
    /// The vertical axis, of all that runs along it.
    pub(crate) fn vertical(&self) -> Axis {
        common([&self.scene.y].into_iter().chain(self.more.iter().map(|(_, axis)| axis)))
    }

    /// The curves: the axes of each, and what runs along them.
    pub(crate) fn curves(&self) -> impl Iterator<Item = ([Axis; 2], [Along; 2])> {
        let Self { scene, along: [x, y], more, .. } = self;
        let more = more.iter().map(|more| (&more.0, &more.1));
        let all = [(y, &scene.y)].into_iter().chain(more);
        all.map(move |(along, axis)| ([scene.x.clone(), axis.clone()], [x.clone(), along.clone()]))
    }
}

impl Spec {
    /// Reads a figure.
    pub(crate) fn parse(text: &str, origin: &Origin) -> Result<Self, Complaint> {
        // A `=` of a folder's name has no axes before it.
        let is_folder = |axes: &str| axes.contains(is_separator) && Axes::parse(axes).is_none();
        let (axes, file) = match text.split_once('=') {
            Some((axes, file)) if !is_folder(axes) => (Some(axes), Some(file)),
            _ if image_format(Path::new(text)).is_some() => (None, Some(text)),
            _ => (Some(text), None),
        };
        let axes =
            axes.map(|axes| Axes::parse(axes).ok_or_else(|| not_a_figure(origin))).transpose()?;
        let file = file.map(PathBuf::from);
        if file.as_ref().is_some_and(|file| image_format(file).is_none()) {
            return Err(not_a_figure(origin));
        }
        Ok(Self { axes, file, origin: origin.clone() })
    }

    /// What it shows of a system.
    pub(crate) fn drawn(&self, request: &Request) -> Result<Drawn, Complaint> {
        let Request { system, functions, model, .. } = request;
        let scene = model.scene(&**system);
        let moving = self.axes.is_none().then(|| plane_of_lets(request, &scene)).flatten();
        let Some(Axes { x, y, plane, at }) = self.axes.as_ref().or(moving.as_ref()) else {
            let along = [&scene.x, &scene.y].map(|axis| Along::from(axis.quantity));
            return Ok(Drawn { scene, along, more: Vec::new(), words: None, at: None });
        };
        let complain = |reason: String| self.origin.complain(reason);
        let parse =
            |text: &String| Along::parse(text, &scene, &**system, functions).map_err(complain);
        let ([x], [y, more @ ..]) = (&x[..], &y[..]) else {
            let reason = "two names before the colon are for a sweep of both";
            return Err(complain(reason.to_owned()));
        };
        let at = at.as_ref().map(|at| At::parse(at, model.info)).transpose().map_err(complain)?;
        let (x, y) = (parse(x)?, parse(y)?);
        let more = more.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        // Between impacts there is no impulse to draw.
        let struck = [&x, &y].into_iter().chain(&more).find_map(|asked| match asked.along {
            Along::Impulse(contact) => Some(At::Contact(contact)),
            _ => None,
        });
        let at = at.or(struck);
        let same = |asked: Quantity, scene: Quantity| asked == scene && asked != Quantity::Time;
        let further = more.iter().map(|asked| asked.word.clone());
        let words = Some([x.word, y.word].into_iter().chain(further).collect());
        let along = [x.along, y.along];
        let more = more.into_iter().map(|asked| (asked.along, asked.axis)).collect();
        // The plane of the scene: what else it shows belongs to it.
        if *plane
            && same(x.axis.quantity, scene.x.quantity)
            && same(y.axis.quantity, scene.y.quantity)
        {
            let scene = Scene { equal_aspect: true, ..scene };
            return Ok(Drawn { scene, along, more, words, at });
        }
        let path = format!("{} against {}", y.axis.symbol, x.axis.symbol);
        let (outlines, body) = (Vec::new(), None);
        let scene =
            Scene { path, x: x.axis, y: y.axis, equal_aspect: *plane, outlines, body, ..scene };
        Ok(Drawn { scene, along, more, words, at })
    }

    /// The axes as written; none where those of the scene are meant.
    pub(crate) fn axes(&self) -> Option<&Axes> {
        self.axes.as_ref()
    }

    /// The file that it goes to: the one that is named, else one named after the model and the axes.
    pub(crate) fn path(
        &self,
        model: &str,
        words: Option<&Vec<String>>,
        format: ImageFormat,
    ) -> PathBuf {
        if let Some(file) = &self.file {
            return file.clone();
        }
        let stem = Path::new(model).file_stem().and_then(OsStr::to_str).unwrap_or("figure");
        let axes = words.map_or(String::new(), |words| format!("-{}", words.join("-")));
        PathBuf::from(format!("{stem}{axes}.{}", format.extension()))
    }

    /// Whether its file is named.
    pub(crate) fn is_named(&self) -> bool {
        self.file.is_some()
    }
}

/// The plane of what a file calls X and Y, where no two of its coordinates are one: most often the place of a body, by `let`s.
fn plane_of_lets(request: &Request, scene: &Scene) -> Option<Axes> {
    let Request { system, functions, model, .. } = request;
    if scene.equal_aspect || scene.x.quantity == Quantity::Time || !model.is_file() {
        return None;
    }
    let is_known = |name: &&str| Along::parse(name, scene, &**system, functions).is_ok();
    let [x, y] = PLANES.into_iter().find(|plane| plane.iter().all(is_known))?;
    Some(Axes { x: vec![x.to_owned()], y: vec![y.to_owned()], plane: true, at: None })
}

/// The format of a file by its name.
pub(crate) fn image_format(path: &Path) -> Option<ImageFormat> {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(OsStr::to_str) {
        Some("svg") => Some(ImageFormat::Svg),
        Some("png") => Some(ImageFormat::Png),
        Some("pdf") => Some(ImageFormat::Pdf),
        _ => None,
    }
}

fn not_a_figure(origin: &Origin) -> Complaint {
    let complaint = origin.complain("the name of a figure ends in .svg, .png or .pdf");
    complaint.help(
        "axes are written x,y (a plane), t:energy (one over the other) or t:x,y (several), with =FILE or without",
    )
}

impl Axes {
    /// `x,y`, `x:y`, `x:y,z`, `a,b:y`, each with `@event` behind it or without.
    fn parse(text: &str) -> Option<Self> {
        let (text, at) = match &outside(text, '@')[..] {
            [text] => (text.clone(), None),
            [text, at] if !at.is_empty() => (text.clone(), Some(at.clone())),
            _ => return None,
        };
        let sides = outside(&text, ':');
        let lists: Vec<Vec<String>> = sides.iter().map(|side| outside(side, ',')).collect();
        if lists.iter().flatten().any(String::is_empty) {
            return None;
        }
        match &lists[..] {
            [both] => match &both[..] {
                [x, y] => Some(Self { x: vec![x.clone()], y: vec![y.clone()], plane: true, at }),
                _ => None,
            },
            [x, y] if x.len() == 1 || (x.len() == 2 && y.len() == 1) => {
                Some(Self { x: x.clone(), y: y.clone(), plane: false, at })
            }
            _ => None,
        }
    }
}

/// The parts between signs that stand in no parentheses.
pub(crate) fn outside(text: &str, sign: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    for letter in text.chars() {
        depth += i32::from("([".contains(letter)) - i32::from(")]".contains(letter));
        match parts.last_mut() {
            Some(last) if letter != sign || depth != 0 => last.push(letter),
            _ => parts.push(String::new()),
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_files_or_axes() {
        let origin = Origin::Argument("--plot".to_owned());
        let list = |text: &str| text.split(';').map(str::to_owned).collect::<Vec<String>>();
        let axes = |x: &str, y: &str, plane: bool| {
            let (y, at) = y.split_once('@').map_or((y, None), |(y, at)| (y, Some(at.to_owned())));
            Some(Axes { x: list(x), y: list(y), plane, at })
        };
        let table = [
            ("a.svg", Some((None, Some("a.svg")))),
            ("C:/a,b.PNG", Some((None, Some("C:/a,b.PNG")))),
            ("./a=b/c.svg", Some((None, Some("./a=b/c.svg")))),
            ("a=b.svg", None),
            ("x,y", Some((axes("x", "y", true), None))),
            ("t:x/2=a/b=c.svg", Some((axes("t", "x/2", false), Some("a/b=c.svg")))),
            ("t:energy", Some((axes("t", "energy", false), None))),
            ("t: atan2(y, x) =w.svg", Some((axes("t", "atan2(y, x)", false), Some("w.svg")))),
            ("t:atan2(y, x)=w.svg", Some((axes("t", "atan2(y, x)", false), Some("w.svg")))),
            ("t:x,atan2(y, x)", Some((axes("t", "x;atan2(y, x)", false), None))),
            ("x:x_dot@top=p.png", Some((axes("x", "x_dot@top", false), Some("p.png")))),
            ("a,b:x_end", Some((axes("a;b", "x_end", false), None))),
            ("a,b,c:x_end", None),
            ("x:y@", None),
            ("a,b,c", None),
            ("a:b:c", None),
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
