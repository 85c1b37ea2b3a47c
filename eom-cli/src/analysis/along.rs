//! Steady motions and orbits along a value: branches, what happens on them, their diagram.

use crate::analysis::orbit::section;
use crate::analysis::shown::{complex, pretty, significant, state_json, state_text};
use crate::analysis::{names_of_parts, parts};
use crate::cli::{AnalyseArguments, AnalyseFormat, Analysis};
use crate::complaint::Origin;
use crate::error::{Failure, Outcome};
use crate::eval::state::speed_keys;
use crate::files::{Output, Permit};
use crate::names::{Target, speeds, speeds_ascii, spelled};
use crate::plot::{self, Happening, Look, Piece, Spec, image_format};
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::scenario::Values;
use crate::shell;
use eom_analysis::{
    AnalysisError, Branch, BranchEnd, BranchPoint, ContinuationOptions, Member, Section, Special,
    SpecialKind, SteadyOptions, continue_orbit, continue_steady, latest_return,
};
use eom_core::info::SystemInfo;
use models::scene::{Axis, Point, Quantity};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

/// A diagram that is asked for: its file, and the axes as written.
pub(crate) struct Diagram {
    pub(crate) path: PathBuf,
    spec: Spec,
}

impl Diagram {
    /// What --plot says; nothing is read of the model yet.
    pub(crate) fn asked(arguments: &AnalyseArguments) -> Result<Option<Self>, Failure> {
        let Some(text) = &arguments.plot else { return Ok(None) };
        let origin = Origin::Argument(format!("--plot {text}"));
        let spec =
            Spec::parse(text, &origin).map_err(|complaint| Failure::Refused(complaint.text()))?;
        let words = format!("--plot {text}: write FILE.svg, or X:Y=FILE.svg");
        if !spec.is_named() {
            return Err(Failure::Refused(words));
        }
        let path = spec.path(&arguments.model, None, plot::ImageFormat::Svg);
        Ok(Some(Self { path, spec }))
    }

    /// Whether it says what runs along its axes.
    pub(crate) fn has_axes(&self) -> bool {
        self.spec.axes().is_some()
    }

    /// Its file, before what it shows is looked for: an answer is not lost to a name that cannot be written.
    pub(crate) fn open(&self, permit: &Permit) -> Result<(&Self, Output), Failure> {
        Ok((self, Output::open(permit, "--plot", &self.path)?))
    }

    /// Writes the picture of an SVG.
    pub(crate) fn write(&self, output: Output, svg: Result<String, String>) -> Result<(), Failure> {
        let format = image_format(&self.path).unwrap_or(plot::ImageFormat::Svg);
        let image = svg.and_then(|svg| plot::image(&svg, format, None));
        let lost = |reason| Failure::output(output.name(), io::Error::other(reason));
        let image = image.map_err(lost)?;
        output.replace(&image)
    }
}

/// Prints the branches, and draws them.
pub(crate) fn print(
    plan: &Plan,
    arguments: &AnalyseArguments,
    (diagram, permit): (Option<&Diagram>, &Permit),
) -> Result<Outcome, Failure> {
    let axis = &plan.axes[0];
    let found = Along { plan, target: axis.target, name: axis.target.name(plan.model.info) };
    let Values::Listed(ends) = &axis.values else {
        return Err(Failure::refused("--along has two ends: write NAME=FROM:TO"));
    };
    let range = [ends[0], ends[ends.len() - 1]];
    let ordinate = diagram.map(|diagram| found.ordinate(diagram, arguments)).transpose()?;
    let open = diagram.map(|diagram| diagram.open(permit)).transpose()?;
    let branches = found.branches(arguments, range).map_err(Failure::Refused)?;
    let shown = match arguments.format {
        AnalyseFormat::Text => found.text(&branches),
        AnalyseFormat::Json => found.json(&branches),
        AnalyseFormat::Tsv => found.tsv(&branches),
    };
    shell::print_line(shown.trim_end())?;
    if let (Some((diagram, output)), Some(ordinate)) = (open, ordinate) {
        diagram.write(output, found.svg(&branches, ordinate, arguments))?;
    }
    Ok(Outcome::Done)
}

