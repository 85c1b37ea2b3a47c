//! Reversibility: whether with every motion there is one that runs backwards.
//!
//! ```text
//! R: (t, q, v) → (−t, S q, −S v)        R∘f = −f∘R of the flow f;  S = diag(±1), v̇ → S v̇, inputs even in time
//! u = W q̇ → −S′u                        W(Sq) S = S′W(q) of quasi-velocities
//! ```
//!
//! It holds where what is 0 along every motion is 0 at its image: A v + b, φ and M v̇ + h − F − Aᵀλ, with the λ of the motion or
//! with another one, Nᵀ(M v̇ + h − F) with A N = 0. S = 1 comes first, then signs of single coordinates, of two, of three, of all.
//! Of a rotation R → D R D, D = diag(±1), turns two parts of its quaternion, and the angular velocities of these.

use super::Apart;
use crate::diff::Tangent;
use crate::mechanics::claim::sample::{Conditions, Functions, Place, Sample, Sampler};
use crate::mechanics::closed_forms::reduce::{Reduction, reduce};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::lagrange::slopes;
use crate::mechanics::linear::{dot, transposed};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::declared::{Event, LineKind, RowKind};
use crate::mechanics::{Contact, Law, friction};
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify::Simplifier;
use crate::subst::Substitution;

/// Products of more signs are not tried, but that of all.
const SIGNS_MAX: usize = 3;

/// No more products are tried.
const TRIED_MAX: usize = 1000;

/// Nor more where declared functions stand, of which no numbers can be looked at beforehand.
const TRIED_BLINDLY: usize = 16;

/// States at which a product is looked at before it is decided, their seed, and what is 0 there beside what it is a sum of.
const STATES: usize = 3;
const SEED: u64 = 0x2E_4E25;
const NOTHING: f64 = 1e-8;

/// What is known of motions that run backwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reversal {
    /// They are motions.
    Kept {
        /// The entries of q that change their sign with t.
        turned: Vec<SymbolId>,
        /// What each contact and each reset makes of it.
        instants: Vec<Instant>,
    },
    /// They are none where only t changes its sign, nor with the signs of up to so many coordinates.
    Broken {
        /// What breaks it.
        by: Vec<String>,
        /// So many.
        signs: usize,
    },
    /// Nothing is known.
    Unknown(String),
}

/// What an impact or a reset makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instant {
    /// The name of the contact or event.
    pub name: String,
    /// Why it does not run backwards; none where it does.
    pub fault: Option<Fault>,
}

/// Why an instant does not run backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is broken by this.
    Broken(&'static str),
    /// This is not looked into.
    Unknown(&'static str),
}

/// Whether motions run backwards.
pub fn reversal(model: &mut SystemModel, equations: &EquationsOfMotion) -> Reversal {
    let dry = dry_friction(model, equations);
    if !dry.is_empty() {
        return Reversal::Broken { by: dry, signs: 0 };
    }
    let mut search = Search::new(model, equations);
    let none = search.no_signs();
    if search.holds(&none) {
        return search.kept(&none);
    }
    if !search.apart.has_states(search.model) {
        return Reversal::Unknown("no state was found on the constraints".to_owned());
    }
    if equations.is_coupled() {
        return Reversal::Unknown("forces hold multipliers".to_owned());
    }
    if let Some(why) = &search.omitted {
        return Reversal::Unknown(format!("of the free velocities: {why}"));
    }
    let by = search.broken_by();
    let (found, signs) = search.with_signs();
    found.map_or(Reversal::Broken { by, signs }, |found| search.kept(&found))
}

/// Dry friction, which in both directions of time takes energy.
fn dry_friction(model: &SystemModel, equations: &EquationsOfMotion) -> Vec<String> {
    let of_rows = model.row_frictions.iter().map(|of| format!("the friction of {}", of.name));
    let mut found: Vec<String> = of_rows.collect();
    if equations.friction.is_some() {
        found.push("dry friction".to_owned());
    }
    found
}

/// Which entries of q and of v have S = −1.
#[derive(Debug, Clone)]
struct Signs {
    q: Vec<bool>,
    v: Vec<bool>,
}

impl Signs {
    /// The product.
    fn times(&self, other: &Self) -> Self {
        let product = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| a != b).collect();
        Self { q: product(&self.q, &other.q), v: product(&self.v, &other.v) }
    }
}

