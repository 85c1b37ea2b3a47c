//! The summary of a run: what was run, how it ended, and what tells whether to trust it.

use super::balance::{EnergyBalance, Watch, Worst};
use super::event::shortest;
use super::story::Story;
use crate::names::speeds;
use eom_core::info::SystemInfo;
use eom_core::system::Restitution;
use eom_core::{Counted, ForceCheck, GuardCheck, Law, State, Stepped, System, Trajectory};
use eom_elementary::Digits;
use std::fmt::Write as _;

/// The width of the labels.
const LABEL: usize = 13;

/// What was run, by the names that it has for who runs it.
#[derive(Clone, Copy)]
pub struct Headed<'h> {
    /// The name of the model, or of its file.
    pub name: &'h str,
    /// Its title.
    pub title: &'h str,
    /// The system with its parameters.
    pub system: &'h dyn System,
    /// The scenario that gave the start.
    pub scenario: Option<&'h str>,
    /// The inputs.
    pub inputs: &'h [f64],
    /// The law of impact in place of those declared.
    pub law: Option<Law>,
}

impl std::fmt::Debug for Headed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Headed")
            .field("name", &self.name)
            .field("scenario", &self.scenario)
            .field("inputs", &self.inputs)
            .field("law", &self.law)
            .finish_non_exhaustive()
    }
}

/// The summary as lines.
pub fn summary(
    run: &Headed<'_>,
    story: &Story<'_>,
    trajectory: &Trajectory,
    watch: &Watch<'_>,
) -> String {
    let info = run.system.info();
    let mut text = String::new();
    let mut line = |label: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{label:LABEL$}{value}");
    };
    line("model", &format!("{} ({})", run.name, run.title));
    if let Some(scenario) = run.scenario {
        line("scenario", scenario);
    }
    line("parameters", &list(parameters(run.system)));
    if !run.inputs.is_empty() {
        let names = info.inputs.iter().map(|input| input.name.to_owned());
        line("inputs", &list(names.zip(run.inputs.iter().copied())));
    }
    if !info.contacts.is_empty() {
        line("impact law", &law(run.system, run.law));
    }
    if let Some(start) = &story.first {
        line("start", &list(state(info, start)));
    }
    line("end", &trajectory.end.to_string());
    if let Some(help) = trajectory.end.help() {
        line("  help", help);
    }
    if let Some(t) = trajectory.rest {
        line("  rest", &format!("at rest since t = {}, and stays", Digits(t)));
    }
    if !info.contacts.is_empty() {
        line("impacts", &story.impacts(info));
    }
    if let Some(together) = story.together(info) {
        line("  together", &together);
    }
    for (index, said) in story.lines().iter().enumerate() {
        line(if index == 0 { "happened" } else { "" }, said);
    }
    if let Some(energy) = story.energy() {
        let EnergyBalance { start, end, .. } = energy;
        line("energy", &format!("{start:.9e} at the start, {end:.9e} at the end"));
        line("  change", &change(energy, story.has_events()));
    }
    let violations = [
        ("A v + b", "largest", watch.rows),
        ("φ", "largest", watch.holonomic),
        ("gap", "least", watch.gap),
    ];
    for (label, which, worst) in violations {
        if let Some(Worst { value, name }) = worst {
            line(label, &format!("{which} {value:.1e} ({name})"));
        }
    }
    if !(info.contacts.is_empty() && info.events.is_empty() && info.frictions.is_empty()) {
        line("guards", &guards(info, trajectory));
    }
    if let Some(stepped) = &trajectory.stepped {
        line("steps", &stepping(info, stepped));
    }
    line("forces", forces(trajectory.forces));
    line("work", &work(trajectory));
    text
}

/// How it is known that nothing was passed unseen.
fn guards(info: &SystemInfo, trajectory: &Trajectory) -> String {
    let text = match trajectory.guards {
        GuardCheck::Proven => "proven: none passed zero unseen",
        GuardCheck::Sampled => {
            let sampled = trajectory.sampled_in_words(info).join(", ");
            return format!("sampled: {sampled}; others are proven");
        }
        GuardCheck::Series => {
            "by power series, each to its first root; what follows their last terms is estimated"
        }
        GuardCheck::Stepped => {
            "stepped: contacts and events are told by time steps, to first order"
        }
    };
    text.to_owned()
}

