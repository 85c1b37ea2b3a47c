//! The message table of the diagnosis: what was found, in the user's names, with one thing to do.

use super::kind::Diagnosis;
use super::message::Message;
use crate::ast::{self, Ident, LinearSearch, LinearTerm, Region};
use crate::diagnostic::Level;
use crate::resolve::Places;
use eom_symbolic::mechanics::diagnosis::{Active, Finding, Item};
use eom_symbolic::mechanics::{Speed, SystemModel};
use eom_symbolic::print::{self, Names};
use eom_symbolic::{ExprId, Rational};
use std::cell::OnceCell;

/// Level, place, message, help and subjects of a finding.
type Parts = (Level, Region, String, Option<String>, Vec<String>);

/// The names of a declaration, for whoever speaks of it.
pub(super) struct Messages<'s> {
    system: &'s ast::System,
    places: &'s Places,
    /// A copy of the model with its names, where a message holds an expression: few do, and the names of many `let`s
    /// take longer than all else that is said.
    printer: OnceCell<(SystemModel, Names)>,
}

impl<'s> Messages<'s> {
    pub(super) fn new(system: &'s ast::System, places: &'s Places) -> Self {
        Self { system, places, printer: OnceCell::new() }
    }

    fn print(&self, model: &SystemModel, e: ExprId) -> String {
        let (model, names) = self.printer.get_or_init(|| {
            let mut model = model.clone();
            let names = Names::new(&mut model);
            (model, names)
        });
        print::unicode(&model.pool, e, names)
    }

    /// A finding in words.
    pub(super) fn say(&self, model: &SystemModel, finding: &Finding) -> Message {
        let (diagnosis, words) = self.row(model, finding);
        let (level, at, text, help, subjects) = words;
        Message { diagnosis, level, at, text, help, subjects }
    }

    // table
    fn row(&self, model: &SystemModel, finding: &Finding) -> (Diagnosis, Parts) {
        match finding {
            Finding::SingularMass { direction } => {
                (Diagnosis::SingularMass, self.singular_mass(model, direction))
            }
            Finding::NegativeMass { direction, everywhere } => {
                (Diagnosis::NegativeMass, self.negative_mass(model, direction, *everywhere))
            }
            Finding::LinearKinetic { speeds } => {
                (Diagnosis::LinearKinetic, self.linear_kinetic(model, speeds))
            }
            Finding::DependentRow { row, on, consistent: true } => {
                (Diagnosis::DependentRow, self.dependent_row(model, *row, on))
            }
            Finding::DependentRow { row, on, consistent: false } => {
                (Diagnosis::ContradictoryRow, self.contradictory_row(model, *row, on))
            }
            Finding::IntegrableRow { row, function } => {
                (Diagnosis::IntegrableRow, self.integrable_row(model, *row, *function))
            }
            Finding::HolonomicTogether { rows, with, count } => {
                (Diagnosis::HolonomicTogether, self.together(model, rows, with, *count))
            }
            Finding::ActiveDissipation { contact, direction, active } => {
                (Diagnosis::ActiveDissipation, self.active(model, *contact, direction, active))
            }
            Finding::IdleDissipation { contact } => {
                (Diagnosis::IdleDissipation, self.idle_dissipation(model, *contact))
            }
            Finding::SteppedForce { force, of } => {
                (Diagnosis::SteppedForce, self.stepped_force(model, *force, *of))
            }
            Finding::IdleContact { contact, on } => {
                (Diagnosis::IdleContact, self.idle_contact(model, *contact, on))
            }
            Finding::DependentContactRow { contact, row, on, gap } => {
                let words = self.dependent_contact_row(model, (*contact, *row), (on, *gap));
                (Diagnosis::DependentContactRow, words)
            }
            Finding::Unused(item) => self.unused(model, *item),
            Finding::IdleParameter { parameter, energy } => {
                (Diagnosis::IdleParameter, self.idle_parameter(model, *parameter, *energy))
            }
            Finding::Decoupled { parts } => (Diagnosis::Decoupled, self.decoupled(model, parts)),
        }
    }

