//! Trees of rigid bodies in space, declared by the velocities of each body in its own axes: the accelerations
//! against the inverse dynamics of Newton and Euler, written by hand, and how operations grow with the tree.

#![allow(non_snake_case, reason = "the names of mechanics: V, J")]

use eom_core::System;
use eom_interpreter::Interpreted;
use std::fmt::Write as _;

type Vector = [f64; 3];

const GRAVITY: f64 = 9.81;

/// A body of mass m with its centre at c, and the inertia about it, on a joint that turns about one of its axes.
#[derive(Debug, Clone, Copy)]
struct Body {
    /// None for the ground.
    parent: Option<usize>,
    /// x, y or z.
    axis: usize,
    /// The joint in the axes of the parent.
    place: Vector,
    m: f64,
    c: Vector,
    J: [Vector; 3],
}

/// Numbers in (−1, 1), by the generator of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> Vector {
        [0; 3].map(|_| size * self.next())
    }

    /// A body with a full inertia, its joint at the end of another one.
    fn body(&mut self, parent: Option<usize>, axis: usize) -> Body {
        let (place, c, products) = (self.vector(0.6), self.vector(0.3), self.vector(0.02));
        let [d, e, f] = self.vector(0.05).map(|extra| 0.2 + extra);
        let [p, q, r] = products;
        let J = [[d, p, q], [p, e, r], [q, r, f]];
        Body { parent, axis, place, m: 1.5 + self.next(), c, J }
    }

    /// One of 0 to n − 1.
    fn below(&mut self, n: usize) -> usize {
        self.next();
        (self.0 >> 33) as usize % n
    }

    /// A chain whose axes alternate, or a tree with all kinds of axes.
    fn tree(&mut self, count: usize, is_chain: bool) -> Vec<Body> {
        let one = |i: usize| {
            let parent = if is_chain { i } else { self.below(i + 1) };
            let axis = if is_chain { i % 2 } else { self.below(3) };
            self.body(parent.checked_sub(1), axis)
        };
        (0..count).map(one).collect()
    }
}

/// The declaration: ω, V, n are the angular velocity, the velocity of the joint and the vertical in the axes of
/// a body, h is the height of its joint, U the velocity of its centre.
fn declared(bodies: &[Body]) -> String {
    let mut text = format!(
        "system Tree {{ coordinates {{ q[1..={}] }} parameters {{ g = {GRAVITY} }}\n\
         let ω[0] = [0, 0, 0]; let V[0] = [0, 0, 0]; let n[0] = [0, 0, 1]; let h[0] = 0;\n",
        bodies.len()
    );
    let (mut kinetic, mut potential) = (String::from("0"), String::from("0"));
    for (at, body) in bodies.iter().enumerate() {
        let (i, p) = (at + 1, body.parent.map_or(0, |parent| parent + 1));
        let Body { place, c, J, m, .. } = body;
        let turn = ["rot_x", "rot_y", "rot_z"][body.axis];
        let mut spin = ["0".to_owned(), "0".to_owned(), "0".to_owned()];
        spin[body.axis] = format!("q̇[{i}]");
        let spin = spin.join(", ");
        let _ = write!(
            text,
            "let S[{i}] = {turn}(-q[{i}]); let ω[{i}] = S[{i}]*ω[{p}] + [{spin}];\n\
             let V[{i}] = S[{i}]*(V[{p}] + cross(ω[{p}], {place:?})); let n[{i}] = S[{i}]*n[{p}];\n\
             let h[{i}] = h[{p}] + dot(n[{p}], {place:?}); let U[{i}] = V[{i}] + cross(ω[{i}], {c:?});\n"
        );
        let _ = write!(kinetic, " + {m}/2*dot(U[{i}], U[{i}]) + dot(ω[{i}], {J:?}*ω[{i}])/2");
        let _ = write!(potential, " + {m}*g*(h[{i}] + dot(n[{i}], {c:?}))");
    }
    format!("{text} kinetic = {kinetic}; potential = {potential}; scenario s {{ until t = 1; }} }}")
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn sum<const N: usize>(vectors: [Vector; N]) -> Vector {
    std::array::from_fn(|k| vectors.iter().map(|vector| vector[k]).sum())
}

fn times(matrix: [Vector; 3], vector: Vector) -> Vector {
    matrix.map(|row| (0..3).map(|k| row[k] * vector[k]).sum())
}

/// A vector turned about an axis.
fn turned(axis: usize, angle: f64, vector: Vector) -> Vector {
    let (s, c) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut out = vector;
    (out[i], out[j]) = (c * vector[i] - s * vector[j], s * vector[i] + c * vector[j]);
    out
}

/// The moments at the joints that a motion takes, by the recursion of Luh, Walker and Paul (1980), and the largest
/// moment that a joint bears.
fn moments(bodies: &[Body], q: &[f64], v: &[f64], a: &[f64]) -> (Vec<f64>, f64) {
    let none = [0.0; 3];
    // Angular velocity and acceleration, acceleration of the joint.
    let mut motions: Vec<[Vector; 3]> = Vec::new();
    let mut loads: Vec<[Vector; 2]> = Vec::new();
    for (i, body) in bodies.iter().enumerate() {
        let [ω, α, acceleration] =
            body.parent.map_or([none, none, [0.0, 0.0, GRAVITY]], |parent| motions[parent]);
        let place = body.place;
        let joint = sum([acceleration, cross(α, place), cross(ω, cross(ω, place))]);
        let [ω, α, joint] = [ω, α, joint].map(|vector| turned(body.axis, -q[i], vector));
        let (mut spin, mut gain) = (none, none);
        (spin[body.axis], gain[body.axis]) = (v[i], a[i]);
        let (α, ω) = (sum([α, gain, cross(ω, spin)]), sum([ω, spin]));
        motions.push([ω, α, joint]);
        let centre = sum([joint, cross(α, body.c), cross(ω, cross(ω, body.c))]);
        let force = centre.map(|entry| body.m * entry);
        let euler = sum([times(body.J, α), cross(ω, times(body.J, ω))]);
        loads.push([force, sum([euler, cross(body.c, force)])]);
    }
    let mut largest: f64 = 0.0;
    for (i, body) in bodies.iter().enumerate().rev() {
        let [force, moment] = loads[i].map(|vector| turned(body.axis, q[i], vector));
        largest = moment.iter().fold(largest, |largest, entry| largest.max(entry.abs()));
        if let Some(parent) = body.parent {
            let [on, about] = loads[parent];
            loads[parent] = [sum([on, force]), sum([about, moment, cross(body.place, force)])];
        }
    }
    (bodies.iter().zip(&loads).map(|(body, [_, moment])| moment[body.axis]).collect(), largest)
}

fn system(bodies: &[Body]) -> Interpreted {
    Interpreted::new(&declared(bodies)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]))
}

