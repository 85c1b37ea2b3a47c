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
//! Where some of the conditions keep s from growing, those with a dual variable > 0, their forces stay as they are, and what z is left
//! lays the others deeper, in turns until none is left. What no z couples is looked at apart. So what one body bears is not told by
//! another one that is at its limit.
//!
//! Of several rows L = μ_s |λ|, which is no cone: with n = λ/|λ| of the forces before, μ_s n·λ ≤ μ_s |λ| is one within, and
//! forces and n are found in turns ([`deepest_by_turns`]).
//!
//! A term with one component has two linear conditions; one with two has tangents of its cone, which are added where the
//! solution lies outside (Kelley 1960). The linear problem has z = 0 for a start, and is solved on a tableau by the
//! steepest cost; after many pivots by Bland's rule, which ends.

use crate::linear::linalg::dot;
use crate::snapshot::words::value;

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
    /// Entries of y that tell z, with their forces: with these given the motion determines the others.
    pub(crate) given: Vec<(usize, f64)>,
}

value! { Deepest { forces, margin, is_free, given } }

/// The forces deepest in the cones. `columns` are what each entry of y does, m numbers each; `normals` the places
/// of the normal forces.
pub(crate) fn deepest(
    columns: &[Vec<f64>],
    y: &[f64],
    normals: &[usize],
    cones: &[Cone],
) -> Deepest {
    let mut null = null_space(columns);
    // Each vector ends at the column that depends on those before it.
    let last: Vec<usize> =
        null.iter().filter_map(|n| n.iter().rposition(|part| *part != 0.0)).collect();
    let is_free: Vec<bool> = (0..y.len()).map(|i| null.iter().any(|n| n[i] != 0.0)).collect();
    let pressed = normals.iter().filter(|normal| is_free[**normal]).map(|normal| Cone::of(*normal));
    let parts: Vec<Cone> = pressed.chain(cones.iter().cloned()).collect();
    let scale = y.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
    let mut forces = y.to_vec();
    while let Some(first) = parts.iter().find(|part| part.is_moved(&null)) {
        let (block, others) = coupled_with(first, null, &parts);
        let open: Vec<&Cone> = parts.iter().filter(|part| part.is_moved(&block)).collect();
        let (deeper, tight) = deepen((&forces, scale), &block, &open);
        (forces, null) = (deeper, others);
        if !tight.is_empty() {
            let stay: Vec<usize> = tight.into_iter().flat_map(Cone::places).collect();
            null.extend(keeping(&block, &stay));
        }
    }
    let margin = depth(&forces, &parts);
    let given = last.into_iter().map(|place| (place, forces[place])).collect();
    Deepest { forces, margin, is_free, given }
}

/// The vectors that move what a cone holds, and what is moved by these in its turn; the others.
fn coupled_with(
    first: &Cone,
    mut others: Vec<Vec<f64>>,
    parts: &[Cone],
) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let (mut block, mut cones) = (Vec::new(), vec![first]);
    loop {
        let touches =
            |n: &Vec<f64>| cones.iter().any(|cone| cone.is_moved(std::slice::from_ref(n)));
        let (touching, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(touches);
        others = rest;
        if touching.is_empty() {
            return (block, others);
        }
        block.extend(touching);
        cones = parts.iter().filter(|part| part.is_moved(&block)).collect();
    }
}

/// Of y + N z those with the largest least depth in these cones, and the cones that keep it from growing; none where all lie far
/// outside.
fn deepen<'c>(
    (y, scale): (&[f64], f64),
    null: &[Vec<f64>],
    cones: &[&'c Cone],
) -> (Vec<f64>, Vec<&'c Cone>) {
    let mut conditions: Vec<Condition> = Vec::new();
    for (of, cone) in cones.iter().enumerate() {
        if cone.components.is_empty() {
            conditions.push(cone.tangent((of, y), null, &[]));
        }
        for &component in &cone.components {
            for sign in [1.0, -1.0] {
                conditions.push(cone.tangent((of, y), null, &[(component, sign)]));
            }
        }
    }
    let least = |y: &[f64]| depth(y, cones.iter().copied());
    let (mut best, mut tight) = ((y.to_vec(), least(y)), Vec::new());
    for _ in 0..CUTS_MAX {
        let (z, duals) = maximise(null.len(), &conditions, scale);
        let point = moved(y, null, &z);
        let depth = least(&point);
        if depth > best.1 {
            best = (point.clone(), depth);
        }
        let bound = conditions.iter().map(|c| c.value(&z)).fold(f64::INFINITY, f64::min);
        if bound < -FAR * scale {
            return (best.0, Vec::new());
        }
        tight = (0..duals.len()).filter(|i| duals[*i] > ZERO).map(|i| conditions[i].of).collect();
        if depth >= bound - OUTSIDE * scale {
            break;
        }
        for (of, cone) in cones.iter().enumerate().filter(|(_, cone)| cone.components.len() > 1) {
            let f: Vec<f64> = cone.components.iter().map(|i| point[*i]).collect();
            let length = dot(&f, &f).sqrt();
            if length > 0.0 && cone.depth(&point) < bound {
                let direction = cone.components.iter().zip(&f).map(|(i, f)| (*i, f / length));
                let direction: Vec<(usize, f64)> = direction.collect();
                conditions.push(cone.tangent((of, y), null, &direction));
            }
        }
    }
    (best.0, tight.into_iter().map(|of| cones[of]).collect())
}