    fn singular_mass(&self, model: &SystemModel, direction: &[(usize, Option<ExprId>)]) -> Parts {
        let parts = direction.iter().map(|(speed, part)| {
            let value = part.map(|part| self.print(model, part));
            (model.speeds[*speed].name(), value)
        });
        let parts: Vec<(String, Option<String>)> = parts.collect();
        let motion = if parts.iter().all(|(_, value)| value.is_some()) {
            let parts = parts.iter().map(|(n, v)| format!("{n} = {}", v.as_deref().unwrap_or("")));
            format!("the motion {}", parts.collect::<Vec<_>>().join(", "))
        } else {
            let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
            format!("some motion along {}", names.join(", "))
        };
        let message =
            format!("the mass matrix is singular at every state: {motion} has no kinetic energy");
        let help = if model.rows.is_empty() {
            "give it an inertia, or use fewer coordinates"
        } else {
            "give it an inertia, or use fewer coordinates; constraints do not make up for it"
        };
        (Level::Error, self.places.energy, message, Some(help.to_owned()), Vec::new())
    }

    fn negative_mass(
        &self,
        model: &SystemModel,
        direction: &[(usize, f64)],
        everywhere: bool,
    ) -> Parts {
        let at = if everywhere { "" } else { " at some states" };
        let message = format!(
            "the kinetic energy is negative{at} with the default parameters: for {}",
            speeds(model, direction)
        );
        // A general Lagrangian may mean it.
        let grave = everywhere && model.kinetic.is_some();
        let level = if grave { Level::Error } else { Level::Warning };
        let signs = "check the signs of its terms and of the defaults";
        let moving: Vec<usize> = direction.iter().map(|(speed, _)| *speed).collect();
        let (at, message, help) = match linear_term(self.system, model, &moving, Terms::OfConstants)
        {
            Some(LinearTerm { at, text, speed }) => (
                at,
                format!("{message}; a square may be missing in `{text}`"),
                format!("write `{speed}^2` for `{speed}`, or {signs}"),
            ),
            None => (self.places.energy, message, signs.to_owned()),
        };
        (level, at, message, Some(help), Vec::new())
    }

    fn linear_kinetic(&self, model: &SystemModel, speeds: &[usize]) -> Parts {
        let meant = "or `allow linear_kinetic;`";
        let (at, message, help) = match linear_term(self.system, model, speeds, Terms::All) {
            Some(LinearTerm { at, text, speed }) => (
                at,
                format!("`{text}` in the kinetic energy changes no motion: a square is missing"),
                format!("write `{speed}^2` for `{speed}`, {meant}"),
            ),
            None => {
                let names: Vec<String> = speeds.iter().map(|s| model.speeds[*s].name()).collect();
                let names = quoted(&names);
                (
                    self.places.energy,
                    format!(
                        "a part of the kinetic energy that is linear in {names} changes no motion: \
                         a square is missing"
                    ),
                    format!("write the squares of the velocities, {meant}"),
                )
            }
        };
        (Level::Warning, at, message, Some(help), Vec::new())
    }

    fn dependent_row(
        &self,
        model: &SystemModel,
        row: usize,
        on: &[(usize, Option<Rational>)],
    ) -> Parts {
        let name = &model.rows[row].named.name;
        let message = if on.is_empty() {
            format!("constraint `{name}` is 0 = 0 at every state: its multiplier is not determined")
        } else {
            let (others, sum) = combination(model, row, on);
            format!(
                "constraint `{name}` depends on {others}{sum}: its multiplier is not determined"
            )
        };
        let help = Some("remove it".to_owned());
        (Level::Error, self.places.row_names[row], message, help, vec![name.clone()])
    }

    fn contradictory_row(
        &self,
        model: &SystemModel,
        row: usize,
        on: &[(usize, Option<Rational>)],
    ) -> Parts {
        let name = &model.rows[row].named.name;
        let message = if on.is_empty() {
            format!("no motion satisfies constraint `{name}`: it has no velocities at any state")
        } else {
            let (others, sum) = combination(model, row, on);
            format!(
                "constraint `{name}` contradicts {others}: it has the same velocities{sum}, and \
                 another right side"
            )
        };
        let help = Some("correct one of them".to_owned());
        (Level::Error, self.places.row_names[row], message, help, vec![name.clone()])
    }

