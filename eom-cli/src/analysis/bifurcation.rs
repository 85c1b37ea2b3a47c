//! Bifurcation diagrams: where the runs of a sweep are at their last returns to a section.
//!
//! ```text
//! each value on its own     the runs of a sweep, on threads and in lanes        record::motions
//! carried on                a run from the latest state of the one before that is admitted as a start
//! ```

use crate::analysis::along::Diagram;
use crate::analysis::orbit::section;
use crate::analysis::shown::{pretty, significant};
use crate::analysis::{Rows, tabbed, told};
use crate::cli::{AnalyseArguments, AnalyseFormat, Carry};
use crate::error::{Failure, Outcome};
use crate::files::Permit;
use crate::plot::{self, Along, Look, Series};
use crate::run::drive::execute_quietly;
use crate::run::plan::Plan;
use crate::run::request::Request;
use crate::shell;
use crate::sweep::points::axis;
use crate::sweep::record::{Made, motions};
use crate::sweep::{jobs, pool};
use eom_analysis::{Section, Side, Visit, repeats_after};
use eom_core::{Counted, End, Options, Sampling, State, Trajectory};
use eom_interpreter::motion::Observer;
use models::scene::Axis;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::num::NonZeroUsize;

/// Different returns that are listed; of more the range is told.
const LISTED: usize = 6;

/// Returns of a run that are told, where the command does not say.
const LAST: usize = 30;

/// What is said of a run that could not go on from the one before.
const ANEW: &str = "   begins as given: none of the last states of the run before is admitted";

/// The numbers of each return of a run, as many as are asked for.
type Returns = Vec<Vec<f64>>;

/// Prints where the runs of a sweep return to, and draws it.
pub(crate) fn print(
    plan: &Plan,
    arguments: &AnalyseArguments,
    (diagram, permit): (Option<&Diagram>, &Permit),
) -> Result<Outcome, Failure> {
    let axis = plan.axes.first();
    let axis = axis.ok_or_else(|| Failure::refused("give --sweep NAME=FROM:TO:COUNT"))?;
    let asked = Asked { plan, arguments, swept: axis.target.name(plan.model.info) };
    // What cannot be asked of one run can be asked of none.
    let first = (0..plan.count).find_map(|run| plan.request(run).ok());
    let Some(first) = first else {
        plan.request(0).map_err(|complaint| Failure::Refused(complaint.text()))?;
        return Err(Failure::refused("there is no run"));
    };
    asked.question(&first).map_err(Failure::Refused)?;
    let axes = asked.axes(&first).map_err(Failure::Refused)?;
    if let Some(diagram) = diagram.filter(|diagram| diagram.has_axes()) {
        let message = format!("--plot: --of says what is drawn: write {}", diagram.path.display());
        return Err(Failure::Refused(message));
    }
    let open = diagram.map(|diagram| diagram.open(permit)).transpose()?;
    shell::watch_interrupts();
    let passes = match arguments.carry {
        None => vec![asked.each()?],
        Some(Carry::Up) => vec![asked.carried(true)],
        Some(Carry::Down) => vec![asked.carried(false)],
        Some(Carry::Both) => vec![asked.carried(true), asked.carried(false)],
    };
    let all: Rows<()> = passes
        .iter()
        .flat_map(|pass| &pass.rows)
        .map(|(at, row)| (*at, row.as_ref().map(|_| ()).map_err(Clone::clone)))
        .collect();
    let outcome = told(&asked.swept, &all, || {
        let shown = match arguments.format {
            AnalyseFormat::Text => asked.text(&passes, &axes),
            AnalyseFormat::Json => asked.json(&passes),
            AnalyseFormat::Tsv => asked.tsv(&passes),
        };
        shell::print_line(shown.trim_end())?;
        match open.filter(|_| !shell::is_interrupted()) {
            Some((diagram, output)) => diagram.write(output, asked.svg(&passes, &axes)),
            None => Ok(()),
        }
    })?;
    let is_whole = passes.iter().all(|pass| pass.rows.len() == plan.count);
    Ok(if is_whole { outcome } else { Outcome::Interrupted })
}