/// The step and the error of a run by time stepping.
fn stepping(info: &SystemInfo, stepped: &Stepped) -> String {
    let Stepped { step, largest, last } = stepped;
    let worst = |errors: &[f64]| {
        let all = errors.iter().enumerate();
        all.max_by(|one, other| one.1.total_cmp(other.1)).map(|(index, error)| (index, *error))
    };
    let mut text = format!("by time stepping (Moreau–Jean), step {}, first order", shortest(*step));
    if let Some((index, error)) = worst(largest) {
        let _ = write!(text, "; error about {error:.1e} ({})", info.position_name(index));
    }
    if let Some((index, error)) = worst(&last[largest.len()..]) {
        let _ = write!(text, ", at the end {error:.1e} ({})", speeds(info)[index]);
    }
    text
}

/// The same of the forces.
fn forces(check: ForceCheck) -> &'static str {
    match check {
        ForceCheck::Bounded => "bounded: steps are short enough to see them",
        ForceCheck::Sampled => "sampled: what is narrower than a step may have been missed",
    }
}

fn work(trajectory: &Trajectory) -> String {
    let stats = trajectory.stats;
    let series = match stats.expansions {
        0 => String::new(),
        expansions => format!("{expansions} series, "),
    };
    let implicit = match stats.newton_iterations {
        0 => String::new(),
        steps => {
            let [steps, jacobians, factorizations] = [
                (steps, "Newton step"),
                (stats.jacobians, "Jacobian"),
                (stats.factorizations, "factorization"),
            ]
            .map(|(count, word)| Counted(count, word));
            format!("{steps}, {jacobians}, {factorizations}, ")
        }
    };
    let steps = Counted(stats.steps, "step");
    let [evaluations, roots] =
        [(stats.evaluations, "evaluation"), (stats.root_iterations, "root iteration")]
            .map(|(count, word)| Counted(count, word));
    format!("{steps}, {} rejected, {series}{implicit}{evaluations}, {roots}", stats.rejected)
}

/// `a = 1, b = 2`.
fn list(pairs: impl IntoIterator<Item = (String, f64)>) -> String {
    let texts: Vec<String> =
        pairs.into_iter().map(|(name, value)| format!("{name} = {}", shortest(value))).collect();
    texts.join(", ")
}

fn parameters(system: &dyn System) -> impl Iterator<Item = (String, f64)> {
    let parameters = system.info().parameters;
    let mut values = vec![0.0; parameters.len()];
    system.parameters(&mut values);
    parameters.iter().map(|parameter| parameter.name.to_owned()).zip(values)
}

fn state(info: &SystemInfo, state: &State) -> Vec<(String, f64)> {
    let mut pairs = vec![("t".to_owned(), state.t)];
    let names = (0..info.positions()).map(|index| info.position_name(index));
    pairs.extend(names.zip(state.q.iter().copied()));
    pairs.extend(speeds(info).into_iter().zip(state.v.iter().copied()));
    pairs
}

/// The law in force: the one given for the run, else the declared ones.
pub fn law(system: &dyn System, given: Option<Law>) -> String {
    let contacts = system.info().contacts;
    let laws: Vec<String> = (0..contacts.len()).map(|i| law_of(system, i, given)).collect();
    match laws.first() {
        Some(first) if laws.iter().all(|law| law == first) => first.clone(),
        _ => {
            let named = contacts.iter().zip(laws);
            let texts: Vec<String> =
                named.map(|(contact, law)| format!("{} {law}", contact.name)).collect();
            texts.join(", ")
        }
    }
}

/// The law of a contact, by the name of its restitution.
fn law_of(system: &dyn System, contact: usize, given: Option<Law>) -> String {
    let law = given.unwrap_or(system.law(contact));
    match (law, system.restitution(contact)) {
        (Law::Restitution(e), Restitution::Poisson) => format!("poisson {e}"),
        (Law::Restitution(e), Restitution::Stronge) => format!("stronge {e}"),
        (law, _) => law.to_string(),
    }
}

/// The change along the motion and at impacts, relative to the start where that is not 0.
fn change(energy: EnergyBalance, has_events: bool) -> String {
    let of_start = |change: f64| {
        if energy.start == 0.0 || change == 0.0 {
            format!("{change:.1e}")
        } else {
            format!("{change:.1e} ({:.1e} of the start)", change / energy.start.abs())
        }
    };
    let along = format!("{} along the motion", of_start(energy.along_arcs()));
    if has_events { format!("{along}, {} at impacts", of_start(energy.jumps)) } else { along }
}
