//! Values whose series follow by fewer sums than the operations ask for that compute them at order 0.
//!
//! ```text
//! x = a r, r = 1/b read by such products alone                  as x = a/b: [x, b], and no [r, b]
//! x = sin α cos β ± cos α sin β, y = cos α cos β ∓ sin α sin β    ẋ = y(α̇ ± β̇), ẏ = −x(α̇ ± β̇)
//! ```
//!
//! At order 0 a reciprocal is shared and products stand for one more sine and cosine. As series, the first
//! saves the sums of r, the second two of four.

use super::merged::{Merged, SeriesRule, Turned, series_rule};
use crate::node::Function;
use crate::program::{Builder, Instruction, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// By which rule a value follows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shortcut {
    /// a/b.
    Quotient { a: Value, b: Value },
    /// ẋ = σ u ė.
    Turned { σ: f64, u: Value, e: Value },
}

/// The shortcuts of a merged program, and what has to be known with them.
#[derive(Debug, Default)]
pub(super) struct Shortcuts {
    of: FxHashMap<Value, Shortcut>,
    read: FxHashSet<Value>,
}

/// The functions of two factors that are sines and cosines, and their angles.
fn product(b: &Builder, value: Value) -> Option<[(Function, Value); 2]> {
    let Instruction::Mul(first, second) = b.instruction(value) else { return None };
    let factor = |value: Value| match b.instruction(value) {
        Instruction::Call(f @ (Function::Sin | Function::Cos), angle, _) => Some((f, angle)),
        _ => None,
    };
    Some([factor(first)?, factor(second)?])
}

/// Which function of α ± β a sum or a difference of two products is: the function, α, β, and whether it
/// is of α − β.
fn function_of(
    b: &Builder,
    p: Value,
    q: Value,
    minus: bool,
) -> Option<(Function, Value, Value, bool)> {
    use Function::{Cos, Sin};
    let sorted = |mut product: [(Function, Value); 2]| {
        if product[1] < product[0] {
            product.swap(0, 1);
        }
        product
    };
    let [(f, α), (g, β)] = sorted(product(b, p)?);
    let [(h, γ), (i, δ)] = sorted(product(b, q)?);
    match (f, g, h, i) {
        (Sin, Cos, Sin, Cos) if α == δ && β == γ => Some((Sin, α, β, minus)),
        (Cos, Cos, Sin, Sin) if (α, β) == (γ, δ) => Some((Cos, α, β, !minus)),
        (Sin, Sin, Cos, Cos) if (α, β) == (γ, δ) && !minus => Some((Cos, α, β, true)),
        _ => None,
    }
}

impl Merged {
    /// Notes that p ± q, the value to be added next, is the sine or cosine of a sum of angles that move,
    /// and adds that sum.
    pub(super) fn meet(&mut self, p: Value, q: Value, minus: bool) {
        let Some((function, α, β, difference)) = function_of(&self.builder, p, q, minus) else {
            return;
        };
        if α == β || !self.moves[α.index()] || !self.moves[β.index()] {
            return;
        }
        let (low, high) = (α.min(β), α.max(β));
        let angle =
            if difference { self.builder.sub(low, high) } else { self.builder.add(low, high) };
        let reversed = difference && function == Function::Sin && α != low;
        let sign = if reversed { -1.0 } else { 1.0 };
        let value = if minus { self.builder.sub(p, q) } else { self.builder.add(p, q) };
        self.turned.push(Turned { value, function, sign, angle });
    }
}

impl Shortcuts {
    /// Of a merged program with these outputs.
    pub(super) fn new(merged: &mut Merged, outputs: &[Value]) -> Self {
        let mut found = Self::default();
        found.find_turned(&merged.turned);
        found.find_quotients(merged, outputs);
        found.mark(merged, outputs);
        found
    }

    /// The shortcut of a value.
    pub(super) fn of(&self, value: Value) -> Option<Shortcut> {
        self.of.get(&value).copied()
    }

    /// Whether an output, or what it follows from, is this value.
    pub(super) fn reads(&self, value: Value) -> bool {
        self.read.contains(&value)
    }

    /// Sines and cosines of one angle, where there are both.
    fn find_turned(&mut self, turned: &[Turned]) {
        let of = |function: Function| turned.iter().filter(move |t| t.function == function);
        for sine in of(Function::Sin) {
            let Some(cosine) = of(Function::Cos).find(|c| c.angle == sine.angle) else { continue };
            let (σ, e) = (sine.sign, sine.angle);
            self.of.insert(sine.value, Shortcut::Turned { σ, u: cosine.value, e });
            self.of.insert(cosine.value, Shortcut::Turned { σ: -σ, u: sine.value, e });
        }
    }

    /// Products with reciprocals that nothing else reads.
    fn find_quotients(&mut self, merged: &Merged, outputs: &[Value]) {
        let Merged { builder, moves, .. } = merged;
        let divisor = |value: Value| match builder.instruction(value) {
            Instruction::Div(one, b) if builder.is_one(one) && moves[b.index()] => Some(b),
            _ => None,
        };
        let mut otherwise: FxHashSet<Value> = outputs.iter().copied().collect();
        let mut quotients = Vec::new();
        for x in (0..moves.len()).map(|index| Value(index as u32)) {
            let instruction = builder.instruction(x);
            let split = match instruction {
                Instruction::Mul(a, r) if divisor(r).is_some() => Some((a, r)),
                Instruction::Mul(r, a) if divisor(r).is_some() => Some((a, r)),
                _ => None,
            };
            match split {
                Some((a, r)) => {
                    otherwise.insert(a);
                    quotients.push((x, a, r));
                }
                None => instruction.for_operands(|operand| {
                    otherwise.insert(operand);
                }),
            }
        }
        for (x, a, r) in quotients {
            if let Some(b) = divisor(r).filter(|_| !otherwise.contains(&r)) {
                self.of.insert(x, Shortcut::Quotient { a, b });
            }
        }
    }

    /// Marks what outputs follow from.
    fn mark(&mut self, merged: &mut Merged, outputs: &[Value]) {
        let mut open: Vec<Value> = outputs.to_vec();
        while let Some(value) = open.pop() {
            if !self.read.insert(value) {
                continue;
            }
            match self.of(value) {
                Some(Shortcut::Quotient { a, b }) => open.extend([a, b]),
                Some(Shortcut::Turned { u, e, .. }) => open.extend([u, e]),
                None => {
                    let instruction = merged.builder.instruction(value);
                    instruction.for_operands(|operand| open.push(operand));
                    if let Instruction::Call(function, a, b) = instruction {
                        let rule = series_rule(&mut merged.builder, function, [value, a, b]);
                        open.extend(rule.into_iter().flat_map(SeriesRule::reads));
                    }
                }
            }
        }
    }
}
