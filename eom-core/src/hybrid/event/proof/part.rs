//! Parts of a step that are looked at one after another, the first on top.

/// On a part of so many halvings ρ is that of its end, on others that of the first for which it is asked for.
const SMALL: u32 = 4;

/// A part of a step, and how often it has been halved.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid::event) struct Part {
    pub(in crate::hybrid::event) a: f64,
    pub(in crate::hybrid::event) b: f64,
    pub(in crate::hybrid::event) halvings: u32,
}

impl Part {
    /// The step up to an end.
    pub(in crate::hybrid::event) fn whole(end: f64) -> Self {
        Self { a: 0.0, b: end, halvings: 0 }
    }

    /// Both halves, the second one first.
    pub(in crate::hybrid::event) fn halves(self) -> [Self; 2] {
        let Self { a, b, halvings } = self;
        let (middle, halvings) = (0.5 * (a + b), halvings + 1);
        [Self { a: middle, b, halvings }, Self { a, b: middle, halvings }]
    }

    /// ρ of a guard near its end. That of a flat guard may be far less on a small part near its root than at the ends of the
    /// step: it is asked for anew there.
    pub(in crate::hybrid::event) fn rounding(
        self,
        known: &mut Option<f64>,
        spread: impl FnOnce() -> f64,
    ) -> f64 {
        if self.halvings < SMALL { *known.get_or_insert_with(spread) } else { spread() }
    }
}
