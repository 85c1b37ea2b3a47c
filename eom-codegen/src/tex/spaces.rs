//! Subspaces of the space of velocities, and sets of places, in the words of a notation.
//!
//! ```text
//! span(M)          what the columns of M span, which are independent
//! kernel(B)        { v : B v = 0 }, the rows of B independent
//! space(n)         ℝⁿ
//! zeros([X, Y], f) { (X, Y) : f = 0 }
//!
//! a ∈ kernel(B)    B a = 0                  a ∈ span(M)    Π a = a,  Π = M (MᵀM)⁻¹Mᵀ
//! U ⊆ V            each column of a basis of U is in V;  ker B has those of I − Bᵀ(BBᵀ)⁻¹B
//! U = V            U ⊆ V, V ⊆ U             f : U → V      f u ∈ V for each column u of a basis of U
//! U ⊥ V            uᵀ G v = 0, G the metric that the notation gives `\perp`
//! ℝⁿ = ker B ⊕ span(M)    B M (B M)⁻¹B = B,  B has n columns
//! ker A = ker B ⊕ span(M)    both ⊆ ker A,  rank(B M) = columns of M = rank B − rank A
//! F = ker A ∩ span(M)     F ⊆ both,  dim F = columns of M − rank(A M)
//! ```

use super::fault::{Fault, Read};
use super::forms::{called, inverse_of, product, transposed};
use super::names::name;
use super::reader::Reader;
use super::relations::unknown_set;
use crate::ast::{Equation, Expr, ExprKind, Ident, Region, Term};
use eom_symbolic::tex::{Key, Node, NodeKind, Symbol};

/// A space, by what makes it.
#[derive(Debug, Clone)]
pub(super) enum Space {
    /// Of what a matrix takes to 0.
    Kernel(Expr),
    /// Of the columns of a matrix.
    Span(Expr),
    /// ℝⁿ
    Whole(Expr),
    /// Where an expression of its variables is 0.
    Zeros(Vec<Ident>, Expr),
}

/// The space that a value of a notation makes.
fn made(value: &Expr) -> Option<Space> {
    let ExprKind::Call { function, arguments } = &value.kind else { return None };
    match (function.text.as_str(), arguments.as_slice()) {
        ("span", [matrix]) => Some(Space::Span(matrix.clone())),
        ("kernel", [matrix]) => Some(Space::Kernel(matrix.clone())),
        ("space", [size]) => Some(Space::Whole(size.clone())),
        ("zeros", [Expr { kind: ExprKind::Array(variables), .. }, zero]) => {
            let ident = |variable: &Expr| match &variable.kind {
                ExprKind::Name(ident) => Some(ident.clone()),
                _ => None,
            };
            let variables = variables.iter().map(ident).collect::<Option<_>>()?;
            Some(Space::Zeros(variables, zero.clone()))
        }
        _ => None,
    }
}

fn equation(lhs: Expr, rhs: Expr) -> Equation {
    Equation { lhs, rhs }
}

fn zero(region: Region) -> Expr {
    Expr::whole_number(0, region)
}

fn difference(left: Expr, right: Expr) -> Expr {
    let region = left.region;
    let terms = vec![Term { minus: false, expr: left }, Term { minus: true, expr: right }];
    Expr { kind: ExprKind::Sum(terms), region }
}

fn counted(word: &str, matrix: &Expr) -> Expr {
    called(word, vec![matrix.clone()], matrix.region)
}

/// M (MᵀM)⁻¹Mᵀ
fn onto_columns(matrix: &Expr) -> Expr {
    let turned = transposed(matrix.clone());
    let gram = product(vec![turned.clone(), matrix.clone()], matrix.region);
    product(vec![matrix.clone(), inverse_of(gram), turned], matrix.region)
}

impl Space {
    /// A matrix whose columns span it.
    fn basis(&self) -> Option<Expr> {
        match self {
            Self::Span(matrix) => Some(matrix.clone()),
            Self::Kernel(matrix) => {
                let identity = name("identity", matrix.region);
                Some(difference(identity, onto_columns(&transposed(matrix.clone()))))
            }
            Self::Whole(_) | Self::Zeros(..) => None,
        }
    }