/// A run from which another goes on, sampled for its section.
type Before = (Trajectory, Section);

/// The runs of all values, each on its own or in one direction.
struct Pass {
    way: Option<&'static str>,
    rows: Rows<Returns>,
    /// The rows of runs that could not go on from the one before, and begin as given.
    anew: Vec<usize>,
}

/// What is drawn: a number of the motion, before what happens at a return or after it.
struct Number {
    along: Along,
    after: bool,
}

impl Number {
    fn at(&self, visit: &Visit<'_>, request: &Request) -> f64 {
        let (system, inputs) = (&*request.system, &request.inputs[..]);
        let Side { state, mode } = &visit.sides[usize::from(self.after)];
        let mut observer = Observer::new(system, inputs);
        match visit.event {
            Some(event) if !self.after => self.along.before(event, (&mut observer, mode)),
            _ => self.along.value(&mut observer.see(state, mode)),
        }
    }
}

/// A number as it is written, and its axis.
fn read(text: &str, request: &Request) -> Result<(Number, Axis), String> {
    let scene = request.model.scene(&*request.system);
    let text = text.trim();
    let (plain, after) = match (text.strip_suffix(['+', '⁺']), text.strip_suffix(['-', '⁻'])) {
        (Some(plain), _) => (plain, true),
        (_, Some(plain)) => (plain, false),
        _ => (text, false),
    };
    let found = Along::parse(plain, &scene, &*request.system, &request.functions);
    let found = found.map_err(|mistake| format!("--of {text}: {mistake}"))?;
    if after && matches!(found.along, Along::Impulse(_)) {
        return Err(format!("--of {text}: an impulse is of the impact itself"));
    }
    let side = if plain == text {
        ""
    } else if after {
        "⁺"
    } else {
        "⁻"
    };
    let axis = Axis { symbol: format!("{}{side}", found.axis.symbol), ..found.axis };
    Ok((Number { along: found.along, after }, axis))
}

struct Asked<'a> {
    plan: &'a Plan,
    arguments: &'a AnalyseArguments,
    swept: String,
}

