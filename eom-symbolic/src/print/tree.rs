//! The tree that both printers walk.

use super::names::{
    CLASS_ACCELERATION, CLASS_NUMBER, CLASS_PARAMETER, CLASS_STATE, CLASS_VELOCITY, Label, Rank,
};
use crate::node::Function;
use crate::number::Rational;

/// A printed node with what orders it among others.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) kind: Kind,
    pub(super) rank: Rank,
    pub(super) degree: Degree,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Number(Rational),
    Name(Label),
    Sum(Vec<Form>),
    Product(Product),
    Power(Box<Form>, Box<Form>),
    Root(Box<Form>),
    Call(Function, Vec<Form>),
    /// A declared function, or a partial of it, at a point.
    Applied(Label, Vec<Form>),
    Integral(Box<IntegralForm>),
    Undefined,
}

/// ∫ body d(variable) from lower to upper.
#[derive(Debug, Clone)]
pub(crate) struct IntegralForm {
    pub(crate) variable: Label,
    pub(crate) body: Form,
    pub(crate) lower: Form,
    pub(crate) upper: Form,
}

/// ±coefficient·numerator/denominator.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub(crate) negative: bool,
    /// Positive.
    pub(crate) coefficient: Rational,
    pub(crate) numerator: Vec<Form>,
    pub(crate) denominator: Vec<Form>,
}

/// Degrees in the groups by which terms are ordered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Degree {
    /// The first coordinate whose acceleration occurs, plus 1; 0 without one.
    pub(super) acceleration: usize,
    pub(super) velocity: i64,
    pub(super) multiplier: i64,
    /// Absolute: 1/a² counts 2.
    pub(super) parameter: i64,
    pub(super) state: i64,
}

impl Degree {
    pub(super) fn of_rank(rank: Rank) -> Self {
        let mut degree = Self::default();
        match rank.class {
            CLASS_NUMBER => {}
            CLASS_PARAMETER => degree.parameter = 1,
            CLASS_STATE => degree.state = 1,
            CLASS_VELOCITY..CLASS_ACCELERATION => degree.velocity = 1,
            CLASS_ACCELERATION => degree.acceleration = rank.major + 1,
            _ => degree.multiplier = 1,
        }
        degree
    }

    /// The degree of a product of two.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            acceleration: self.acceleration.max(other.acceleration),
            velocity: self.velocity + other.velocity,
            multiplier: self.multiplier + other.multiplier,
            parameter: self.parameter + other.parameter,
            state: self.state + other.state,
        }
    }

    /// The degree of a sum of two.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            acceleration: self.acceleration.max(other.acceleration),
            velocity: self.velocity.max(other.velocity),
            multiplier: self.multiplier.max(other.multiplier),
            parameter: self.parameter.max(other.parameter),
            state: self.state.max(other.state),
        }
    }

    pub(super) fn times(self, n: i64) -> Self {
        Self {
            acceleration: self.acceleration,
            velocity: self.velocity * n,
            multiplier: self.multiplier * n,
            parameter: self.parameter * n,
            state: self.state * n,
        }
    }
}
