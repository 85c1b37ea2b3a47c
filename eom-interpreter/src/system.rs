//! The functions of a system: each as generated Rust has it, by the tape of its program.

use crate::Interpreted;
use crate::run::{Context, with_registers};
use crate::tape;
use eom_core::enclosure::{Programs, Tape};
use eom_core::info::SystemInfo;
use eom_core::private;
use eom_core::series::{Series, SeriesInLanes};
use eom_core::system::{ImpactDirection, Restitution, Specialised};
use eom_core::{
    Contacts, Energy, Events, Friction, Law, ParameterError, Scenario, Sentence, System,
};
use eom_symbolic::mechanics::{self, Bearer, Unknown};
use eom_symbolic::program::{Kernel, Program, SystemTape, SystemTapes};
use std::ops::Range;

/// The most outputs that are written without registers.
const OUTPUTS_AT_HAND: usize = 32;

impl Interpreted {
    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            parameters: &self.parameters,
            functions: &self.functions,
            lists: &self.source.tapes.lists,
            declared: self.declared,
            machine: self.source.tapes.machine.as_ref().filter(|_| !self.interprets),
        }
    }

    /// A tape, as long as the functions in it are those of the declaration.
    fn declared<'a>(&self, found: Option<&'a SystemTape>) -> Option<&'a Tape> {
        let found = found?;
        let declared = |function: &usize| self.functions[*function].given().is_none();
        found.defaults.iter().all(declared).then_some(&found.tape)
    }

    /// Sees that t, q, v and u, of which the last may be missing, have the lengths of the info.
    #[track_caller]
    fn check(&self, state: &[&[f64]]) {
        const NAMES: [&str; 5] = ["t", "q", "v", "u", "forces"];
        for (at, (found, expected)) in state.iter().zip(self.source.lengths).enumerate() {
            if at < 4 || !found.is_empty() {
                private::check_length(NAMES[at], expected, found.len());
            }
        }
    }

    /// What bears the force that a term of friction grows with.
    fn bearer(&self, term: usize) -> Option<Bearer> {
        let points = &self.source.derivation.equations.friction.points;
        Some(points.get(term)?.borne?.bearer)
    }

    /// Whether a program reads the forces of a mode.
    pub(crate) fn holds_forces(&self, program: &Program) -> bool {
        program.reads_forces(&self.source.derivation.model.pool)
    }

    /// Forces that are not numbers, for what reads some.
    pub(crate) fn no_forces(&self, reads: bool) -> Vec<f64> {
        vec![f64::NAN; if reads { self.source.derivation.model.forces_of_mode() } else { 0 }]
    }

    /// Runs a tape at a state: t, q, v, u, forces, of which the last may be missing where it reads none.
    #[track_caller]
    fn evaluate<R>(
        &self,
        tape: &tape::Tape,
        state: &[&[f64]],
        read: impl FnOnce(&[f64]) -> R,
    ) -> R {
        self.check(state);
        self.read(tape, state, read)
    }

    /// The same at a state that has been checked.
    fn read<R>(&self, tape: &tape::Tape, state: &[&[f64]], read: impl FnOnce(&[f64]) -> R) -> R {
        let mut at_hand = [0.0; OUTPUTS_AT_HAND];
        if let Some(outputs) = at_hand.get_mut(..tape.outputs.len())
            && tape.directly(&self.context(), state, tape.parts(outputs))
        {
            return read(outputs);
        }
        with_registers(tape.space(), |registers| {
            read(tape.outputs(&self.context(), state, registers))
        })
    }

    /// The same into slices, one after another.
    #[track_caller]
    #[inline]
    fn write<const S: usize, const N: usize>(
        &self,
        tape: &tape::Tape,
        state: [&[f64]; S],
        mut parts: [&mut [f64]; N],
    ) {
        if !self.write_by_code(tape, state, &mut parts) {
            self.copy(tape, &state, &mut parts);
        }
    }

    /// Whether code has written the outputs to where they are asked for: a run by Runge–Kutta spends most of its time here,
    /// and of a small system the code itself is the smaller part. Lengths that do not fit are told elsewhere.
    #[inline]
    fn write_by_code<const S: usize, const N: usize>(
        &self,
        tape: &tape::Tape,
        state: [&[f64]; S],
        parts: &mut [&mut [f64]; N],
    ) -> bool {
        let Some(machine) = &self.source.tapes.machine else { return false };
        let (first, second): (&mut [f64], &mut [f64]) = match &mut parts[..] {
            [first] => (first, &mut []),
            [first, second] => (first, second),
            _ => return false,
        };
        let lengths = &self.source.lengths;
        let is_right = |i: usize| S <= i || state[i].len() == lengths[i];
        let fits = !self.interprets
            & (self.declared | tape.calls.is_empty())
            & (first.len() == tape.split())
            & (first.len() + second.len() == tape.outputs.len())
            & is_right(0)
            & is_right(1)
            & is_right(2)
            & is_right(3)
            & (S <= 4 || state[S - 1].is_empty());
        let read = |i: usize| if i < S { state[i] } else { &[] };
        let reads = [read(0), read(1), read(2), read(3), &self.parameters];
        fits && tape.run_code(machine, reads, [first, second])
    }

    /// Forces of a kernel by contacts, 0 where it has none.
    fn forces_by_contacts<const S: usize>(
        &self,
        kernel: Kernel,
        state: [&[f64]; S],
        forces: &mut [f64],
    ) {
        let tape = self.source.tapes.one(kernel);
        if tape.outputs.is_empty() {
            return forces.fill(0.0);
        }
        self.write(tape, state, [forces]);
    }

    /// The same by way of registers.
    #[track_caller]
    #[inline(never)]
    fn copy(&self, tape: &tape::Tape, state: &[&[f64]], parts: &mut [&mut [f64]]) {
        let found = parts.iter().map(|part| part.len()).sum();
        private::check_length("outputs", tape.outputs.len(), found);
        self.check(state);
        self.read(tape, state, |outputs| {
            let mut rest = outputs;
            for part in parts {
                let (now, later) = rest.split_at(part.len());
                part.copy_from_slice(now);
                rest = later;
            }
        });
    }

    /// v̇ and λ: as the tape has them, or by loops from what it packs.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "lists that are handed on in memory take as long as the code of a small system"
    )]
    fn solve(&self, tape: &tape::Tape, state: [&[f64]; 4], a: &mut [f64], λ: &mut [f64]) {
        let crate::Source { derivation, tapes, .. } = &*self.source;
        if derivation.programs.dynamics_solved {
            let [t, q, v, u] = state;
            let reads = [t, q, v, u, &self.parameters];
            let done = !self.interprets
                && (self.declared || tape.calls.is_empty())
                && tapes.machine.as_ref().is_some_and(|m| tape.run_code(m, reads, [a, λ]));
            if !done {
                self.write(tape, state, [a, λ]);
            }
            return;
        }
        self.check(&state);
        let work = private::solve_work(a.len(), λ.len());
        with_registers(tape.space() + work, |registers| {
            let (registers, work) = registers.split_at_mut(tape.space());
            let all = tape.outputs(&self.context(), &state, registers);
            private::solve_into(all, derivation.equations.is_coupled(), a, λ, work);
        });
    }
}

