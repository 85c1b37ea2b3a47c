//! Claims and errata: their places, conditions, equations and motions.

mod calculus;
pub(super) mod matrices;
pub(super) mod names;
pub(super) mod quantities;
pub(super) mod sentences;

use self::quantities::Quantities;
use super::contacts;
use super::expression::Resolver;
use super::expression::context::ExprContext;
use super::expression::value::{MISTAKEN, Value};
use super::mistake::Mistake;
use super::scope::{Entity, Scope};
use crate::ast::{self, Ident, Region};
use crate::closed::{ClosedSystem, closed_contacts};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{
    Claim, ClosedContact, Condition, Contact, EquationsOfMotion, ImpactOf, Print, Resisted,
    Statement, SystemModel,
};
use eom_symbolic::{ExprId, ExprPool, Function, SymbolKind};

/// Words whose values are derived, where they are equal too.
const DERIVING: [&str; 10] = [
    "partial", "rate", "force", "impulse", "sharp", "inverse", "rank", "rows", "columns", "lambda",
];

/// Words that are no names of the declaration, and derive nothing.
const SAYING: [&str; 12] = [
    "velocity",
    "identity",
    "plus",
    "minus",
    "dot",
    "cross",
    "norm",
    "transpose",
    "vee",
    "sqrt",
    "t",
    "pi",
];

/// The places of a claim: its statement, and for an erratum the corrected one.
#[derive(Debug, Clone)]
pub(crate) struct ClaimPlace {
    /// The statement, or the printed form.
    pub(crate) statement: Region,
    /// The corrected form.
    pub(crate) corrected: Option<Region>,
    /// Its conditions.
    pub(crate) conditions: Vec<Region>,
    /// Whether there is a mistake in it, so that there is nothing to decide.
    pub(crate) mistaken: bool,
}

/// Resolves claims and errata into the model, in the order of declaration of each kind.
pub(crate) fn resolve_claims(
    system: &ast::System,
    model: &mut SystemModel,
    scope: Scope,
    equations: &EquationsOfMotion,
    closed: &mut [ClosedSystem],
    errors: &mut Errors,
) -> Vec<ClaimPlace> {
    let mut quantities = vec![Quantities::new(model, equations)];
    let mut touching = vec![Vec::new()];
    for system in closed {
        let mut found = system.with_pool(model, Quantities::new);
        found.closed = system.contacts.iter().map(|touching| touching.contact).collect();
        found.frictions.clone_from(&system.frictions);
        quantities.push(found);
        touching.push(system.contacts.clone());
    }
    let quantities: Vec<_> = touching.into_iter().zip(quantities).collect();
    let pool = std::mem::take(&mut model.pool);
    let mut resolver = Resolver::new(pool, scope, &system.lets);
    let mut places = Vec::new();
    for declared in &system.claims {
        let found = errors.len();
        resolver.printed = declared.tex.is_some();
        let (closed, at) = resolver.enter(&declared.place, &quantities, &model.contacts, errors);
        let context = match &declared.statement {
            ast::Statement::Equation(_) => ExprContext::Claim,
            ast::Statement::Motion(_) => ExprContext::MotionCondition,
        };
        let when = resolver.conditions(&declared.place, context, errors);
        let (statement, text) = match &declared.statement {
            ast::Statement::Equation(equation) => {
                (resolver.equation(equation, errors), equation.to_string())
            }
            ast::Statement::Motion(motion) => {
                (resolver.motion(motion, declared.region, errors), motion.to_string())
            }
        };
        let place = (&declared.place, declared.region);
        resolver.check_row_friction(model, place, &[&statement], errors);
        let named = declared.name.named(&declared.docs);
        model.claims.push(Claim {
            named,
            statement,
            closed,
            at,
            when,
            text,
            corrected: None,
            defines: resolver.defines(&declared.statement),
            place: unconditional(&declared.place),
            print: declared.tex.as_ref().map(print),
        });
        places.push(ClaimPlace {
            statement: declared.region,
            corrected: None,
            conditions: regions(&declared.place),
            mistaken: errors.len() > found,
        });
    }
    for declared in &system.errata {
        let found = errors.len();
        resolver.printed = declared.tex.is_some();
        let (closed, at) = resolver.enter(&declared.place, &quantities, &model.contacts, errors);
        let when = resolver.conditions(&declared.place, ExprContext::Claim, errors);
        let statement = resolver.equation(&declared.printed, errors);
        let corrected = resolver.equation(&declared.corrected, errors);
        let place = (&declared.place, declared.printed.region());
        resolver.check_row_friction(model, place, &[&statement, &corrected], errors);
        model.claims.push(Claim {
            named: declared.name.named(&declared.docs),
            statement,
            closed,
            at,
            when,
            text: declared.printed.to_string(),
            corrected: Some((corrected, declared.corrected.to_string())),
            defines: false,
            place: unconditional(&declared.place),
            print: declared.tex.as_ref().map(print),
        });
        places.push(ClaimPlace {
            statement: declared.printed.region(),
            corrected: Some(declared.corrected.region()),
            conditions: regions(&declared.place),
            mistaken: errors.len() > found,
        });
    }
    model.pool = resolver.pool;
    places
}

