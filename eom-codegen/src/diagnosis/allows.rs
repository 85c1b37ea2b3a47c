//! `allow name, name(subject, …);`: what a declaration says it knows.

use super::kind::Diagnosis;
use super::message::Message;
use crate::ast::{self, Ident};
use crate::diagnostic::{Errors, Level};
use crate::resolve::Mistake;
use eom_symbolic::name::{Looks, key, nearest};
use rustc_hash::FxHashSet;

/// The mistakes in what a declaration allows: names that are none.
pub(crate) fn check_allows(system: &ast::System, errors: &mut Errors) {
    let looks = Looks::default();
    for allow in &system.allows {
        let name = allow.name.text.clone();
        match Diagnosis::of_name(&name) {
            None => {
                let near = nearest(&name, Diagnosis::ALL.map(Diagnosis::name)).map(str::to_owned);
                Mistake::UnknownDiagnosis { name, near }.report(errors, allow.name.region);
            }
            Some(diagnosis) if !diagnosis.can_be_allowed() => {
                Mistake::NeverAllowed { name }.report(errors, allow.name.region);
            }
            Some(_) => {}
        }
        if allow.subjects.is_empty() {
            continue;
        }
        let known = declared_names(system);
        let keys: FxHashSet<String> = known.iter().map(|name| key(name)).collect();
        for subject in &allow.subjects {
            let base = base(&subject.text);
            if !keys.contains(&key(base)) {
                let near = looks.nearest(base, known.iter().map(String::as_str));
                let near = near.map(str::to_owned);
                Mistake::UnknownName { name: subject.text.clone(), near }
                    .report(errors, subject.region);
            }
        }
    }
}

/// The name of a contact's row or of an element without its end: `foot` of `foot.slip`, `roll` of
/// `roll[2]`.
fn base(subject: &str) -> &str {
    subject.split(['.', '[']).next().unwrap_or(subject)
}

/// What a diagnosis can be about.
fn declared_names(system: &ast::System) -> Vec<String> {
    let mut idents: Vec<&Ident> = system.coordinates.iter().map(|item| &item.name).collect();
    idents.extend(system.velocities.iter().chain(&system.lets).map(|item| &item.name));
    idents.extend(system.rotations.iter().flat_map(|rotation| &rotation.speeds));
    idents.extend(system.parameters.iter().map(|item| &item.name));
    idents.extend(system.inputs.iter().map(|item| &item.name));
    idents.extend(system.functions.iter().map(|item| &item.name));
    idents.extend(system.constraints.iter().chain(&system.holonomic).map(|item| &item.name));
    idents.extend(system.contacts.iter().map(|item| &item.name));
    idents.extend(system.events.iter().map(|item| &item.name));
    idents.extend(system.scenarios.iter().map(|item| &item.name));
    idents.extend(system.indexed.iter().map(|item| &item.name));
    idents.into_iter().map(|ident| ident.text.clone()).collect()
}

/// Whether a declaration allows something of a subject.
pub(crate) fn allows(system: &ast::System, diagnosis: Diagnosis, subject: &str) -> bool {
    let mut allows = system.allows.iter().filter(|allow| allow.name.text == diagnosis.name());
    allows.any(|allow| allow.subjects.is_empty() || Subjects::new(allow).name(subject))
}

/// What a declaration allows, and which of it has been met.
pub(super) struct Allowed<'s> {
    system: &'s ast::System,
    met: Vec<bool>,
    subjects: Vec<Subjects>,
}

/// The keys of what is allowed of a diagnosis.
struct Subjects {
    /// As they are written.
    written: FxHashSet<String>,
    /// Without brackets: `m[2]` is `m2`.
    elements: FxHashSet<String>,
}

impl Subjects {
    fn new(allow: &ast::Allow) -> Self {
        let written: FxHashSet<String> = allow.subjects.iter().map(|s| key(&s.text)).collect();
        let element = |key: &String| key.replace(['[', ']'], "");
        Self { elements: written.iter().map(element).collect(), written }
    }

    /// Whether they name a subject, as it is called: `roll` names all of `roll[1]`, ….
    fn name(&self, subject: &str) -> bool {
        let subject = key(subject);
        let mut wholes = subject.match_indices('[').map(|(at, _)| &subject[..at]);
        self.written.contains(&subject)
            || self.elements.contains(&subject)
            || wholes.any(|whole| self.written.contains(whole))
    }
}

impl<'s> Allowed<'s> {
    pub(super) fn new(system: &'s ast::System) -> Self {
        let subjects = system.allows.iter().map(Subjects::new).collect();
        Self { system, met: vec![false; system.allows.len()], subjects }
    }

    /// Whether something is allowed: by its name, for all of its subjects.
    pub(super) fn takes(&mut self, said: &Message) -> bool {
        if !said.diagnosis.can_be_allowed() {
            return false;
        }
        let mut taken = false;
        let all = self.system.allows.iter().zip(&self.subjects).zip(&mut self.met);
        for ((allow, subjects), met) in all {
            let fits =
                || allow.subjects.is_empty() || said.subjects.iter().all(|one| subjects.name(one));
            if allow.name.text == said.diagnosis.name() && fits() {
                (*met, taken) = (true, true);
            }
        }
        taken
    }

    /// What is allowed and not there.
    pub(super) fn unused(&mut self) -> Vec<Message> {
        let unused = self.system.allows.iter().zip(&self.met).filter(|(_, met)| !**met);
        let said = unused.map(|(allow, _)| Message {
            diagnosis: Diagnosis::UnusedAllow,
            level: Level::Warning,
            at: allow.name.region,
            text: format!("there is no `{}` that this allows", allow.to_text()),
            help: Some("remove it".to_owned()),
            subjects: Vec::new(),
        });
        let said: Vec<Message> = said.collect();
        // `allow unused_allow;` is met by the others, and needless without them.
        let itself = Diagnosis::UnusedAllow.name();
        let (itself, others): (Vec<Message>, Vec<Message>) =
            said.into_iter().partition(|said| said.text.contains(&format!("`{itself}`")));
        let allowed = !itself.is_empty();
        match (allowed, others.is_empty()) {
            (true, false) => Vec::new(),
            (true, true) => itself,
            (false, _) => others,
        }
    }
}