impl System for Interpreted {
    fn info(&self) -> &'static SystemInfo {
        self.source.info
    }

    fn parameters(&self, values: &mut [f64]) {
        private::check_length("values", self.parameters.len(), values.len());
        values.copy_from_slice(&self.parameters);
    }

    fn check_parameters(&self) -> Result<(), ParameterError> {
        if let Some(name) = self.missing {
            return Err(ParameterError::Missing { name });
        }
        let info = self.source.info;
        let parameters = info.parameters.iter().zip(&self.parameters);
        for ((info, value), bounds) in parameters.zip(&self.source.tapes.bounds) {
            private::finite(info.name, *value)?;
            for bound in bounds {
                private::bound(info.name, *value, bound.holds(&self.context()), info.bound)?;
            }
        }
        for (info, function) in info.functions.iter().zip(&self.functions) {
            let (arity, has_default) = (info.arguments.len(), info.default.is_some());
            private::function(info.name, function, arity, has_default)?;
        }
        Ok(())
    }

    fn pairing_sign(&self, t: f64, q: &[f64], v: &[f64], u: &[f64]) -> Option<f64> {
        let derivation = &self.source.derivation;
        if !derivation.equations.is_coupled() {
            return None;
        }
        let (n, k) = (derivation.equations.mass.size(), derivation.equations.rows.len());
        let tape = &self.source.tapes.dynamics;
        let mut all = vec![0.0; tape.outputs.len()];
        self.write(tape, [&[t], q, v, u], [&mut all]);
        Some(private::pairing_sign(&all, n, k))
    }

    fn rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        if self.source.info.is_plain() {
            return rates.copy_from_slice(v);
        }
        self.write(self.source.tapes.one(Kernel::Rates), [&[t], q, v], [rates]);
    }

    fn accelerations(
        &self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]
    ) {
        self.solve(&self.source.tapes.dynamics, [&[t], q, v, u], a, λ);
    }

    fn frictionless(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]) {
        let tapes = &self.source.tapes;
        let without = !self.source.derivation.equations.friction.has_constant_points();
        let tape = if without { &tapes.dynamics } else { &tapes.frictionless };
        self.solve(tape, [&[t], q, v, u], a, λ);
    }

    fn mass_matrix(&self, t: f64, q: &[f64], m: &mut [f64]) {
        let n = self.source.info.speeds();
        private::check_length("m", n * n, m.len());
        let product = self.source.tapes.one(Kernel::MassProduct);
        if !product.outputs.is_empty() {
            return with_registers(n, |unit| {
                private::columns(unit, "m", m, |unit, column| {
                    self.write(product, [&[t], q, unit], [column]);
                });
            });
        }
        let lower = self.source.tapes.one(Kernel::MassMatrix);
        if lower.outputs.is_empty() {
            return m.fill(f64::NAN);
        }
        self.evaluate(lower, &[&[t], q], |lower| private::unpack_rows(lower, n, m));
    }

    fn mass_matrix_at(&self, t: f64, q: &[f64], v: &[f64], m: &mut [f64]) {
        let lower = self.source.tapes.one(Kernel::MassMatrixAt);
        if lower.outputs.is_empty() {
            return self.mass_matrix(t, q, m);
        }
        let n = self.source.info.speeds();
        private::check_length("m", n * n, m.len());
        self.evaluate(lower, &[&[t], q, v], |lower| private::unpack_rows(lower, n, m));
    }

    fn constraint_rows(&self, t: f64, q: &[f64], a: &mut [f64], b: &mut [f64]) {
        if self.source.info.has_nonlinear_rows() {
            a.fill(f64::NAN);
            return b.fill(f64::NAN);
        }
        self.write(self.source.tapes.one(Kernel::ConstraintRows), [&[t], q], [a, b]);
    }

    fn constraint_rows_at(&self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], b: &mut [f64]) {
        if !self.source.info.has_nonlinear_rows() {
            return self.constraint_rows(t, q, a, b);
        }
        self.write(self.source.tapes.one(Kernel::ConstraintRowsAt), [&[t], q, v], [a, b]);
    }

    fn holonomic(&self, t: f64, q: &[f64], φ: &mut [f64]) {
        self.write(self.source.tapes.one(Kernel::Holonomic), [&[t], q], [φ]);
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Energy {
        self.evaluate(self.source.tapes.one(Kernel::Energy), &[&[t], q, v], |energy| Energy {
            kinetic: energy[0],
            potential: energy[1],
            jacobi: energy[2],
        })
    }

    fn powers(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], λ: &[f64], powers: &mut [f64]) {
        let tape = self.source.tapes.one(Kernel::Powers);
        if tape.outputs.is_empty() {
            return;
        }
        self.evaluate(tape, &[&[t], q, v, u], |all| private::affine(all, λ, powers));
    }

    fn outputs(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], outputs: &mut [f64]) {
        let forces = self.no_forces(self.outputs_hold_forces());
        self.write(self.source.tapes.one(Kernel::Outputs), [&[t], q, v, u, &forces], [outputs]);
    }

    fn outputs_hold_forces(&self) -> bool {
        self.holds_forces(&self.source.derivation.programs.outputs)
    }

    fn outputs_with_forces(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        u: &[f64],
        forces: &[f64],
        outputs: &mut [f64],
    ) {
        if !self.outputs_hold_forces() {
            return self.outputs(t, q, v, u, outputs);
        }
        self.write(self.source.tapes.one(Kernel::Outputs), [&[t], q, v, u, forces], [outputs]);
    }

    fn sentence(&self, index: usize) -> Option<Sentence> {
        self.source.tapes.sentences.get(index).map(|said| said.get(&self.context()))
    }

    fn scenario(&self, index: usize) -> Option<Scenario> {
        self.source.tapes.scenarios.get(index).map(|scenario| scenario.get(&self.context()))
    }
}

