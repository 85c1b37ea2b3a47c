//! A run in higher precision as the command makes it. The same run in doubles is made beside it: it checks the start, and
//! says from where the digits were needed.

use crate::run::drive::{Come, Digits, execute_quietly};
use crate::run::progress::Bar;
use crate::run::request::Request;
use crate::shell;
use eom_core::{Options, Progress, Sampling, StartError, Trajectory};
use eom_interpreter::account::Watch;
use eom_interpreter::names::speeds;
use eom_precise::{Exact, Given, Precise, Precision, Real, run};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// Why a run did not begin.
pub(crate) enum Unstarted {
    /// The start is refused.
    Start(StartError),
    /// There is no such run in higher precision.
    Refused(String),
}

impl From<StartError> for Unstarted {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}

/// The run is compared with one of so many digits more.
const MORE: u32 = 10;

/// A run in higher precision.
pub(crate) struct Told {
    /// The run.
    pub(crate) made: Precise,
    /// The same in doubles: its ends only.
    doubles: Trajectory,
    precision: Precision,
}

/// Makes the run, seen step by step.
pub(crate) fn precise(
    request: &Request,
    (precision, options): (Precision, &Options),
    see: &mut dyn FnMut(&Progress<'_>),
) -> Result<Told, Unstarted> {
    let quiet = Options { sampling: Sampling::Ends, ledger: false, ..options.clone() };
    let doubles = execute_quietly(request, &quiet)?;
    let made = made(request, (precision, options), &doubles, see)?;
    Ok(Told { made, doubles, precision })
}

/// The run alone, from where that in doubles begins.
fn made(
    request: &Request,
    wishes: (Precision, &Options),
    doubles: &Trajectory,
    see: &mut dyn FnMut(&Progress<'_>),
) -> Result<Precise, Unstarted> {
    // As it was admitted, on its constraints.
    let start = doubles.samples.first().unwrap_or(&request.start).clone();
    let mut parameters = vec![0.0; request.model.info.parameters.len()];
    request.system.parameters(&mut parameters);
    let scenarios = request.model.info.scenarios;
    let scenario = request.scenario.and_then(|of| scenarios.iter().position(|s| s.name == of.name));
    let given = Given {
        t: start.t,
        q: &start.q,
        v: &start.v,
        inputs: &request.inputs,
        parameters: &parameters,
        scenario,
    };
    let mut observer = |progress: &Progress<'_>| {
        see(progress);
        if shell::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let made = request.model.derived(|derived| {
        let system = (derived.model, derived.equations);
        run(system, request.model.info, given, (wishes.1, wishes.0), &mut observer)
    });
    let told = |texts: Vec<String>| Unstarted::Refused(texts.join("\n"));
    let made = made.map_err(|errors| told(errors.iter().map(ToString::to_string).collect()))?;
    made.map_err(|refusal| Unstarted::Refused(refusal.to_string()))
}

/// The run with what comes of it handed on at its end; its lines of the summary.
pub(crate) fn drive(
    request: &Request,
    wishes: (Precision, &Options),
    watch: &mut Watch<'_>,
    mut take: impl FnMut(Come) -> ControlFlow<()>,
) -> Result<(Trajectory, String), Unstarted> {
    let mut bar = Bar::new(request.start.t, wishes.1);
    let mut see = |progress: &Progress<'_>| {
        watch.see(progress.t, progress.q, progress.v);
        bar.see(progress);
    };
    let mut told = precise(request, wishes, &mut see)?;
    bar.finish();
    let (precision, options) = wishes;
    let finer = Options { sampling: Sampling::Ends, ..options.clone() };
    let finer = made(request, (precision.with_more(MORE), &finer), &told.doubles, &mut |_| ())?;
    let lines = told.lines(request, &finer);
    let digits = told.digits(request);
    let trajectory = &mut told.made.trajectory;
    let samples = std::mem::take(&mut trajectory.samples);
    let events = std::mem::take(&mut trajectory.events);
    let modes = std::mem::take(&mut trajectory.modes);
    // It is over: there is nothing to stop.
    let _ = take(Come { samples, events, modes, digits: Some(digits) });
    Ok((told.made.trajectory, lines))
}

impl Told {
    /// How many impacts and events doubles tell; none where that is all.
    fn told_by_doubles(&self) -> Option<usize> {
        (!self.doubles.end.is_complete()).then_some(self.doubles.events.len())
    }

    /// From where on the digits were needed, for the line below a figure.
    pub(crate) fn needed(&self) -> String {
        let digits = self.precision.digits();
        match self.told_by_doubles() {
            Some(count) => format!("{digits} digits, needed from impact {} on", count + 1),
            None => format!("{digits} digits"),
        }
    }

    /// What the run in doubles is beside this one.
    fn beside_doubles(&self) -> String {
        let Trajectory { end, events, samples, .. } = &self.doubles;
        if self.told_by_doubles().is_some() {
            return format!("needed: in doubles the run {end}");
        }
        let same = events.len() == self.made.happened.len();
        let exact = |number: &f64| self.precision.double(*number);
        let last = samples.last().filter(|_| same).and_then(|last| {
            let y = last.q.iter().chain(&last.v).map(exact).collect::<Option<_>>()?;
            Some(Exact { t: exact(&last.t)?, y })
        });
        // Numbers that are the same to the end have all digits.
        let shared = last.map(|last| self.made.shared_digits(&last).min(self.precision.digits()));
        match shared {
            Some(shared) => format!("of which doubles have {shared} at the end"),
            None => "in doubles the run goes another way".to_owned(),
        }
    }

    /// The numbers of samples and events with all their digits.
    fn digits(&self, request: &Request) -> Digits {
        let digits = self.precision.digits();
        let texts = |numbers: &mut dyn Iterator<Item = &Real>| -> Vec<String> {
            numbers.map(|number| number.to_digits(digits)).collect()
        };
        let samples = self.made.samples.iter();
        let positions = request.model.info.positions();
        Digits {
            samples: samples.map(|at| texts(&mut [&at.t].into_iter().chain(&at.y))).collect(),
            events: self
                .made
                .happened
                .iter()
                .map(|happened| {
                    let Exact { t, y } = &happened.before;
                    let after = &happened.after[positions..];
                    texts(&mut [t].into_iter().chain(y).chain(after))
                })
                .collect(),
        }
    }

    /// The lines of the summary.
    fn lines(&self, request: &Request, finer: &Precise) -> String {
        let digits = self.precision.digits();
        let mut text = String::new();
        let mut line = |label: &str, value: &str| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{label:13}{value}");
        };
        line("precision", &format!("{digits} digits, {}", self.beside_doubles()));
        let last = &self.made.last;
        let same = self.made.happened.len() == finer.happened.len();
        let shared = if same { self.made.shared_digits(&finer.last) } else { 0 };
        let shared = shared.min(digits);
        if self.made.trajectory.end.is_complete() {
            line("  agree", &format!("{shared} of them with a run of {}", digits + MORE));
        }
        let change = self.made.energy_change.to_digits(2);
        line("  energy", &format!("{change} along the motion"));
        let info = request.model.info;
        let positions = (0..info.positions()).map(|index| info.position_name(index));
        let names = positions.chain(speeds(info));
        line("  t", &last.t.to_digits(digits));
        for (name, value) in names.zip(&last.y) {
            line(&format!("  {name}"), &value.to_digits(digits));
        }
        text
    }
}