impl Asked<'_> {
    /// How many returns of each run are told.
    fn last(&self) -> usize {
        self.arguments.last.map_or(LAST, NonZeroUsize::get)
    }

    /// The section of a run and what is drawn of it.
    fn question(&self, request: &Request) -> Result<(Section, Vec<Number>), String> {
        let section = section(self.arguments, &*request.system)?;
        let read = |text: &String| read(text, request).map(|(number, _)| number);
        Ok((section, self.arguments.of.iter().map(read).collect::<Result<_, _>>()?))
    }

    /// The axes of what is drawn.
    fn axes(&self, request: &Request) -> Result<Vec<Axis>, String> {
        if self.arguments.of.is_empty() {
            return Err(
                "say what is drawn of each return: --of EXPR, such as x or x_dot+".to_owned()
            );
        }
        let read = |text: &String| read(text, request).map(|(_, axis)| axis);
        self.arguments.of.iter().map(read).collect()
    }

    /// The numbers of the last returns of a run; why there are none where it ended early.
    fn returns(&self, request: &Request, made: &Trajectory) -> Result<Returns, String> {
        if !made.end.is_complete() {
            return Err(made.end.to_string());
        }
        let (section, numbers) = self.question(request)?;
        let visits = section.visits(made, self.last());
        let found: Returns = visits
            .iter()
            .map(|visit| numbers.iter().map(|number| number.at(visit, request)).collect())
            .collect();
        match found.iter().flatten().find(|number| !number.is_finite()) {
            Some(number) => Err(format!("what is drawn is {number} at a return")),
            None => Ok(found),
        }
    }

    /// Each run on its own.
    fn each(&self) -> Result<Pass, Failure> {
        let plan = self.plan;
        let jobs = jobs(self.arguments.jobs)?;
        // A section that this run has not is told with its returns.
        let sampled = |request: &Request| {
            let section = section(self.arguments, &*request.system);
            section.map_or(Sampling::Ends, |section| section.sampling(false))
        };
        let made = pool::collected(jobs, ("runs", plan.count), |runs, (goes_on, keep)| {
            motions(plan, runs, &sampled, goes_on, &|run, made| {
                let row = match made {
                    Made::Refused(reason) => Err(reason),
                    Made::Done(request, _, made) => self.returns(request, made),
                };
                keep((run, row))
            })
        });
        let made = made.map_err(|error| Failure::output("the runs", error))?;
        let rows = made.into_iter().map(|(run, row)| (self.value(run), row)).collect();
        Ok(Pass { way: None, rows, anew: Vec::new() })
    }

    /// The swept value of a run.
    fn value(&self, run: usize) -> f64 {
        self.plan.point(run).1.first().copied().unwrap_or(f64::NAN)
    }

    /// Each run from the one before, with rising or falling values.
    fn carried(&self, rises: bool) -> Pass {
        let mut values: Vec<f64> = (0..self.plan.count).map(|run| self.value(run)).collect();
        values.sort_by(|a, b| if rises { a.total_cmp(b) } else { b.total_cmp(a) });
        let bar = pool::bar("runs", values.len(), 0);
        let mut before: Option<Before> = None;
        let (mut rows, mut anew) = (Vec::with_capacity(values.len()), Vec::new());
        for (index, at) in values.into_iter().enumerate() {
            let row = self.next(at, before.take());
            if shell::is_interrupted() {
                break;
            }
            bar.inc(1);
            let row = row.map(|(returns, made, is_carried)| {
                before = Some(made);
                if index > 0 && !is_carried {
                    anew.push(index);
                }
                returns
            });
            rows.push((at, row));
        }
        bar.finish_and_clear();
        Pass { way: Some(if rises { "up" } else { "down" }), rows, anew }
    }

    /// A run from the one before; from the start as it is given where there is none, or where that leads nowhere. Whether it
    /// goes on from the one before.
    fn next(&self, at: f64, before: Option<Before>) -> Result<(Returns, Before, bool), String> {
        let mut request = self.plan.request_at(0, &[at]).map_err(|complaint| complaint.text())?;
        let (section, _) = self.question(&request)?;
        let options = request.sampled(section.sampling(true));
        let long = options.until_time.map(|end| end - request.start.t);
        let given = request.start.clone();
        let mut run = |start: State| {
            let until_time = long.map(|long| start.t + long);
            request.start = start;
            execute_quietly(&request, &Options { until_time, ..options.clone() })
        };
        // The period of the one before may be another.
        let followed =
            before.and_then(|(before, section)| section.carried(&before, |state| run(state).ok()));
        let is_carried = followed.is_some();
        let made = followed.map_or_else(|| run(given), Ok).map_err(|error| error.to_string())?;
        if matches!(made.end, End::Interrupted { .. }) {
            return Err(made.end.to_string());
        }
        Ok((self.returns(&request, &made)?, (made, section), is_carried))
    }

    /// A line a run: after how many returns it repeats, and where it is at those.
    fn text(&self, passes: &[Pass], axes: &[Axis]) -> String {
        let mut text = String::new();
        let symbols: Vec<&str> = axes.iter().map(|axis| axis.symbol.as_str()).collect();
        let number = |value: f64| significant(value, value.abs());
        for pass in passes {
            let width = pass.rows.iter().map(|(at, _)| number(*at).len()).max().unwrap_or(0);
            let width = width.max(self.swept.chars().count());
            let way = pass.way.map_or(String::new(), |way| format!(", {way}"));
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{:>width$}   returns   repeats after   {}{way}",
                self.swept,
                symbols.join(", ")
            );
            for (index, (at, row)) in pass.rows.iter().enumerate() {
                let at = number(*at);
                let anew = if pass.anew.contains(&index) { ANEW } else { "" };
                let _ = match row {
                    Err(reason) => {
                        writeln!(text, "{at:>width$}         -               -   {reason}")
                    }
                    Ok(returns) => {
                        let after = repeats_after(returns);
                        let repeats = after.map_or("-".to_owned(), |after| after.to_string());
                        let many = returns.len();
                        let shown = places(returns, after, axes.len());
                        writeln!(text, "{at:>width$}   {many:>7}   {repeats:>13}   {shown}{anew}")
                    }
                };
            }
        }
        text
    }

    /// All of it, with all digits.
    fn json(&self, passes: &[Pass]) -> String {
        let row = |(at, row): &(f64, Result<Returns, String>)| match row {
            Ok(returns) => {
                json!({ "at": at, "repeats_after": repeats_after(returns), "returns": returns })
            }
            Err(reason) => json!({ "at": at, "returns": null, "reason": reason }),
        };
        let pass = |pass: &Pass| -> Value {
            let rows: Vec<Value> = pass.rows.iter().map(row).collect();
            let anew: Vec<f64> = pass.anew.iter().map(|index| pass.rows[*index].0).collect();
            json!({ "carried": pass.way, "begins_anew": anew, "rows": rows })
        };
        pretty(&json!({
            "sweep": self.swept,
            "of": self.arguments.of,
            "passes": passes.iter().map(pass).collect::<Vec<_>>(),
        }))
    }

    /// A row a return; of a run without there is none.
    fn tsv(&self, passes: &[Pass]) -> String {
        let swept = self.plan.axes[0].target.ascii(self.plan.model.info);
        let way = passes.iter().any(|pass| pass.way.is_some()).then(|| "carried".to_owned());
        let header = way.into_iter().chain([swept, "return".to_owned()]);
        let header = header.chain(self.arguments.of.iter().cloned());
        let mut lines = vec![header.collect::<Vec<_>>().join("\t")];
        for pass in passes {
            let way = pass.way.map_or(String::new(), |way| format!("{way}\t"));
            for (at, row) in &pass.rows {
                for (k, numbers) in row.iter().flatten().enumerate() {
                    let first = [*at, (k + 1) as f64].into_iter();
                    lines.push(format!("{way}{}", tabbed(first.chain(numbers.iter().copied()))));
                }
            }
        }
        lines.join("\n")
    }

    /// The diagram: a series for each number and direction.
    fn svg(&self, passes: &[Pass], axes: &[Axis]) -> Result<String, String> {
        let mut series = Vec::new();
        for pass in passes {
            for (i, axis) in axes.iter().enumerate() {
                let name = (axes.len() > 1).then(|| axis.symbol.clone());
                let words = name.into_iter().chain(pass.way.map(str::to_owned));
                let points = pass.rows.iter().flat_map(|(at, row)| {
                    row.iter().flatten().map(move |numbers| [*at, numbers[i]])
                });
                let label = words.collect::<Vec<_>>().join(", ");
                series.push(Series { label, points: points.collect() });
            }
        }
        let plan = self.plan;
        let x = axis(plan, &plan.axes[0].target.ascii(plan.model.info));
        let runs: usize = passes.iter().map(|pass| pass.rows.len()).sum();
        let [returns, runs] =
            [(self.last(), "return"), (runs, "run")].map(|(n, word)| Counted(n as u64, word));
        let detail = format!("the last {returns} of {runs}");
        plot::points(
            (&plan.model.title, &detail),
            [&x, &plot::common(axes)],
            &series,
            &Look::default(),
        )
    }
}

/// The places of a motion that repeats, of each number; the range of one that does not, or has many.
fn places(returns: &Returns, after: Option<usize>, numbers: usize) -> String {
    let shown = |value: f64| significant(value, value.abs());
    let of = |i: usize| {
        let all = returns.iter().map(|numbers| numbers[i]);
        match after.filter(|after| *after <= LISTED) {
            Some(after) => all.take(after).map(shown).collect::<Vec<_>>().join(", "),
            None => {
                let [low, high] = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], y| {
                    [low.min(y), high.max(y)]
                });
                format!("{} … {}", shown(low), shown(high))
            }
        }
    };
    if returns.is_empty() {
        return String::new();
    }
    (0..numbers).map(of).collect::<Vec<_>>().join("   ")
}
