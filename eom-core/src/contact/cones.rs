//! Forces that rows alone do not determine: whether some of them lie in the cones of friction.
//!
//! Where rows that stick depend on others, forces y that act in the same way differ by vectors of the null space N of
//! their columns. Among them those are taken that lie deepest in the cones:
//!
//! ```text
//! maximise s      over z, y = y₀ + N z
//! λᵢ ≥ s          each closed contact whose λ depends on z
//! L − ‖f‖ ≥ s     each term that sticks: L = μ_s λ of its contact, μ_s σλ of its row, μ_s n·λ of its rows, or a number
//! ```
//!
//! Of several rows L = μ_s |λ|, which is no cone: with n = λ/|λ| of the forces before, μ_s n·λ ≤ μ_s |λ| is one within, and
//! forces and n are found in turns ([`deepest_by_turns`]).
//!
//! A term with one component has two linear conditions; one with two has tangents of its cone, which are added where the
//! solution lies outside (Kelley 1960). The linear problem has z = 0 for a start, and is solved on a tableau by the
//! steepest cost; after many pivots by Bland's rule, which ends.

use crate::linalg::dot;

/// A part of a column below this part of the largest is zero.
const DEPENDENT: f64 = 1e-10;

/// What rounding leaves of a reduced cost, as a part of the largest coefficient.
const ZERO: f64 = 1e-12;

/// Tangents of cones that are added one after another.
const CUTS_MAX: usize = 60;

/// Where forces lie outside of all cones by more than this part of theirs, it is not asked by how much.
const FAR: f64 = 1e-2;

/// A point is in a cone to this part of the forces.
const OUTSIDE: f64 = 1e-13;

/// Turns of cones that depend on forces.
const TURNS_MAX: usize = 50;

/// Pivots of a linear problem, and how many of them go by the steepest cost.
const PIVOTS_MAX: usize = 2000;
const STEEPEST_MAX: usize = 200;

/// A term that sticks.
#[derive(Debug, Clone)]
pub(crate) struct Cone {
    /// The forces that L grows with, by their places among y, and by how much.
    pub(crate) normals: Vec<(usize, f64)>,
    /// The part of L that does not.
    pub(crate) limit: f64,
    /// The components of f among y.
    pub(crate) components: Vec<usize>,
}

/// The forces deepest in the cones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Deepest {
    /// y.
    pub(crate) forces: Vec<f64>,
    /// s.
    pub(crate) margin: f64,
    /// Which entries of y depend on z.
    pub(crate) is_free: Vec<bool>,
}

/// The forces deepest in the cones. `columns` are what each entry of y does, m numbers each; `normals` the places
/// of the normal forces.
pub(crate) fn deepest(
    columns: &[Vec<f64>],
    y: &[f64],
    normals: &[usize],
    cones: &[Cone],
) -> Deepest {
    let null = null_space(columns);
    let is_free: Vec<bool> = (0..y.len()).map(|i| null.iter().any(|n| n[i] != 0.0)).collect();
    let normals: Vec<usize> = normals.iter().copied().filter(|normal| is_free[*normal]).collect();
    let normals = normals.as_slice();
    let mut conditions: Vec<Condition> = Vec::new();
    for &normal in normals {
        conditions.push(Condition::of(y, &null, &[(normal, 1.0)], 0.0));
    }
    for cone in cones {
        for &component in &cone.components {
            for sign in [1.0, -1.0] {
                conditions.push(cone.tangent(y, &null, &[(component, sign)]));
            }
        }
    }
    let scale = y.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
    let mut best = (y.to_vec(), margin(y, normals, cones));
    for _ in 0..CUTS_MAX {
        let z = maximise(null.len(), &conditions, scale);
        let point = moved(y, &null, &z);
        let depth = margin(&point, normals, cones);
        if depth > best.1 {
            best = (point.clone(), depth);
        }
        let bound = conditions.iter().map(|c| c.value(&z)).fold(f64::INFINITY, f64::min);
        if depth >= bound - OUTSIDE * scale || bound < -FAR * scale {
            break;
        }
        for cone in cones.iter().filter(|cone| cone.components.len() > 1) {
            let f: Vec<f64> = cone.components.iter().map(|i| point[*i]).collect();
            let length = dot(&f, &f).sqrt();
            if length > 0.0 && cone.limit_at(&point) - length < bound {
                let direction = cone.components.iter().zip(&f).map(|(i, f)| (*i, f / length));
                conditions.push(cone.tangent(y, &null, &direction.collect::<Vec<_>>()));
            }
        }
    }
    let (forces, margin) = best;
    Deepest { forces, margin, is_free }
}