/// Numbers between −2 and 2, one for each joint.
fn numbers(random: &mut Random, count: usize) -> Vec<f64> {
    (0..count).map(|_| 2.0 * random.next()).collect()
}

fn assert_free_of_moments(random: &mut Random, bodies: &[Body]) {
    let (system, count) = (system(bodies), bodies.len());
    let [q, v] = [0; 2].map(|_| numbers(random, count));
    let mut a = vec![0.0; count];
    system.accelerations(0.0, &q, &v, &[], &mut a, &mut []);
    let (moments, largest) = moments(bodies, &q, &v, &a);
    for moment in moments {
        // NaN is no rounding, which the comparison says.
        assert!(moment.abs() < 1e-11 * largest, "{count}: {moment:e} of {largest:e}, {bodies:?}");
    }
}

#[test]
fn joints_without_motors_bear_no_moment_about_their_axes() {
    let mut random = Random(7);
    for count in (1..=6).chain([9, 14]) {
        for is_chain in [true, false] {
            let bodies = random.tree(count, is_chain);
            assert_free_of_moments(&mut random, &bodies);
        }
    }
}

#[test]
fn a_hundred_joints_bear_none_either() {
    let mut random = Random(13);
    for (count, is_chain) in [(60, true), (60, false), (100, true), (100, false)] {
        let bodies = random.tree(count, is_chain);
        assert_free_of_moments(&mut random, &bodies);
    }
}

/// At rest and without gravity a motion takes the moments M a; they are linear in a, and so are those with gravity but
/// for what it asks at a = 0.
#[test]
fn mass_matrices_are_the_moments_that_accelerations_take() {
    let mut random = Random(17);
    for (count, is_chain) in [(6, true), (40, true), (40, false)] {
        let bodies = random.tree(count, is_chain);
        let system = system(&bodies);
        // What is found column by column has no kernel of its entries; in a bush most of them are 0.
        let programs = &system.derivation().programs;
        assert_eq!(programs.mass_matrix.outputs.is_empty(), count > 6 && is_chain);
        let [q, v] = [0; 2].map(|_| numbers(&mut random, count));
        let mut mass = vec![0.0; count * count];
        system.mass_matrix(0.0, &q, &mut mass);
        let rest = vec![0.0; count];
        let (held, _) = moments(&bodies, &q, &rest, &rest);
        for j in 0..count {
            let mut unit = rest.clone();
            unit[j] = 1.0;
            let (moments, largest) = moments(&bodies, &q, &rest, &unit);
            for i in 0..count {
                let off = mass[i * count + j] - (moments[i] - held[i]);
                assert!(off.abs() < 1e-12 * largest, "{count}: M[{i},{j}] is off by {off:e}");
                assert_eq!(mass[i * count + j].to_bits(), mass[j * count + i].to_bits());
            }
        }
        let square = |i: usize, j: usize| mass[i * count + j] * v[i] * v[j] / 2.0;
        let pairs = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        let kinetic: f64 = pairs.map(|(i, j)| square(i, j)).sum();
        let found = system.energy(0.0, &q, &v).kinetic;
        assert!((kinetic - found).abs() < 1e-11 * found, "{count}: {kinetic:e}, {found:e}");
    }
}

/// The same number more for each three bodies: Featherstone's articulated bodies, found in the sums of L.
#[test]
fn operations_grow_with_the_number_of_bodies() {
    let mut random = Random(11);
    let bodies = random.tree(15, true);
    let count = |n: usize| {
        let system = system(&bodies[..n]);
        let passes = system.derivation().programs.passes;
        format!("{n}: {} of {:?}", passes.fused, passes.solved_for)
    };
    let found: Vec<String> = [6, 9, 12, 15].map(count).to_vec();
    insta::assert_snapshot!(found.join("\n"));
}

/// The same number more for each twenty, where the mass matrix is a product with a vector: its entries alone would
/// be a million operations.
#[test]
fn operations_of_a_hundred_joints_grow_with_their_number() {
    let mut random = Random(19);
    let bodies = random.tree(100, true);
    let count = |n: usize| {
        let system = system(&bodies[..n]);
        let programs = &system.derivation().programs;
        let all = programs
            .computing()
            .map(|program| format!("{} {}", program.name, program.op_counts().total()));
        format!("{n}: {}", all.collect::<Vec<_>>().join(", "))
    };
    let found: Vec<String> = [40, 60, 80, 100].map(count).to_vec();
    insta::assert_snapshot!(found.join("\n"));
}
