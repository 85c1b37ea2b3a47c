//! The multi-indices α of the coefficients, and the pairs that meet in a product, as tables made
//! when the crate is compiled.

use std::fmt;

/// The most arguments of a declared function.
pub const ARGUMENTS_MAX: usize = 3;

/// The highest order of a partial derivative that generated code asks for.
pub const ORDER_MAX: usize = 4;

/// How often a partial is differentiated with respect to each argument; 0 beyond the last.
pub type Orders = [u8; ARGUMENTS_MAX];

/// A number of variables.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<const N: usize>;

/// The tables of a number of variables. Implemented for one to three; not for anyone else.
pub trait Indices {
    /// An array of all coefficients up to degree 4.
    type Coefficients: Copy + fmt::Debug + PartialEq + AsRef<[f64]> + AsMut<[f64]> + Send + Sync;
    /// All coefficients 0.
    const ZERO: Self::Coefficients;
    /// The multi-indices by rising degree, within one degree α₀ falling first.
    const INDICES: &'static [Orders];
    /// The number of coefficients up to each degree.
    const SIZES: [usize; ORDER_MAX + 1];
    /// [i, j, k] with α_i + α_j = α_k, by rising k.
    const PRODUCTS: &'static [[u8; 3]];
    /// The number of products up to each degree of k.
    const PRODUCT_COUNTS: [usize; ORDER_MAX + 1];
}

macro_rules! indices {
    ($variables:literal, $coefficients:literal, $products:literal) => {
        impl Indices for Arguments<$variables> {
            type Coefficients = [f64; $coefficients];
            const ZERO: Self::Coefficients = [0.0; $coefficients];
            const INDICES: &'static [Orders] = &indices::<$coefficients>($variables);
            const SIZES: [usize; ORDER_MAX + 1] = sizes(Self::INDICES);
            const PRODUCTS: &'static [[u8; 3]] = &products::<$products>(Self::INDICES);
            const PRODUCT_COUNTS: [usize; ORDER_MAX + 1] =
                product_counts(Self::INDICES, Self::PRODUCTS);
        }
    };
}

// C(N+4, 4) coefficients, C(2N+4, 4) products.
indices!(1, 5, 15);
indices!(2, 15, 70);
indices!(3, 35, 210);

const fn degree(index: Orders) -> usize {
    index[0] as usize + index[1] as usize + index[2] as usize
}

const fn indices<const M: usize>(variables: usize) -> [Orders; M] {
    let mut all = [[0; ARGUMENTS_MAX]; M];
    let (mut at, mut d) = (0, 0);
    while d <= ORDER_MAX as u8 {
        // The first orders fall from d, and `rest` counts up, since a `const fn` has no ranges.
        let mut rest = 0;
        while rest <= d {
            let mut last = 0;
            while last <= rest {
                let index = [d - rest, rest - last, last];
                let fits = (variables > 1 || index[1] == 0) && (variables > 2 || index[2] == 0);
                if fits {
                    all[at] = index;
                    at += 1;
                }
                last += 1;
            }
            rest += 1;
        }
        d += 1;
    }
    all
}

const fn sizes(indices: &[Orders]) -> [usize; ORDER_MAX + 1] {
    let mut sizes = [0; ORDER_MAX + 1];
    let mut d = 0;
    while d <= ORDER_MAX {
        let mut at = 0;
        while at < indices.len() {
            if degree(indices[at]) <= d {
                sizes[d] += 1;
            }
            at += 1;
        }
        d += 1;
    }
    sizes
}

const fn products<const P: usize>(indices: &[Orders]) -> [[u8; 3]; P] {
    let mut all = [[0; 3]; P];
    let (mut at, mut k) = (0, 0);
    while k < indices.len() {
        let mut i = 0;
        while i < indices.len() {
            let mut j = 0;
            while j < indices.len() {
                let (a, b, c) = (indices[i], indices[j], indices[k]);
                if a[0] + b[0] == c[0] && a[1] + b[1] == c[1] && a[2] + b[2] == c[2] {
                    all[at] = [i as u8, j as u8, k as u8];
                    at += 1;
                }
                j += 1;
            }
            i += 1;
        }
        k += 1;
    }
    all
}

const fn product_counts(indices: &[Orders], products: &[[u8; 3]]) -> [usize; ORDER_MAX + 1] {
    let mut counts = [0; ORDER_MAX + 1];
    let mut d = 0;
    while d <= ORDER_MAX {
        let mut at = 0;
        while at < products.len() {
            if degree(indices[products[at][2] as usize]) <= d {
                counts[d] += 1;
            }
            at += 1;
        }
        d += 1;
    }
    counts
}
