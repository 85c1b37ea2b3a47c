//! The figures of a sweep: its runs as curves in one frame.

use crate::error::Failure;
use crate::plot::{self, CurveOfRun};
use crate::run::drive::execute_quietly;
use crate::run::outputs::{Fate, Picture};
use crate::run::plan::Plan;
use crate::run::request::Request;
use eom_core::{Sampling, Trajectory};

/// More curves than this cannot be told apart.
const DRAWN_MAX: usize = 12;

/// The run that tells what figures show; none without figures.
pub(crate) fn drawn(plan: &Plan) -> Result<Option<Request>, Failure> {
    if plan.output.plots.is_empty() {
        return Ok(None);
    }
    if plan.count > DRAWN_MAX {
        return Err(Failure::Refused(format!(
            "--plot: {} runs are too many for a figure: at most {DRAWN_MAX} can be told apart",
            plan.count
        )));
    }
    Ok((0..plan.count).find_map(|run| plan.request(run).ok()))
}

/// Draws all runs that start; the lines that say where the figures are.
pub(crate) fn draw(
    plan: &Plan,
    pictures: Vec<Picture>,
    fate: &mut Fate,
) -> Result<String, Failure> {
    let mut notes = String::new();
    if pictures.is_empty() {
        return Ok(notes);
    }
    let runs: Vec<(String, Request, Trajectory)> = (0..plan.count)
        .filter_map(|run| {
            let request = plan.request(run).ok()?;
            let trajectory = execute_quietly(&request, &request.sampled(Sampling::Steps)).ok()?;
            Some((plan.describe(run), request, trajectory))
        })
        .collect();
    for picture in pictures {
        let mut curves = Vec::new();
        let (mut title, mut equal_aspect) = (String::new(), false);
        for (label, request, trajectory) in &runs {
            let scene = request.model.scene(&*request.system);
            let drawn = picture.spec.drawn(scene, &*request.system);
            let drawn = drawn.map_err(|complaint| Failure::Refused(complaint.text()))?;
            (title, equal_aspect) = (drawn.scene.title, drawn.scene.equal_aspect);
            let axes = [drawn.scene.x, drawn.scene.y];
            curves.push(CurveOfRun { label, request, axes, along: drawn.along, trajectory });
        }
        if curves.is_empty() {
            continue;
        }
        let detail = format!("{} runs", curves.len());
        let svg = plot::curves(&title, &detail, equal_aspect, &curves).map_err(Failure::refused)?;
        notes.push_str(&picture.write(&svg, fate)?);
    }
    Ok(notes)
}
