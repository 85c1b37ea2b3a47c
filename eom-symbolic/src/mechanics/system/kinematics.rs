//! Speeds that are not the rates of coordinates: q̇ = S(q) v.
//!
//! A quasi-velocity u_k = Σ W_ki q̇_i takes the place of the velocity of a coordinate, so that
//! S = W⁻¹ for the coordinates; a rotation has the unit quaternion r in q and three components ω
//! of its angular velocity in v:
//!
//! ```text
//! ṙ = r∘(0, ω)/2   in axes of the body        ṙ = (0, ω)∘r/2   in axes of space
//! ```
//!
//! The fields X_j = Σ S_ij ∂/∂q_i do not commute, [X_i, X_j] = Σ c_ij^k X_k, with
//!
//! ```text
//! c_ij^k = −Σ_ab ∂W_kb/∂q_a (S_ai S_bj − S_bi S_aj)        c_ij^k = ±ε_ijk for a rotation
//! ```
//!
//! + in axes of the body, − in those of space. The first is dW_k(X_i, X_j) = −W_k([X_i, X_j]).

use super::declared::{Frame, Rotation};
use crate::diff::Tangent;
use crate::mechanics::linear;
use crate::mechanics::linear::dot;
use crate::node::{ExprId, SymbolId};
use crate::pool::ExprPool;
use crate::simplify::Simplifier;

/// The largest coupled block of quasi-velocities that is inverted.
pub const QUASI_MAX: usize = 6;

/// Quasi-velocities u = W q̇ of the coordinates that they cover, as many as these.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quasi {
    /// The covered coordinates, in their order; u_k is the speed of the index of the kth.
    pub covered: Vec<usize>,
    /// W, by rows.
    pub forms: Vec<Vec<ExprId>>,
}

/// Why quasi-velocities cannot take the place of velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuasiError {
    /// W is singular everywhere.
    Singular,
    /// More than [`QUASI_MAX`] of them are coupled.
    Coupled {
        /// How many.
        count: usize,
    },
}

/// c_ij^k where it is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bracket {
    /// i, a speed.
    pub i: usize,
    /// j, a speed.
    pub j: usize,
    /// k, a speed.
    pub k: usize,
    /// c_ij^k.
    pub value: ExprId,
}

/// The kinematics of a system with quasi-velocities or rotations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kinematics {
    /// S, nq×m.
    pub map: Vec<Vec<ExprId>>,
    /// S v, nq.
    pub rates: Vec<ExprId>,
    /// W for all coordinates, n×n: v_k = Σ W_ki q̇_i.
    pub forms: Vec<Vec<ExprId>>,
    /// c.
    pub brackets: Vec<Bracket>,
}

impl Kinematics {
    /// S, W and c of n coordinates with quasi-velocities, and of rotations, from the symbols of q
    /// and v.
    pub fn new(
        pool: &mut ExprPool,
        positions: &[SymbolId],
        velocities: &[SymbolId],
        quasi: &Quasi,
        rotations: &[Rotation],
    ) -> Result<Self, QuasiError> {
        let mut simplifier = Simplifier::default();
        let n = velocities.len() - 3 * rotations.len();
        let mut map = vec![vec![ExprPool::ZERO; velocities.len()]; positions.len()];
        let mut forms = vec![vec![ExprPool::ZERO; n]; n];
        for i in (0..n).filter(|i| !quasi.covered.contains(i)) {
            map[i][i] = ExprPool::ONE;
            forms[i][i] = ExprPool::ONE;
        }
        let inverse = inverse(pool, &quasi.forms, &mut simplifier)?;
        for (a, &i) in quasi.covered.iter().enumerate() {
            for (b, &j) in quasi.covered.iter().enumerate() {
                map[i][j] = inverse[a][b];
                forms[i][j] = quasi.forms[a][b];
            }
        }
        for rotation in rotations {
            turn(pool, rotation, &mut map);
        }
        let mut kinematics = Self { map, rates: Vec::new(), forms, brackets: Vec::new() };
        kinematics.rates = kinematics.rates_of(pool, velocities);
        kinematics.brackets = kinematics.commutators(pool, &positions[..n], &mut simplifier);
        for rotation in rotations {
            kinematics.brackets.extend(commutators_of(rotation));
        }
        Ok(kinematics)
    }

    /// S v.
    fn rates_of(&self, pool: &mut ExprPool, velocities: &[SymbolId]) -> Vec<ExprId> {
        let v: Vec<ExprId> = velocities.iter().map(|v| pool.symbol_expr(*v)).collect();
        self.map.iter().map(|row| dot(pool, row, &v)).collect()
    }

    /// c_ij^k of the speeds of the coordinates.
    fn commutators(
        &self,
        pool: &mut ExprPool,
        positions: &[SymbolId],
        simplifier: &mut Simplifier,
    ) -> Vec<Bracket> {
        let n = positions.len();
        let mut brackets = Vec::new();
        for k in 0..n {
            let curl = curl(pool, positions, &self.forms[k]);
            if curl.is_empty() {
                continue;
            }
            for i in 0..n {
                for j in (0..n).filter(|j| *j != i) {
                    let mut terms = Vec::new();
                    for &(a, b, slope) in &curl {
                        let entry = |i: usize, j: usize| self.map[i][j];
                        let first = pool.product_of(&[slope, entry(a, i), entry(b, j)]);
                        let second = pool.product_of(&[slope, entry(b, i), entry(a, j)]);
                        terms.extend([(ExprPool::MINUS_ONE, first), (ExprPool::ONE, second)]);
                    }
                    let value = pool.sum(&terms);
                    let value = simplifier.simplify(pool, value);
                    if value != ExprPool::ZERO {
                        brackets.push(Bracket { i, j, k, value });
                    }
                }
            }
        }
        brackets
    }