/// What runs up a diagram.
#[derive(Debug, Clone, Copy)]
enum Ordinate {
    Entry(usize),
    Period,
    /// The entry that changes most.
    Most,
}

struct Along<'p> {
    plan: &'p Plan,
    target: Target,
    name: String,
}

impl Along<'_> {
    fn info(&self) -> &'static SystemInfo {
        self.plan.model.info
    }

    fn request(&self, value: f64) -> Result<Request, String> {
        self.plan.request_at(0, &[value]).map_err(|complaint| complaint.text())
    }

    fn branches(
        &self,
        arguments: &AnalyseArguments,
        range: [f64; 2],
    ) -> Result<Vec<Branch>, String> {
        let is_orbit = arguments.what == Analysis::Orbit;
        let asked = |request: &Request| section(arguments, &*request.system);
        let family = |value: f64| {
            let lost = |why: String| AnalysisError::NoMember { value, why };
            let request = self.request(value).map_err(lost)?;
            let period = match is_orbit.then(|| asked(&request)).transpose().map_err(lost)? {
                Some(Section::Period(period)) => Some(period),
                _ => None,
            };
            Ok(Member { system: request.system, inputs: request.inputs, period })
        };
        let first = self.request(range[0])?;
        let place = match self.target {
            Target::Coordinate(index) => Some(index),
            Target::Velocity(index) => Some(self.info().positions() + index),
            _ => None,
        };
        let mut options = ContinuationOptions::new(range);
        options.entry = place;
        options.step_max = 1.0 / arguments.steps.max(1) as f64;
        options.branches_max = arguments.branches.max(1);
        let found = if is_orbit {
            let section = asked(&first)?;
            let mut run = first.options.clone();
            run.until_impacts = None;
            run.until_events = None;
            run.until_time = Some(latest_return(first.start.t, &run));
            continue_orbit(&family, &first.start, section, &run, options)
        } else {
            let hold = spelled(&arguments.hold, self.info());
            let search = SteadyOptions {
                hold: hold.iter().map(String::as_str).collect(),
                free_inputs: Vec::new(),
            };
            continue_steady(&family, &first.start, &search, options)
        };
        found.map_err(|error| error.to_string())
    }

    /// A branch, what is known at its ends and where something happens.
    fn text(&self, branches: &[Branch]) -> String {
        let mut text = String::new();
        let points = branches.iter().flat_map(|branch| &branch.points);
        let scale = points.fold(0.0, |scale: f64, point| scale.max(point.value.abs()));
        for (index, branch) in branches.iter().enumerate() {
            let from = branch.from.map_or(String::new(), |(other, special)| {
                let at = branches[other].special[special].point.value;
                let at = significant(at, scale);
                format!(" from {} = {at} of branch {}", self.name, other + 1)
            });
            let end = ended(&branch.end);
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "branch {:<6}{} points{from}; {end}",
                index + 1,
                branch.points.len()
            );
            let first = branch.points.first().map(|point| (point, point.unstable.to_string(), ""));
            let last = branch.points.last().map(|point| (point, point.unstable.to_string(), ""));
            let words = branch.special.iter().enumerate().map(|(number, special)| {
                let is_followed = |other: &Branch| other.from == Some((index, number));
                happens(special, branches.iter().any(is_followed))
            });
            let words: Vec<String> = words.collect();
            let between = branch.special.iter().zip(&words).map(|(special, words)| {
                let [before, after] = special.unstable;
                let both = format!("{before} → {after}");
                let unstable = if before == after { before.to_string() } else { both };
                (&special.point, unstable, words.as_str())
            });
            for (point, unstable, what) in first.into_iter().chain(between).chain(last) {
                let value = significant(point.value, scale);
                let state = state_text(&point.state, &point.inputs, self.info());
                let period = if point.period > 0.0 {
                    format!("period {}, ", significant(point.period, point.period))
                } else {
                    String::new()
                };
                let gap = if what.is_empty() { "" } else { "   " };
                let _ = writeln!(
                    text,
                    "  {} = {value}   unstable {unstable}   {period}{state}{gap}{what}",
                    self.name
                );
            }
        }
        text
    }

    /// All of it, with all digits.
    fn json(&self, branches: &[Branch]) -> String {
        let point = |point: &BranchPoint| -> Value {
            let values: Vec<Value> = point.values.iter().map(|value| complex(*value)).collect();
            json!({
                "value": point.value,
                "state": state_json(&point.state, speed_keys(self.info()), self.info()),
                "inputs": point.inputs,
                "period": (point.period > 0.0).then_some(point.period),
                "unstable": point.unstable,
                "values": values,
            })
        };
        let special = |special: &Special| {
            let frequency = match special.kind {
                SpecialKind::Oscillation { frequency }
                | SpecialKind::Meeting { frequency }
                | SpecialKind::Tangency { frequency } => Some(frequency),
                SpecialKind::Torus { angle } => Some(angle),
                _ => None,
            };
            let contact = match special.kind {
                SpecialKind::Grazing { contact } => Some(contact),
                _ => None,
            };
            json!({
                "kind": word(&special.kind),
                "after": special.after,
                "unstable": special.unstable,
                "frequency": frequency,
                "contact": contact,
                "point": point(&special.point),
            })
        };
        let all: Vec<Value> = branches
            .iter()
            .map(|branch| {
                let from = branch
                    .from
                    .map(|(other, number)| json!({ "branch": other, "special": number }));
                json!({
                    "from": from,
                    "end": ended(&branch.end),
                    "points": branch.points.iter().map(point).collect::<Vec<_>>(),
                    "special": branch.special.iter().map(special).collect::<Vec<_>>(),
                })
            })
            .collect();
        pretty(&json!({ "along": self.name, "branches": all }))
    }

    /// A row a point, what happens among them.
    fn tsv(&self, branches: &[Branch]) -> String {
        let info = self.info();
        let count = branches.iter().flat_map(|branch| &branch.points);
        let count = count.map(|point| point.values.len()).max().unwrap_or(0);
        let state = (0..info.positions()).map(|i| info.position_ascii(i)).chain(speeds_ascii(info));
        let first = ["branch", "what"].map(str::to_owned).into_iter();
        let numbers = [self.target.ascii(info), "unstable".to_owned(), "period".to_owned()];
        let header = first.chain(numbers).chain(state).chain(names_of_parts(count));
        let mut lines = vec![header.collect::<Vec<_>>().join("\t")];
        for (index, branch) in branches.iter().enumerate() {
            for (point, special) in in_order(branch) {
                let what = special.map_or("", |special| word(&special.kind));
                let state = point.state.q.iter().chain(&point.state.v).copied();
                let numbers = [point.value, point.unstable as f64, point.period];
                let numbers = numbers.into_iter().chain(state).chain(parts(&point.values));
                let texts = [(index + 1).to_string(), what.to_owned()];
                let all = texts.into_iter().chain(numbers.map(|number| number.to_string()));
                lines.push(all.collect::<Vec<_>>().join("\t"));
            }
        }
        lines.join("\n")
    }

    /// What --plot has run up the diagram.
    fn ordinate(
        &self,
        diagram: &Diagram,
        arguments: &AnalyseArguments,
    ) -> Result<Ordinate, Failure> {
        let Some(axes) = diagram.spec.axes() else { return Ok(Ordinate::Most) };
        let refused = |what: String| Failure::Refused(format!("--plot: {what}"));
        let ([x], [y]) = (&axes.x[..], &axes.y[..]) else {
            return Err(refused("a diagram has one name on each axis".to_owned()));
        };
        let find = |name: &str| Target::find(name, self.info()).map_err(&refused);
        if find(x)? != self.target {
            return Err(refused(format!("`{}` runs along a diagram", self.name)));
        }
        if y == "period" && arguments.what == Analysis::Orbit {
            return Ok(Ordinate::Period);
        }
        match find(y)? {
            Target::Coordinate(index) => Ok(Ordinate::Entry(index)),
            Target::Velocity(index) => Ok(Ordinate::Entry(self.info().positions() + index)),
            _ => Err(refused(format!("`{y}` is no entry of the state"))),
        }
    }

    fn svg(
        &self,
        branches: &[Branch],
        ordinate: Ordinate,
        arguments: &AnalyseArguments,
    ) -> Result<String, String> {
        let ordinate = match ordinate {
            Ordinate::Most => Ordinate::Entry(self.most(branches)),
            other => other,
        };
        let place = |point: &BranchPoint| -> Point {
            let y = match ordinate {
                Ordinate::Period => point.period,
                Ordinate::Entry(place) => entry(point, place),
                Ordinate::Most => 0.0,
            };
            [point.value, y]
        };
        let pieces: Vec<Piece> = branches.iter().flat_map(|branch| pieces(branch, place)).collect();
        let happening = |special: &Special| Happening {
            at: place(&special.point),
            label: word(&special.kind).to_owned(),
        };
        let specials = branches.iter().flat_map(|branch| &branch.special);
        let happenings: Vec<Happening> = specials.map(happening).collect();
        let symbol = match ordinate {
            Ordinate::Period => "T".to_owned(),
            Ordinate::Entry(place) => self.symbol(place),
            Ordinate::Most => String::new(),
        };
        let axis = |symbol: String| Axis { quantity: Quantity::Time, symbol, unit: String::new() };
        let (x, y) = (axis(self.name.clone()), axis(symbol));
        let what =
            if arguments.what == Analysis::Orbit { "periodic orbits" } else { "steady motions" };
        let title = format!("{}: {what}", self.plan.model.name);
        let many = if branches.len() == 1 {
            "1 branch".to_owned()
        } else {
            format!("{} branches", branches.len())
        };
        let detail = format!("{many} along {}", self.name);
        plot::branches((&title, &detail), [&x, &y], &pieces, &happenings, &Look::default())
    }

    /// The coordinate that changes most on the branches; where none does, the speed.
    fn most(&self, branches: &[Branch]) -> usize {
        let spread = |place: usize| {
            let points = branches.iter().flat_map(|branch| &branch.points);
            let values = points.map(|point| entry(point, place));
            let ends = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], y| {
                [low.min(y), high.max(y)]
            });
            ends[1] - ends[0]
        };
        let n = self.info().positions();
        let is_free = |place: &usize| match self.target {
            Target::Coordinate(index) => *place != index,
            Target::Velocity(index) => *place != n + index,
            _ => true,
        };
        let widest = |places: std::ops::Range<usize>| {
            let places = places.filter(is_free).map(|place| (spread(place), place));
            places.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        };
        match widest(0..n).filter(|(spread, _)| *spread > 0.0) {
            Some((_, place)) => place,
            None => widest(n..n + self.info().speeds()).map_or(0, |(_, place)| place),
        }
    }

    fn symbol(&self, place: usize) -> String {
        let n = self.info().positions();
        if place < n {
            return self.info().position_name(place);
        }
        speeds(self.info()).get(place - n).cloned().unwrap_or_default()
    }
}