    fn integrable_row(&self, model: &SystemModel, row: usize, function: Option<ExprId>) -> Parts {
        let name = &model.rows[row].named.name;
        let function = function.map(|e| self.print(model, e));
        let (kept, written) = match function {
            Some(f) => (format!("`{f}`"), format!("{f} = …")),
            None => ("a function of the coordinates".to_owned(), "… = 0".to_owned()),
        };
        let message = format!("constraint `{name}` is integrable: it keeps {kept} as it is");
        let help = format!(
            "write it in `holonomic`, `{name}: {written};`, or `allow integrable_row({name});`"
        );
        (Level::Warning, self.places.row_names[row], message, Some(help), vec![name.clone()])
    }

    fn together(&self, model: &SystemModel, rows: &[usize], with: &[usize], count: usize) -> Parts {
        let names: Vec<String> = rows.iter().map(|r| model.rows[*r].named.name.clone()).collect();
        let (subject, verb, it) = match &names[..] {
            [name] => (format!("constraint `{name}`"), "is", "it"),
            _ => (format!("constraints {}", quoted(&names)), "are", "they"),
        };
        let others: Vec<String> = with.iter().map(|r| model.rows[*r].named.name.clone()).collect();
        let with = if others.is_empty() {
            " together".to_owned()
        } else {
            format!(" together with {}", quoted(&others))
        };
        let keeps = if names.len() == 1 { "keeps" } else { "keep" };
        let functions = match count {
            1 => "a function of the coordinates as it is".to_owned(),
            _ => format!("{count} functions of the coordinates as they are"),
        };
        let message = format!("{subject} {verb} holonomic{with}: {it} {keeps} {functions}");
        let written = if names.len() == 1 { "it" } else { "them" };
        let help = format!(
            "write {written} in `holonomic`, or `allow holonomic_together({});`",
            names.join(", ")
        );
        let at = self.places.row_names[rows.first().copied().unwrap_or(0)];
        (Level::Warning, at, message, Some(help), names)
    }

    fn active(
        &self,
        model: &SystemModel,
        contact: Option<usize>,
        direction: &[(usize, f64)],
        active: &Active,
    ) -> Parts {
        let at = contact.map_or(self.places.dissipation, |c| self.places.contact_dissipations[c]);
        let values = |names: &mut dyn Iterator<Item = (&str, f64)>| {
            names.map(|(name, x)| format!("{name} = {}", short(x))).collect::<Vec<_>>().join(", ")
        };
        let (level, place, help) = match active {
            Active::Everywhere => (
                Level::Error,
                String::new(),
                "it must not for any velocity: correct the sign or the size of a term; a damper with the force -c*ẋ has `c/2*ẋ^2`",
            ),
            Active::Somewhere { position } => {
                let named = |(i, x): &(usize, f64)| (model.coordinates[*i].named.name.as_str(), *x);
                let place = values(&mut position.iter().map(named));
                (Level::Warning, format!(" at {place}"), "let it take energy away at all states")
            }
            Active::Within { parameters } => {
                let named = |(i, x): &(usize, f64)| (model.parameters[*i].named.name.as_str(), *x);
                let place = values(&mut parameters.iter().map(named));
                let place = format!(" with {place}, which the bounds allow");
                (Level::Note, place, "bound its coefficients, as in `c = 1 where c >= 0`")
            }
        };
        let message =
            format!("the dissipation creates energy{place}: for {}", speeds(model, direction));
        let subjects = contact.map(|c| model.contacts[c].named.name.clone()).into_iter().collect();
        (level, at, message, Some(help.to_owned()), subjects)
    }

    fn idle_dissipation(&self, model: &SystemModel, contact: Option<usize>) -> Parts {
        let at = contact.map_or(self.places.dissipation, |c| self.places.contact_dissipations[c]);
        let message = "the dissipation depends on no velocity: it is no force".to_owned();
        let speed = model.speeds.first().map_or_else(String::new, Speed::name);
        let help = format!(
            "write it of velocities: a damper with the force -c*{speed} has `c/2*{speed}^2`"
        );
        let subjects = contact.map(|c| model.contacts[c].named.name.clone()).into_iter().collect();
        (Level::Warning, at, message, Some(help), subjects)
    }