struct Search<'s> {
    model: &'s mut SystemModel,
    apart: Apart,
    equations: &'s EquationsOfMotion,
    /// A v + b, then φ.
    rows: Vec<ExprId>,
    /// M v̇ + h − F − Aᵀλ.
    whole: Vec<ExprId>,
    /// N of A N = 0; none without rows.
    map: Option<Vec<Vec<ExprId>>>,
    /// Why there is no N where there are rows.
    omitted: Option<String>,
}

impl<'s> Search<'s> {
    fn new(model: &'s mut SystemModel, equations: &'s EquationsOfMotion) -> Self {
        let reduction = (!equations.rows.is_empty())
            .then(|| reduce(model, equations, &mut Simplifier::default()));
        let (map, omitted) = match reduction {
            Some(Ok(Reduction { map, .. })) => (Some(map), None),
            Some(Err(why)) => (None, Some(why.to_string())),
            None => (None, None),
        };
        let velocities = model.velocities();
        let v: Vec<ExprId> = velocities.iter().map(|v| model.pool.symbol_expr(*v)).collect();
        let of_rows = equations.rows.iter().zip(&equations.affine);
        let pool = &mut model.pool;
        let mut rows: Vec<ExprId> = of_rows
            .map(|(row, affine)| {
                let moved = dot(pool, row, &v);
                pool.add(moved, *affine)
            })
            .collect();
        rows.extend(&equations.holonomic);
        let apart = Apart::new(equations);
        let mut search = Self { model, apart, equations, rows, whole: Vec::new(), map, omitted };
        search.whole = search.left();
        let multipliers: Vec<ExprId> = (0..equations.rows.len())
            .map(|row| {
                let name = format!("λ({})", search.model.rows[row].named.name);
                let symbol = search.model.pool.symbol(SymbolKind::Multiplier(row), &name);
                search.model.pool.symbol_expr(symbol)
            })
            .collect();
        let pool = &mut search.model.pool;
        let forces = equations.whole_force(pool);
        for (i, whole) in search.whole.iter_mut().enumerate() {
            let column: Vec<ExprId> = equations.rows.iter().map(|row| row[i]).collect();
            let reaction = dot(pool, &column, &multipliers);
            let right = pool.add(forces[i], reaction);
            *whole = pool.sub(*whole, right);
        }
        search
    }

    /// M v̇ + h.
    fn left(&mut self) -> Vec<ExprId> {
        let SystemModel { pool, speeds, .. } = &mut *self.model;
        let accelerations: Vec<ExprId> =
            speeds.iter().map(|speed| pool.symbol_expr(speed.acceleration)).collect();
        let inertia = self.equations.mass.times(pool, &accelerations);
        inertia.iter().zip(&self.equations.bias).map(|(a, h)| pool.add(*a, *h)).collect()
    }

    fn no_signs(&self) -> Signs {
        let (q, v) = (self.model.positions().len(), self.model.speeds.len());
        Signs { q: vec![false; q], v: vec![false; v] }
    }

    /// Symbols that R changes the sign of. By Chetaev's rule A = ∂φ/∂v is odd where φ is even, and so is its multiplier.
    fn changed(&self, signs: &Signs) -> Vec<SymbolId> {
        let mut changed = vec![self.model.time];
        let is_chetaev = |row: &usize| self.model.rows[*row].kind == RowKind::Chetaev;
        let rows = (0..self.model.rows.len()).filter(is_chetaev);
        changed.extend(
            rows.filter_map(|row| self.model.pool.find_symbol(SymbolKind::Multiplier(row))),
        );
        let positions = self.model.positions().into_iter().zip(&signs.q);
        changed.extend(positions.filter_map(|(symbol, turned)| turned.then_some(symbol)));
        let speeds = self.model.speeds.iter().zip(&signs.v);
        changed.extend(speeds.map(|(s, turned)| if *turned { s.acceleration } else { s.velocity }));
        changed
    }

    fn image(&mut self, changed: &[SymbolId], values: &[ExprId]) -> Vec<ExprId> {
        let pool = &mut self.model.pool;
        let images: Vec<_> = changed
            .iter()
            .map(|symbol| {
                let value = pool.symbol_expr(*symbol);
                (*symbol, pool.neg(value))
            })
            .collect();
        let mut substitution = Substitution::new(images);
        values.iter().map(|value| substitution.apply(pool, *value)).collect()
    }

    /// Nᵀ of forces on the speeds.
    fn along_rows(&mut self, forces: &[ExprId]) -> Vec<ExprId> {
        let Some(map) = &self.map else { return forces.to_vec() };
        let columns = transposed(map, map.first().map_or(0, Vec::len));
        columns.iter().map(|column| dot(&mut self.model.pool, column, forces)).collect()
    }