/// The place without its conditions, which stand beside it.
fn unconditional(place: &ast::Place) -> String {
    let bare = ast::Place { when: Vec::new(), ..place.clone() };
    bare.to_string().trim().to_owned()
}

fn print(tex: &ast::Tex) -> Print {
    let ast::Tex { whole, printed, corrected, notation, readings } = tex.clone();
    Print { whole, printed, corrected, notation, readings }
}

/// What is claimed at a contact knows nothing of its friction, while it is closed says whether it sticks or slides.
fn check_friction(place: &ast::Place, contacts: &[Contact], scope: &Scope, errors: &mut Errors) {
    let declared = |ident| scope.contact(ident).and_then(|contact| contacts.get(contact));
    let slips = |contact: &Contact| contact.frictions.iter().any(|f| f.resisted == Resisted::Slip);
    for (ident, along) in &place.closed {
        let Some(contact) = declared(ident) else { continue };
        let name = ident.text.clone();
        match along {
            None if slips(contact) => {
                Mistake::SticksOrSlides { contact: name }.report(errors, ident.region);
            }
            Some(_) if !slips(contact) => {
                let resisted = Resisted::Slip;
                Mistake::NoFriction { contact: name, resisted }.report(errors, ident.region);
            }
            _ => {}
        }
    }
    if let Some(ident) = &place.at {
        let contact = declared(ident);
        if contact.is_some_and(|c| !c.frictions.is_empty() || !c.borne.is_empty()) {
            Mistake::ClaimWithFriction { contact: ident.text.clone() }.report(errors, ident.region);
        }
    }
}

impl Resolver<'_> {
    /// What is claimed of forces, accelerations or impacts knows nothing of the friction of constraints.
    fn check_row_friction(
        &self,
        model: &SystemModel,
        (place, at): (&ast::Place, Region),
        statements: &[&Statement],
        errors: &mut Errors,
    ) {
        let Some(friction) = model.row_frictions.first() else { return };
        let acts = |kind| matches!(kind, SymbolKind::Acceleration(_) | SymbolKind::Multiplier(_));
        let speaks = |statement: &&Statement| match statement {
            Statement::Motion(_) => true,
            Statement::Residuals(residuals) => residuals.iter().any(|residual| {
                self.pool.contains(*residual, |s| acts(self.pool.symbol_info(s).kind))
            }),
        };
        if place.at.is_some() || statements.iter().any(speaks) {
            let row = friction.name.clone();
            Mistake::ClaimWithRowFriction { row }.report(errors, at);
        }
    }
}

fn regions(place: &ast::Place) -> Vec<Region> {
    place.when.iter().map(ast::Equation::region).collect()
}