    fn stepped_force(&self, model: &SystemModel, force: usize, of: ExprId) -> Parts {
        let declared = self.system.forces.get(force);
        let at = declared.map_or(self.system.name.region, |declared| declared.value.region);
        let of = self.print(model, of);
        let message =
            format!("this force jumps where `{of}` changes its sign: what it slows cannot stick");
        let help = format!(
            "write it as friction: `dissipation = c*abs({of});`, or at a contact `slip = {of}; friction = μ;`"
        );
        (Level::Warning, at, message, Some(help), Vec::new())
    }

    fn idle_contact(&self, model: &SystemModel, contact: usize, on: &[usize]) -> Parts {
        let name = &model.contacts[contact].named.name;
        let (why, help) = if on.is_empty() {
            (
                "the gradient of its gap vanishes where the gap does".to_owned(),
                "take a gap that passes 0 with a slope, such as its root",
            )
        } else {
            let rows: Vec<String> = on.iter().map(|r| model.rows[*r].named.name.clone()).collect();
            let verb = if rows.len() == 1 { "determines" } else { "determine" };
            (
                format!("{} already {verb} the rate of its gap", quoted(&rows)),
                "remove the contact, or release the constraint with `releases`",
            )
        };
        let message = format!("an impact at `{name}` changes no velocity: {why}");
        let at = self.system.contacts[contact].name.region;
        (Level::Error, at, message, Some(help.to_owned()), vec![name.clone()])
    }

    fn dependent_contact_row(
        &self,
        model: &SystemModel,
        (contact, row): (usize, usize),
        (on, gap): (&[usize], bool),
    ) -> Parts {
        let declared = &model.contacts[contact];
        let name = format!("{}.{}", declared.named.name, declared.rows[row].named.name);
        let mut before: Vec<String> =
            on.iter().map(|r| format!("`{}`", model.rows[*r].named.name)).collect();
        if gap {
            before.push("the gap".to_owned());
        }
        let before = if before.is_empty() {
            "is 0 = 0".to_owned()
        } else {
            format!("depends on {}", listed(&before))
        };
        let message = format!("row `{name}` {before} at every state: it is left out of B");
        let help = format!("remove it, or write `allow dependent_contact_row({name});`");
        let at = self.places.contact_rows[contact][row];
        (Level::Warning, at, message, Some(help), vec![name])
    }

    fn unused(&self, model: &SystemModel, item: Item) -> (Diagnosis, Parts) {
        let (diagnosis, what, name, at) = match item {
            Item::Parameter(i) => (
                Diagnosis::UnusedParameter,
                "parameter",
                &model.parameters[i].named.name,
                self.system.parameters[i].name.region,
            ),
            Item::Input(i) => (
                Diagnosis::UnusedInput,
                "input",
                &model.inputs[i].named.name,
                self.system.inputs[i].name.region,
            ),
            Item::Function(i) => (
                Diagnosis::UnusedFunction,
                "function",
                &model.functions[i].named.name,
                self.system.functions[i].name.region,
            ),
        };
        let message = format!("{what} `{name}` is not used");
        let help = format!("remove it, or write `allow {}({name});`", diagnosis.name());
        (diagnosis, (Level::Warning, at, message, Some(help), vec![name.clone()]))
    }

    fn idle_parameter(&self, model: &SystemModel, parameter: usize, energy: bool) -> Parts {
        let name = &model.parameters[parameter].named.name;
        let at = self.system.parameters[parameter].name.region;
        if energy {
            let message =
                format!("parameter `{name}` changes the value of the energy and no motion");
            return (Level::Note, at, message, None, vec![name.clone()]);
        }
        let message = format!("parameter `{name}` cancels: no equation depends on it");
        let help = format!("remove it, or write `allow idle_parameter({name});`");
        (Level::Warning, at, message, Some(help), vec![name.clone()])
    }

