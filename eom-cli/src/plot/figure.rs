//! What a figure shows, in the units of its axes: curves, marks, words.

use crate::plot::view::{View, boxed, is_there};
use eom_core::{Counted, EventKind, System, Trajectory};
use models::scene::{Axis, Outline, Point, Scene};

/// A figure without a page.
pub(crate) struct Figure<'a> {
    /// Its title.
    pub(crate) title: String,
    /// The line below: impact law, impacts, time.
    pub(crate) subtitle: String,
    /// The horizontal and the vertical axis.
    pub(crate) axes: [&'a Axis; 2],
    /// Whether both axes have one scale.
    pub(crate) equal_aspect: bool,
    /// Curves that do not move.
    pub(crate) outlines: &'a [Outline],
    /// What the legend calls the path.
    pub(crate) path_label: &'a str,
    /// The path, in pieces that are cut where coordinates jump.
    pub(crate) path: Vec<Vec<Point>>,
    /// Where it starts.
    pub(crate) start: Point,
    /// What the legend calls the marks.
    pub(crate) mark_label: &'a str,
    /// Impacts in their order.
    pub(crate) impacts: Vec<ImpactMark>,
    /// Where declared events happen.
    pub(crate) events: Vec<Point>,
    /// The samples.
    pub(crate) corners: Vec<Point>,
    /// Lowest and highest value along each axis.
    pub(crate) bounds: [[f64; 2]; 2],
}

/// An impact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImpactMark {
    /// Which of the run it is, from 1.
    pub(crate) number: usize,
    /// Where the path has its corner.
    pub(crate) corner: Point,
    /// Where the body touches; the corner, where the scene has no body.
    pub(crate) touch: Point,
    /// The body.
    pub(crate) body: Option<[Point; 2]>,
}

impl<'a> Figure<'a> {
    /// The figure of a trajectory that was sampled at every step.
    pub(crate) fn new(
        scene: &'a Scene,
        view: &View<'_>,
        trajectory: &Trajectory,
        law: &str,
    ) -> Result<Self, String> {
        let corners = view.corners(trajectory);
        let start = *corners.first().ok_or("there is nothing to draw")?;
        let impacts = impacts(scene, view, trajectory);
        let outlines = scene.outlines.iter().flat_map(|outline| &outline.points);
        let marks = impacts.iter().flat_map(|mark| [&mark.touch, &mark.corner]);
        let (bounds, path) =
            boxed(corners.iter().chain(outlines).chain(marks), view.log, |bounds| {
                vec![view.path(trajectory, bounds)]
            })?;
        Ok(Self {
            title: scene.title.clone(),
            subtitle: subtitle(scene, view.system, trajectory, law),
            axes: [&scene.x, &scene.y],
            equal_aspect: scene.equal_aspect,
            outlines: &scene.outlines,
            path_label: &scene.path,
            path: path.concat(),
            start,
            mark_label: scene.body.map_or("impact", |body| body.label),
            impacts,
            events: events(view, trajectory),
            corners,
            bounds,
        })
    }
}

fn impacts(scene: &Scene, view: &View<'_>, trajectory: &Trajectory) -> Vec<ImpactMark> {
    let mark = |(index, (contact, event)): (usize, (usize, &eom_core::Event))| {
        let (number, corner) = (index + 1, view.before(event, trajectory));
        match scene.body {
            Some(body) => ImpactMark {
                number,
                corner,
                touch: (body.touch)(view.system, contact, event.t, event.q_minus()),
                body: Some((body.ends)(view.system, event.t, event.q_minus())),
            },
            None => ImpactMark { number, corner, touch: corner, body: None },
        }
    };
    trajectory.impacts().enumerate().map(mark).filter(|mark| is_there(&mark.corner)).collect()
}

/// Declared events, on the side before them: their path has its end there.
pub(crate) fn events(view: &View<'_>, trajectory: &Trajectory) -> Vec<Point> {
    let declared =
        trajectory.events.iter().filter(|event| matches!(event.kind, EventKind::Declared { .. }));
    declared.map(|event| view.before(event, trajectory)).filter(is_there).collect()
}

/// `a = 0.15 m, b = 0.2 m; elastic; 20 impacts in 23.77 s`.
pub(crate) fn subtitle(
    scene: &Scene,
    system: &dyn System,
    trajectory: &Trajectory,
    law: &str,
) -> String {
    let start = trajectory.samples.first().map_or(0.0, |state| state.t);
    let time = format!("{} {}", duration(trajectory.end.t() - start), scene.time_unit);
    let motion = match (system.info().contacts.len(), trajectory.impacts().count()) {
        (0, _) => format!("motion of {}", time.trim_end()),
        (_, count) => {
            let impacts = Counted(count as u64, "impact");
            format!("impact law: {law}; {impacts} in {}", time.trim_end())
        }
    };
    if scene.detail.is_empty() { motion } else { format!("{}; {motion}", scene.detail) }
}

/// A time to hundredths, a short one to three digits.
fn duration(time: f64) -> String {
    if time == 0.0 || time.abs() >= 0.1 {
        format!("{time:.2}")
    } else {
        format!("{time:.2e}").replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_digits() {
        let table = [
            (0.0, "0.00"),
            (23.774, "23.77"),
            (0.25, "0.25"),
            (2e-14, "2.00e−14"),
            (0.0123, "1.23e−2"),
        ];
        for (time, shown) in table {
            assert_eq!(duration(time), shown);
        }
    }
}
