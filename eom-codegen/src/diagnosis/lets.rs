//! `let`s that nothing needs: no item mentions them, directly or by way of another `let`, and no
//! printed equation holds their names.

use super::kind::Diagnosis;
use super::message::Message;
use crate::ast::{self, Definition, Expr, Gap, Ident, Row, Statement};
use crate::diagnostic::Level;
use eom_symbolic::mechanics::report::EquationsText;
use eom_symbolic::name::{Name, split_differential};
use rustc_hash::FxHashSet;

/// The keys of names that are mentioned.
type Keys = FxHashSet<String>;

/// What is mentioned: the names as they are written, of which there are few, and their keys.
#[derive(Debug, Default)]
struct Mentioned {
    written: Keys,
    keys: Keys,
}

/// The `let`s that nothing needs, each array once.
pub(super) fn unused<'p>(
    system: &ast::System,
    printed: impl FnOnce() -> Option<&'p EquationsText>,
) -> Vec<Message> {
    if system.lets.is_empty() {
        return Vec::new();
    }
    let mut mentioned = Mentioned::default();
    for_expressions(system, &mut |expr| mentioned.take(expr));
    let arrays: Vec<String> =
        system.indexed.iter().map(|indexed| indexed.name.name().key).collect();
    let array_of = |key: &str| {
        let base = key.trim_end_matches(|c: char| c.is_ascii_digit());
        arrays.iter().find(|array| *array == base && base != key)
    };
    let mut open: Vec<&Definition> = system.lets.iter().collect();
    let mut take = |open: &mut Vec<&Definition>, words: &Keys| loop {
        let before = open.len();
        open.retain(|declared| {
            let key = declared.name.name().key;
            let needed = mentioned.keys.contains(&key)
                || words.contains(&key)
                || array_of(&key).is_some_and(|array| mentioned.keys.contains(array));
            if needed {
                mentioned.take(&declared.value);
            }
            !needed
        });
        if open.len() == before {
            break;
        }
    };
    take(&mut open, &Keys::default());
    // What is printed is made for those alone that nothing declared mentions, and that is read by somebody.
    if !open.is_empty()
        && let Some(printed) = printed()
    {
        take(&mut open, &words(&printed.to_text_without_abbreviations()));
    }
    let mut said: Vec<Message> = Vec::new();
    for declared in open {
        let key = declared.name.name().key;
        let name = array_of(&key).map_or_else(|| declared.name.text.clone(), String::clone);
        if said.iter().all(|other| other.subjects != [name.clone()]) {
            said.push(Message {
                diagnosis: Diagnosis::UnusedLet,
                level: Level::Warning,
                at: declared.name.region,
                text: format!("`let {name}` is not used"),
                help: Some(format!("remove it, or write `allow unused_let({name});`")),
                subjects: vec![name],
            });
        }
    }
    said
}

/// The keys of the words of a text.
fn words(text: &str) -> Keys {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || ('\u{300}'..'\u{36f}').contains(&c);
    // A long text has few words.
    let (mut seen, mut keys) = (Keys::default(), Keys::default());
    for word in text.split(|c| !is_word(c)).filter(|word| !word.is_empty()) {
        if seen.insert(word.to_owned()) {
            keys.insert(Name::parse(word).key);
        }
    }
    keys
}

impl Mentioned {
    /// The names of an expression: plain, dotted, or as differentials.
    fn take(&mut self, expr: &Expr) {
        expr.for_names(&mut |ident| self.mention(ident));
    }

    /// An element of an array mentions the array too: it is one declaration.
    fn mention(&mut self, ident: &Ident) {
        if self.written.contains(&ident.text) {
            return;
        }
        self.written.insert(ident.text.clone());
        let key = ident.name().key;
        self.keys.insert(key.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned());
        self.keys.insert(key);
        if let Some(base) = split_differential(&ident.text) {
            self.keys.insert(Name::parse(base).key);
        }
    }
}

/// Visits every expression of a declaration but those of its `let`s.
fn for_expressions(system: &ast::System, visit: &mut impl FnMut(&Expr)) {
    let definitions = system.velocities.iter().chain(&system.forces).chain(&system.outputs);
    definitions.for_each(|definition| visit(&definition.value));
    for parameter in &system.parameters {
        parameter.default.iter().for_each(&mut *visit);
        parameter.bounds.iter().flat_map(|bound| [&bound.lhs, &bound.rhs]).for_each(&mut *visit);
    }
    system.functions.iter().filter_map(|f| f.default.as_ref()).for_each(&mut *visit);
    let energies = [&system.kinetic, &system.potential, &system.lagrangian, &system.dissipation];
    energies.into_iter().flatten().for_each(|declared| visit(&declared.value));
    for_rows(system.constraints.iter().chain(&system.holonomic), visit);
    let of_contacts = system.contacts.iter().flat_map(|contact| &contact.resists);
    for resists in of_contacts.chain(system.row_frictions.iter().map(|row| &row.resists)) {
        resists.motion.iter().for_each(&mut *visit);
        if let Some(friction) = &resists.friction {
            friction.at_rest.iter().chain([&friction.sliding]).for_each(&mut *visit);
        }
    }
    for contact in &system.contacts {
        match &contact.gap {
            Gap::Value(gap) => visit(gap),
            Gap::Surface(surface) => {
                [&surface.point, &surface.height].into_iter().for_each(&mut *visit);
                surface.velocity.iter().for_each(&mut *visit);
            }
        }
        contact.dissipation.iter().for_each(&mut *visit);
        contact.law.kind.expressions().for_each(&mut *visit);
        for_rows(contact.rows.iter(), visit);
        contact.when.iter().flat_map(|bound| [&bound.lhs, &bound.rhs]).for_each(&mut *visit);
    }
    for event in &system.events {
        visit(&event.guard);
        event.reset.iter().for_each(|assignment| visit(&assignment.value));
    }
    for scenario in &system.scenarios {
        scenario.initial.iter().for_each(|assignment| visit(&assignment.value));
        scenario.until_time.iter().for_each(&mut *visit);
    }
    system.drawn.iter().flat_map(ast::Drawn::expressions).for_each(&mut *visit);
    for claim in &system.claims {
        for_place(&claim.place, visit);
        match &claim.statement {
            Statement::Equation(equation) => {
                [&equation.lhs, &equation.rhs].into_iter().for_each(&mut *visit);
            }
            Statement::Motion(motion) => {
                motion.components.iter().for_each(|component| visit(&component.value));
            }
        }
    }
    for said in &system.sentences {
        said.settings.iter().for_each(|setting| visit(&setting.value));
        [&said.quantity, &said.value].into_iter().chain(&said.within).for_each(&mut *visit);
    }
    for erratum in &system.errata {
        for_place(&erratum.place, visit);
        let (printed, corrected) = (&erratum.printed, &erratum.corrected);
        let sides = [&printed.lhs, &printed.rhs, &corrected.lhs, &corrected.rhs];
        sides.into_iter().for_each(&mut *visit);
    }
}

fn for_rows<'r>(rows: impl Iterator<Item = &'r Row>, visit: &mut impl FnMut(&Expr)) {
    for row in rows {
        visit(&row.lhs);
        row.rhs.iter().for_each(&mut *visit);
    }
}

fn for_place(place: &ast::Place, visit: &mut impl FnMut(&Expr)) {
    place.when.iter().flat_map(|equation| [&equation.lhs, &equation.rhs]).for_each(&mut *visit);
    if let Some(ast::Under::Law(law)) = &place.under {
        law.kind.expressions().for_each(visit);
    }
}
