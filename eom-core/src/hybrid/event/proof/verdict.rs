//! What bounds of a guard over a part of a step say of it.

use crate::hybrid::event::scan::Side;
use crate::system::enclosure::{Interval, Jet, Marks};

/// What is within so many ρ of zero is at zero.
pub(in crate::hybrid::event) const ROUNDINGS: f64 = 64.0;

/// What a part says of one guard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid::event) enum Verdict {
    /// No root; it leaves still.
    Leaves,
    /// No root; at the end it is on its side.
    Clear,
    /// One root, from its side to the other.
    Falls,
    Open,
    /// No halving says more.
    Undecided,
}

/// A guard on a part: on its side σ, by bounds and values at both ends.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid::event) struct Guarded {
    pub(in crate::hybrid::event) bounds: Jet,
    pub(in crate::hybrid::event) side: Side,
    /// γₐ and γ_b.
    pub(in crate::hybrid::event) ends: [f64; 2],
    pub(in crate::hybrid::event) rounding: f64,
    /// What is at zero of a guard that leaves it.
    pub(in crate::hybrid::event) near: f64,
    /// b − a in units of time.
    pub(in crate::hybrid::event) width: f64,
    /// Whether the part ends where the step has been cut, or ends.
    pub(in crate::hybrid::event) is_last: bool,
}

/// Whether bounds keep a guard on a side, wherever it has a value, and it has one everywhere.
pub(in crate::hybrid::event) fn is_clear(value: Interval, σ: f64) -> bool {
    let off = if σ > 0.0 { value.low() > 0.0 } else { value.high() < 0.0 };
    off && !value.marks().has(Marks::OUTSIDE)
}

/// What is left where no halving decides.
pub(in crate::hybrid::event) enum Last {
    /// It is zero to rounding.
    Nothing,
    /// It is not, and bounds do not say what it does.
    Unknown,
    Leaves,
    Falls,
    Singular,
}

/// What the least value on a part says.
pub(super) enum Least {
    /// It is beyond ρ, on its side.
    Off,
    /// It crosses, and comes back.
    Dips {
        s: f64,
    },
    Zero {
        s: f64,
        value: f64,
        rounding: f64,
    },
}

impl Guarded {
    pub(in crate::hybrid::event) fn verdict(&self) -> Verdict {
        let σ = self.side.sign;
        if σ == 0.0 || self.side.leaving {
            return self.at_zero();
        }
        if is_clear(self.bounds.value, σ) {
            return Verdict::Clear;
        }
        let [rate, bend] = self.slopes(σ);
        let [from, to] = self.ends.map(|value| σ * value);
        let forwards = from + rate[0].min(0.0) * self.width;
        let least = forwards.max(to - rate[1].max(0.0) * self.width);
        if least > self.rounding {
            return Verdict::Clear;
        }
        let rises = rate[0] >= 0.0 && from > 0.0;
        let falls = rate[1] <= 0.0 || bend[1] <= 0.0;
        if rises || falls && self.ends_clear(to) {
            Verdict::Clear
        } else if falls && to < -self.rounding {
            Verdict::Falls
        } else if falls && !self.is_last && to.abs() <= self.rounding {
            // The next part goes through zero.
            Verdict::Clear
        } else {
            Verdict::Open
        }
    }

    /// Of a guard that leaves zero, or is there on an unknown side.
    fn at_zero(&self) -> Verdict {
        let value = self.bounds.value;
        let near = self.near;
        if value.magnitude() <= near {
            return Verdict::Leaves;
        }
        let σ = if self.side.sign == 0.0 { self.ends[1].signum() } else { self.side.sign };
        if is_clear(self.bounds.value, σ) {
            return Verdict::Clear;
        }
        let [rate, bend] = self.slopes(σ);
        let to = σ * self.ends[1];
        // What dips is no deeper than ġ²/(2g̈).
        let [start] = [σ * self.ends[0]];
        let dip =
            if bend[0] > 0.0 && rate[0] < 0.0 { rate[0] * rate[0] / (4.0 * bend[0]) } else { 0.0 };
        let rises = rate[0] >= 0.0 || bend[0] > 0.0 && dip - start.max(0.0) <= near;
        if rises && to > near || bend[1] <= 0.0 && self.ends_clear(to) {
            Verdict::Clear
        } else if rises
            || to >= -near && rate[0] * self.width >= -near && rate[1] * self.width <= near
        {
            Verdict::Leaves
        } else {
            Verdict::Open
        }
    }

    /// Whether it falls all along the part.
    pub(super) fn falls_for_certain(&self) -> bool {
        self.slopes(self.side.sign)[0][1] < 0.0
    }

    /// σγ̇ and ½σγ̈.
    fn slopes(&self, σ: f64) -> [[f64; 2]; 2] {
        let certain = self.bounds.certain();
        [certain.rate, certain.bend].map(|bounds| {
            if σ > 0.0 { [bounds.low(), bounds.high()] } else { [-bounds.high(), -bounds.low()] }
        })
    }

    /// Whether there is no root at the end; one within ±ρ at the end of the step is the next step's.
    fn ends_clear(&self, to: f64) -> bool {
        to > self.rounding || self.is_last && to >= -self.rounding
    }

    /// The side at the end of a part without a root: the same, however its own rounding has the value there.
    pub(in crate::hybrid::event) fn side_where_clear(&self) -> Side {
        let Side { sign, .. } = self.side;
        if sign == 0.0 { self.side_at_end() } else { Side { sign, leaving: false } }
    }

    pub(in crate::hybrid::event) fn side_at_end(&self) -> Side {
        let sign = self.ends[1].signum();
        if self.ends[1].abs() > self.rounding {
            Side { sign, leaving: false }
        } else {
            Side { sign: if self.side.sign == 0.0 { sign } else { self.side.sign }, leaving: false }
        }
    }

    /// The part is as short as they become.
    pub(in crate::hybrid::event) fn at_last(&self) -> Last {
        let value = self.bounds.value;
        let marks = value.marks();
        let σ = self.side.sign;
        if marks.has(Marks::POLE) || marks.has(Marks::OUTSIDE) || !value.is_bounded() {
            return Last::Singular;
        }
        let leaves = self.side.leaving;
        // One that leaves may stay at zero until it falls, or rises.
        let behind = if leaves { self.near } else { self.rounding };
        if σ != 0.0 && σ * self.ends[1] < -behind {
            Last::Falls
        } else if leaves && σ * self.ends[1] <= behind {
            Last::Leaves
        } else if value.magnitude() <= if leaves { self.near } else { ROUNDINGS * self.rounding } {
            Last::Nothing
        } else {
            Last::Unknown
        }
    }
}
