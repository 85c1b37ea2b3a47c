//! Lanes of the machine's width, by the crate pulp.

use crate::angle;
use crate::real::{Parts, Real};
pub use pulp;
use pulp::{Simd, bytemuck};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// As many numbers as the instructions of `S` take at once, `S::F64_LANES`.
///
/// Everything on it is inlined into the function that `pulp::Arch::dispatch` calls, so that it
/// compiles to instructions of `S`.
#[derive(Debug, Clone, Copy)]
pub struct Lane<S: Simd> {
    simd: S,
    value: S::f64s,
}

impl<S: Simd> Lane<S> {
    /// How many numbers.
    pub const COUNT: usize = S::F64_LANES;

    /// The first numbers of a slice; lanes that it is too short for hold 0.
    #[inline(always)]
    #[must_use]
    pub fn read(simd: S, numbers: &[f64]) -> Self {
        if let Some(whole) = S::as_simd_f64s(numbers).0.first() {
            return Self { simd, value: *whole };
        }
        let mut value = simd.splat_f64s(0.0);
        numbers_mut::<S>(&mut value)[..numbers.len()].copy_from_slice(numbers);
        Self { simd, value }
    }

    /// The numbers of a register.
    #[inline(always)]
    #[must_use]
    pub fn of_register(simd: S, value: S::f64s) -> Self {
        Self { simd, value }
    }

    /// The register.
    #[inline(always)]
    #[must_use]
    pub fn register(self) -> S::f64s {
        self.value
    }

    /// A number in each lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(simd: S, number: f64) -> Self {
        Self { simd, value: simd.splat_f64s(number) }
    }

    /// Writes the first lanes, as many as the slice has room for.
    #[inline(always)]
    pub fn write(self, numbers: &mut [f64]) {
        match S::as_mut_simd_f64s(numbers).0.first_mut() {
            Some(whole) => *whole = self.value,
            None => numbers.copy_from_slice(&self.numbers()[..numbers.len()]),
        }
    }

    /// The numbers.
    #[inline(always)]
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        bytemuck::cast_slice(std::slice::from_ref(&self.value))
    }

    #[inline(always)]
    fn with(self, value: S::f64s) -> Self {
        Self { value, ..self }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $instruction:ident) => {
        impl<S: Simd> $trait for Lane<S> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(self.simd.$instruction(self.value, other.value))
            }
        }
    };
}

operator!(Add, add, add_f64s);
operator!(Sub, sub, sub_f64s);
operator!(Mul, mul, mul_f64s);
operator!(Div, div, div_f64s);

impl<S: Simd> Neg for Lane<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.with(self.simd.neg_f64s(self.value))
    }
}

impl<S: Simd> Real for Lane<S> {
    #[inline(always)]
    fn of(self, constant: f64) -> Self {
        self.with(self.simd.splat_f64s(constant))
    }

    #[inline(always)]
    fn map(mut self, f: impl Fn(f64) -> f64) -> Self {
        for x in numbers_mut::<S>(&mut self.value) {
            *x = f(*x);
        }
        self
    }

    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        for (x, y) in numbers_mut::<S>(&mut self.value).iter_mut().zip(other.numbers()) {
            *x = f(*x, *y);
        }
        self
    }
}

#[inline(always)]
fn numbers_mut<S: Simd>(value: &mut S::f64s) -> &mut [f64] {
    bytemuck::cast_slice_mut(std::slice::from_mut(value))
}

impl<S: Simd> Parts for Lane<S> {
    #[inline(always)]
    fn fused(self, b: Self, c: Self) -> Self {
        self.with(self.simd.mul_add_f64s(self.value, b.value, c.value))
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.with(self.simd.sqrt_f64s(self.value))
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.with(self.simd.abs_f64s(self.value))
    }

    #[inline(always)]
    fn zero_or(self, other: Self) -> Self {
        let zero = self.simd.splat_f64s(0.0);
        let is_zero = self.simd.equal_f64s(self.value, zero);
        self.with(select(self.simd, is_zero, zero, other.value))
    }

    #[inline(always)]
    fn beyond(self, bound: f64) -> bool {
        let simd = self.simd;
        let far = simd.greater_than_f64s(simd.abs_f64s(self.value), simd.splat_f64s(bound));
        simd.first_true_m64s(far) < S::F64_LANES
    }

    #[inline(always)]
    fn turn(self, s: Self, c: Self) -> (Self, Self) {
        let simd = self.simd;
        let (one, sign) = (simd.splat_u64s(1), simd.splat_u64s(1 << 63));
        let k = simd.transmute_u64s_f64s(self.value);
        let odd = simd.equal_u64s(simd.and_u64s(k, one), one);
        let sine = select(simd, odd, c.value, s.value);
        let cosine = select(simd, odd, s.value, c.value);
        // The second bit of k, and of k + 1, as a sign: shifts that the compiler makes one of all lanes.
        let halves = self.map(|k| f64::from_bits(k.to_bits() << 62));
        let half = simd.transmute_u64s_f64s(halves.value);
        let next = simd.add_u64s(half, simd.splat_u64s(1 << 62));
        let signed = |x: S::f64s, half: S::u64s| {
            let x = simd.xor_u64s(simd.transmute_u64s_f64s(x), simd.and_u64s(half, sign));
            self.with(simd.transmute_f64s_u64s(x))
        };
        // The sine changes its sign after two and three quarters, the cosine after one and two.
        (signed(sine, half), signed(cosine, next))
    }

    #[inline(always)]
    fn sin_and_cos(self) -> (Self, Self) {
        angle::sin_cos(self)
    }

    /// Lane by lane, also those within the range of the straight code.
    #[cold]
    #[inline(never)]
    fn far_sin_cos(self) -> (Self, Self) {
        (self.map(|x| angle::sin_cos(x).0), self.map(|x| angle::sin_cos(x).1))
    }
}

#[inline(always)]
fn select<S: Simd>(simd: S, mask: S::m64s, yes: S::f64s, no: S::f64s) -> S::f64s {
    let [yes, no] = [yes, no].map(|x| simd.transmute_u64s_f64s(x));
    simd.transmute_f64s_u64s(simd.select_u64s(mask, yes, no))
}