impl Contacts for Interpreted {
    fn gaps(&self, t: f64, q: &[f64], g: &mut [f64]) {
        self.write(self.source.tapes.one(Kernel::Gaps), [&[t], q], [g]);
    }

    fn gap_rows(&self, t: f64, q: &[f64], grad: &mut [f64], rate: &mut [f64]) {
        self.write(self.source.tapes.one(Kernel::GapRows), [&[t], q], [grad, rate]);
    }

    fn contact_rows(&self, contact: usize, t: f64, q: &[f64], a: &mut [f64], b: &mut [f64]) {
        if let Some(tape) = self.source.tapes.of(Kernel::ContactRows, contact) {
            self.write(tape, [&[t], q], [a, b]);
        }
    }

    fn contact_drift(&self, contact: usize, t: f64, q: &[f64], v: &[f64], γ: &mut [f64]) {
        if let Some(tape) = self.source.tapes.of(Kernel::ContactDrift, contact) {
            self.write(tape, [&[t], q, v], [γ]);
        }
    }

    fn armed(&self, contact: usize, t: f64, q: &[f64], v: &[f64], u: &[f64]) -> bool {
        let model = &self.source.derivation.model;
        let Some(declared) = model.contacts.get(contact).filter(|c| !c.when.is_empty()) else {
            return true;
        };
        let Some(tape) = self.source.tapes.of(Kernel::Armed, contact) else { return true };
        self.evaluate(tape, &[&[t], q, v, u], |sides| {
            let mut when = declared.when.iter().enumerate();
            when.all(|(i, bound)| bound.relation.holds(sides[2 * i], sides[2 * i + 1]))
        })
    }