/// The same where cones depend on the forces: from those that are given, until they stay.
pub(crate) fn deepest_by_turns(
    (columns, y, normals): (&[Vec<f64>], &[f64], &[usize]),
    cones: impl Fn(&[f64]) -> Vec<Cone>,
) -> Deepest {
    let mut found = deepest(columns, y, normals, &cones(y));
    for _ in 0..TURNS_MAX {
        let next = deepest(columns, y, normals, &cones(&found.forces));
        let size = next.forces.iter().fold(0.0, |size: f64, y| size.max(y.abs()));
        let change = next.forces.iter().zip(&found.forces).map(|(a, b)| (a - b).abs());
        let stays = change.fold(0.0, f64::max) <= OUTSIDE * size;
        found = next;
        if stays {
            break;
        }
    }
    found
}

/// The least of λᵢ and L − ‖f‖.
fn margin(y: &[f64], normals: &[usize], cones: &[Cone]) -> f64 {
    let normal = normals.iter().map(|normal| y[*normal]);
    let depths = cones.iter().map(|cone| {
        let square: f64 = cone.components.iter().map(|i| y[*i] * y[*i]).sum();
        cone.limit_at(y) - square.sqrt()
    });
    normal.chain(depths).fold(f64::INFINITY, f64::min)
}

impl Cone {
    /// L.
    fn limit_at(&self, y: &[f64]) -> f64 {
        self.limit + self.normals.iter().map(|(normal, μ)| μ * y[*normal]).sum::<f64>()
    }

    /// L − u·f ≥ s.
    fn tangent(&self, y: &[f64], null: &[Vec<f64>], u: &[(usize, f64)]) -> Condition {
        let mut entries: Vec<(usize, f64)> = u.iter().map(|(i, u)| (*i, -u)).collect();
        entries.extend(&self.normals);
        Condition::of(y, null, &entries, self.limit)
    }
}

/// a·z + b ≥ s.
#[derive(Debug, Clone)]
struct Condition {
    a: Vec<f64>,
    b: f64,
}

impl Condition {
    /// Σ eᵢ yᵢ + constant.
    fn of(y: &[f64], null: &[Vec<f64>], entries: &[(usize, f64)], constant: f64) -> Self {
        let along = |x: &[f64]| entries.iter().map(|(i, e)| e * x[*i]).sum::<f64>();
        Self { a: null.iter().map(|n| along(n)).collect(), b: along(y) + constant }
    }

    fn value(&self, z: &[f64]) -> f64 {
        dot(&self.a, z) + self.b
    }
}

/// y + N z.
fn moved(y: &[f64], null: &[Vec<f64>], z: &[f64]) -> Vec<f64> {
    let mut point = y.to_vec();
    for (n, z) in null.iter().zip(z) {
        point.iter_mut().zip(n).for_each(|(y, n)| *y += z * n);
    }
    point
}

/// The vectors n with Σ nᵢ columnᵢ = 0, one for each column that depends on those before it.
fn null_space(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    // Where each pivot stands, its row, and the combination of columns that it is.
    let mut pivots: Vec<(usize, Vec<f64>, Vec<f64>)> = Vec::new();
    let mut null = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let size = column.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
        let (mut rest, mut combination) = (column.clone(), vec![0.0; columns.len()]);
        combination[index] = 1.0;
        for (at, pivot, of) in &pivots {
            let factor = rest[*at] / pivot[*at];
            rest.iter_mut().zip(pivot).for_each(|(rest, p)| *rest -= factor * p);
            rest[*at] = 0.0;
            combination.iter_mut().zip(of).for_each(|(c, of)| *c -= factor * of);
        }
        let largest = (0..rest.len()).max_by(|i, j| rest[*i].abs().total_cmp(&rest[*j].abs()));
        match largest {
            Some(at) if rest[at].abs() > DEPENDENT * size => {
                pivots.push((at, rest, combination));
            }
            _ => {
                let size = combination.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
                let is_zero = |c: &f64| c.abs() <= DEPENDENT * size;
                combination.iter_mut().filter(|c| is_zero(c)).for_each(|c| *c = 0.0);
                null.push(combination);
            }
        }
    }
    null
}