    fn vanish(&mut self, values: &[ExprId]) -> bool {
        self.apart.all_vanish(self.model, values)
    }

    /// Whether R brings motions to motions.
    fn holds(&mut self, signs: &Signs) -> bool {
        let changed = self.changed(signs);
        let rows = self.image(&changed, &self.rows.clone());
        if !self.vanish(&rows) {
            return false;
        }
        let whole = self.image(&changed, &self.whole.clone());
        if self.vanish(&whole) {
            return true;
        }
        self.map.is_some() && {
            let along = self.along_rows(&self.whole.clone());
            let along = self.image(&changed, &along);
            self.vanish(&along)
        }
    }

    fn kept(&mut self, signs: &Signs) -> Reversal {
        let positions = self.model.positions().into_iter().zip(&signs.q);
        let turned = positions.filter_map(|(symbol, turned)| turned.then_some(symbol)).collect();
        let changed = self.changed(signs);
        let mut instants = Vec::new();
        for contact in self.model.contacts.clone() {
            let fault = self.fault_of_contact(&contact, &changed);
            instants.push(Instant { name: contact.named.name, fault });
        }
        let resets = self.model.events.iter().filter(|event| !event.resets.is_empty());
        instants.extend(resets.map(|Event { named, .. }| Instant {
            name: named.name.clone(),
            fault: Some(Fault::Unknown("its reset")),
        }));
        Reversal::Kept { turned, instants }
    }
}

/// What breaks t → −t.
impl Search<'_> {
    fn broken_by(&mut self) -> Vec<String> {
        let none = self.no_signs();
        let changed = self.changed(&none);
        let mut by = Vec::new();
        // A holonomic constraint stands there by its velocities, and once more as φ.
        let of_velocities = self.equations.rows.len();
        let first = of_velocities - self.equations.holonomic.len();
        let declared = &self.model.rows;
        let named = declared[..of_velocities].iter().chain(&declared[first..of_velocities]);
        let names: Vec<String> = named.map(|row| row.named.name.clone()).collect();
        for (row, name) in self.rows.clone().into_iter().zip(names) {
            let image = self.image(&changed, &[row]);
            if !self.vanish(&image) {
                by.push(format!("the constraint {name}"));
            }
        }
        by.dedup();
        for line in self.model.lines.clone() {
            let (what, force) = match line.kind {
                LineKind::Force(parts) => ("the force on", self.on_speeds(&parts)),
                LineKind::Dissipation(term) => ("the dissipation", self.dissipative(term)),
            };
            if !self.is_even(&force, &changed) {
                by.push(format!("{what} {}", line.name));
            }
        }
        by.extend(self.broken_by_energy(&changed));
        by
    }

    fn on_speeds(&self, parts: &[(usize, ExprId)]) -> Vec<ExprId> {
        let mut force = vec![ExprPool::ZERO; self.model.speeds.len()];
        for (speed, part) in parts {
            force[*speed] = *part;
        }
        force
    }

    /// ∂D/∂v.
    fn dissipative(&mut self, term: ExprId) -> Vec<ExprId> {
        let smooth = friction::smooth_part(self.model, term).unwrap_or(ExprPool::ZERO);
        let velocities = self.model.velocities();
        self.model.pool.gradient(smooth, &velocities)
    }

    fn is_even(&mut self, force: &[ExprId], changed: &[SymbolId]) -> bool {
        let odd = self.odd(force, changed);
        self.vanish(&odd)
    }

    /// Nᵀ(Q∘R − Q).
    fn odd(&mut self, force: &[ExprId], changed: &[SymbolId]) -> Vec<ExprId> {
        let image = self.image(changed, force);
        let pool = &mut self.model.pool;
        let apart: Vec<ExprId> = image.iter().zip(force).map(|(a, b)| pool.sub(*a, *b)).collect();
        self.along_rows(&apart)
    }

    /// Of M v̇ + h the part that is odd in v at one time is gyroscopic; what time changes of the rest breaks it as well.
    fn broken_by_energy(&mut self, changed: &[SymbolId]) -> Vec<String> {
        let (momenta, _) = slopes(self.model);
        let (velocities, bias) = (self.model.velocities(), self.equations.bias.clone());
        let mut by_time = Tangent::partial(self.model.time);
        let pool = &mut self.model.pool;
        let driven: Vec<ExprId> = momenta.iter().map(|p| by_time.derivative(pool, *p)).collect();
        let still: Vec<ExprId> = bias.iter().zip(&driven).map(|(h, d)| pool.sub(*h, *d)).collect();
        let gyroscopic = !self.is_even(&still, &velocities);
        let back = self.image(&velocities, &still);
        let left = self.left();
        let pool = &mut self.model.pool;
        let even: Vec<ExprId> = (0..left.len())
            .map(|i| {
                let odd = pool.sub(back[i], still[i]);
                let half = pool.scale(ExprPool::HALF, odd);
                pool.add(left[i], half)
            })
            .collect();
        let by_time = !self.is_even(&even, changed);
        let both =
            [("gyroscopic terms of the energy", gyroscopic), ("time in the energy", by_time)];
        both.into_iter().filter(|(_, is_so)| *is_so).map(|(what, _)| what.to_owned()).collect()
    }
}

