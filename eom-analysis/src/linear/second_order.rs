//! The linear system of second order, where there is one.
//!
//! ```text
//! z = (ξ, η, ζ),  ξ̇ = η,  η̇ = A_ξ ξ + A_η η + B_η u:      M ξ̈ + C ξ̇ + K ξ = F u
//! K = −M A_ξ,  C = −M A_η,  F = M B_η,                      M = R_ηη − R_ηζ R_ζζ⁻¹ R_ζη,  R = Nᵀ M(q) N
//! ```
//!
//! ζ are the entries of z on which η̇ does not depend, such as the heading and the speed of a bicycle; N are the velocities
//! that belong to the free ones, R is their mass matrix.

use super::Linearisation;
use crate::names::Entry;
use eom_core::{State, System};
use nalgebra::DMatrix;

/// An entry of A is none below this part of the largest of its row.
const NONE: f64 = 1e-12;

/// M ξ̈ + C ξ̇ + K ξ = F u, for small deviations ξ from a steady motion; in the units of the declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct SecondOrder {
    /// The names of ξ, which are free.
    pub coordinates: Vec<Entry>,
    /// M, symmetric.
    pub mass: DMatrix<f64>,
    /// C: its symmetric part damps, the other is gyroscopic.
    pub damping: DMatrix<f64>,
    /// K: of a potential it is symmetric.
    pub stiffness: DMatrix<f64>,
    /// F, (coordinates)×(inputs).
    pub force: DMatrix<f64>,
}

impl Linearisation {
    /// The form of second order of the linear system that a system has at a state; none where no acceleration is told by
    /// coordinates and their velocities alone.
    pub fn second_order(&self, system: &dyn System, state: &State) -> Option<SecondOrder> {
        let pairs = pairs(&self.a, &self.free, state.q.len());
        let (ξ, η): (Vec<usize>, Vec<usize>) = pairs.into_iter().unzip();
        if ξ.is_empty() {
            return None;
        }
        let mass = self.free_mass(system, state, &η)?;
        let a = without_rounding(&self.a);
        let of = |columns: &[usize]| a.select_rows(&η).select_columns(columns);
        let found = SecondOrder {
            coordinates: ξ.iter().map(|place| self.free[*place].clone()).collect(),
            stiffness: -product(&mass, &of(&ξ)),
            damping: -product(&mass, &of(&η)),
            force: product(&mass, &self.b.select_rows(&η)),
            mass,
        };
        let all = [&found.mass, &found.damping, &found.stiffness, &found.force];
        all.iter().all(|of| of.iter().all(|x| x.is_finite())).then_some(found)
    }

    /// M of the speeds at these places of z, what the other free speeds do being taken from it.
    fn free_mass(&self, system: &dyn System, state: &State, η: &[usize]) -> Option<DMatrix<f64>> {
        let (n, m) = (state.q.len(), state.v.len());
        let mut mass = vec![0.0; m * m];
        system.mass_matrix_at(state.t, &state.q, &state.v, &mut mass);
        let velocities: Option<Vec<usize>> = (n..n + m)
            .map(|place| self.entries.iter().position(|entry| entry.place == place))
            .collect();
        let embedding = self.embedding.select_rows(&velocities?);
        let ζ: Vec<usize> = (0..self.free.len())
            .filter(|place| self.free[*place].place >= n && !η.contains(place))
            .collect();
        let (own, other) = (embedding.select_columns(η), embedding.select_columns(&ζ));
        let mass = DMatrix::from_row_slice(m, m, &mass);
        let between = other.tr_mul(&(&mass * &own));
        let mut reduced = own.tr_mul(&(&mass * &own));
        if !ζ.is_empty() {
            let others = other.tr_mul(&(&mass * &other));
            reduced -= between.tr_mul(&others.lu().solve(&between)?);
        }
        Some((&reduced + reduced.transpose()) / 2.0)
    }
}

/// A with 0 for what is nothing beside the largest of its row and of its column, which have units of their own.
fn without_rounding(a: &DMatrix<f64>) -> DMatrix<f64> {
    let rows: Vec<f64> = a.row_iter().map(|row| row.amax()).collect();
    let columns: Vec<f64> = a.column_iter().map(|column| column.amax()).collect();
    let is_some = |i: usize, j: usize| a[(i, j)].abs() > NONE * rows[i].min(columns[j]);
    DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| if is_some(i, j) { a[(i, j)] } else { 0.0 })
}

/// A B with 0 where its terms cancel.
fn product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    let (product, sizes) = (a * b, a.abs() * b.abs());
    product.zip_map(&sizes, |entry, size| if entry.abs() > NONE * size { entry } else { 0.0 })
}

/// The places of ξ and η in z: coordinates whose rates are speeds of z, as many as there are of which the accelerations depend
/// on no other entry.
fn pairs(a: &DMatrix<f64>, free: &[Entry], positions: usize) -> Vec<(usize, usize)> {
    let is_speed = |place: usize| free[place].place >= positions;
    let rate = |ξ: usize| {
        let mut told = (0..free.len()).filter(|j| a[(ξ, *j)] != 0.0);
        let η = told.next().filter(|η| is_speed(*η) && a[(ξ, *η)] == 1.0)?;
        told.next().is_none().then_some((ξ, η))
    };
    let mut pairs: Vec<(usize, usize)> =
        (0..free.len()).filter(|place| !is_speed(*place)).filter_map(rate).collect();
    loop {
        let is_own = |j: usize| pairs.iter().any(|(ξ, η)| j == *ξ || j == *η);
        let is_alone = |(_, η): &(usize, usize)| {
            let row = a.row(*η);
            let others = (0..row.len()).filter(|j| !is_own(*j));
            others.map(|j| row[j].abs()).fold(0.0, f64::max) <= NONE * row.amax()
        };
        let kept: Vec<(usize, usize)> = pairs.iter().copied().filter(is_alone).collect();
        if kept.len() == pairs.len() {
            return kept;
        }
        pairs = kept;
    }
}