impl Resolver<'_> {
    /// Takes the closed contacts, the contact and the law of a claim.
    fn enter(
        &mut self,
        place: &ast::Place,
        quantities: &[(Vec<ClosedContact>, Quantities)],
        contacts: &[Contact],
        errors: &mut Errors,
    ) -> (Vec<ClosedContact>, Option<(usize, ImpactOf)>) {
        for (ident, _) in &place.closed {
            self.contact_of_claim(ident, errors);
        }
        let closed = closed_contacts(place, &self.scope);
        let contact = place.at.as_ref().and_then(|ident| self.contact_of_claim(ident, errors));
        let found = quantities.iter().find(|(touching, _)| *touching == closed);
        self.quantities = found.map(|(_, quantities)| quantities.clone());
        if let Some(quantities) = &mut self.quantities {
            quantities.enter(contact, place.at.is_some());
        }
        let map = match &place.under {
            Some(ast::Under::Law(law)) => Some(ImpactOf::Law(contacts::law(self, law, errors))),
            Some(ast::Under::Reflect) => Some(ImpactOf::Reflect),
            Some(ast::Under::Corner(region)) => {
                self.check_corner(*region, errors);
                Some(ImpactOf::Corner)
            }
            None => contact.and_then(|contact| contacts.get(contact)).map(|c| ImpactOf::Law(c.law)),
        };
        check_friction(place, contacts, &self.scope, errors);
        (closed, contact.zip(map))
    }

    fn contact_of_claim(&self, ident: &Ident, errors: &mut Errors) -> Option<usize> {
        let contact = self.scope.contact(ident);
        if contact.is_none() {
            let near = self.scope.nearest_contact(ident);
            Mistake::UnknownContact { name: ident.text.clone(), near }.report(errors, ident.region);
        }
        contact
    }

    /// The corner conditions are those of a contact without rows of its own.
    fn check_corner(&self, under: Region, errors: &mut Errors) {
        let contact = self.quantities.as_ref().and_then(Quantities::contact);
        if let Some(contact) = contact.filter(|contact| !contact.rows.is_empty()) {
            let contact = contact.named.name.clone();
            Mistake::CornerRows { contact }.report(errors, under);
        }
    }

    fn conditions(
        &mut self,
        place: &ast::Place,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Vec<Condition> {
        let conditions = place.when.iter();
        conditions
            .map(|equation| Condition {
                residuals: self.residuals(equation, context, errors),
                text: equation.to_string(),
            })
            .collect()
    }

    fn equation(&mut self, equation: &ast::Equation, errors: &mut Errors) -> Statement {
        Statement::Residuals(self.residuals(equation, ExprContext::Claim, errors))
    }

    /// lhs − rhs, by component.
    fn residuals(
        &mut self,
        equation: &ast::Equation,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Vec<ExprId> {
        let lhs = self.value(&equation.lhs, context, errors);
        let rhs = self.value(&equation.rhs, context, errors);
        // A vector vanishes where the print has 0 for it.
        let is_zero = |value: &Value| self.printed && *value == Value::Scalar(ExprPool::ZERO);
        let (lhs, rhs) = match (is_zero(&lhs), is_zero(&rhs)) {
            (false, true) => (lhs.clone(), lhs.map(|_| ExprPool::ZERO)),
            (true, false) => (rhs.map(|_| ExprPool::ZERO), rhs),
            _ => (lhs, rhs),
        };
        let residual = lhs.plus(&rhs, true, &mut self.pool).unwrap_or_else(|_| {
            let (left, right) = (lhs.shape(), rhs.shape());
            Mistake::Shapes { operation: "an equation", left, right }
                .report(errors, equation.region());
            MISTAKEN
        });
        self.check_impact_words(&residual, equation.region(), errors);
        residual.entries()
    }

    /// Whether a statement only says what its symbols stand for: both sides are the same expression, and are written
    /// alike, or one is the name of it, or both are made of declared names alone. What is derived, differentiated,
    /// integrated or counted is found, even where it is found equal.
    fn defines(&mut self, statement: &ast::Statement) -> bool {
        let ast::Statement::Equation(equation) = statement else { return false };
        let sides = [&equation.lhs, &equation.rhs];
        let names = sides.iter().all(|side| matches!(side.kind, ast::ExprKind::Name(_)));
        let named = sides.iter().any(|side| self.is_named(side));
        let alike = equation.lhs.to_text() == equation.rhs.to_text();
        if !(names || named || alike || sides.iter().all(|side| self.is_declared(side))) {
            return false;
        }
        let mut unheard = Errors::new();
        let [left, right] = sides.map(|side| self.value(side, ExprContext::Claim, &mut unheard));
        // They were said of the statement before.
        drop(unheard.into_diagnostics_so_far());
        !left.is_mistaken() && left == right
    }

    /// Whether it is the name of what the declaration gives: of a `let`, a parameter or an input.
    fn is_named(&self, side: &ast::Expr) -> bool {
        let ast::ExprKind::Name(ident) = &side.kind else { return false };
        let name = ident.name();
        let entity = self.scope.find(&name.key);
        let given =
            matches!(entity, Some(Entity::Let(_) | Entity::Parameter(_) | Entity::Input(_)));
        name.is_plain() && given
    }

    /// Whether an expression is made of declared names, their velocities and values at an impact, by operations that
    /// derive nothing.
    fn is_declared(&self, side: &ast::Expr) -> bool {
        // |b − a| = b − a is an inequality.
        let compares = matches!(&side.kind, ast::ExprKind::Call { function, .. }
            if matches!(function.name().key.as_str(), "sign" | "abs"));
        if compares || side.integrates() || side.calls(&DERIVING) {
            return false;
        }
        let mut declared = true;
        side.for_names(&mut |ident| {
            let name = ident.name();
            let highest = match self.scope.find(&name.key) {
                Some(Entity::Coordinate(_)) => Some(1),
                Some(_) => Some(0),
                None => {
                    let function = Function::from_name(&name.key).is_some();
                    let partial = self.scope.partial(&name.key).is_some();
                    let says = function || partial || SAYING.contains(&name.key.as_str());
                    says.then_some(0)
                }
            };
            declared &= highest.is_some_and(|highest| name.dots <= highest);
        });
        declared
    }

    /// Values after an impact need a contact.
    fn check_impact_words(&self, value: &Value, at: Region, errors: &mut Errors) {
        if self.quantities.as_ref().is_none_or(|q| q.at_impact) {
            return;
        }
        let after = self.pool.symbols_in(&value.entries()).into_iter().find(|symbol| {
            let kind = self.pool.symbol_info(*symbol).kind;
            matches!(kind, SymbolKind::VelocityAfter(_) | SymbolKind::Impulse(_))
        });
        if let Some(symbol) = after {
            let what = self.pool.symbol_info(symbol).name.clone();
            Mistake::NeedsContact { what }.report(errors, at);
        }
    }

    fn motion(&mut self, motion: &ast::Motion, at: Region, errors: &mut Errors) -> Statement {
        if let Some(rotation) = self.scope.layout.rotations.first() {
            Mistake::MotionOfRotation { name: rotation.named.name.clone() }.report(errors, at);
        }
        for (index, constant) in motion.constants.iter().enumerate() {
            self.scope.declare(constant, Entity::Constant(index), errors);
        }
        let names = self.quantities.as_ref().map(|q| q.coordinates.clone()).unwrap_or_default();
        let mut values: Vec<Option<ExprId>> = vec![None; names.len()];
        for component in &motion.components {
            let value = self.scalar(&component.value, ExprContext::Motion, errors);
            let name = component.target.name();
            match self.scope.find(&name.key) {
                Some(Entity::Coordinate(index)) if name.is_plain() => {
                    if values[index].replace(value).is_some() {
                        Mistake::AssignedTwice { name: name.display }
                            .report(errors, component.target.region);
                    }
                }
                _ => Mistake::NotMoving {
                    name: component.target.text.clone(),
                    near: self.scope.nearest_coordinate(&name),
                }
                .report(errors, component.target.region),
            }
        }
        self.scope.forget_constants();
        let missing = values.iter().zip(&names).find(|(value, _)| value.is_none());
        if let Some((_, coordinate)) = missing {
            Mistake::MotionIncomplete { coordinate: coordinate.clone() }.report(errors, at);
        }
        Statement::Motion(values.into_iter().map(|v| v.unwrap_or(ExprPool::ZERO)).collect())
    }
}