    fn decoupled(&self, model: &SystemModel, parts: &[Vec<usize>]) -> Parts {
        let part = |part: &Vec<usize>| {
            let names = part.iter().map(|speed| model.speeds[*speed].named.name.clone());
            names.collect::<Vec<_>>().join(", ")
        };
        let parts: Vec<String> = parts.iter().map(part).collect();
        let message = format!(
            "the equations fall into {} parts that move on their own: {}",
            parts.len(),
            parts.join("; ")
        );
        (Level::Note, self.places.system, message, None, Vec::new())
    }
}

/// Which linear terms are looked at.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Terms {
    /// Those of the velocities whose coefficient holds no coordinate: such a one is hardly a field.
    OfConstants,
    /// Those first, then those of any coefficient, then those of any velocity: the rate of a `let` holds some.
    All,
}

/// The first linear term of `kinetic` in one of these velocities.
pub(crate) fn linear_term(
    system: &ast::System,
    model: &SystemModel,
    speeds: &[usize],
    terms: Terms,
) -> Option<LinearTerm> {
    let energy = &system.kinetic.as_ref()?.value;
    let is = |ident: &Ident, speed: usize| {
        let (name, speed) = (ident.name(), &model.speeds[speed]);
        name.key == speed.named.key && name.dots == speed.dots
    };
    let is_one_of = |ident: &Ident| speeds.iter().any(|speed| is(ident, *speed));
    let is_rate =
        |ident: &Ident| ident.name().dots == 1 || (0..model.speeds.len()).any(|s| is(ident, s));
    let is_coordinate =
        |ident: &Ident| model.coordinates.iter().any(|c| c.named.key == ident.name().key);
    let search = LinearSearch {
        wanted: &is_one_of,
        velocity: &is_rate,
        coefficient: &|ident| !is_coordinate(ident),
    };
    let of_these = LinearSearch { coefficient: &|_| true, ..search };
    let of_any = LinearSearch { wanted: &is_rate, ..of_these };
    let count = if terms == Terms::All { 3 } else { 1 };
    [search, of_these, of_any].iter().take(count).find_map(|search| search.find(energy))
}

/// `` `a`, `b` `` and `, c = 2*a − b`, where the factors are known.
fn combination(
    model: &SystemModel,
    row: usize,
    on: &[(usize, Option<Rational>)],
) -> (String, String) {
    let name = |row: usize| model.rows[row].named.name.clone();
    let others: Vec<String> = on.iter().map(|(other, _)| name(*other)).collect();
    let mut sum = String::new();
    for (other, factor) in on {
        let Some(factor) = factor else { return (quoted(&others), String::new()) };
        let sign = match (factor.is_negative(), sum.is_empty()) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        };
        let size = factor.abs();
        let (p, q) = size.parts();
        let size = match (p.as_str(), q.as_str()) {
            ("1", "1") => String::new(),
            (p, "1") => format!("{p}*"),
            (p, q) => format!("{p}/{q}*"),
        };
        sum.push_str(sign);
        sum.push_str(&size);
        sum.push_str(&name(*other));
    }
    (quoted(&others), format!(", {} = {sum}", name(row)))
}

/// `ẋ = 1, ẏ = -0.5` and what is said of the others.
fn speeds(model: &SystemModel, direction: &[(usize, f64)]) -> String {
    let part =
        |(speed, x): &(usize, f64)| format!("{} = {}", model.speeds[*speed].name(), short(*x));
    let parts: Vec<String> = direction.iter().map(part).collect();
    let rest = if direction.len() < model.speeds.len() { ", all others 0" } else { "" };
    format!("{}{rest}", parts.join(", "))
}

/// A number with three digits.
fn short(x: f64) -> String {
    if x == x.round() && x.abs() < 1e6 {
        return format!("{x}");
    }
    let decimals = 2 - eom_elementary::log10(x.abs()).floor() as i32;
    match usize::try_from(decimals) {
        Ok(decimals) if decimals <= 6 => {
            let text = format!("{x:.decimals$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{x:.2e}"),
    }
}

fn quoted(names: &[String]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

/// `a`, `a and b`, `a, b and c`
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
