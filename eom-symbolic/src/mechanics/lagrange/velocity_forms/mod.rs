//! Linear forms of the velocities whose squares L holds, as a chain of bodies has them: each is one
//! before it and a few terms more.
//!
//! ```text
//! L = L₀ + Σ ½ c_k w_k²        w_k = w_p(k) + Σ b_kj v_j + Σ e_kl w_l + β_k        c_k a constant
//! ```
//!
//! Where each w_k is a time derivative, d/dt(∂w_k/∂v) − ∂w_k/∂q = 0, its square adds
//! c_k ẇ_k ∂w_k/∂v to the equations of motion and nothing else. With L₀'s own M₀ and h₀, the equations
//! are then the conditions for the least of
//!
//! ```text
//! ½ v̇ᵀM₀v̇ + ½ Σ c_k ẇ_k² − (F − h₀)·v̇        ẇ_k = ẇ_p(k) + Σ b_kj v̇_j + Σ e_kl ẇ_l + r_k
//! r_k = Σ ḃ_kj v_j + Σ ė_kl w_l + β̇_k
//! ```
//!
//! (Gauss), which is as sparse as the chain, where M = M₀ + Σ c_k (∂w_k/∂v)ᵀ(∂w_k/∂v) is full. A planar
//! pendulum of n links has M₀ = 0 but for its first link, and the velocities of its masses as forms.
//!
//! The angular velocity of a body in space, in axes of its own, is no time derivative. Then h is that of L, as the
//! equations of motion have it, all r_k = 0, and ẇ_k is what v̇ gives to it:
//!
//! ```text
//! ½ v̇ᵀM₀v̇ + ½ Σ C_kl ẇ_k ẇ_l − (F − h)·v̇        C_kk = c_k, C_kl the products of inertia
//! ```
//!
//! h takes a sweep back over L and one forward over that, which are as long as the chain is, too.
//!
//! What forms share is read off their sums as they stand: terms are in the order of their first
//! construction, so that a form declared with another one begins with its terms. A prefix that several
//! forms share is a form too, with c = 0; so is a sum within a term, such as φ̇₁ + φ̇₂ in cos(φ₁ + φ₂)(φ̇₁ + φ̇₂).

mod form;
mod squares;
mod sums;
mod tree;

use super::equations::EquationsOfMotion;
use super::mass;
use super::{bias, slopes};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::declared::{Bound, Relation};
use crate::node::{ExprId, View};
use crate::pool::{ExprPool, Pair};
use form::{Carrier, Rates, carrier};
use rustc_hash::FxHashMap;
use squares::Squares;

pub(crate) use form::{Coupling, Form, Variable};

/// The equations of motion by their forms; see the module. n speeds.
#[derive(Debug)]
pub(crate) struct Forms {
    /// The pool of the model, with what was made here.
    pub(crate) pool: ExprPool,
    /// M₀, n×n.
    pub(crate) mass: Vec<Vec<ExprId>>,
    /// h₀, n; h where some form is no time derivative.
    pub(crate) bias: Vec<ExprId>,
    /// The forms, by variables n, n + 1, …
    pub(crate) list: Vec<Form>,
    /// C_kl of two variables among them.
    pub(crate) couplings: Vec<Coupling>,
    /// Whether each c that is not 0 as it stands is positive for all parameters within their bounds.
    pub(crate) are_massive: bool,
    /// Whether sums are left that are linear in the velocities and no time derivatives.
    pub(crate) leaves_some: bool,
}

impl Forms {
    /// By the forms that are time derivatives; `None` where none is made of another one. What is as large as M without
    /// entries has some only where all are: each that is none is looked at as long as the tree is.
    pub(crate) fn of_rates(model: &SystemModel, equations: &EquationsOfMotion) -> Option<Self> {
        if model.kinematics.is_some() || !model.pool.has_squares_of_sums(model.lagrangian) {
            return None;
        }
        let mut model = model.clone();
        let (mut linear, mut leaves_some) = (Linear::default(), false);
        let squares = Squares::of(&mut model, &mut |model, w| {
            let is_linear = linear.is_form(&model.pool, w);
            let is_looked_at = is_linear && (!leaves_some || equations.mass.has_entries());
            let is_form = is_looked_at && is_rate(model, w);
            leaves_some |= is_linear && !is_form;
            is_form
        });
        if leaves_some && !equations.mass.has_entries() {
            return None;
        }
        let rates = Rates::Along(model.time_direction());
        let (list, couplings) = squares.into_forms(&mut model, rates)?;
        let (momenta, slopes) = slopes(&mut model);
        let bias = bias(&mut model, &momenta, slopes);
        Some(Self { leaves_some, ..Self::new(model, list, couplings, &momenta, bias) })
    }

