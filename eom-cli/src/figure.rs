//! A figure of the documents: its runs are made as `eom run` makes them, then drawn.

use crate::cli::{Cli, Command, RunArguments};
use crate::model::Model;
use crate::names::{Target, speeds};
use crate::plot::{self, Along as RunsAlong, CurveOfRun, Look, Panel};
use crate::run::plan::Plan;
use crate::run::precise::{self, Told, Unstarted};
use crate::run::request::Request;
use clap::Parser as _;
use eom_core::{Options, Sampling, State, Trajectory, simulate};
use eom_interpreter::account::law;
use eom_precise::Precision;
use models::figures::{Along, Cloud, Curves, Drawing, FigureEntry};
use models::scene::{Axis, Point, Quantity, Scene};
use std::ops::ControlFlow;

/// The SVG of a figure.
pub(crate) fn svg(entry: &FigureEntry) -> Result<String, String> {
    match &entry.drawing {
        Drawing::Scene { run } => {
            let request = request(run)?;
            let law = law(&*request.system, request.options.law);
            let Some(digits) = request.precision else {
                return plot::svg(&request, &trajectory(&request)?, &law);
            };
            let told = precise(&request, digits)?;
            let law = format!("{law}, {}", told.needed());
            plot::svg(&request, &told.made.trajectory, &law)
        }
        Drawing::Curves(curves) => of_curves(curves),
        Drawing::Cloud(cloud) => of_cloud(cloud),
    }
}

/// The arguments of `eom run`, as they stand on a command line.
fn arguments(run: &str) -> Result<RunArguments, String> {
    let words = ["eom", "run"].into_iter().chain(run.split_whitespace());
    match Cli::try_parse_from(words).map_err(|error| error.to_string())?.command {
        Command::Run(arguments) => Ok(*arguments),
        _ => Err(format!("`{run}` is not a run")),
    }
}

/// A run of a model of the catalogue.
fn request(run: &str) -> Result<Request, String> {
    of_arguments(&arguments(run)?)
}

fn of_arguments(arguments: &RunArguments) -> Result<Request, String> {
    let model = Model::find_silently(&arguments.model).map_err(|failure| failure.to_string())?;
    Plan::only(model, arguments)
}

/// The run in higher precision, with all of its steps.
fn precise(request: &Request, digits: Precision) -> Result<Told, String> {
    let options = request.sampled(Sampling::Curve);
    precise::precise(request, (digits, &options), &mut |_| ()).map_err(|error| match error {
        Unstarted::Start(error) => error.to_string(),
        Unstarted::Refused(reason) => reason,
    })
}

/// The run, with all of its steps. One that ends early is drawn as far as it came.
fn trajectory(request: &Request) -> Result<Trajectory, String> {
    if let Some(digits) = request.precision {
        return Ok(precise(request, digits)?.made.trajectory);
    }
    let options = request.sampled(Sampling::Curve);
    run(request, &request.start, &options)
}

fn run(request: &Request, start: &State, options: &Options) -> Result<Trajectory, String> {
    let mut observer = |_: &eom_core::Progress<'_>| ControlFlow::Continue(());
    simulate(&*request.system, start, &request.inputs, options, &mut observer)
        .map_err(|error| error.to_string())
}

fn of_curves(curves: &Curves) -> Result<String, String> {
    let mut runs = Vec::new();
    for curve in curves.curves {
        let request = request(curve.run)?;
        let trajectory = trajectory(&request)?;
        runs.push((curve.label, request, trajectory));
    }
    let drawn = runs
        .iter()
        .map(|(label, request, trajectory)| {
            let axes = [axis(&curves.x, request)?, axis(&curves.y, request)?];
            let along = [&axes[0], &axes[1]].map(|axis| RunsAlong::from(axis.quantity));
            let label = (*label).to_owned();
            Ok(CurveOfRun { label, request, axes, along, trajectory, marked: false })
        })
        .collect::<Result<Vec<_>, String>>()?;
    let words = (curves.title, curves.detail);
    let scene = runs.first().filter(|_| curves.outlined);
    let scene = scene.map(|(_, request, _)| request.model.scene(&*request.system));
    let outlines = scene.map_or_else(Vec::new, |scene| scene.outlines);
    plot::curves(words, (curves.equal_aspect, &outlines), &drawn, &Look::default())
}

