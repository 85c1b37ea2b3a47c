//! A system whose contacts stay closed: motion in contact, as claims speak of it.
//!
//! With friction a contact that is closed sticks or slides. What sticks holds its slip, a row more with the friction f on the slip
//! as its multiplier; what slides is pushed by a force that holds the multiplier λ of the gap's row:
//!
//! ```text
//! sticks    s = J v + b = 0          M v̇ + h = F + ∇gᵀλ + Jᵀf
//! slides    fᵢ = −μ λ sᵢ/‖s‖         M v̇ + h = F + ∇gᵀλ + Jᵀf       of two coefficients fᵢ = −λ μᵢ² sᵢ/‖μs‖
//! ```
//!
//! Resistance against rolling and spinning is that of what turns, whatever the slip does. A force that holds f acts with it.

use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::contact::{Along, ClosedContact, Contact, ContactFriction, Resisted};
use crate::mechanics::system::declared::{Named, Row, RowKind};
use crate::node::{ExprId, Function, SymbolKind};
use crate::pool::ExprPool;
use crate::subst::Substitution;

/// A system with contacts closed.
#[derive(Debug)]
pub struct Closed {
    /// The system.
    pub model: SystemModel,
    /// The friction of its contacts on their slips, and moments against roll and spin: contact, place among its forces, force.
    pub frictions: Vec<(usize, usize, ExprId)>,
}

/// The system with these contacts closed: each gap is a holonomic constraint g(t,q) = 0 behind the
/// declared rows, so that the multiplier of its row ∇g is the normal force per unit gap, followed by
/// the contact's own rows and those of a slip that sticks, which are rows of its own here; each contact's dissipation adds to the
/// system's, and what acts with its normal force to the forces. It has no claims, no lines of the energy, and no friction beside.
///
/// The pool moves into the result, so that ids stay those of the model: move it back.
pub fn with_closed(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    contacts: &[ClosedContact],
) -> Closed {
    let pool = std::mem::take(&mut model.pool);
    let mut closed = SystemModel { lines: Vec::new(), claims: Vec::new(), ..model.clone() };
    closed.pool = pool;
    for contact in &mut closed.contacts {
        contact.frictions.clear();
    }
    let mut closed = Closed { model: closed, frictions: Vec::new() };
    for &touching in contacts {
        let declared = &model.contacts[touching.contact];
        let derived = &equations.contacts[touching.contact];
        let row = closed.model.rows.len();
        closed.model.rows.push(Row {
            named: declared.named.clone(),
            kind: RowKind::Holonomic { residual: derived.gap },
            coefficients: derived.gradient.clone(),
            affine: derived.rate,
            declared: derived.gap,
        });
        closed.model.rows.extend(declared.rows.iter().map(|row| of_contact(declared, row)));
        let dissipation = closed.model.dissipation;
        closed.model.dissipation = closed.model.pool.add(dissipation, declared.dissipation);
        closed.add_borne(row, declared);
        for friction in &declared.frictions {
            match touching.along {
                Some(Along::Sticks) if friction.resisted == Resisted::Slip => {
                    closed.hold(touching.contact, declared, friction);
                }
                _ => closed.slide((touching.contact, row), declared, friction),
            }
        }
    }
    closed
}

/// A row of a contact among those of the system.
fn of_contact(declared: &Contact, row: &Row) -> Row {
    let Named { name, key, doc } = &row.named;
    Row {
        named: Named {
            name: format!("{}.{name}", declared.named.name),
            key: format!("{}.{key}", declared.named.key),
            doc: doc.clone(),
        },
        ..row.clone()
    }
}

impl Closed {
    /// λ of the row of a contact's gap.
    fn normal_force(&mut self, row: usize, declared: &Contact) -> ExprId {
        let name = format!("λ({})", declared.named.name);
        let λ = self.model.pool.symbol(SymbolKind::Multiplier(row), &name);
        self.model.pool.symbol_expr(λ)
    }

