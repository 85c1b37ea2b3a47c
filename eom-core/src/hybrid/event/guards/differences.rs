//! Differences of guards, over moves of one argument that become smaller.

/// Differences that follow each other agree to this part: three do, since two of what turns often may do so by chance.
const AGREE: f64 = 0.1;

/// Guards at a state, and what they are where one of its numbers is moved.
#[derive(Debug, Clone, Default)]
pub(super) struct Differences {
    pub(super) moved: Vec<f64>,
    pub(super) here: Vec<f64>,
    /// What they change by over the largest move, or what is told of it; and over the last one.
    pub(super) changes: Vec<f64>,
    pub(super) next: Vec<f64>,
    pub(super) open: Vec<Option<Open>>,
}

/// Differences of a guard that do not agree yet: the last one, the largest, how many pairs before it agree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) before: f64,
    pub(super) largest: f64,
    pub(super) agree: u32,
}

impl Differences {
    pub(super) fn new(dimension: usize, guards: usize) -> Self {
        let [here, changes, next] = [(); 3].map(|()| vec![0.0; guards]);
        Self { moved: vec![0.0; dimension], here, changes, next, open: vec![None; guards] }
    }
}

impl Open {
    /// Takes the difference over the next move. What an error does, where that and the two before it agree.
    pub(super) fn take(&mut self, next: f64) -> Option<f64> {
        let agree = (next - self.before).abs() <= AGREE * next.max(self.before);
        self.agree = if agree { self.agree + 1 } else { 0 };
        let told = next.max(self.before);
        (self.before, self.largest) = (next, self.largest.max(next));
        (self.agree == 2).then_some(told)
    }
}