/// The axis of a name in the system of a run.
fn axis(along: &Along, request: &Request) -> Result<Axis, String> {
    let info = request.model.info;
    let output = info.outputs.iter().position(|output| output.ascii == along.name);
    let quantity = match (output, along.name) {
        (Some(index), _) => Quantity::Output(index),
        (None, name) => match Target::find(name, info)? {
            Target::Time => Quantity::Time,
            Target::Coordinate(index) => Quantity::Coordinate(index),
            Target::Velocity(index) => Quantity::Velocity(index),
            _ => {
                return Err(format!("`{name}` does not move in {}", request.model.name));
            }
        },
    };
    Ok(Axis { quantity, symbol: along.symbol.to_owned(), unit: along.unit.to_owned() })
}

fn of_cloud(cloud: &Cloud) -> Result<String, String> {
    let middle = request(cloud.run)?;
    let scene = middle.model.scene(&*middle.system);
    let mut panels = Vec::new();
    for (t, point) in cloud.times.iter().zip(points(&scene, &middle, cloud.times)?) {
        let middle = point.ok_or_else(|| format!("the run ends before t = {t}"))?;
        let name = format!("t = {t} {}", cloud.time_unit);
        panels.push(Panel { name, points: Vec::new(), middle });
    }
    for request in nearby(cloud, &middle)? {
        for (panel, point) in panels.iter_mut().zip(points(&scene, &request, cloud.times)?) {
            panel.points.extend(point);
        }
    }
    let spread: Vec<String> = cloud
        .spread
        .iter()
        .map(|(name, size)| format!("{} ± {size}", shown(name, &middle)))
        .collect();
    let detail = format!("{} runs; {}; {}", cloud.starts, spread.join(", "), scene.detail);
    plot::cloud(cloud.title, &detail, &scene, &panels)
}

/// The runs of a cloud: velocities drawn evenly around those of the run in the middle.
fn nearby(cloud: &Cloud, middle: &Request) -> Result<Vec<Request>, String> {
    let mut random = fastrand::Rng::with_seed(cloud.seed);
    let mut runs = Vec::new();
    for _ in 0..cloud.starts {
        let mut arguments = arguments(cloud.run)?;
        for (name, size) in cloud.spread {
            let value = speed(name, middle)? + size * (2.0 * random.f64() - 1.0);
            arguments.sets.push(format!("{name}={value:e}"));
        }
        runs.push(of_arguments(&arguments)?);
    }
    Ok(runs)
}

/// The name of a velocity as it was declared.
fn shown(name: &str, request: &Request) -> String {
    match Target::find(name, request.model.info) {
        Ok(Target::Velocity(index)) => speeds(request.model.info)[index].clone(),
        _ => name.to_owned(),
    }
}

/// The velocity of a name at the start of a run.
fn speed(name: &str, request: &Request) -> Result<f64, String> {
    match Target::find(name, request.model.info)? {
        Target::Velocity(index) => Ok(request.start.v[index]),
        _ => Err(format!("`{name}` is not a velocity of {}", request.model.name)),
    }
}

/// Where a run is at some times; nowhere once it has ended.
fn points(scene: &Scene, request: &Request, times: &[f64]) -> Result<Vec<Option<Point>>, String> {
    let mut state = request.start.clone();
    let mut ended = false;
    let mut points = Vec::new();
    for &t in times {
        if !ended {
            let options = Options {
                until_time: Some(t),
                until_impacts: None,
                until_events: None,
                ..request.sampled(Sampling::Ends)
            };
            let trajectory = run(request, &state, &options)?;
            ended = !trajectory.end.is_complete();
            state = trajectory.samples.last().cloned().unwrap_or(state);
        }
        points.push((!ended).then(|| plot::point(scene, request, &state)));
    }
    Ok(points)
}