fn entry(point: &BranchPoint, place: usize) -> f64 {
    let mut entries = point.state.q.iter().chain(&point.state.v);
    entries.nth(place).copied().unwrap_or(f64::NAN)
}

/// The points of a branch with those between them at which something happens.
fn in_order(branch: &Branch) -> impl Iterator<Item = (&BranchPoint, Option<&Special>)> {
    branch.points.iter().enumerate().flat_map(|(index, point)| {
        let behind = branch.special.iter().filter(move |special| special.after == index);
        std::iter::once((point, None)).chain(behind.map(|special| (&special.point, Some(special))))
    })
}

/// Pieces that are stable or not as a whole.
fn pieces(branch: &Branch, place: impl Fn(&BranchPoint) -> Point) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let all: Vec<_> = in_order(branch).collect();
    for pair in all.windows(2) {
        let [(from, before), (to, behind)] = pair else { continue };
        // At a point where something happens, what counts is its side.
        let unstable = match (before, behind) {
            (Some(special), _) => special.unstable[1],
            (None, Some(special)) => special.unstable[0],
            (None, None) => to.unstable,
        };
        let (is_stable, next) = (unstable == 0, place(to));
        match pieces.last_mut() {
            Some(piece) if piece.is_stable == is_stable => piece.points.push(next),
            _ => pieces.push(Piece { points: vec![place(from), next], is_stable }),
        }
    }
    pieces
}

