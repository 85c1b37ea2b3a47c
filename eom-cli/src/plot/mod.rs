//! Figures of runs: a scene and a trajectory become an SVG, or a PNG or PDF made of it.
//!
//! ```text
//! Scene, Trajectory → Figure (curves and marks in the units of the axes) → SVG → PNG, PDF
//! ```

mod along;
mod branches;
mod cloud;
mod curve;
mod curves;
mod draw;
mod figure;
mod format;
mod frame;
mod heat;
mod look;
mod plain;
mod points;
mod spec;
mod view;

use crate::run::request::Request;
pub(crate) use along::{Along, word};
pub(crate) use branches::{Happening, Piece};
pub(crate) use cloud::Panel;
pub(crate) use curves::{CurveOfRun, common};
use eom_core::{Counted, Mode, State, Trajectory};
use figure::Figure;
pub(crate) use format::ImageFormat;
pub(crate) use format::png::{Renderer, scale};
pub(crate) use heat::Field;
pub(crate) use look::Look;
use models::scene::{Axis, Outline, Point, Scene};
pub(crate) use plain::plain_scene;
pub(crate) use points::{At, Series};
pub(crate) use spec::{Axes, Drawn, Spec, image_format};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use view::View;

/// The SVG of a trajectory that was sampled at every step, as the scene of its model.
pub(crate) fn svg(request: &Request, trajectory: &Trajectory, law: &str) -> Result<String, String> {
    let scene = request.model.scene(&*request.system);
    let along = [&scene.x, &scene.y].map(|axis| axis.quantity.into());
    let drawn = Drawn { scene, along, more: Vec::new(), words: None, at: None };
    self::drawn(request, trajectory, law, (&drawn, &Look::default()))
}

/// The SVG of a trajectory that was sampled at every step.
pub(crate) fn drawn(
    request: &Request,
    trajectory: &Trajectory,
    law: &str,
    (drawn, look): (&Drawn, &Look),
) -> Result<String, String> {
    if let Some(at) = drawn.at {
        return events(request, trajectory, at, (drawn, look));
    }
    if !drawn.more.is_empty() {
        return several(request, trajectory, law, (drawn, look));
    }
    let view = View::new(drawn.along.clone(), &*request.system, &request.inputs);
    let view = view.logarithmic(look.log);
    format::page::svg(&Figure::new(&drawn.scene, &view, trajectory, law)?, look)
}

/// Several numbers of one run in a frame.
fn several(
    request: &Request,
    trajectory: &Trajectory,
    law: &str,
    (drawn, look): (&Drawn, &Look),
) -> Result<String, String> {
    let curve = |(axes, along): ([Axis; 2], [Along; 2])| {
        let label = axes[1].symbol.clone();
        CurveOfRun { label, request, axes, along, trajectory, marked: true }
    };
    let curves: Vec<CurveOfRun<'_>> = drawn.curves().map(curve).collect();
    let detail = figure::subtitle(&drawn.scene, &*request.system, trajectory, law);
    curves::svg((&drawn.scene.title, &detail), (drawn.scene.equal_aspect, &[]), &curves, look)
}

/// Where a run is at events.
fn events(
    request: &Request,
    trajectory: &Trajectory,
    at: At,
    (drawn, look): (&Drawn, &Look),
) -> Result<String, String> {
    let series = at_events(request, trajectory, at, (drawn, look));
    let count = series.first().map_or(0, |series| series.points.len());
    let detail = Counted(count as u64, "event").to_string();
    let Scene { title, x, equal_aspect, .. } = &drawn.scene;
    points::svg((title, &detail), [x, &drawn.vertical()], *equal_aspect, &series, look)
}

/// The points at events of one run, a series for each curve.
pub(crate) fn at_events(
    request: &Request,
    trajectory: &Trajectory,
    at: At,
    (drawn, look): (&Drawn, &Look),
) -> Vec<Series> {
    let wanted = trajectory.events.iter().filter(|event| at.is(event));
    let wanted = look.last(wanted.collect());
    let series = drawn.curves().map(|([_, axis], along)| {
        let view = View::new(along, &*request.system, &request.inputs).logarithmic(look.log);
        let points = wanted.iter().map(|event| view.before(event, trajectory)).collect();
        Series { label: axis.symbol, points }
    });
    series.collect()
}

/// The SVG of points that were taken of many runs.
pub(crate) fn points(
    words: (&str, &str),
    axes: [&Axis; 2],
    series: &[Series],
    look: &Look,
) -> Result<String, String> {
    points::svg(words, axes, false, series, look)
}

/// The SVG of branches over a value.
pub(crate) fn branches(
    words: (&str, &str),
    axes: [&Axis; 2],
    pieces: &[Piece],
    happenings: &[Happening],
    look: &Look,
) -> Result<String, String> {
    branches::svg(words, axes, pieces, happenings, look)
}

/// The SVG of a number over two others.
pub(crate) fn heat(words: (&str, &str), field: &Field, look: &Look) -> Result<String, String> {
    heat::svg(words, field, look)
}

