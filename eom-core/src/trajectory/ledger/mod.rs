//! The ledger of a run: what changed its energy, entry by entry, and whether the sum closes.
//!
//! With the Jacobi energy h(t,q,v) = v·∂L/∂v − L, along an arc
//!
//! ```text
//! dh/dt = Σ F_f·v − Σ ∂D_d/∂v·v − ∂L/∂t           the lines of the declaration (`System::powers`)
//!         − Σ c_k u_k·J_k v                        dry friction, u = w/‖w‖ where it slides, λ/c where it sticks
//!         − λ·b − Σ μ_c ∂g_c/∂t − Σ ν_c·b_c        constraints and closed contacts that move by themselves
//!         − Σ ∂D_c/∂v·v                            the closed contacts' own dissipations
//! ```
//!
//! for A v = −b, ∇g·v = −∂g/∂t, A_c v = −b_c on the constraints, with λ, μ, ν their multipliers. At
//! an instant h jumps from h(v⁻) to h(v⁺), by contact, by reset, and by what is taken away where a
//! contact closes or friction sticks.
//!
//! **Work** is h Σ bᵢ P(tᵢ, Yᵢ) over the stages Yᵢ of the very step that made the motion: the work
//! as one more equation Ẇ = P, of the order of the step, which nothing else depends on.
//!
//! **Closing error**: h(end) − h(start) − Σ work − Σ jumps. It is the sum of what each step errs in
//! the energy and in the works, and its tolerance the sum of what each step may err:
//!
//! ```text
//! Σ_steps ( Σⱼ |∂h/∂yⱼ| (aⱼ + r|yⱼ|) + r Σ |W| + 8ε (|T| + |V|) )
//! ```
//!
//! with a, r the tolerances of the options.

pub(crate) mod book;
mod drift;
mod powers;

use crate::info::{PowerKind, SystemInfo};
use crate::snapshot::words::{choice, value};

/// What did work along the arcs. Indices are those of the lists of the [`SystemInfo`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Source {
    /// A line of the declaration, by its index in [`SystemInfo::powers`].
    Line(usize),
    /// A point term of dry friction.
    Friction(usize),
    /// A constraint that moves by itself, b ≠ 0, or is not affine in the velocities.
    Row(usize),
    /// A closed contact whose gap moves by itself, ∂g/∂t ≠ 0.
    Contact(usize),
    /// The own rows of a closed contact, b_c ≠ 0.
    ContactRows(usize),
    /// The own dissipation of a closed contact.
    ContactDissipation(usize),
}

/// The work of one source.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Work {
    /// What did it.
    pub source: Source,
    /// The work: positive where it gave energy to the system.
    pub work: f64,
    /// The sum of its magnitudes step by step.
    pub turnover: f64,
}

/// Why the energy jumped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cause {
    /// Impacts of these contacts, together.
    Impact(Vec<usize>),
    /// The resets of a declared event.
    Reset(usize),
    /// [`Run::apply`](crate::Run::apply).
    Replaced,
    /// Contacts close, or friction sticks, and what is left of their rates is taken away.
    Settling {
        /// The contacts that are closed then.
        closed: Vec<usize>,
        /// The terms of dry friction that stick then.
        sticking: Vec<usize>,
    },
}

/// The sum of the jumps of one cause.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Jump {
    /// Why.
    pub cause: Cause,
    /// How often.
    pub count: usize,
    /// Σ h(v⁺) − h(v⁻).
    pub change: f64,
}

/// What was to be kept at zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kept {
    /// A v + b of a constraint row.
    Row(usize),
    /// φ of a holonomic constraint, by the index of its row.
    Holonomic(usize),
    /// g of a closed contact.
    Gap(usize),
    /// ∇g·v + ∂g/∂t of a closed contact.
    GapRate(usize),
    /// A_c v + b_c of a closed contact.
    ContactRow(usize),
    /// w of a term of dry friction that sticks.
    Friction(usize),
}

/// The largest residual of one kind at the ends of steps.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drift {
    /// Of what.
    pub kept: Kept,
    /// Its magnitude.
    pub residual: f64,
    /// When it was.
    pub t: f64,
}

/// The ledger of a run; [`Options::ledger`](crate::Options::ledger) asks for it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// h at the start.
    pub start: f64,
    /// h at the end.
    pub end: f64,
    /// Works: every line and term of friction, then what else did any.
    pub works: Vec<Work>,
    /// Jumps, in the order in which their causes first came.
    pub jumps: Vec<Jump>,
    /// The largest residuals, one a kind.
    pub drifts: Vec<Drift>,
    /// The energy that projections on the constraints put in after steps. It is not an entry:
    /// the closing error has it.
    pub projections: f64,
    /// h(end) − h(start) − Σ work − Σ jumps.
    pub error: f64,
    /// What the tolerances of the run allow of it.
    pub tolerance: f64,
}

impl Ledger {
    /// Whether the error is within its tolerance.
    pub fn closes(&self) -> bool {
        self.error.abs() <= self.tolerance
    }

