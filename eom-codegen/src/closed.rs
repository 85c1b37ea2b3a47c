//! The declaration with contacts closed, once for each set of contacts that claims name.

use crate::ast;
use crate::resolve::Scope;
use eom_elementary::order;
use eom_symbolic::ExprId;
use eom_symbolic::mechanics::claim::closed::{Closed, with_closed};
use eom_symbolic::mechanics::claim::jets::Jets;
use eom_symbolic::mechanics::claim::sample::Functions;
use eom_symbolic::mechanics::{
    Along, ClosedContact, DeriveError, EquationsOfMotion, SystemModel, lagrange,
};

/// The declaration with a set of contacts closed. Its expressions are in the pool of the declaration.
#[derive(Debug)]
pub(crate) struct ClosedSystem {
    /// The contacts, in rising order.
    pub(crate) contacts: Vec<ClosedContact>,
    /// Their friction: contact, place among its forces, force.
    pub(crate) frictions: Vec<(usize, usize, ExprId)>,
    model: SystemModel,
    equations: EquationsOfMotion,
    functions: Option<Functions>,
}

/// The contacts of a place that are declared, in rising order.
pub(crate) fn closed_contacts(place: &ast::Place, scope: &Scope) -> Vec<ClosedContact> {
    let touching = |(ident, along): &(ast::Ident, Option<Along>)| {
        let contact = scope.contact(ident)?;
        Some(ClosedContact { contact, along: *along })
    };
    let mut contacts: Vec<ClosedContact> = place.closed.iter().filter_map(touching).collect();
    order::sort(&mut contacts);
    contacts.dedup();
    contacts
}

/// Derives the sets that claims and errata name, in the order of their first mention.
pub(crate) fn derive_closed(
    system: &ast::System,
    scope: &Scope,
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
) -> Result<Vec<ClosedSystem>, DeriveError> {
    let mut systems: Vec<ClosedSystem> = Vec::new();
    let claims = system.claims.iter().map(|claim| &claim.place);
    for place in claims.chain(system.errata.iter().map(|erratum| &erratum.place)) {
        let contacts = closed_contacts(place, scope);
        if contacts.is_empty() || systems.iter().any(|known| known.contacts == contacts) {
            continue;
        }
        let Closed { model: mut closed, frictions } = with_closed(model, equations, &contacts);
        let derived = lagrange::derive(&mut closed);
        model.pool = std::mem::take(&mut closed.pool);
        systems.push(ClosedSystem {
            contacts,
            frictions,
            model: closed,
            equations: derived?,
            functions: None,
        });
    }
    Ok(systems)
}

/// The declaration with a free symbol for each value of a declared function, for whoever decides
/// its claims, and the same in the closed systems; `None` where there are no functions.
pub(crate) fn free_of_functions(
    model: &SystemModel,
    equations: &EquationsOfMotion,
    closed: &mut [ClosedSystem],
) -> Option<(SystemModel, EquationsOfMotion)> {
    if !model.pool.has_functions() {
        return None;
    }
    let (mut model, mut equations) = (model.clone(), equations.clone());
    let mut jets = Jets::default();
    let mut pool = std::mem::take(&mut model.pool);
    jets.free(&mut pool, &mut model, &mut equations);
    for system in closed {
        jets.free(&mut pool, &mut system.model, &mut system.equations);
    }
    model.pool = pool;
    Some((model, equations))
}

impl ClosedSystem {
    /// Looks at the model and its equations, with the pool of the declaration.
    pub(crate) fn with_pool<R>(
        &mut self,
        declaration: &mut SystemModel,
        look: impl FnOnce(&mut SystemModel, &EquationsOfMotion) -> R,
    ) -> R {
        std::mem::swap(&mut self.model.pool, &mut declaration.pool);
        let result = look(&mut self.model, &self.equations);
        std::mem::swap(&mut self.model.pool, &mut declaration.pool);
        result
    }

    /// The same with the functions that random states need, made once.
    pub(crate) fn with_functions<R>(
        &mut self,
        declaration: &mut SystemModel,
        look: impl FnOnce(&mut SystemModel, &EquationsOfMotion, &Functions) -> R,
    ) -> R {
        let functions = self.functions.take();
        let (result, functions) = self.with_pool(declaration, |model, equations| {
            let functions = functions.unwrap_or_else(|| Functions::new(model, equations));
            (look(model, equations, &functions), functions)
        });
        self.functions = Some(functions);
        result
    }
}