/// z with the largest s: with t = s − min b ≥ 0, maximise t with t − a·z ≤ b − min b, z of any sign, t at most `most`
/// above that.
fn maximise(d: usize, conditions: &[Condition], most: f64) -> Vec<f64> {
    let least = conditions.iter().map(|c| c.b).fold(f64::INFINITY, f64::min);
    let (rows, columns) = (conditions.len() + 1, 2 * d + 1);
    let width = columns + rows + 1;
    let mut tableau = vec![0.0; (rows + 1) * width];
    for (i, condition) in conditions.iter().enumerate() {
        let row = &mut tableau[i * width..][..width];
        for (j, a) in condition.a.iter().enumerate() {
            (row[j], row[d + j]) = (-a, *a);
        }
        (row[2 * d], row[columns + i], row[width - 1]) = (1.0, 1.0, condition.b - least);
    }
    let cap = &mut tableau[(rows - 1) * width..][..width];
    (cap[2 * d], cap[columns + rows - 1]) = (1.0, 1.0);
    cap[width - 1] = most.max(0.0) + (-least).max(0.0);
    tableau[rows * width + 2 * d] = -1.0;
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    for count in 0..PIVOTS_MAX {
        let objective = &tableau[rows * width..][..width - 1];
        let mut falling = (0..objective.len()).filter(|i| objective[*i] < -ZERO);
        let entering = if count < STEEPEST_MAX {
            falling.min_by(|i, j| objective[*i].total_cmp(&objective[*j]).then(i.cmp(j)))
        } else {
            falling.next()
        };
        let Some(entering) = entering else { break };
        let ratio = |i: usize| {
            let entry = tableau[i * width + entering];
            (entry > ZERO).then(|| tableau[i * width + width - 1] / entry)
        };
        let leaving = (0..rows)
            .filter_map(|i| Some((i, ratio(i)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1).then(basis[a.0].cmp(&basis[b.0])));
        let Some((leaving, _)) = leaving else { break };
        pivot(&mut tableau, width, leaving, entering);
        basis[leaving] = entering;
    }
    let value = |variable: usize| {
        let row = basis.iter().position(|basic| *basic == variable);
        row.map_or(0.0, |row| tableau[row * width + width - 1])
    };
    (0..d).map(|j| value(j) - value(d + j)).collect()
}

/// Makes a column that of a unit vector.
fn pivot(tableau: &mut [f64], width: usize, row: usize, column: usize) {
    let value = tableau[row * width + column];
    tableau[row * width..][..width].iter_mut().for_each(|entry| *entry /= value);
    let own = tableau[row * width..][..width].to_vec();
    for (i, other) in tableau.chunks_exact_mut(width).enumerate() {
        let factor = other[column];
        if i != row && factor != 0.0 {
            other.iter_mut().zip(&own).for_each(|(entry, own)| *entry -= factor * own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(y: &[f64], columns: &[&[f64]], cones: &[Cone], normals: &[usize], depth: f64) {
        let columns: Vec<Vec<f64>> = columns.iter().map(|c| c.to_vec()).collect();
        let Deepest { forces: point, margin: found, .. } = deepest(&columns, y, normals, cones);
        assert!((found - depth).abs() < 1e-12, "{found}, not {depth}");
        for k in 0..columns[0].len() {
            let sum = |y: &[f64]| -> f64 { y.iter().zip(&columns).map(|(y, c)| y * c[k]).sum() };
            assert!((sum(&point) - sum(y)).abs() < 1e-12, "{point:?} acts otherwise");
        }
    }

    fn cone(normal: usize, μ: f64, components: &[usize]) -> Cone {
        Cone { normals: vec![(normal, μ)], limit: 0.0, components: components.to_vec() }
    }

    #[test]
    fn two_feet_share_a_push() {
        // Normal forces 1 and 3 are determined, two equal columns share 1: f₁ + f₂ = 1, depth of both is half of
        // 0.5·4 − 1.
        let columns: &[&[f64]] =
            &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0], &[0.0, 0.0, 1.0]];
        let cones = [cone(0, 0.5, &[2]), cone(1, 0.5, &[3])];
        check(&[1.0, 3.0, 1.0, 0.0], columns, &cones, &[0, 1], 0.5);
        check(&[1.0, 3.0, 3.0, 0.0], columns, &cones, &[0, 1], -0.5);
    }

    #[test]
    fn two_feet_share_a_push_in_a_plane() {
        let columns: &[&[f64]] = &[
            &[1.0, 0.0, 0.0, 0.0],
            &[0.0, 1.0, 0.0, 0.0],
            &[0.0, 0.0, 1.0, 0.0],
            &[0.0, 0.0, 0.0, 1.0],
            &[0.0, 0.0, 1.0, 0.0],
            &[0.0, 0.0, 0.0, 1.0],
        ];
        let cones = [cone(0, 0.5, &[2, 3]), cone(1, 0.5, &[4, 5])];
        // ‖f₁ + f₂‖ = 1.
        check(&[1.0, 3.0, 0.6, 0.8, 0.0, 0.0], columns, &cones, &[0, 1], 0.5);
    }
}