    /// That it holds the columns of a matrix, or a vector.
    fn holds(&self, value: &Expr) -> Option<Equation> {
        let region = value.region;
        Some(match self {
            Self::Kernel(matrix) => {
                equation(product(vec![matrix.clone(), value.clone()], region), zero(region))
            }
            Self::Span(matrix) => {
                let onto = product(vec![onto_columns(matrix), value.clone()], region);
                equation(onto, value.clone())
            }
            Self::Whole(size) => equation(counted("rows", value), size.clone()),
            Self::Zeros(variables, zeros) => {
                let ExprKind::Array(entries) = &value.kind else { return None };
                if entries.len() != variables.len() {
                    return None;
                }
                let entry = |ident: &Ident| {
                    let place = variables.iter().position(|known| known.text == ident.text)?;
                    entries.get(place).cloned()
                };
                equation(zeros.with_names(&entry), zero(region))
            }
        })
    }
}

impl Reader<'_> {
    /// The space that a piece of print is; none where it is something else.
    pub(super) fn space(&mut self, node: &Node) -> Read<Option<Space>> {
        Ok(match &node.kind {
            NodeKind::Kernel(of) => Some(Space::Kernel(self.expr(of)?)),
            NodeKind::Power(base, exponent) => {
                let real = Symbol { letter: r"\mathbb{R}".to_owned(), ..Symbol::default() };
                if base.kind != NodeKind::Symbol(real) {
                    return Ok(None);
                }
                Some(Space::Whole(self.expr(exponent)?))
            }
            NodeKind::Symbol(_) | NodeKind::Applied(..) | NodeKind::Phrase(_) => {
                self.value_of(node).as_ref().and_then(made)
            }
            _ => None,
        })
    }

    fn known_space(&mut self, node: &Node) -> Read<Space> {
        self.space(node)?.ok_or_else(|| unknown_set(node))
    }

    /// a ∈ S
    pub(super) fn in_space(&mut self, left: &Node, right: &Node) -> Read<Vec<Equation>> {
        let space = self.known_space(right)?;
        let value = self.expr(left)?;
        let Some(held) = space.holds(&value) else {
            let what = "a set of places has as many variables as the vector has components";
            let help = "write the vector with its components";
            return Err(Fault::unexplained(left.at.clone(), what, help));
        };
        Ok(vec![held])
    }

    /// a ∉ ker B: |B a|² > 0.
    pub(super) fn not_in(&mut self, left: &Node, right: &Node) -> Read<Vec<Equation>> {
        let Space::Kernel(matrix) = self.known_space(right)? else {
            let what = "whether something is not in a set is decided of kernels";
            let help = "explain the set by `kernel(…)` in `notation`";
            return Err(Fault::unexplained(right.at.clone(), what, help));
        };
        let value = self.expr(left)?;
        let region = value.region;
        let image = product(vec![matrix, value], region);
        let square = called("dot", vec![image.clone(), image], region);
        let sign = called("sign", vec![square], region);
        Ok(vec![equation(sign, Expr::whole_number(1, region))])
    }

    /// U ⊆ V
    pub(super) fn within(&mut self, left: &Node, right: &Node) -> Read<Vec<Equation>> {
        let (small, large) = (self.known_space(left)?, self.known_space(right)?);
        let held = small.basis().and_then(|basis| large.holds(&basis));
        Ok(vec![held.ok_or_else(|| unknown_set(left))?])
    }

    /// U = V, U = V ⊕ W, U = V ∩ W; none where numbers are equal.
    pub(super) fn equal_spaces(
        &mut self,
        left: &Node,
        right: &Node,
    ) -> Read<Option<Vec<Equation>>> {
        match &right.kind {
            NodeKind::DirectSum(parts) => return self.direct_sum(left, parts).map(Some),
            NodeKind::Meet(parts) => return self.meet(left, parts).map(Some),
            _ => {}
        }
        let (Some(first), Some(second)) = (self.space(left)?, self.space(right)?) else {
            return Ok(None);
        };
        let both = [(&first, &second), (&second, &first)];
        let held = both.map(|(small, large)| large.holds(&small.basis()?));
        let held: Option<Vec<Equation>> = held.into_iter().collect();
        held.map(Some).ok_or_else(|| unknown_set(right))
    }

    /// ℝⁿ = ker B ⊕ span(M), ker A = ker B ⊕ span(M)
    fn direct_sum(&mut self, left: &Node, parts: &[Node]) -> Read<Vec<Equation>> {
        let whole = self.known_space(left)?;
        let parts = parts.iter().map(|part| self.known_space(part)).collect::<Read<Vec<_>>>()?;
        let other = || {
            let what = "of direct sums that of a kernel and a span is decided";
            let help = "explain the spaces by `space(n)`, `kernel(…)` and `span(…)`";
            Fault::unexplained(left.at.clone(), what, help)
        };
        let ([Space::Kernel(matrix), Space::Span(columns)]
        | [Space::Span(columns), Space::Kernel(matrix)]) = parts.as_slice()
        else {
            return Err(other());
        };
        let met = product(vec![matrix.clone(), columns.clone()], matrix.region);
        match &whole {
            Space::Whole(size) => {
                let sum = vec![met.clone(), inverse_of(met), matrix.clone()];
                let once = product(sum, matrix.region);
                let size = equation(size.clone(), counted("columns", matrix));
                Ok(vec![size, equation(once, matrix.clone())])
            }
            Space::Kernel(outer) => {
                let within = parts.iter().map(|part| whole.holds(&part.basis()?));
                let within: Option<Vec<Equation>> = within.collect();
                let more = difference(counted("rank", matrix), counted("rank", outer));
                let sizes = [counted("rank", &met), more]
                    .map(|size| equation(size, counted("columns", columns)));
                Ok(within.into_iter().flatten().chain(sizes).collect())
            }
            _ => Err(other()),
        }
    }

    /// F = ker A ∩ span(M)
    fn meet(&mut self, left: &Node, parts: &[Node]) -> Read<Vec<Equation>> {
        let meet = self.known_space(left)?;
        let parts = parts.iter().map(|part| self.known_space(part)).collect::<Read<Vec<_>>>()?;
        let (Space::Span(basis), Some(Space::Kernel(matrix)), Some(Space::Span(columns)), 2) = (
            &meet,
            parts.iter().find(|part| matches!(part, Space::Kernel(_))),
            parts.iter().find(|part| matches!(part, Space::Span(_))),
            parts.len(),
        ) else {
            let what = "of intersections that of a kernel and a span is decided";
            let help = "explain the spaces by `kernel(…)` and `span(…)`";
            return Err(Fault::unexplained(left.at.clone(), what, help));
        };
        let taken = product(vec![matrix.clone(), columns.clone()], matrix.region);
        let rank = called("rank", vec![taken], matrix.region);
        let size = difference(counted("columns", columns), rank);
        let mut held: Vec<Equation> = parts.iter().filter_map(|part| part.holds(basis)).collect();
        held.push(equation(counted("columns", basis), size));
        Ok(held)
    }

    /// f : U → V
    pub(super) fn takes(&mut self, map: &Node, arrow: &Node) -> Read<Vec<Equation>> {
        let NodeKind::Arrow(from, into) = &arrow.kind else { return Err(unknown_set(arrow)) };
        let (from, into) = (self.known_space(from)?, self.known_space(into)?);
        let map = self.expr(map)?;
        let region = map.region;
        let (size, image) = match (&from, from.basis()) {
            (Space::Whole(size), _) => {
                (Some(equation(counted("columns", &map), size.clone())), map)
            }
            (_, Some(basis)) => (None, product(vec![map, basis], region)),
            _ => return Err(unknown_set(arrow)),
        };
        let held = into.holds(&image).ok_or_else(|| unknown_set(arrow))?;
        Ok(size.into_iter().chain([held]).collect())
    }

    /// U ⊥ V, or a ⊥ b.
    pub(super) fn orthogonal(&mut self, left: &Node, right: &Node) -> Read<Vec<Equation>> {
        let Some(metric) = self.meant(&Key::Orthogonal).cloned() else {
            let what = "what is orthogonal is so in a metric";
            let help = r#"write `notation { r"\perp" = mass; }`"#;
            return Err(Fault::unexplained(right.at.clone(), what, help));
        };
        let (mut first, mut second) = (self.side(left)?, self.side(right)?);
        if !first.1 {
            std::mem::swap(&mut first, &mut second);
        }
        let region = first.0.region;
        let lowered = product(vec![metric, first.0], region);
        let lhs = if first.1 {
            product(vec![transposed(lowered), second.0], region)
        } else {
            called("dot", vec![lowered, second.0], region)
        };
        Ok(vec![equation(lhs, zero(region))])
    }

    /// A basis, and that it is one; or a vector.
    fn side(&mut self, node: &Node) -> Read<(Expr, bool)> {
        Ok(match self.space(node)? {
            Some(space) => (space.basis().ok_or_else(|| unknown_set(node))?, true),
            None => (self.expr(node)?, false),
        })
    }
}
