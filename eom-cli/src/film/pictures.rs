//! The frames of a film as pictures, for slides and for what makes a video of them.

use super::pen::{Fields, Pen, Seen};
use super::{drawing, filmed};
use crate::plot::{self, ImageFormat, Look};
use crate::run::request::Request;
use eom_interpreter::film::{Film, Window};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use svg::Document;
use svg::node::element::Rectangle;

/// More pictures are no film.
const PICTURES_MAX: f64 = 20_000.0;

/// The sides of a picture in units of 1/96 inch.
const SIZE: [f64; 2] = [720.0, 540.0];

/// A film that is drawn.
pub(super) struct Reel<'f, 'r> {
    film: &'f Film<'r>,
    /// How many even times lie from picture to picture.
    stride: usize,
    shapes: Vec<Vec<f64>>,
    fields: Fields,
    pen: Pen,
}

impl<'f, 'r> Reel<'f, 'r> {
    pub(super) fn new((film, stride): &'f (Film<'r>, usize), look: &Look) -> Self {
        let shapes = film.shapes();
        let window = Window::new(film, &shapes);
        let pen = Pen::new(&window, look.size.unwrap_or(SIZE));
        let fields = Fields::new(film, &window, &shapes);
        Self { film, stride: *stride, shapes, fields, pen }
    }

    /// The even times of pictures, and the end.
    pub(super) fn times(&self) -> impl Iterator<Item = f64> {
        let samples = &self.film.trajectory.samples;
        let is_shown =
            |index: usize| index.is_multiple_of(self.stride) || index + 1 == samples.len();
        let shown = samples.iter().enumerate().filter(move |(index, _)| is_shown(*index));
        shown.map(|(_, sample)| sample.t)
    }

    /// The last frame up to a time.
    pub(super) fn index(&self, t: f64) -> usize {
        self.film.frames.partition_point(|frame| frame.state.t <= t).saturating_sub(1)
    }

    /// The SVG of a frame, its time in a corner.
    pub(super) fn picture(&self, index: usize, look: &Look) -> String {
        let Self { film, shapes, fields, pen, .. } = self;
        let seen = Seen { film, numbers: shapes, fields, index };
        let [width, height] = pen.size;
        let mut document = Document::new()
            .set("width", width)
            .set("height", height)
            .set("viewBox", (0, 0, width, height))
            .set("font-family", "'DejaVu Sans', Verdana, sans-serif")
            .add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"));
        for shape in 0..film.subject.drawing.shapes().len() {
            document = document.add(pen.shape(&seen, shape));
        }
        let t = film.frames[index].state.t;
        let end = film.frames.last().map_or(t, |last| last.state.t);
        let document = document.add(pen.clock(t, end - film.subject.start));
        look.coloured(format!("{document}\n"))
    }
}

/// How fast a film goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Pictures a second.
    pub(crate) rate: f64,
    /// Time of the motion that passes in a second.
    pub(crate) speed: f64,
}

impl Pace {
    /// How many pictures there are, where these are not too many.
    pub(super) fn count(self, span: f64, most: f64) -> Result<usize, String> {
        let Self { rate, speed } = self;
        if !(speed > 0.0 && speed.is_finite()) {
            return Err(format!("--speed {speed}: it is a positive number"));
        }
        let count = (span * rate / speed).round().max(1.0);
        if !(rate > 0.0 && count <= most) {
            return Err(format!("--fps: {count} pictures are too many; at most {most}"));
        }
        Ok((count as i64).unsigned_abs() as usize)
    }
}

/// How many pictures over a time there are, where these are not too many.
pub(crate) fn pictures_count(pace: Pace, span: f64) -> Result<usize, String> {
    pace.count(span, PICTURES_MAX)
}

/// Writes a picture for each frame into a folder that is prepared; how many these are.
pub(crate) fn pictures(
    request: &Request,
    end: f64,
    folder: &Path,
    (pace, format, look): (Pace, ImageFormat, &Look),
) -> Result<usize, String> {
    let frames = pictures_count(pace, end - request.start.t)?;
    let drawing = drawing(request)?;
    let film = filmed(request, &drawing, end, frames)?;
    let reel = Reel::new(&film, look);
    let times: Vec<f64> = reel.times().collect();
    for (number, t) in times.iter().enumerate() {
        let svg = reel.picture(reel.index(*t), look);
        let image = plot::image(&svg, format, look.dpi)?;
        let path = folder.join(format!("frame-{number:05}.{}", format.extension()));
        fs::write(&path, image)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(times.len())
}

/// Makes the folder; one with something in it is left alone.
pub(crate) fn prepare(folder: &Path) -> Result<(), String> {
    let shown = folder.display();
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(format!("--frames: {shown} is not empty: name another folder")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => fs::create_dir_all(folder)
            .map_err(|error| format!("--frames: cannot make {shown}: {error}")),
        Err(error) => Err(format!("--frames: cannot read {shown}: {error}")),
    }
}
