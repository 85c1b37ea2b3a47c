//! `+ - * /` between jets, and between jets and numbers on either side.

use super::{Arguments, Indices, Jet};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// One operator in its four forms; the assigning one from the first.
macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assigned:ident,
     $jets:expr, $number_right:expr, $number_left:expr) => {
        impl<const N: usize> $trait for Jet<N>
        where
            Arguments<N>: Indices,
        {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                $jets(self, other)
            }
        }

        impl<const N: usize> $trait<f64> for Jet<N>
        where
            Arguments<N>: Indices,
        {
            type Output = Self;
            fn $method(self, other: f64) -> Self {
                $number_right(self, other)
            }
        }

        impl<const N: usize> $trait<Jet<N>> for f64
        where
            Arguments<N>: Indices,
        {
            type Output = Jet<N>;
            fn $method(self, other: Jet<N>) -> Jet<N> {
                $number_left(self, other)
            }
        }

        impl<const N: usize, T> $assign<T> for Jet<N>
        where
            Arguments<N>: Indices,
            Self: $trait<T, Output = Self>,
        {
            fn $assigned(&mut self, other: T) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

operator!(
    Add,
    add,
    AddAssign,
    add_assign,
    |a: Self, b: Self| a.plus(b, 1.0),
    |a: Self, b: f64| a.plus(Self::from(b), 1.0),
    |a: f64, b: Jet<N>| b.plus(Jet::from(a), 1.0)
);
operator!(
    Sub,
    sub,
    SubAssign,
    sub_assign,
    |a: Self, b: Self| a.plus(b, -1.0),
    |a: Self, b: f64| a.plus(Self::from(b), -1.0),
    |a: f64, b: Jet<N>| Jet::from(a).plus(b, -1.0)
);
operator!(
    Mul,
    mul,
    MulAssign,
    mul_assign,
    |a: Self, b: Self| a.times(b),
    |a: Self, b: f64| a.map(|c| c * b),
    |a: f64, b: Jet<N>| b.map(|c| a * c)
);
operator!(
    Div,
    div,
    DivAssign,
    div_assign,
    |a: Self, b: Self| a.over(b),
    |a: Self, b: f64| a.map(|c| c / b),
    |a: f64, b: Jet<N>| Jet::from(a).over(b)
);

impl<const N: usize> Neg for Jet<N>
where
    Arguments<N>: Indices,
{
    type Output = Self;
    fn neg(self) -> Self {
        self.map(|c| -c)
    }
}