    /// Whether all that it names is in a system.
    fn is_of(&self, info: &SystemInfo) -> bool {
        let contacts = info.contacts.len();
        let are_contacts = |list: &[usize]| list.iter().all(|contact| *contact < contacts);
        let sources = self.works.iter().all(|work| match work.source {
            Source::Line(line) => line < info.powers.len(),
            Source::Friction(term) => term < info.frictions.len(),
            Source::Row(row) => row < info.rows.len(),
            Source::Contact(contact)
            | Source::ContactRows(contact)
            | Source::ContactDissipation(contact) => contact < contacts,
        });
        let causes = self.jumps.iter().all(|jump| match &jump.cause {
            Cause::Impact(contacts) => are_contacts(contacts),
            Cause::Reset(event) => *event < info.events.len(),
            Cause::Replaced => true,
            Cause::Settling { closed, sticking } => {
                are_contacts(closed) && sticking.iter().all(|term| *term < info.frictions.len())
            }
        });
        let kept = self.drifts.iter().all(|drift| match drift.kept {
            Kept::Row(row) | Kept::Holonomic(row) => row < info.rows.len(),
            Kept::Gap(contact) | Kept::GapRate(contact) | Kept::ContactRow(contact) => {
                contact < contacts
            }
            Kept::Friction(term) => term < info.frictions.len(),
        });
        sources && causes && kept
    }

    /// The work of a source, 0 where it did none.
    pub fn work(&self, source: Source) -> f64 {
        self.works.iter().find(|work| work.source == source).map_or(0.0, |work| work.work)
    }

    /// The sum of the jumps of impacts in which a contact took part.
    pub fn impacts(&self, contact: usize) -> f64 {
        let takes_part = |jump: &&Jump| match &jump.cause {
            Cause::Impact(contacts) => contacts.contains(&contact),
            _ => false,
        };
        self.jumps.iter().filter(takes_part).map(|jump| jump.change).sum()
    }
}

impl Source {
    /// What it is, for people: `force x`, `−∂L/∂t`, `floor moves`.
    pub fn describe(self, info: &SystemInfo) -> String {
        match self {
            Self::Line(line) => {
                let line = info.powers[line];
                match line.kind {
                    PowerKind::Force => format!("force {}", line.name),
                    PowerKind::Input => format!("input force {}", line.name),
                    PowerKind::Dissipation => format!("dissipation {}", line.name),
                    PowerKind::Time => "-∂L/∂t".to_owned(),
                }
            }
            Self::Friction(term) => format!("friction {}", info.frictions[term].name),
            Self::Row(row) => format!("constraint {}", info.rows[row].name),
            Self::Contact(contact) => format!("contact {} moves", info.contacts[contact].name),
            Self::ContactRows(contact) => {
                format!("rows of contact {}", info.contacts[contact].name)
            }
            Self::ContactDissipation(contact) => {
                format!("dissipation of contact {}", info.contacts[contact].name)
            }
        }
    }
}

impl Cause {
    /// What it is, for people: `impact left+right`.
    pub fn describe(&self, info: &SystemInfo) -> String {
        let contacts = |list: &[usize]| -> Vec<&str> {
            list.iter().map(|&contact| info.contacts[contact].name).collect()
        };
        match self {
            Self::Impact(list) => format!("impact {}", contacts(list).join("+")),
            Self::Reset(event) => format!("reset {}", info.events[*event].name),
            Self::Replaced => "state replaced".to_owned(),
            Self::Settling { closed, sticking } => {
                let mut names = contacts(closed);
                names.extend(sticking.iter().map(|&term| info.frictions[term].name));
                format!("settling {}", names.join("+")).trim_end().to_owned()
            }
        }
    }
}

impl Kept {
    /// What it is, for people: `A v + b of no_slip`.
    pub fn describe(self, info: &SystemInfo) -> String {
        let contact = |contact: usize| info.contacts[contact].name;
        match self {
            Self::Row(row) => format!("A v + b of {}", info.rows[row].name),
            Self::Holonomic(row) => format!("φ of {}", info.rows[row].name),
            Self::Gap(index) => format!("gap of {}", contact(index)),
            Self::GapRate(index) => format!("gap rate of {}", contact(index)),
            Self::ContactRow(index) => format!("rows of {}", contact(index)),
            Self::Friction(term) => format!("slip of {}", info.frictions[term].name),
        }
    }
}

choice! { Cause {
    0 => Impact(contacts),
    1 => Reset(event),
    2 => Replaced,
    3 => Settling { closed, sticking },
} }

choice! { Kept {
    0 => Row(row),
    1 => Holonomic(row),
    2 => Gap(contact),
    3 => GapRate(contact),
    4 => ContactRow(contact),
    5 => Friction(term),
} }

choice! { Source {
    0 => Line(line),
    1 => Friction(term),
    2 => Row(row),
    3 => Contact(contact),
    4 => ContactRows(contact),
    5 => ContactDissipation(contact),
} }

value! { Work { source, work, turnover } }
value! { Jump { cause, count, change } }
value! { Drift { kept, residual, t } }
value! {
    Ledger { start, end, works, jumps, drifts, projections, error, tolerance },
    |it, from| from.fits(|info| it.is_of(info))
}