    /// Adds λ ∂Q/∂λ of a contact to the forces.
    fn add_borne(&mut self, row: usize, declared: &Contact) {
        if declared.borne.is_empty() {
            return;
        }
        let λ = self.normal_force(row, declared);
        let SystemModel { pool, forces, .. } = &mut self.model;
        for (force, slope) in forces.iter_mut().zip(&declared.borne) {
            let term = pool.mul(*slope, λ);
            *force = pool.add(*force, term);
        }
    }

    /// Adds the rows of a slip that sticks, to the contact's own and to all.
    fn hold(&mut self, contact: usize, declared: &Contact, friction: &ContactFriction) {
        let velocities = self.model.velocities();
        for (i, slip) in friction.slip.iter().enumerate() {
            let pool = &mut self.model.pool;
            let coefficients = pool.gradient(*slip, &velocities);
            let mut at_rest = Substitution::new(velocities.iter().map(|v| (*v, ExprPool::ZERO)));
            let affine = at_rest.apply(pool, *slip);
            let name = match friction.slip.len() {
                1 => "slip".to_owned(),
                _ => format!("slip[{}]", i + 1),
            };
            let named = Named { key: name.clone(), name, doc: String::new() };
            let kind = RowKind::Velocity;
            let row = Row { named, kind, coefficients, affine, declared: *slip };
            let place = self.model.rows.len();
            let name = format!("friction({})", declared.named.name);
            let f = pool.symbol(SymbolKind::Multiplier(place), &name);
            let f = pool.symbol_expr(f);
            self.frictions.push((contact, friction.resisted.place() + i, f));
            self.bear(friction, i, f);
            self.model.rows.push(of_contact(declared, &row));
            self.model.contacts[contact].rows.push(row);
        }
    }

    /// Adds Jᵀf of what slides to the forces.
    fn slide(
        &mut self,
        (contact, row): (usize, usize),
        declared: &Contact,
        friction: &ContactFriction,
    ) {
        let (λ, velocities) = (self.normal_force(row, declared), self.model.velocities());
        let SystemModel { pool, forces, .. } = &mut self.model;
        for (i, (slip, f)) in friction.slip.iter().zip(on_slip(pool, friction, λ)).enumerate() {
            self.frictions.push((contact, friction.resisted.place() + i, f));
            for (force, entry) in forces.iter_mut().zip(pool.gradient(*slip, &velocities)) {
                let term = pool.mul(entry, f);
                *force = pool.add(*force, term);
            }
        }
        let forces: Vec<ExprId> = self.frictions.iter().map(|(_, _, f)| *f).collect();
        let first = forces.len() - friction.slip.len();
        for (i, f) in forces[first..].iter().enumerate() {
            self.bear(friction, i, *f);
        }
    }

    /// Adds what acts with the force f on a component of a slip.
    fn bear(&mut self, friction: &ContactFriction, component: usize, f: ExprId) {
        let Some(slopes) = friction.borne.get(component) else { return };
        let SystemModel { pool, forces, .. } = &mut self.model;
        for (force, slope) in forces.iter_mut().zip(slopes) {
            let term = pool.mul(*slope, f);
            *force = pool.add(*force, term);
        }
    }
}

/// f of what slides with the normal force λ.
fn on_slip(pool: &mut ExprPool, friction: &ContactFriction, λ: ExprId) -> Vec<ExprId> {
    let ContactFriction { slip, sliding, weights, .. } = friction;
    let μ = |i: usize| weights.get(i).copied().unwrap_or(ExprPool::ONE);
    let strength = pool.product_of(&[ExprPool::MINUS_ONE, *sliding, λ]);
    if let [slip] = slip[..] {
        let sign = pool.call(Function::Sign, &[slip]);
        return vec![pool.mul(strength, sign)];
    }
    let weighed: Vec<ExprId> = slip.iter().enumerate().map(|(i, s)| pool.mul(μ(i), *s)).collect();
    let squares: Vec<ExprId> = weighed.iter().map(|w| pool.powi(*w, 2)).collect();
    let square = pool.sum_of(&squares);
    let length = pool.sqrt(square);
    let of_each = weighed.iter().enumerate().map(|(i, w)| {
        let part = pool.div(*w, length);
        pool.product_of(&[strength, μ(i), part])
    });
    of_each.collect()
}
