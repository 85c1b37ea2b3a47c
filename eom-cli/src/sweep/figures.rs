//! The figures of a sweep: its runs as curves in one frame, or what its tables say of them.

use crate::error::Failure;
use crate::plot::{self, CurveOfRun, Series, Spec};
use crate::run::drive::execute_quietly;
use crate::run::outputs::{Fate, Picture};
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::sweep::journal::{self, Journal};
use crate::sweep::points::TableFigure;
use crate::sweep::record::Record;
use eom_core::{Counted, Sampling, Trajectory};

/// More curves than this cannot be told apart.
const DRAWN_MAX: usize = 12;

/// A run with its name among others.
type Run = (String, Request, Trajectory);

/// The run that tells what figures show; none without figures.
pub(crate) fn drawn(plan: &Plan) -> Result<Option<Request>, Failure> {
    if plan.output.plots.is_empty() {
        return Ok(None);
    }
    let is_motion = |text: &str, origin| {
        let spec = Spec::parse(text, origin);
        let axes = spec.as_ref().ok().and_then(Spec::axes);
        axes.is_none_or(|axes| matches!(TableFigure::new(plan, axes), Ok(None)))
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
            let svg = table.svg(plan, &records, &picture.look);
            notes.push_str(&picture.write(svg, fate));
        }
    }
    if pictures.is_empty() {
        return Ok(notes);
    }
    let runs: Vec<Run> = (0..plan.count)
        .zip(plan.legends())
        .filter_map(|(run, legend)| {
            let request = plan.request(run).ok()?;
            let trajectory = execute_quietly(&request, &request.sampled(Sampling::Curve)).ok()?;
            Some((legend, request, trajectory))
        })
        .collect();
    for picture in pictures {
        let is_at_events = picture.drawn.as_ref().is_some_and(|drawn| drawn.at.is_some());
        let svg = if is_at_events { at_events(&runs, &picture) } else { curves(&runs, &picture) };
        notes.push_str(&picture.write(svg, fate));
    }
    Ok(notes)
}

/// All runs as curves in one frame.
fn curves(runs: &[Run], picture: &Picture) -> Result<String, String> {
    let mut curves = Vec::new();
    let (mut title, mut equal_aspect) = (String::new(), false);
    for (run, request, trajectory) in runs {
        let drawn = picture.spec.drawn(request).map_err(|complaint| complaint.text())?;
        for (axes, along) in drawn.curves() {
            let symbol = &axes[1].symbol;
            let label =
                if drawn.more.is_empty() { run.clone() } else { format!("{symbol}, {run}") };
            curves.push(CurveOfRun { label, request, axes, along, trajectory, marked: true });
        }
        (title, equal_aspect) = (drawn.scene.title, drawn.scene.equal_aspect);
    }
    match curves.len() {
        0 => return Err("no run starts".to_owned()),
        count if count > 2 * DRAWN_MAX => {
            return Err(format!("{count} curves are too many for a figure"));
        }
        _ => {}
    }
    let detail = Counted(runs.len() as u64, "run").to_string();
    plot::curves((&title, &detail), (equal_aspect, &[]), &curves, &picture.look)
}

/// Where all runs are at events, in one frame.
fn at_events(runs: &[Run], picture: &Picture) -> Result<String, String> {
    let mut all: Vec<Series> = Vec::new();
    let mut axes = None;
    for (name, request, trajectory) in runs {
        let drawn = picture.spec.drawn(request).map_err(|complaint| complaint.text())?;
        let Some(at) = drawn.at else { continue };
        let series = plot::at_events(request, trajectory, at, (&drawn, &picture.look));
        let several = series.len() > 1;
        all.extend(series.into_iter().map(|Series { label, points }| {
            let label = if several { format!("{label}, {name}") } else { name.clone() };
            Series { label, points }
        }));
        let y = drawn.vertical();
        axes = Some((drawn.scene.title, drawn.scene.x, y));
    }
    let (title, x, y) = axes.ok_or("there is nothing to draw")?;
    let detail = Counted(runs.len() as u64, "run").to_string();
    plot::points((&title, &detail), [&x, &y], &all, &picture.look)
}