    fn extents(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], extents: &mut [f64]) {
        self.write(self.source.tapes.one(Kernel::Extents), [&[t], q, v, u], [extents]);
    }

    fn relabel(&self, contact: usize, q: &mut [f64], v: &mut [f64]) {
        let Some(declared) = self.source.info.contacts.get(contact) else { return };
        for &(a, b) in declared.relabels {
            q.swap(a, b);
            v.swap(a, b);
        }
    }

    fn assign(&self, contact: usize, t: f64, q: &[f64], v: &mut [f64]) {
        let Some(declared) = self.source.derivation.model.contacts.get(contact) else { return };
        let Some(tape) = self.source.tapes.of(Kernel::Assign, contact) else { return };
        with_registers(tape.space(), |registers| {
            let values = tape.outputs(&self.context(), &[&[t], q, v], registers);
            for ((target, _), value) in declared.assigned.iter().zip(values) {
                v[*target] = *value;
            }
        });
    }

    fn contact_forces(&self, t: f64, q: &[f64], v: &[f64], forces: &mut [f64]) {
        self.forces_by_contacts(Kernel::ContactForces, [&[t], q, v], forces);
    }

    fn borne_forces(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], forces: &mut [f64]) {
        self.forces_by_contacts(Kernel::BorneForces, [&[t], q, v, u], forces);
    }

    fn gap_drift(&self, t: f64, q: &[f64], v: &[f64], γ: &mut [f64]) {
        self.write(self.source.tapes.one(Kernel::GapDrift), [&[t], q, v], [γ]);
    }

    fn law(&self, contact: usize) -> Law {
        self.laws.get(contact).copied().unwrap_or(Law::Restitution(f64::NAN))
    }

    fn restitution(&self, contact: usize) -> Restitution {
        let declared = self.source.derivation.model.contacts.get(contact);
        let of = declared.map(|contact| contact.restitution);
        match of.unwrap_or_default() {
            mechanics::Restitution::Newton => Restitution::Newton,
            mechanics::Restitution::Poisson => Restitution::Poisson,
            mechanics::Restitution::Stronge => Restitution::Stronge,
        }
    }
}

impl Events for Interpreted {
    fn guards(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], guards: &mut [f64]) {
        let forces = self.no_forces(self.holds_forces(&self.source.derivation.programs.guards));
        self.write(self.source.tapes.one(Kernel::Guards), [&[t], q, v, u, &forces], [guards]);
    }

    fn guard_holds_forces(&self, event: usize) -> bool {
        let model = &self.source.derivation.model;
        model.events.get(event).is_some_and(|event| model.pool.holds_forces(event.guard))
    }

    fn guards_with_forces(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        u: &[f64],
        forces: &[f64],
        guards: &mut [f64],
    ) {
        if !self.holds_forces(&self.source.derivation.programs.guards) {
            return self.guards(t, q, v, u, guards);
        }
        self.write(self.source.tapes.one(Kernel::Guards), [&[t], q, v, u, forces], [guards]);
    }

    fn reset(&self, event: usize, t: f64, q: &mut [f64], v: &mut [f64], u: &[f64]) {
        let Some(declared) = self.source.derivation.model.events.get(event) else { return };
        let Some(tape) = self.source.tapes.of(Kernel::Reset, event) else { return };
        with_registers(tape.space(), |registers| {
            let values = tape.outputs(&self.context(), &[&[t], q, v, u], registers);
            for (reset, value) in declared.resets.iter().zip(values) {
                match reset.target {
                    Unknown::Coordinate(target) => q[target] = *value,
                    Unknown::Velocity(target) => v[target] = *value,
                }
            }
        });
    }
}

