//! The linear graph of straight-line code, and Jacobians by elimination of its vertices.
//!
//! ```text
//! z = f(x, y, …)             an edge x → z with ∂f/∂x, one y → z with ∂f/∂y
//! ∂z/∂y                      the sum over all paths y → z of the products of their edges
//! i is eliminated:           c_wv += c_wi c_iv for each v → i and i → w, and i with its edges is gone
//! ```
//!
//! What is left in the end are edges from sources to targets, whatever the order (Griewank & Reese 1991): from the sources on it
//! is the forward sweep, from the targets back the reverse one, and between these are most. The order of the fewest
//! operations is NP-hard to find (Naumann, Mathematical Programming 112, 2008), so that a few are tried.

use super::slopes::slopes;
use crate::program::{Builder, Value};

/// Graphs of more vertices are eliminated from one side to the other.
const VERTICES_MAX: usize = 1000;

/// A vertex, by its place in the graph.
pub(in crate::program) type Vertex = usize;

/// Edges with their slopes. A vertex is added after those from which edges lead to it.
#[derive(Debug, Clone, Default)]
pub(in crate::program) struct LinearGraph {
    /// Of each vertex where the edges to it come from, in order: they are few.
    into: Vec<Vec<(Vertex, Value)>>,
    /// Of each vertex where the edges from it lead, in order.
    from: Vec<Vec<Vertex>>,
}

/// Which vertex is eliminated next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::program) enum Order {
    /// The first.
    Forward,
    /// The last.
    Reverse,
    /// One with the fewest pairs of edges (Markowitz), the first or the last of these.
    Degree { last: bool },
    /// One that takes the fewest operations, the first or the last of these.
    Work { last: bool },
}

impl Order {
    /// Those that are tried.
    pub(in crate::program) const ALL: [Self; 6] = [
        Self::Forward,
        Self::Reverse,
        Self::Degree { last: false },
        Self::Degree { last: true },
        Self::Work { last: false },
        Self::Work { last: true },
    ];

    /// The order in a graph of so many vertices: where all are looked at each time, in a large one the time that takes is that of
    /// a compiler.
    fn of_so_many(self, vertices: usize) -> Self {
        match self {
            Self::Degree { last } | Self::Work { last } if vertices > VERTICES_MAX => {
                if last {
                    Self::Reverse
                } else {
                    Self::Forward
                }
            }
            order => order,
        }
    }
}

impl LinearGraph {
    /// One more vertex.
    pub(super) fn vertex(&mut self) -> Vertex {
        self.into.push(Vec::new());
        self.from.push(Vec::new());
        self.into.len() - 1
    }

    /// So many more.
    pub(super) fn vertices(&mut self, count: usize) -> Vec<Vertex> {
        (0..count).map(|_| self.vertex()).collect()
    }

    /// Adds a slope to the edge between two vertices.
    pub(in crate::program) fn add(
        &mut self,
        b: &mut Builder,
        from: Vertex,
        to: Vertex,
        slope: Value,
    ) {
        if b.is_zero(slope) {
            return;
        }
        match self.edge(from, to) {
            Err(place) => {
                self.into[to].insert(place, (from, slope));
                if let Err(place) = self.from[from].binary_search(&to) {
                    self.from[from].insert(place, to);
                }
            }
            Ok(place) => {
                let sum = b.add(self.into[to][place].1, slope);
                if b.is_zero(sum) {
                    self.into[to].remove(place);
                    self.leave(from, to);
                } else {
                    self.into[to][place].1 = sum;
                }
            }
        }
    }

    /// The place of an edge among those that lead to a vertex, or where it would stand.
    fn edge(&self, from: Vertex, to: Vertex) -> Result<usize, usize> {
        self.into[to].binary_search_by_key(&from, |edge| edge.0)
    }

    /// The slope of an edge.
    fn slope(&self, from: Vertex, to: Vertex) -> Option<Value> {
        self.edge(from, to).ok().map(|place| self.into[to][place].1)
    }

    /// No edge leads from a vertex to another one any more.
    fn leave(&mut self, from: Vertex, to: Vertex) {
        if let Ok(place) = self.from[from].binary_search(&to) {
            self.from[from].remove(place);
        }
    }

    /// Adds what lies between values that have a vertex and `results`; a new vertex for each of these.
    pub(in crate::program) fn trace(
        &mut self,
        b: &mut Builder,
        known: &[(Value, Vertex)],
        results: &[Value],
    ) -> Vec<Vertex> {
        let mut vertices: Vec<Option<Vertex>> = vec![None; b.len()];
        for (value, vertex) in known {
            vertices[value.index()] = Some(*vertex);
        }
        let needed = needed(b, known, results);
        for (index, is_needed) in needed.into_iter().enumerate() {
            let mut moves = false;
            let value = Value(index as u32);
            b.instruction(value).for_operands(|x| moves |= vertices[x.index()].is_some());
            if !is_needed || !moves || vertices[index].is_some() {
                continue;
            }
            let vertex = self.vertex();
            let at = |x: Value| vertices.get(x.index()).copied().flatten();
            for (x, slope) in slopes(b, value, &|x| at(x).is_some()) {
                if let Some(from) = at(x) {
                    self.add(b, from, vertex, slope);
                }
            }
            vertices[index] = Some(vertex);
        }
        let one = b.constant(1.0);
        let target = |value: &Value| {
            let target = self.vertex();
            if let Some(from) = vertices[value.index()] {
                self.add(b, from, target, one);
            }
            target
        };
        results.iter().map(target).collect()
    }