/// The least depth.
fn depth<'c>(y: &[f64], cones: impl IntoIterator<Item = &'c Cone>) -> f64 {
    cones.into_iter().map(|cone| cone.depth(y)).fold(f64::INFINITY, f64::min)
}

/// Of vectors those combinations that are zero at these places.
fn keeping(null: &[Vec<f64>], places: &[usize]) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> =
        null.iter().map(|n| places.iter().map(|place| n[*place]).collect()).collect();
    let zero = vec![0.0; null.first().map_or(0, Vec::len)];
    let combined = null_space(&columns).into_iter().map(|factors| {
        let mut sum = moved(&zero, null, &factors);
        for place in places {
            sum[*place] = 0.0;
        }
        without_rounding(sum)
    });
    combined.collect()
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

impl Cone {
    /// That of a normal force, which lies as deep as it presses.
    fn of(normal: usize) -> Self {
        Self { normals: vec![(normal, 1.0)], limit: 0.0, components: Vec::new() }
    }

    /// The places of its forces.
    fn places(&self) -> impl Iterator<Item = usize> {
        self.normals.iter().map(|(normal, _)| *normal).chain(self.components.iter().copied())
    }

    /// Whether one of them depends on z.
    fn is_moved(&self, null: &[Vec<f64>]) -> bool {
        self.places().any(|place| null.iter().any(|n| n[place] != 0.0))
    }

    /// L − ‖f‖.
    fn depth(&self, y: &[f64]) -> f64 {
        let square: f64 = self.components.iter().map(|i| y[*i] * y[*i]).sum();
        self.limit_at(y) - square.sqrt()
    }

    /// L.
    fn limit_at(&self, y: &[f64]) -> f64 {
        self.limit + self.normals.iter().map(|(normal, μ)| μ * y[*normal]).sum::<f64>()
    }

    /// L − u·f ≥ s.
    fn tangent(
        &self,
        (of, y): (usize, &[f64]),
        null: &[Vec<f64>],
        u: &[(usize, f64)],
    ) -> Condition {
        let mut entries: Vec<(usize, f64)> = u.iter().map(|(i, u)| (*i, -u)).collect();
        entries.extend(&self.normals);
        let along = |x: &[f64]| entries.iter().map(|(i, e)| e * x[*i]).sum::<f64>();
        Condition { a: null.iter().map(|n| along(n)).collect(), b: along(y) + self.limit, of }
    }
}

/// a·z + b ≥ s, a tangent of a cone.
#[derive(Debug, Clone)]
struct Condition {
    a: Vec<f64>,
    b: f64,
    of: usize,
}

impl Condition {
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
                null.push(without_rounding(combination));
            }
        }
    }
    null
}

/// A vector without what is small beside the largest of its entries.
fn without_rounding(mut vector: Vec<f64>) -> Vec<f64> {
    let size = vector.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
    vector.iter_mut().filter(|c| c.abs() <= DEPENDENT * size).for_each(|c| *c = 0.0);
    vector
}

/// z with the largest s, and the dual variable of each condition: with t = s − min b ≥ 0, maximise t with t − a·z ≤ b − min b,
/// z of any sign, t at most `most` above that.
fn maximise(d: usize, conditions: &[Condition], most: f64) -> (Vec<f64>, Vec<f64>) {
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
    let duals = tableau[rows * width + columns..][..conditions.len()].to_vec();
    ((0..d).map(|j| value(j) - value(d + j)).collect(), duals)
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

    #[test]
    fn a_body_at_its_limit_does_not_tell_what_another_one_bears() {
        // Normal forces 1 to 4, friction 0.5 of the first, at its limit; two feet share 1, two others 1.5:
        // 1 − f = 1.5 − (1 − f) has f = 1/4; 2 − f = 2.5 − (1.5 − f) has f = 1/2.
        let unit = |k: usize| (0..7).map(|i| f64::from(u8::from(i == k))).collect::<Vec<f64>>();
        let columns: Vec<Vec<f64>> = [0, 1, 2, 3, 4, 4, 5, 5].map(unit).to_vec();
        let columns = [columns, vec![unit(6)]].concat();
        let y = [1.0, 2.0, 3.0, 4.0, 1.0, 0.0, 0.0, 1.5, 0.5];
        let cones = [
            cone(1, 0.5, &[4]),
            cone(2, 0.5, &[5]),
            cone(3, 0.5, &[6]),
            Cone { normals: vec![(3, 0.5)], limit: 0.5, components: vec![7] },
            cone(0, 0.5, &[8]),
        ];
        let Deepest { forces, margin, .. } = deepest(&columns, &y, &[0, 1, 2, 3], &cones);
        assert_eq!(margin, 0.0);
        for (place, wanted) in [(4, 0.25), (5, 0.75), (6, 0.5), (7, 1.0)] {
            assert!((forces[place] - wanted).abs() < 1e-12, "{place}: {}", forces[place]);
        }
    }
}