    /// Visits every expression.
    pub(crate) fn for_expressions(&mut self, visit: &mut impl FnMut(&mut ExprId)) {
        let Self { map, rates, forms, brackets } = self;
        map.iter_mut().chain(forms).flatten().chain(rates).for_each(&mut *visit);
        brackets.iter_mut().map(|bracket| &mut bracket.value).for_each(&mut *visit);
    }

    /// Derivatives along q to derivatives along the speeds: Σ_i S_ij ∂_i for each j.
    pub fn contract(&self, pool: &mut ExprPool, slopes: &[ExprId]) -> Vec<ExprId> {
        let columns = linear::transposed(&self.map, self.map.first().map_or(0, Vec::len));
        columns.iter().map(|column| dot(pool, column, slopes)).collect()
    }
}

/// ∂W_b/∂q_a as (a, b, ·), where it is not 0.
fn curl(
    pool: &mut ExprPool,
    positions: &[SymbolId],
    form: &[ExprId],
) -> Vec<(usize, usize, ExprId)> {
    let mut slopes = Vec::new();
    for (a, position) in positions.iter().enumerate() {
        let mut along = Tangent::partial(*position);
        for (b, entry) in form.iter().enumerate() {
            let slope = along.derivative(pool, *entry);
            if slope != ExprPool::ZERO {
                slopes.push((a, b, slope));
            }
        }
    }
    slopes
}

/// W⁻¹, each coupled block by its adjugate and determinant.
fn inverse(
    pool: &mut ExprPool,
    matrix: &[Vec<ExprId>],
    simplifier: &mut Simplifier,
) -> Result<Vec<Vec<ExprId>>, QuasiError> {
    let n = matrix.len();
    let mut inverse = vec![vec![ExprPool::ZERO; n]; n];
    for (rows, columns) in linear::coupled(matrix) {
        if rows.len() != columns.len() {
            return Err(QuasiError::Singular);
        }
        if rows.len() > QUASI_MAX {
            return Err(QuasiError::Coupled { count: rows.len() });
        }
        let part: Vec<Vec<ExprId>> =
            rows.iter().map(|i| columns.iter().map(|j| matrix[*i][*j]).collect()).collect();
        let block = linear::general_inverse(pool, &part, simplifier).ok_or(QuasiError::Singular)?;
        for (a, &j) in columns.iter().enumerate() {
            for (b, &i) in rows.iter().enumerate() {
                inverse[j][i] = block[a][b];
            }
        }
    }
    Ok(inverse)
}

/// The columns of S of a rotation: with r = (w, x, y, z) and the signs of its axes s = ±1
///
/// ```text
/// ẇ = −(x ω₁ + y ω₂ + z ω₃)/2        (ẋ, ẏ, ż) = (w ω + s (x, y, z)×ω)/2
/// ```
fn turn(pool: &mut ExprPool, rotation: &Rotation, map: &mut [Vec<ExprId>]) {
    let r = rotation.quaternion.map(|symbol| pool.symbol_expr(symbol));
    let half = r.map(|r| pool.scale(ExprPool::HALF, r));
    let minus = half.map(|r| pool.neg(r));
    let (first, speed) = (rotation.position, rotation.speed);
    for axis in 0..3 {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        map[first][speed + axis] = minus[1 + axis];
        map[first + 1 + axis][speed + axis] = half[0];
        // Row `axis` of (x, y, z)×ω is r_next ω_last − r_last ω_next.
        let (plus, other) = match rotation.frame {
            Frame::Body => (&half, &minus),
            Frame::Space => (&minus, &half),
        };
        map[first + 1 + axis][speed + last] = plus[1 + next];
        map[first + 1 + axis][speed + next] = other[1 + last];
    }
}

/// c_ij^k = ±ε_ijk.
fn commutators_of(rotation: &Rotation) -> Vec<Bracket> {
    let (even, odd) = match rotation.frame {
        Frame::Body => (ExprPool::ONE, ExprPool::MINUS_ONE),
        Frame::Space => (ExprPool::MINUS_ONE, ExprPool::ONE),
    };
    let at = |axis: usize| rotation.speed + axis % 3;
    let pair = |axis: usize| {
        let (i, j, k) = (at(axis), at(axis + 1), at(axis + 2));
        [Bracket { i, j, k, value: even }, Bracket { i: j, j: i, k, value: odd }]
    };
    (0..3).flat_map(pair).collect()
}

/// The matrix of a unit quaternion, body → space:
///
/// ```text
/// 1 − 2(y² + z²)   2(xy − wz)       2(xz + wy)
/// 2(xy + wz)       1 − 2(x² + z²)   2(yz − wx)
/// 2(xz − wy)       2(yz + wx)       1 − 2(x² + y²)
/// ```
pub fn rotation_matrix(pool: &mut ExprPool, quaternion: [ExprId; 4]) -> Vec<Vec<ExprId>> {
    let minus_two = pool.integer(-2);
    let [w, vector @ ..] = quaternion;
    let mut matrix = vec![vec![ExprPool::ZERO; 3]; 3];
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let (a, b) = (pool.powi(vector[j], 2), pool.powi(vector[k], 2));
        matrix[i][i] = pool.sum(&[(ExprPool::ONE, ExprPool::ONE), (minus_two, a), (minus_two, b)]);
        let (product, turn) = (pool.mul(vector[i], vector[j]), pool.mul(w, vector[k]));
        matrix[i][j] = pool.sum(&[(ExprPool::TWO, product), (minus_two, turn)]);
        matrix[j][i] = pool.sum(&[(ExprPool::TWO, product), (ExprPool::TWO, turn)]);
    }
    matrix
}