    /// By all forms, where some are no time derivatives; `None` where all are, or none is made of another one.
    pub(crate) fn of_turning(model: &SystemModel, equations: &EquationsOfMotion) -> Option<Self> {
        if !model.pool.has_squares_of_sums(model.lagrangian) {
            return None;
        }
        let mut model = model.clone();
        let mut linear = Linear::default();
        let squares = Squares::of(&mut model, &mut |model, w| linear.is_form(&model.pool, w));
        let mut are_rates = model.kinematics.is_none();
        for (w, u, _) in &squares.found {
            are_rates = are_rates && is_rate(&mut model, *w) && is_rate(&mut model, *u);
        }
        if are_rates {
            return None;
        }
        let (list, couplings) = squares.into_sums(&mut model)?;
        let velocities = model.velocities();
        let momenta = model.pool.gradient(model.lagrangian, &velocities);
        Some(Self::new(model, list, couplings, &momenta, equations.bias.clone()))
    }

    /// With p = ∂L₀/∂v, L₀ being what `model` has left.
    fn new(
        mut model: SystemModel,
        list: Vec<Form>,
        couplings: Vec<Coupling>,
        momenta: &[ExprId],
        bias: Vec<ExprId>,
    ) -> Self {
        let mut inertias = list.iter().map(|form| form.inertia);
        let are_massive = inertias.all(|c| c == ExprPool::ZERO || is_positive(&model, c));
        let velocities = model.velocities();
        let mass = mass::entries(&mut model.pool, momenta, &velocities);
        let leaves_some = false;
        Self { pool: model.pool, mass, bias, list, couplings, are_massive, leaves_some }
    }
}

impl ExprPool {
    /// Whether the square of a sum stands in an expression.
    fn has_squares_of_sums(&self, expr: ExprId) -> bool {
        let is_square = |&(base, exponent): &Pair| {
            exponent == Self::TWO && matches!(self.view(base), View::Sum(_))
        };
        self.below(&[expr]).into_iter().any(|id| match self.view(id) {
            View::Product { factors, .. } => factors.iter().any(is_square),
            _ => false,
        })
    }
}

/// Whether an expression is positive for all parameters within their bounds, as it and they show.
fn is_positive(model: &SystemModel, expr: ExprId) -> bool {
    let is_positive = |expr: ExprId| is_positive(model, expr);
    match model.pool.view(expr) {
        View::Number(number) => !number.is_negative() && !number.is_zero(),
        View::Symbol(symbol) => {
            let parameter = model.parameters.iter().find(|parameter| parameter.symbol == symbol);
            let mut bounds = parameter.iter().flat_map(|parameter| &parameter.bounds);
            bounds.any(|Bound { left, relation, right }| match relation {
                Relation::Greater => *left == expr && *right == ExprPool::ZERO,
                Relation::Less => *left == ExprPool::ZERO && *right == expr,
                Relation::GreaterEqual => *left == expr && is_positive(*right),
                Relation::LessEqual => is_positive(*left) && *right == expr,
            })
        }
        View::Sum(terms) => terms.iter().all(|(c, term)| is_positive(*c) && is_positive(*term)),
        View::Product { coefficient, factors } => {
            is_positive(coefficient) && factors.iter().all(|(base, _)| is_positive(*base))
        }
        View::Call(..) | View::Integral { .. } | View::Undefined => false,
    }
}

/// The sums that are linear in the velocities term by term, or are not; each is looked at once.
#[derive(Debug, Default)]
struct Linear(FxHashMap<ExprId, bool>);

impl Linear {
    fn is_form(&mut self, pool: &ExprPool, sum: ExprId) -> bool {
        pool.holds_velocity(sum) && self.is_linear(pool, sum)
    }

    fn is_linear(&mut self, pool: &ExprPool, sum: ExprId) -> bool {
        if let Some(known) = self.0.get(&sum) {
            return *known;
        }
        let View::Sum(terms) = pool.view(sum) else { return false };
        let is_linear = terms.iter().all(|(_, term)| match carrier(pool, *term) {
            Some(Carrier::Inner(inner)) => self.is_linear(pool, inner),
            Some(Carrier::Speed(_) | Carrier::None) => true,
            None => false,
        });
        self.0.insert(sum, is_linear);
        is_linear
    }
}

/// d/dt(∂w/∂v) − ∂w/∂q = 0, as the expressions show it.
fn is_rate(model: &mut SystemModel, w: ExprId) -> bool {
    let (positions, velocities) = (model.positions(), model.velocities());
    let slopes = model.pool.gradient(w, &positions);
    let entries = model.pool.gradient(w, &velocities);
    let mut direction = model.time_direction();
    let pool = &mut model.pool;
    entries.iter().zip(slopes).all(|(entry, slope)| direction.derivative(pool, *entry) == slope)
}