/// The SVG of several runs as curves in one frame: whether both axes have one scale, and what does not move.
pub(crate) fn curves(
    words: (&str, &str),
    space: (bool, &[Outline]),
    curves: &[CurveOfRun<'_>],
    look: &Look,
) -> Result<String, String> {
    curves::svg(words, space, curves, look)
}

/// The SVG of many runs at a few times, each time in a panel with the axes of a scene.
pub(crate) fn cloud(
    title: &str,
    detail: &str,
    scene: &Scene,
    panels: &[Panel],
) -> Result<String, String> {
    cloud::svg(title, detail, [&scene.x, &scene.y], &scene.outlines, panels)
}

/// The point of a state in the axes of a scene.
pub(crate) fn point(scene: &Scene, request: &Request, state: &State) -> Point {
    let view = View::of([&scene.x, &scene.y], &*request.system, &request.inputs);
    view.point(state, &Mode::default())
}

/// Whether a file is a figure that this command has made.
pub(crate) fn is_own(path: &Path, format: ImageFormat) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(256).read_to_end(&mut head));
    read.is_ok()
        && match format {
            ImageFormat::Svg => head.starts_with(draw::HEAD.as_bytes()),
            ImageFormat::Png => format::png::is_own(&head),
            ImageFormat::Pdf => format::pdf::is_own(&head),
        }
}

/// The bytes of an SVG in a format.
pub(crate) fn image(svg: &str, format: ImageFormat, dpi: Option<f64>) -> Result<Vec<u8>, String> {
    match format {
        ImageFormat::Svg => Ok(svg.as_bytes().to_vec()),
        ImageFormat::Png => format::png::render(svg, dpi),
        ImageFormat::Pdf => format::pdf::render(svg),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eom_core::{Declared as _, EventKind, Options, State, Trajectory, simulate};
    use models::Penny;
    use models::scene::Quantity;
    use std::ops::ControlFlow;

    /// The penny after some impacts.
    fn run(penny: &Penny, impacts: usize) -> Trajectory {
        let start = State::new(0.0, [0.0; 4], [0.1, 0.0, 10.0, 0.2]);
        let options = Options { until_impacts: Some(impacts), ..Options::default() };
        simulate(penny, &start, &[], &options, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    fn figure<'a>(scene: &'a Scene, penny: &Penny, run: &Trajectory) -> Result<Figure<'a>, String> {
        Figure::new(scene, &View::of([&scene.x, &scene.y], penny, &[]), run, "elastic")
    }

    #[test]
    fn a_declared_event_has_a_mark_and_an_entry_of_its_own() {
        let penny = Penny::with_parameters(&[None; 6]).unwrap();
        let scene = Scene::of_coordinates(&penny);
        let mut trajectory = run(&penny, 3);
        for declared in [0, 1] {
            for event in trajectory.events.iter_mut().take(declared) {
                event.kind = EventKind::Declared { event: 0 };
            }
            let figure = figure(&scene, &penny, &trajectory).unwrap();
            assert_eq!((figure.impacts.len(), figure.events.len()), (3 - declared, declared));
            let svg = format::page::svg(&figure, &Look::default()).unwrap();
            assert_eq!(svg.contains("\nevent\n"), declared > 0);
        }
    }

    #[test]
    fn a_crowd_of_impacts_is_shown_once_more_where_nothing_else_is() {
        let penny = Penny::with_parameters(&[None; 6]).unwrap();
        let scene = Scene::of_coordinates(&penny);
        let trajectory = run(&penny, 3);
        let mut figure = figure(&scene, &penny, &trajectory).unwrap();
        let mark = |x: f64, y: f64| figure::ImpactMark {
            number: 1,
            corner: [x, y],
            touch: [x, y],
            body: None,
        };
        figure.bounds = [[0.0, 1.0]; 2];
        figure.path = vec![vec![[0.0, 0.0], [1.0, 1.0]]];
        figure.start = [0.0, 0.0];
        // impacts on the diagonal, those in the inset
        let table: [(&[f64], Option<usize>); 5] = [
            (&[0.80, 0.81, 0.82, 0.83], Some(4)),
            (&[0.1, 0.80, 0.81, 0.82, 0.83], Some(4)),
            (&[0.9; 6], Some(6)),
            (&[0.1, 0.4, 0.7, 1.0], None),
            (&[0.80, 0.81, 0.82], None),
        ];
        for (impacts, shown) in table {
            figure.impacts = impacts.iter().map(|&x| mark(x, x)).collect();
            let inset =
                frame::inset::of(&figure, &frame::Frame::new(&figure.bounds, figure.equal_aspect));
            let found = inset.map(|inset| {
                assert_eq!(inset.connections().len(), 2);
                figure.impacts.iter().filter(|mark| inset.shows(mark)).count()
            });
            assert_eq!(found, shown, "{impacts:?}");
        }
    }

    /// The heading over time: no outline, no body, axes of different units.
    #[test]
    fn a_scene_without_outline_and_body_has_a_frame_of_its_own() {
        let penny = Penny::with_parameters(&[None; 6]).unwrap();
        let scene = Scene {
            x: Axis::time("s"),
            y: Axis {
                quantity: Quantity::Velocity(3), symbol: "φ̇".into(), unit: "rad/s".into()
            },
            ..Scene::of_coordinates(&penny)
        };
        let figure = figure(&scene, &penny, &run(&penny, 3)).unwrap();
        let svg = format::page::svg(&figure, &Look::default()).unwrap();
        for text in ["impact law: elastic; 3 impacts", "(s)", "φ̇", "(rad/s)", "y against x"] {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert_eq!(figure.path.len(), 3, "the velocity jumps at each impact");
        assert!(!format::png::render(&svg, None).unwrap().is_empty());
    }
}
