//! That what is carried stays at zero along a step: its gap is bounded on parts of the step.
//!
//! A gap whose row depends on those in force, ∇g = c·[A; C], stays what it was as long as this holds all along the
//! motion and what is left of ġ is zero (`carry`). Ends of steps do not tell: between them a bump of the surface may pass
//! under it, or a wall strike out for a moment. With G ∋ g over a part [a, b] and P ∋ g(b)
//!
//! ```text
//! |G| ≤ near + 4 width P        it stays there: the motion is not known better
//! P > near, or P < −near        it has left
//! ```
//!
//! and near what is at zero of it. Other parts are halved.

use super::{BLUR, HALVINGS, Part, Proof, ROUNDINGS};
use crate::flow::Flow;
use crate::hybrid::event::guards::Guards;

/// Parts of a step that are looked at.
const PARTS_MAX: usize = 400;

/// What the carried contacts do on a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid) enum Carried {
    Stay,
    /// This one leaves zero, at the part s of the step.
    Leaves {
        contact: usize,
        s: f64,
    },
    Unknown,
}

impl Proof<'_> {
    /// What contacts that were carried do on the part [0, end] of the step h just made, with their gaps as guards.
    pub(in crate::hybrid) fn carried(
        &mut self,
        (flow, guards): (&mut Flow<'_>, &mut Guards<'_>),
        (h, end): (f64, f64),
        contacts: &[usize],
        uncertainties: &[f64],
        dense: &mut bool,
    ) -> Carried {
        if !contacts.iter().all(|contact| self.bounds(guards, *contact)) {
            return Carried::Unknown;
        }
        let (t, y) = (flow.next.t.high, &flow.next.y);
        let near: Vec<(usize, f64)> = contacts
            .iter()
            .map(|&contact| {
                let rounding = guards.spread(contact, t, y, uncertainties);
                (contact, guards.floor(contact) + ROUNDINGS * rounding)
            })
            .collect();
        if !*dense {
            let is_coarse = flow.bounds((h, end), &mut self.step);
            let found = self.carried_on(&near, end);
            if !is_coarse || found != Carried::Unknown {
                return found;
            }
            flow.interpolate(h);
            *dense = true;
        }
        flow.dense_bounds((h, end), &mut self.step);
        self.carried_on(&near, end)
    }

    /// The same on the polynomial at hand, with what is at zero of each.
    fn carried_on(&mut self, near: &[(usize, f64)], end: f64) -> Carried {
        self.parts.clear();
        self.parts.push(Part::whole(end));
        let mut count = 0;
        while let Some(part) = self.parts.pop() {
            count += 1;
            if count > PARTS_MAX {
                return Carried::Unknown;
            }
            match self.carried_part(near, part) {
                Carried::Stay => {}
                Carried::Unknown if self.has_halves(part) => self.parts.extend(part.halves()),
                found => return found,
            }
        }
        Carried::Stay
    }

    /// Where the gap of a contact leaves what is at zero of it, between a part where it is there and one where it has.
    fn left(&mut self, contact: usize, near: f64, [mut a, mut b]: [f64; 2]) -> f64 {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (a + b);
            self.run_on([middle, middle]);
            let value = self.result(contact).value;
            if value.low() > near || value.high() < -near { b = middle } else { a = middle }
        }
        b
    }

    fn carried_part(&mut self, near: &[(usize, f64)], Part { a, b, .. }: Part) -> Carried {
        self.run_on([a, b]);
        let over: Vec<f64> =
            near.iter().map(|near| self.result(near.0).value.magnitude()).collect();
        if near.iter().zip(&over).all(|((_, near), over)| over <= near) {
            return Carried::Stay;
        }
        self.run_on([b, b]);
        let mut found = Carried::Stay;
        for (&(contact, near), over) in near.iter().zip(over) {
            let at_end = self.result(contact).value;
            if at_end.low() > near || at_end.high() < -near {
                return Carried::Leaves { contact, s: self.left(contact, near, [a, b]) };
            }
            // What is not bounded is no number.
            let is_near = over <= near + BLUR * at_end.width();
            if !(is_near && over.is_finite()) {
                found = Carried::Unknown;
            }
        }
        found
    }
}
