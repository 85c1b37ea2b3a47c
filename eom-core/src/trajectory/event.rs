//! Events of a run: what happened, and the state on both sides.

use crate::snapshot::words::{choice, value};
use crate::state::State;

/// A contact that took an impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    /// Index of the contact.
    pub contact: usize,
    /// Whether its gap was closing; else it was touching before, and only bears the impulse.
    pub is_struck: bool,
    /// ġ⁻.
    pub rate_minus: f64,
    /// ġ⁺.
    pub rate_plus: f64,
    /// The impulse Λ ≥ 0 per unit gap.
    pub impulse: f64,
}

/// What happened at an event.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EventKind {
    /// A contact was hit and its law changed the velocity.
    Impact {
        /// Index of the contact.
        contact: usize,
        /// ġ⁻ < 0; 0 where a closed contact has jammed, an impact without collision.
        rate_minus: f64,
        /// ġ⁺.
        rate_plus: f64,
        /// The impulse Λ along ∇g: M (v⁺ − v⁻) = ∇gᵀΛ + what constraints and other contacts add. Of a
        /// law that assigns v⁺ the part of it along ∇g.
        impulse: f64,
        /// Constraint rows that depend on the others and were left out of B, by index.
        dropped: Vec<usize>,
        /// The other contacts that took an impulse with it: those hit at the same time, and closed
        /// ones that gave way.
        others: Vec<Hit>,
    },
    /// A contact has no rate of separation left, and motion goes on with it closed: g = 0.
    Closing {
        /// Index of the contact.
        contact: usize,
    },
    /// The impacts of a contact have accumulated (Zeno): infinitely many of them, ever smaller, end
    /// at this time, and motion goes on with the contact closed. Its row is in force from the last
    /// impact that was made on; what is left out is bounded by `height` and `duration`.
    Accumulation {
        /// Index of the contact.
        contact: usize,
        /// The other contacts that are struck in turn with it.
        others: Vec<usize>,
        /// By which rates fall from one impact to the next: ġ⁺/|ġ⁻| of the last ones, times what friction takes of a flight.
        ratio: f64,
        /// The impacts of the series that were made.
        impacts: usize,
        /// The largest gap of what was left out, ġ⁺²/(2|g̈|).
        height: f64,
        /// How long what was left out lasts, δ/(1 − ratio) with the flight δ = 2ġ⁺/|g̈|.
        duration: f64,
    },
    /// A closed contact opened: its normal force fell through zero, or another contact's impulse or
    /// a reset lifted it.
    Opening {
        /// Index of the contact.
        contact: usize,
    },
    /// A term of dry friction has come to rest and holds.
    Stick {
        /// Index of the term.
        friction: usize,
    },
    /// A term of dry friction that held begins to slide.
    Slip {
        /// Index of the term.
        friction: usize,
    },
    /// A declared event.
    Declared {
        /// Index of the event.
        event: usize,
    },
}

/// An event: the state on both of its sides.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Sides", into = "Sides"))]
pub struct Event {
    /// Its time.
    pub t: f64,
    /// What happened.
    pub kind: EventKind,
    /// q⁻, v⁻, q⁺, v⁺: one list, since short runs would spend much of their time on making four.
    sides: Box<[f64]>,
    /// nq.
    positions: usize,
}

impl Event {
    /// That which led from a state to (q⁺, v⁺).
    pub fn new(kind: EventKind, before: &State, (q, v): (&[f64], &[f64])) -> Self {
        let mut sides = Vec::with_capacity(2 * (q.len() + v.len()));
        for part in [&before.q, &before.v, q, v] {
            sides.extend_from_slice(part);
        }
        Self { t: before.t, kind, sides: sides.into_boxed_slice(), positions: q.len() }
    }

    /// Both sides, (q⁻, v⁻) and (q⁺, v⁺).
    pub fn sides(&self) -> [(&[f64], &[f64]); 2] {
        let (minus, plus) = self.sides.split_at(self.sides.len() / 2);
        [minus, plus].map(|side| side.split_at(self.positions))
    }

    /// q⁻ and q⁺.
    pub(crate) fn positions_mut(&mut self) -> [&mut [f64]; 2] {
        let (minus, plus) = self.sides.split_at_mut(self.sides.len() / 2);
        [&mut minus[..self.positions], &mut plus[..self.positions]]
    }

    /// q⁻, nq.
    pub fn q_minus(&self) -> &[f64] {
        self.sides()[0].0
    }

    /// v⁻, m.
    pub fn v_minus(&self) -> &[f64] {
        self.sides()[0].1
    }

    /// q⁺, nq; other than q⁻ only after a reset.
    pub fn q_plus(&self) -> &[f64] {
        self.sides()[1].0
    }

    /// v⁺, m.
    pub fn v_plus(&self) -> &[f64] {
        self.sides()[1].1
    }

    /// The contacts that were struck, ġ⁻ < 0.
    pub fn struck(&self) -> impl Iterator<Item = usize> {
        let (first, others) = match &self.kind {
            EventKind::Impact { contact, others, .. } => (Some(*contact), others.as_slice()),
            _ => (None, &[][..]),
        };
        let others = others.iter().filter(|hit| hit.is_struck);
        first.into_iter().chain(others.map(|hit| hit.contact))
    }
}

/// An event as it is serialised: its sides apart.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Sides {
    t: f64,
    kind: EventKind,
    q_minus: Vec<f64>,
    v_minus: Vec<f64>,
    q_plus: Vec<f64>,
    v_plus: Vec<f64>,
}

#[cfg(feature = "serde")]
impl From<Event> for Sides {
    fn from(event: Event) -> Self {
        let [(q_minus, v_minus), (q_plus, v_plus)] =
            event.sides().map(|(q, v)| (q.to_vec(), v.to_vec()));
        Self { t: event.t, kind: event.kind, q_minus, v_minus, q_plus, v_plus }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Sides> for Event {
    type Error = &'static str;

    fn try_from(sides: Sides) -> Result<Self, Self::Error> {
        let Sides { t, kind, q_minus, v_minus, q_plus, v_plus } = sides;
        if q_minus.len() != q_plus.len() || v_minus.len() != v_plus.len() {
            return Err("an event has as many coordinates and velocities before it as after it");
        }
        Ok(Self::new(kind, &State::new(t, q_minus, v_minus), (&q_plus, &v_plus)))
    }
}

value! { Hit { contact, is_struck, rate_minus, rate_plus, impulse } }

choice! { EventKind {
    0 => Impact { contact, rate_minus, rate_plus, impulse, dropped, others },
    1 => Closing { contact },
    2 => Accumulation { contact, others, ratio, impacts, height, duration },
    3 => Opening { contact },
    4 => Stick { friction },
    5 => Slip { friction },
    6 => Declared { event },
} }

value! {
    Event { t, kind, sides, positions },
    |it, from| {
        from.check(it.sides.len().is_multiple_of(2) && it.positions <= it.sides.len() / 2)?;
        let [(q, v), _] = it.sides();
        from.sizes(q, v)
    }
}
