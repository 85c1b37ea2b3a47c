//! What an expression may depend on, by the place it stands in, and how messages say so.

use eom_symbolic::mechanics::Resisted;
use eom_symbolic::{Partial, SymbolKind};

/// The place an expression stands in: it fixes what the expression may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExprContext {
    /// A default of the parameter of this index: earlier parameters.
    Default {
        before: usize,
    },
    /// The default of a function of these arguments.
    Function {
        arguments: [Option<SymbolKind>; Partial::ARGUMENTS_MAX],
    },
    Bound,
    /// The definition of a quasi-velocity.
    Quasi,
    Let,
    Kinetic,
    Potential,
    Lagrangian,
    Dissipation,
    Force,
    Row,
    Holonomic,
    Gap,
    /// The velocities of two bodies along each other, or on each other.
    Slip(Resisted),
    /// A coefficient of friction.
    Friction,
    Restitution,
    Guard,
    Armed,
    Assigned,
    Reset,
    Initial,
    /// A number of what is said of a whole motion.
    Sentence,
    Output,
    /// A number of a shape, or of an axis of a figure.
    Drawing,
    /// A curve or a height in the names of the plane.
    Curve,
    Claim,
    Motion,
    MotionCondition,
}

impl ExprContext {
    pub(crate) fn allows(self, kind: SymbolKind) -> bool {
        use SymbolKind as K;
        // That of an integral around, or of one within a `let`.
        if matches!(kind, K::Variable(_) | K::Bound(_)) {
            return true;
        }
        let constant = matches!(kind, K::Pi | K::Parameter(_));
        let place = matches!(kind, K::Time | K::Coordinate(_));
        let velocity = matches!(kind, K::Velocity(_));
        let input = matches!(kind, K::Input(_));
        // table
        match self {
            Self::Default { before } => match kind {
                K::Parameter(index) => index < before,
                _ => constant,
            },
            Self::Function { arguments } => constant || arguments.contains(&Some(kind)),
            Self::Bound | Self::Restitution | Self::Initial | Self::Sentence => constant,
            Self::Quasi => constant || matches!(kind, K::Coordinate(_) | K::Rate(_)),
            Self::Potential | Self::Holonomic | Self::Gap | Self::Friction | Self::Curve => {
                constant || place
            }
            Self::Kinetic
            | Self::Lagrangian
            | Self::Dissipation
            | Self::Slip(_)
            | Self::Assigned => constant || place || velocity,
            Self::Force => {
                constant
                    || place
                    || velocity
                    || input
                    || matches!(kind, K::ContactForce(_) | K::ContactFriction(..))
                    || matches!(kind, K::RowFriction(..))
            }
            Self::Armed | Self::Reset => constant || place || velocity || input,
            Self::Guard | Self::Output => constant || place || velocity || input || kind.is_force(),
            Self::Row => {
                constant
                    || place
                    || velocity
                    || matches!(kind, K::Differential(_) | K::TimeDifferential)
            }
            Self::Let => {
                constant
                    || place
                    || velocity
                    || input
                    || matches!(kind, K::Acceleration(_) | K::Rate(_))
                    || kind.is_force()
            }
            Self::Drawing => {
                constant
                    || place
                    || velocity
                    || input
                    || matches!(kind, K::Acceleration(_))
                    || kind.is_force()
            }
            Self::Claim => !matches!(
                kind,
                K::Constant(_) | K::ContactForce(_) | K::ContactFriction(..) | K::RowFriction(..)
            ),
            Self::MotionCondition => constant || input,
            Self::Motion => constant || matches!(kind, K::Time | K::Constant(_)),
        }
    }

    /// Whether a declared function may stand here, at arguments that may.
    pub(crate) fn allows_functions(self) -> bool {
        !matches!(
            self,
            Self::Default { .. }
                | Self::Function { .. }
                | Self::Bound
                | Self::Restitution
                | Self::Sentence
        )
    }

    /// Whether velocities may stand here.
    pub(crate) fn allows_rates(self) -> bool {
        self.allows(SymbolKind::Velocity(0))
    }

