//! Functions of vectors and matrices: products, norms, rotations, the vector of a skew matrix.

use super::Resolver;
use super::value::{MISTAKEN, Value, dot, transpose};
use crate::ast::Ident;
use crate::resolve::mistake::Mistake;
use eom_symbolic::mechanics::Norm;
use eom_symbolic::simplify::Simplifier;
use eom_symbolic::{ExprId, ExprPool, Function};

/// The functions of this file, for messages.
pub(crate) const VECTOR_FUNCTIONS: [&str; 8] =
    ["dot", "cross", "norm", "transpose", "vee", "rot_x", "rot_y", "rot_z"];

impl Resolver<'_> {
    /// The value of a function of vectors; `None` for another name.
    pub(crate) fn vector_call(
        &mut self,
        function: &Ident,
        key: &str,
        values: &[Value],
    ) -> Option<Result<Value, Mistake>> {
        if !VECTOR_FUNCTIONS.contains(&key) {
            return None;
        }
        let count = if matches!(key, "dot" | "cross") { 2 } else { 1 };
        if let Err(mistake) = Mistake::of_count(function, count, values.len()) {
            return Some(Err(mistake));
        }
        if values.iter().any(Value::is_mistaken) {
            return Some(Ok(MISTAKEN));
        }
        Some(match key {
            "dot" => self.dot(&values[0], &values[1]),
            "cross" => self.cross(&values[0], &values[1]),
            "norm" => self.norm(&values[0]),
            "transpose" => transposed(&values[0]),
            "vee" => self.vee(&values[0]),
            axis => self.rotation(axis, &values[0]),
        })
    }

    /// x·y = Σ xᵢ yᵢ.
    fn dot(&mut self, x: &Value, y: &Value) -> Result<Value, Mistake> {
        match (x, y) {
            (Value::Vector(a), Value::Vector(b)) if a.len() == b.len() => {
                Ok(Value::Scalar(dot(a, b, &mut self.pool)))
            }
            _ => Err(Mistake::Shapes { operation: "dot", left: x.shape(), right: y.shape() }),
        }
    }

    /// x × y = (x₂y₃ − x₃y₂, x₃y₁ − x₁y₃, x₁y₂ − x₂y₁).
    fn cross(&mut self, x: &Value, y: &Value) -> Result<Value, Mistake> {
        let (Value::Vector(a), Value::Vector(b)) = (x, y) else {
            return Err(Mistake::Shapes { operation: "cross", left: x.shape(), right: y.shape() });
        };
        if a.len() != 3 || b.len() != 3 {
            return Err(Mistake::Shapes { operation: "cross", left: x.shape(), right: y.shape() });
        }
        let mut minor = |i: usize, j: usize| {
            let (ab, ba) = (self.pool.mul(a[i], b[j]), self.pool.mul(a[j], b[i]));
            self.pool.sub(ab, ba)
        };
        Ok(Value::Vector(vec![minor(1, 2), minor(2, 0), minor(0, 1)]))
    }

    /// ‖w‖ = √(w·w). Its components are kept, so that a dry friction c·‖w‖ can be taken apart.
    fn norm(&mut self, w: &Value) -> Result<Value, Mistake> {
        let Value::Vector(components) = w else {
            return Err(Mistake::Shape { expected: "a vector", found: w.shape() });
        };
        let square = dot(components, components, &mut self.pool);
        let value = self.pool.sqrt(square);
        let norm = Norm { value, components: components.clone() };
        if self.pool.as_number(value).is_none() && !self.norms.contains(&norm) {
            self.norms.push(norm);
        }
        Ok(Value::Scalar(value))
    }

    /// ω with ω × x = Ω̂ x: (Ω̂₃₂, Ω̂₁₃, Ω̂₂₁). A matrix S that is not visibly skew is taken as its
    /// skew part (S − Sᵀ)/2, simplified: that of SᵀṠ for three turns has a dozen products an entry
    /// where θ̇ cos ψ + φ̇ sin θ sin ψ is meant, and what is made of it would be ten times as long.
    fn vee(&mut self, matrix: &Value) -> Result<Value, Mistake> {
        let rows = match matrix {
            Value::Matrix(rows) if rows.len() == 3 && rows[0].len() == 3 => rows,
            _ => return Err(Mistake::Shape { expected: "a 3×3 matrix", found: matrix.shape() }),
        };
        let mut simplifier = Simplifier::default();
        let mut entry = |i: usize, j: usize| {
            let (above, below) = (rows[i][j], rows[j][i]);
            if self.pool.neg(below) == above {
                return above;
            }
            let difference = self.pool.sub(above, below);
            let half = self.pool.scale(ExprPool::HALF, difference);
            simplifier.simplify(&mut self.pool, half)
        };
        Ok(Value::Vector(vec![entry(2, 1), entry(0, 2), entry(1, 0)]))
    }

    /// The right-handed turn by an angle about an axis.
    fn rotation(&mut self, axis: &str, angle: &Value) -> Result<Value, Mistake> {
        let Value::Scalar(angle) = angle else {
            return Err(Mistake::Shape { expected: "a number", found: angle.shape() });
        };
        let c = self.pool.call(Function::Cos, &[*angle]);
        let s = self.pool.call(Function::Sin, &[*angle]);
        let (o, l, n) = (ExprPool::ZERO, ExprPool::ONE, self.pool.neg(s));
        let rows: [[ExprId; 3]; 3] = match axis {
            "rot_x" => [[l, o, o], [o, c, n], [o, s, c]],
            "rot_y" => [[c, o, s], [o, l, o], [n, o, c]],
            _ => [[c, n, o], [s, c, o], [o, o, l]],
        };
        Ok(Value::Matrix(rows.iter().map(|row| row.to_vec()).collect()))
    }
}

/// Columns as rows.
fn transposed(value: &Value) -> Result<Value, Mistake> {
    match value {
        Value::Matrix(rows) => Ok(Value::Matrix(transpose(rows))),
        Value::Vector(entries) => Ok(Value::Row(entries.clone())),
        Value::Row(entries) => Ok(Value::Vector(entries.clone())),
        Value::Scalar(_) => {
            Err(Mistake::Shape { expected: "a matrix or a vector", found: value.shape() })
        }
    }
}
