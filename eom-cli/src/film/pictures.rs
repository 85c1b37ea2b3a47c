//! The frames of a film as pictures, for slides and for what makes a video of them.

use super::pen::{Pen, Seen, fields};
use super::{make, subject};
use crate::plot::{self, ImageFormat, Look};
use crate::run::request::Request;
use eom_film::{Film, Length, Window};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use svg::Document;
use svg::node::element::Rectangle;

/// More pictures are no film.
const PICTURES_MAX: f64 = 20_000.0;

/// The sides of a picture in units of 1/96 inch.
const SIZE: [f64; 2] = [720.0, 540.0];

/// Writes a picture for each frame into a folder that is empty or not there yet; how many these are.
pub(crate) fn pictures(
    request: &Request,
    end: f64,
    folder: &Path,
    (rate, format, look): (f64, ImageFormat, &Look),
) -> Result<usize, String> {
    let count = ((end - request.start.t) * rate).round().max(1.0);
    if !(rate > 0.0 && count <= PICTURES_MAX) {
        return Err(format!("--fps: {count} pictures are too many; at most {PICTURES_MAX}"));
    }
    prepare(folder)?;
    let frames = usize::try_from(count as i64).unwrap_or(1);
    let film = Film::new(subject(request), end, Length::Frames(frames), &|options| {
        make(request, options)
    })?;
    let shapes = film.shapes();
    let window = Window::new(&film, &shapes);
    let pen = Pen::new(&window, look.size.unwrap_or(SIZE));
    let fields = fields(&film, &window, &shapes);
    let mut written = 0;
    for sample in &film.trajectory.samples {
        let index =
            film.frames.partition_point(|frame| frame.state.t <= sample.t).saturating_sub(1);
        let seen = Seen { film: &film, numbers: &shapes, fields: &fields, index };
        let [width, height] = pen.size;
        let mut document = Document::new()
            .set("width", width)
            .set("height", height)
            .set("viewBox", (0, 0, width, height))
            .set("font-family", "'DejaVu Sans', Verdana, sans-serif")
            .add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"));
        for shape in 0..film.drawing.shapes().len() {
            document = document.add(pen.shape(&seen, shape));
        }
        let document = document.add(pen.clock(sample.t));
        let svg = look.coloured(format!("{document}\n"));
        let image = plot::image(&svg, format, look.dpi)?;
        let path = folder.join(format!("frame-{written:05}.{}", format.extension()));
        fs::write(&path, image)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        written += 1;
    }
    Ok(written)
}

/// Makes the folder; one with something in it is left alone.
fn prepare(folder: &Path) -> Result<(), String> {
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
