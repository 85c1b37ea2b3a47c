//! Quantities that stay along free motion, and that a run may keep: C(t, q, v) with their gradients.

use super::enclosure::{Derivative, Tape};

/// Quantities that stay along the free motion of a system. [`Run::conserve`](crate::Run::conserve) keeps them.
pub trait Conserved: Send + Sync {
    /// What they are called.
    fn names(&self) -> &[String];

    /// C at a state, one a name, and ∂C/∂(q, v), a row of nq + m a name.
    fn evaluate(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        inputs: &[f64],
        values: &mut [f64],
        gradients: &mut [f64],
    );

    /// ∂C/∂t, one a name; 0 where no time is in C.
    fn time_slopes(&self, _t: f64, _q: &[f64], _v: &[f64], _inputs: &[f64], slopes: &mut [f64]) {
        slopes.fill(0.0);
    }
}

/// Quantities as a tape of (t, q, v, u, p).
#[derive(Debug, Clone)]
pub struct ConservedTape {
    names: Vec<String>,
    tape: Tape,
    parameters: Vec<f64>,
}

impl ConservedTape {
    /// The outputs of a tape with the present parameters, one a name.
    pub fn new(names: Vec<String>, tape: Tape, parameters: Vec<f64>) -> Self {
        Self { names, tape, parameters }
    }
}

impl Conserved for ConservedTape {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn evaluate(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        inputs: &[f64],
        values: &mut [f64],
        gradients: &mut [f64],
    ) {
        let given = [&[t][..], q, v, inputs, &self.parameters].concat();
        let (count, size) = (q.len() + v.len(), self.names.len());
        let mut directions = vec![0.0; given.len() * count];
        for j in 0..count {
            directions[j * given.len() + 1 + j] = 1.0;
        }
        let mut columns = vec![0.0; size * count];
        Derivative::new(&self.tape).along(&given, &directions, values, &mut columns);
        for (j, column) in columns.chunks_exact(size.max(1)).enumerate() {
            column.iter().enumerate().for_each(|(i, slope)| gradients[i * count + j] = *slope);
        }
    }

    fn time_slopes(&self, t: f64, q: &[f64], v: &[f64], inputs: &[f64], slopes: &mut [f64]) {
        let given = [&[t][..], q, v, inputs, &self.parameters].concat();
        let mut direction = vec![0.0; given.len()];
        direction[0] = 1.0;
        let mut values = vec![0.0; self.names.len()];
        Derivative::new(&self.tape).along(&given, &direction, &mut values, slopes);
    }
}