/// One word, for tables.
fn word(kind: &SpecialKind) -> &'static str {
    match kind {
        SpecialKind::Fold => "fold",
        SpecialKind::Branching => "branching",
        SpecialKind::Oscillation { .. } => "oscillation",
        SpecialKind::Meeting { .. } => "meeting",
        SpecialKind::Doubling => "doubling",
        SpecialKind::Torus { .. } => "torus",
        SpecialKind::Grazing { .. } => "grazing",
        SpecialKind::Tangency { .. } => "tangency",
        SpecialKind::Several => "several",
    }
}

/// The same in words; of a branching whether the branch across is among those that are told.
fn happens(special: &Special, is_followed: bool) -> String {
    let shown = |number: f64| significant(number, number.abs());
    let is_orbit = special.point.period > 0.0;
    match &special.kind {
        SpecialKind::Fold => "fold: the branch turns back".to_owned(),
        SpecialKind::Branching if is_followed => {
            "branching: another branch goes through".to_owned()
        }
        SpecialKind::Branching => {
            "branching: a real one crosses, no branch across is followed".to_owned()
        }
        SpecialKind::Oscillation { frequency } => format!("a pair ± {} i", shown(*frequency)),
        SpecialKind::Meeting { frequency } if is_orbit => {
            format!("two pairs of multipliers meet at e^(± {} i)", shown(*frequency))
        }
        SpecialKind::Meeting { frequency } => {
            format!("two pairs meet at ± {} i", shown(*frequency))
        }
        SpecialKind::Doubling => "a multiplier through −1: the period doubles".to_owned(),
        SpecialKind::Torus { angle } => {
            format!("a pair of multipliers e^(± {} i): Neimark and Sacker", shown(*angle))
        }
        SpecialKind::Grazing { contact } => format!("`{contact}` is grazed"),
        SpecialKind::Tangency { frequency } => {
            let what = if *frequency == 0.0 { "a real one" } else { "a pair" };
            format!("{what} touches what it would cross, and turns back")
        }
        SpecialKind::Several => "several at once, or not told apart".to_owned(),
    }
}

fn ended(end: &BranchEnd) -> String {
    match end {
        BranchEnd::Range => "it leaves the range".to_owned(),
        BranchEnd::Closed => "it closes".to_owned(),
        BranchEnd::Meets => "it meets a branch that is known".to_owned(),
        BranchEnd::Points => "it has as many points as are made".to_owned(),
        BranchEnd::Stays => {
            "all along it the value is the same: these states are a family there".to_owned()
        }
        BranchEnd::Unbounded => "it goes beyond all bounds".to_owned(),
        BranchEnd::Lost { why } => format!("it ends: {why}"),
    }
}