    /// The place, and what it may depend on.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        // table
        match self {
            Self::Default { .. } => ("a default", "earlier parameters"),
            Self::Function { .. } => ("the default of a function", "its arguments and parameters"),
            Self::Bound => ("a bound", "parameters"),
            Self::Quasi => ("a quasi-velocity", "coordinates, their velocities and parameters"),
            Self::Restitution => ("a restitution", "parameters"),
            Self::Initial => ("an initial value", "parameters"),
            Self::Sentence => ("what is said of a motion", "parameters"),
            Self::Potential => ("the potential", "t, coordinates and parameters"),
            Self::Holonomic => ("a holonomic constraint", "t, coordinates and parameters"),
            Self::Slip(resisted) => (
                match resisted {
                    Resisted::Slip => "a slip",
                    Resisted::Roll => "a roll",
                    Resisted::Spin => "a spin",
                },
                "t, coordinates, velocities and parameters",
            ),
            Self::Friction => ("a coefficient of friction", "t, coordinates and parameters"),
            Self::Gap => ("a gap", "t, coordinates and parameters"),
            Self::Kinetic => ("the kinetic energy", "t, coordinates, velocities and parameters"),
            Self::Lagrangian => ("the Lagrangian", "t, coordinates, velocities and parameters"),
            Self::Dissipation => {
                ("the dissipation function", "t, coordinates, velocities and parameters")
            }
            Self::Force => (
                "a force",
                "t, coordinates, velocities, inputs, parameters, λ(row), λ(contact) and friction(contact)",
            ),
            Self::Guard => (
                "a guard",
                "t, coordinates, velocities, inputs, parameters, λ(row), λ(contact) and friction(contact)",
            ),
            Self::Armed => {
                ("a condition of a contact", "t, coordinates, velocities, inputs and parameters")
            }
            Self::Assigned => ("an assigned velocity", "t, coordinates, velocities and parameters"),
            Self::Reset => ("a reset", "t, coordinates, velocities, inputs and parameters"),
            Self::Output => (
                "an output",
                "t, coordinates, velocities, inputs, parameters, λ(row), λ(contact) and friction(contact)",
            ),
            Self::Drawing => (
                "a drawing",
                "t, coordinates, velocities, accelerations, inputs, parameters, λ(row), λ(contact) and \
                 friction(contact)",
            ),
            Self::Curve => ("a curve", "the names of the plane, t and parameters"),
            Self::Row => ("a constraint", "t, coordinates, velocities and parameters"),
            Self::Let => (
                "a `let`",
                "t, coordinates, velocities, inputs, parameters, λ(row), λ(contact) and friction(contact)",
            ),
            Self::Claim => ("a claim", "what is declared"),
            Self::MotionCondition => ("a condition of a motion", "inputs and parameters"),
            Self::Motion => ("a motion", "t, its own constants and parameters"),
        }
    }
}

/// What a symbol is, with its article.
pub(crate) fn kind_words(kind: SymbolKind) -> &'static str {
    // table
    match kind {
        SymbolKind::Pi => "a constant",
        SymbolKind::Parameter(_) => "a parameter",
        SymbolKind::Constant(_) => "a constant of a motion",
        SymbolKind::Input(_) => "an input",
        SymbolKind::Time => "the time",
        SymbolKind::Coordinate(_) => "a coordinate",
        SymbolKind::Jet(_) => "a value of a function",
        SymbolKind::Velocity(_) | SymbolKind::Rate(_) => "a velocity",
        SymbolKind::VelocityAfter(_) => "a velocity after an impact",
        SymbolKind::Acceleration(_) => "an acceleration",
        SymbolKind::Weight(_) => "a weight",
        SymbolKind::Direction(_) => "a rate along a direction",
        SymbolKind::Multiplier(_) => "a multiplier",
        SymbolKind::ContactForce(_) | SymbolKind::ContactFriction(..) => "a force of a contact",
        SymbolKind::RowFriction(..) => "a force of friction",
        SymbolKind::Impulse(_) => "an impulse",
        SymbolKind::Projector(..) | SymbolKind::Gram(..) | SymbolKind::GramInverse(..) => {
            "an entry of a matrix of the impact"
        }
        SymbolKind::Variable(_) | SymbolKind::Bound(_) => "the variable of an integral",
        SymbolKind::Sharp(..) => "a component of a constraint's vector",
        SymbolKind::Differential(_) | SymbolKind::TimeDifferential => "a differential",
    }
}