/// Signs of coordinates.
impl Search<'_> {
    /// The first product that holds, or how many signs were tried together.
    fn with_signs(&mut self) -> (Option<Signs>, usize) {
        let single = self.single();
        let most = if self.model.pool.has_functions() { TRIED_BLINDLY } else { TRIED_MAX };
        let mut products: Vec<(usize, Signs)> = Vec::new();
        let mut tried = 0;
        let mut level: Vec<(usize, Signs)> = vec![(0, self.no_signs())];
        for count in 1..=SIGNS_MAX.min(single.len()) {
            let mut next = Vec::new();
            for (from, product) in &level {
                let others = single.iter().enumerate().skip(*from);
                next.extend(others.map(|(i, one)| (i + 1, product.times(one))));
            }
            if products.len() + next.len() > most {
                break;
            }
            products.extend(next.clone());
            (tried, level) = (count, next);
        }
        let coordinates = self.model.coordinates.len();
        let all = single.iter().take(coordinates).fold(self.no_signs(), |all, one| all.times(one));
        products.push((0, all));
        let products: Vec<Signs> =
            products.into_iter().filter_map(|(_, signs)| self.of_speeds(signs)).collect();
        let likely = self.likely(products);
        (likely.into_iter().find(|signs| self.holds(signs)), tried)
    }

    /// The sign of each coordinate, then those of rotations.
    fn single(&self) -> Vec<Signs> {
        let turned = |q: &[usize], v: &[usize]| {
            let mut signs = self.no_signs();
            for i in q {
                signs.q[*i] = true;
            }
            for i in v {
                signs.v[*i] = true;
            }
            signs
        };
        let coordinates = (0..self.model.coordinates.len()).map(|i| turned(&[i], &[]));
        let rotations = self.model.rotations.iter().flat_map(|rotation| {
            let (q, v) = (rotation.position + 1, rotation.speed);
            [[0, 1], [1, 2], [0, 2]].map(|[a, b]| turned(&[q + a, q + b], &[v + a, v + b]))
        });
        coordinates.chain(rotations).collect()
    }

    /// The signs of the speeds of coordinates; none where a speed is neither even nor odd.
    fn of_speeds(&mut self, mut signs: Signs) -> Option<Signs> {
        let coordinates = self.model.coordinates.len();
        let Some(kinematics) = &self.model.kinematics else {
            signs.v[..coordinates].copy_from_slice(&signs.q[..coordinates]);
            return Some(signs);
        };
        let forms = kinematics.forms.clone();
        let positions = self.model.positions().into_iter().zip(&signs.q);
        let turned: Vec<SymbolId> =
            positions.filter_map(|(symbol, turned)| turned.then_some(symbol)).collect();
        for (speed, form) in forms.iter().enumerate() {
            let image = self.image(&turned, form);
            let pool = &mut self.model.pool;
            let moved: Vec<ExprId> = image
                .into_iter()
                .zip(&signs.q)
                .map(|(entry, turned)| if *turned { pool.neg(entry) } else { entry })
                .collect();
            let minus: Vec<ExprId> = form.iter().map(|entry| pool.neg(*entry)).collect();
            signs.v[speed] = moved != *form;
            if moved != *form && moved != minus {
                return None;
            }
        }
        Some(signs)
    }

    /// Those of which numbers at some states do not tell that they do not hold.
    fn likely(&mut self, products: Vec<Signs>) -> Vec<Signs> {
        if self.model.pool.has_functions() {
            return products;
        }
        let mut values = self.rows.clone();
        values.extend(self.along_rows(&self.whole.clone()));
        let functions = Functions::new(self.model, self.equations);
        let model = &*self.model;
        let conditions = Conditions::default();
        let place = Place { on_constraints: true, at: None, conditions: &conditions };
        let mut sampler = Sampler::new(model, &functions, SEED);
        let drawn: Vec<Sample> = (0..STATES).filter_map(|_| sampler.state(place).ok()).collect();
        let accelerations: Vec<SymbolId> = model.speeds.iter().map(|s| s.acceleration).collect();
        let kind = |symbol: &SymbolId| model.pool.symbol_info(*symbol).kind;
        let is_likely = |signs: &Signs, sample: &Sample| {
            let mut image = sample.clone();
            for symbol in self.changed(signs) {
                image.set(kind(&symbol), -sample.value(kind(&symbol)));
            }
            let found = sampler.evaluate(&values, &image);
            for symbol in &accelerations {
                image.set(kind(symbol), 0.0);
            }
            let size = sampler.evaluate(&values, &image);
            let size = size.iter().fold(1.0, |size: f64, value| size.max(value.abs()));
            found.iter().all(|value| value.abs() <= NOTHING * size)
        };
        let all_likely = |signs: &Signs| drawn.iter().all(|sample| is_likely(signs, sample));
        products.into_iter().filter(all_likely).collect()
    }
}