    /// Of each source the slopes of the targets by it. Edges lead from no target, and to no source.
    pub(in crate::program) fn jacobian(
        mut self,
        b: &mut Builder,
        sources: &[Vertex],
        targets: &[Vertex],
        order: Order,
    ) -> Vec<Vec<Value>> {
        let is_end = |vertex: &Vertex| sources.contains(vertex) || targets.contains(vertex);
        let mut open: Vec<Vertex> = (0..self.into.len()).filter(|i| !is_end(i)).collect();
        let order = order.of_so_many(open.len());
        while let Some(place) = self.next(b, &open, order) {
            let vertex = open.remove(place);
            self.eliminate(b, vertex);
        }
        let zero = b.constant(0.0);
        let slope = |from: &Vertex, to: &Vertex| self.slope(*from, *to).unwrap_or(zero);
        let column = |from: &Vertex| targets.iter().map(|to| slope(from, to)).collect();
        sources.iter().map(column).collect()
    }

    /// The place of the next one among those that are left.
    fn next(&self, b: &Builder, open: &[Vertex], order: Order) -> Option<usize> {
        let first = |key: &dyn Fn(Vertex) -> usize| (0..open.len()).min_by_key(|i| key(open[*i]));
        let last =
            |key: &dyn Fn(Vertex) -> usize| (0..open.len()).rev().min_by_key(|i| key(open[*i]));
        let degree = |i: Vertex| self.into[i].len() * self.from[i].len();
        let work = |i: Vertex| self.work(b, i);
        match order {
            Order::Forward => (!open.is_empty()).then_some(0),
            Order::Reverse => open.len().checked_sub(1),
            Order::Degree { last: false } => first(&degree),
            Order::Degree { last: true } => last(&degree),
            Order::Work { last: false } => first(&work),
            Order::Work { last: true } => last(&work),
        }
    }

    /// The operations of an elimination: a product and a sum are one.
    fn work(&self, b: &Builder, vertex: Vertex) -> usize {
        let is_unit = |slope: Value| b.as_constant(slope).is_some_and(|c| c.abs() == 1.0);
        let mut work = 0;
        for &to in &self.from[vertex] {
            let free = self.slope(vertex, to).is_some_and(is_unit);
            let pays = |(from, slope): &&(Vertex, Value)| {
                self.edge(*from, to).is_ok() || !(free || is_unit(*slope))
            };
            work += self.into[vertex].iter().filter(pays).count();
        }
        work
    }

    fn eliminate(&mut self, b: &mut Builder, vertex: Vertex) {
        let (into, from) =
            (std::mem::take(&mut self.into[vertex]), std::mem::take(&mut self.from[vertex]));
        for (v, _) in &into {
            self.leave(*v, vertex);
        }
        for w in from {
            let Ok(place) = self.edge(vertex, w) else { continue };
            let (_, outer) = self.into[w].remove(place);
            for (v, inner) in &into {
                let path = b.mul(outer, *inner);
                self.add(b, *v, w, path);
            }
        }
    }
}

/// Which values the results read, up to those that are known.
fn needed(b: &Builder, known: &[(Value, Vertex)], results: &[Value]) -> Vec<bool> {
    let mut needed = vec![false; b.len()];
    for value in results {
        needed[value.index()] = true;
    }
    for index in (0..needed.len()).rev() {
        let value = Value(index as u32);
        if needed[index] && !known.iter().any(|(other, _)| *other == value) {
            b.instruction(value).for_operands(|x| needed[x.index()] = true);
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::SymbolId;
    use crate::program::Instruction;
    use crate::program::passes::words;

    /// The derivatives of sums by a, b, c, d, one sum after another, as sums.
    fn check(sums: &[&str], slopes: &[&str]) {
        let (pool, program) = words::sums(sums);
        let (_, wanted) = words::sums(slopes);
        for order in Order::ALL {
            let mut b = program.rewritten(|b, _, _, instruction| b.simplified(instruction));
            let values = b.take_outputs();
            let mut graph = LinearGraph::default();
            let sources = graph.vertices(4);
            let known: Vec<(Value, Vertex)> = ["a", "b", "c", "d"]
                .iter()
                .zip(&sources)
                .map(|(name, source)| {
                    let place = pool.symbols().iter().position(|symbol| symbol.name == *name);
                    let symbol = SymbolId(place.unwrap() as u32);
                    (b.push(Instruction::Input(symbol)), *source)
                })
                .collect();
            let targets = graph.trace(&mut b, &known, &values);
            let columns = graph.jacobian(&mut b, &sources, &targets, order);
            for row in 0..sums.len() {
                for column in &columns {
                    b.output("slope", column[row]);
                }
            }
            words::compare(&pool, &b.finish("slopes"), &wanted);
        }
    }

    #[test]
    fn every_order_has_the_same_jacobian() {
        // table
        check(&["abc+ad"], &["bc+d", "ac", "ab", "a"]);
        check(&["ab+mc", "abd"], &["b", "a", "m", "", "bd", "ad", "", "ab"]);
        check(&["aab-cd", "mc-ma"], &["ab+ab", "aa", "-d", "-c", "-m", "", "m", ""]);
    }
}
