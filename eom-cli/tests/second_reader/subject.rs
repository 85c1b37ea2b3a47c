//! What is asked of a model: where a claim is stated, and a start without a result.

use super::strings::Strings;
use super::translate::Reader;
use eom_codegen::ast::{self, Ident};
use models::ModelEntry;

/// A model with its declaration, and the place at which something is claimed of it.
#[derive(Clone)]
pub(super) struct Subject<'a> {
    pub(super) model: &'a ModelEntry,
    pub(super) declared: &'a ast::System,
    pub(super) place: &'a ast::Place,
    /// The contact at whose impact the claim is stated.
    pub(super) contact: Option<usize>,
    /// The contacts that are closed.
    pub(super) closed: Vec<usize>,
    /// Whether the generalized forces are needed.
    pub(super) forces: bool,
}

/// Why there is no state.
pub(super) enum Stop {
    /// This one does not serve: draw another.
    Redraw,
    /// None will: the reason.
    Never(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Self::Never(reason)
    }
}

/// A number where it can be had, or why not.
pub(super) type Drawn<T> = Result<T, Stop>;

/// What is not there at a state that is drawn.
pub(super) fn or_redraw<T>(found: Option<T>) -> Drawn<T> {
    found.ok_or(Stop::Redraw)
}

impl<'a> Subject<'a> {
    /// `equations` are those of the claim.
    pub(super) fn new(
        model: &'a ModelEntry,
        declared: &'a ast::System,
        place: &'a ast::Place,
        equations: &[&ast::Equation],
    ) -> Result<Self, String> {
        let index = |ident: &Ident| {
            let key = ident.name().key;
            let found = model.info.contacts.iter().position(|contact| contact.ascii == key);
            found.ok_or_else(|| "an unknown contact".to_owned())
        };
        let contact = place.at.as_ref().map(index).transpose()?;
        let closed =
            place.closed.iter().map(|(ident, _)| index(ident)).collect::<Result<_, _>>()?;
        let mut all = equations.iter().copied().chain(&place.when);
        let forces =
            all.any(|equation| equation.lhs.calls(&["force"]) || equation.rhs.calls(&["force"]));
        Ok(Self { model, declared, place, contact, closed, forces })
    }

    /// Where the claim is stated, as text.
    pub(super) fn conditions_text(&self) -> String {
        let when = self.place.when.iter();
        let when: Vec<String> = when.map(|c| format!("{} = {}", c.lhs, c.rhs)).collect();
        let law = self.place.under.as_ref();
        format!("{:?} {:?} {law:?} {}", self.closed, self.contact, when.join(", "))
    }

    /// Left − right of the conditions of the place, by component.
    pub(super) fn conditions(&self, reader: &mut Reader<'_>) -> Result<Vec<Strings>, String> {
        let conditions = self.place.when.iter();
        let found = conditions.map(|condition| reader.difference(&condition.lhs, &condition.rhs));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }
}
