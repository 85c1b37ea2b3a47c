//! The figures of a sweep: its runs as curves in one frame, or what its tables say of them.

use crate::error::Failure;
use crate::plot::{self, CurveOfRun, Spec};
use crate::run::drive::execute_quietly;
use crate::run::outputs::{Fate, Picture};
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::sweep::journal::{self, Journal};
use crate::sweep::points::TableFigure;
use crate::sweep::record::Record;
use eom_core::{Sampling, Trajectory};

/// More curves than this cannot be told apart.
const DRAWN_MAX: usize = 12;

/// The run that tells what figures show; none without figures.
pub(crate) fn drawn(plan: &Plan) -> Result<Option<Request>, Failure> {
    if plan.output.plots.is_empty() {
        return Ok(None);
    }
    let is_motion = |text: &str, origin| {
        let spec = Spec::parse(text, origin);
        let axes = spec.as_ref().ok().and_then(Spec::axes);
        !axes.is_some_and(|axes| !matches!(TableFigure::new(plan, axes), Ok(None)))
    };
    let has_curves = plan.output.plots.iter().any(|(text, origin)| is_motion(text, origin));
    if has_curves && plan.count > DRAWN_MAX {
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
    journal: &mut Journal,
    pictures: Vec<Picture>,
    fate: &mut Fate,
) -> Result<String, Failure> {
    let mut notes = String::new();
    let (tables, pictures): (Vec<Picture>, Vec<Picture>) =
        pictures.into_iter().partition(|picture| picture.table.is_some());
    if !tables.is_empty() {
        let records = journal.records().collect::<Result<Vec<Record>, _>>();
        let records = records.map_err(|error| Failure::output(&journal::name(plan), error))?;
        for picture in tables {
            let Some(table) = &picture.table else { continue };
            let svg = table.svg(plan, &records, &picture.look).map_err(Failure::refused)?;
            notes.push_str(&picture.write(&svg, fate)?);
        }
    }
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
        let mut labels = Vec::new();
        for (label, request, _) in &runs {
            let drawn = picture.spec.drawn(request);
            let drawn = drawn.map_err(|complaint| Failure::Refused(complaint.text()))?;
            let first = (drawn.along[1].clone(), drawn.scene.y.clone());
            let all: Vec<_> = [first].into_iter().chain(drawn.more.iter().cloned()).collect();
            let named = |symbol: &str| match all.len() {
                1 => label.clone(),
                _ => format!("{symbol}, {label}"),
            };
            labels.push((
                all.iter().map(|(_, axis)| named(&axis.symbol)).collect::<Vec<_>>(),
                drawn,
                all,
            ));
        }
        let mut curves = Vec::new();
        let (mut title, mut equal_aspect) = (String::new(), false);
        for ((_, request, trajectory), (labels, drawn, all)) in runs.iter().zip(&labels) {
            (title, equal_aspect) = (drawn.scene.title.clone(), drawn.scene.equal_aspect);
            for (label, (along, axis)) in labels.iter().zip(all) {
                let axes = [drawn.scene.x.clone(), axis.clone()];
                let along = [drawn.along[0].clone(), along.clone()];
                curves.push(CurveOfRun { label, request, axes, along, trajectory, marked: true });
            }
        }
        if curves.len() > 2 * DRAWN_MAX {
            let message = format!("--plot: {} curves are too many for a figure", curves.len());
            return Err(Failure::Refused(message));
        }
        if curves.is_empty() {
            continue;
        }
        let detail = format!("{} runs", runs.len());
        let svg = plot::curves((&title, &detail), equal_aspect, &curves, &picture.look);
        let svg = svg.map_err(Failure::refused)?;
        notes.push_str(&picture.write(&svg, fate)?);
    }
    Ok(notes)
}