/// Contacts.
impl Search<'_> {
    fn fault_of_contact(&mut self, contact: &Contact, changed: &[SymbolId]) -> Option<Fault> {
        let unknown = [
            ("its assignments", contact.law == Law::Assign),
            ("it relabels", !contact.relabel.is_empty()),
            ("it releases rows", !contact.releases.is_empty()),
            ("forces hold its normal force", !contact.borne.is_empty()),
        ];
        if let Some((why, _)) = unknown.into_iter().find(|(_, is_so)| *is_so) {
            return Some(Fault::Unknown(why));
        }
        let is_rough = |e: &ExprId| *e != ExprPool::ZERO;
        let mut frictions = contact.frictions.iter();
        let is_rough = frictions.any(|f| is_rough(&f.sliding) || is_rough(&f.at_rest));
        let broken = [
            ("its gap", !self.has_gap(contact, changed)),
            ("its conditions", !self.has_conditions(contact, changed)),
            ("its restitution", !self.is_elastic(contact)),
            ("its friction", is_rough),
            ("its dissipation", contact.dissipation != ExprPool::ZERO),
            ("its constraints", !self.has_rows(contact, changed)),
        ];
        let fault = broken.into_iter().find(|(_, is_so)| *is_so);
        fault.map(|(why, _)| Fault::Broken(why))
    }

    /// Whether the image of its gap is one of a contact of its law.
    fn has_gap(&mut self, contact: &Contact, changed: &[SymbolId]) -> bool {
        let image = self.image(changed, &[contact.gap])[0];
        let alike: Vec<ExprId> =
            self.model.contacts.iter().filter(|o| o.law == contact.law).map(|o| o.gap).collect();
        alike.into_iter().any(|gap| {
            let apart = self.model.pool.sub(image, gap);
            self.vanish(&[apart])
        })
    }

    fn has_conditions(&mut self, contact: &Contact, changed: &[SymbolId]) -> bool {
        contact.when.iter().all(|bound| {
            let pool = &mut self.model.pool;
            let excess = bound.relation.excess(pool, bound.left, bound.right);
            let image = self.image(changed, &[excess])[0];
            let apart = self.model.pool.sub(image, excess);
            self.vanish(&[apart])
        })
    }

    /// e = 1; along constraints nothing is struck.
    fn is_elastic(&mut self, contact: &Contact) -> bool {
        let Some([_, gap, rows]) = contact.law.restitutions() else {
            return self.equations.rows.is_empty() && contact.rows.is_empty();
        };
        let struck = if contact.rows.is_empty() { vec![gap] } else { vec![gap, rows] };
        let pool = &mut self.model.pool;
        let apart: Vec<ExprId> = struck.into_iter().map(|e| pool.sub(e, ExprPool::ONE)).collect();
        self.vanish(&apart)
    }

    /// Whether the images of its own rows are these, or less these.
    fn has_rows(&mut self, contact: &Contact, changed: &[SymbolId]) -> bool {
        let velocities = self.model.velocities();
        contact.rows.iter().all(|row| {
            let pool = &mut self.model.pool;
            let v: Vec<ExprId> = velocities.iter().map(|v| pool.symbol_expr(*v)).collect();
            let moved = dot(pool, &row.coefficients, &v);
            let value = pool.add(moved, row.affine);
            let image = self.image(changed, &[value])[0];
            let pool = &mut self.model.pool;
            let apart = [pool.sub(image, value), pool.add(image, value)];
            apart.into_iter().any(|apart| self.vanish(&[apart]))
        })
    }
}