impl Friction for Interpreted {
    fn frictions(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        c: &mut [f64],
        w: &mut [f64],
        rows: &mut [f64],
        drift: &mut [f64],
    ) {
        if !self.source.derivation.equations.friction.points.is_empty() {
            self.write(self.source.tapes.one(Kernel::Frictions), [&[t], q, v], [c, w, rows, drift]);
        }
    }

    fn contact_of_friction(&self, term: usize) -> Option<usize> {
        match self.bearer(term)? {
            Bearer::Contact(contact) => Some(contact),
            Bearer::Row(_) | Bearer::Rows { .. } => None,
        }
    }

    fn row_of_friction(&self, term: usize) -> Option<usize> {
        match self.bearer(term)? {
            Bearer::Row(row) => Some(row),
            Bearer::Contact(_) | Bearer::Rows { .. } => None,
        }
    }

    fn rows_of_friction(&self, term: usize) -> Option<Range<usize>> {
        match self.bearer(term)? {
            Bearer::Rows { first, count } => Some(first..first + count),
            Bearer::Contact(_) | Bearer::Row(_) => None,
        }
    }

    fn dry_friction(&self, t: f64, q: &[f64], w: &[f64], force: &mut [f64]) -> f64 {
        if !self.source.derivation.equations.friction.is_some() {
            force.fill(0.0);
            return 0.0;
        }
        let mut value = [0.0];
        self.write(self.source.tapes.one(Kernel::DryFriction), [&[t], q, w], [&mut value, force]);
        value[0]
    }
}

impl Specialised for Interpreted {
    fn has_series(&self) -> bool {
        self.source.tapes.series.is_some()
    }

    fn series(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], series: &mut Series) {
        if let Some(tape) = &self.source.tapes.series {
            tape.expand(&self.context(), (t, q, v, u), series);
        }
    }

    fn has_series_in_lanes(&self) -> bool {
        let code = self.source.tapes.series.as_ref().and_then(|series| series.code.as_ref());
        self.declared && self.is_machine_code() && code.is_some_and(|code| code.lanes.is_some())
    }

    fn series_in_lanes(&self, points: &[f64], series: &mut SeriesInLanes) {
        if let Some(tape) = &self.source.tapes.series {
            let info = self.source.info;
            let lengths = [info.positions(), info.speeds(), info.inputs.len()];
            tape.expand_in_lanes(points, lengths, series);
        }
    }

    fn programs(&self) -> Programs<'_> {
        let tapes: &SystemTapes = &self.source.enclosures;
        Programs {
            gaps: self.declared(tapes.gaps.as_ref()),
            guards: self.declared(tapes.guards.as_ref()),
            extents: self.declared(tapes.extents.as_ref()),
            rates: self.declared(tapes.rates.as_ref()),
            accelerations: self.declared(tapes.accelerations.as_ref()),
            forces: self.declared(tapes.forces.as_ref()),
            mass_matrix: self.declared(tapes.mass_matrix.as_ref()),
            constraint_rows: self.declared(tapes.constraint_rows.as_ref()),
            holonomic: self.declared(tapes.holonomic.as_ref()),
            contact_rows: self.declared(tapes.contact_rows.as_ref()),
            contact_forces: self.declared(tapes.contact_forces.as_ref()),
            borne_forces: self.declared(tapes.borne_forces.as_ref()),
            frictions: self.declared(tapes.frictions.as_ref()),
            resets: self.declared(tapes.resets.as_ref()),
            outputs: self.declared(tapes.outputs.as_ref()),
            starts: self.declared(tapes.starts.as_ref()),
        }
    }

    fn impact_direction(
        &self,
        contact: usize,
        t: f64,
        q: &[f64],
        gradient: &mut [f64],
        direction: &mut [f64],
    ) -> Option<ImpactDirection> {
        let tape = self.source.tapes.of(Kernel::Strikes, contact)?;
        if tape.outputs.is_empty() {
            return None;
        }
        let (mut rate, mut gain) = ([0.0], [0.0]);
        self.write(tape, [&[t], q], [gradient, &mut rate, direction, &mut gain]);
        Some(ImpactDirection { rate: rate[0], gain: gain[0] })
    }
}
