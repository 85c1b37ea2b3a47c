//! Motions in closed form: x(t) as strings, velocities and accelerations by differences of what meval
//! says of them in t, against the rows and the accelerations of the compiled functions there.

use super::draft::Draft;
use super::linear::{derivative, second_derivative};
use super::moment::Moment;
use super::rows::constraints;
use super::strings::Component;
use super::subject::{Drawn, Stop, Subject, or_redraw};
use super::translate::Reader;
use eom_codegen::ast::{Expr, Motion};
use fastrand::Rng;

/// How often numbers are drawn before none serve.
const ATTEMPTS: usize = 100;

/// What is left of φ = 0, A v + b = 0 and v̇ = a at a time t of the motion, each with its size. The motion
/// runs through its places at t + s + `haste` s²/2, so that with haste it is no motion of the system.
pub(super) fn residuals(
    subject: &Subject<'_>,
    motion: &Motion,
    haste: f64,
    seed: u64,
) -> Result<Vec<Component>, String> {
    if !subject.model.info.is_plain() {
        return Err("a motion in closed form with quasi-velocities".to_owned());
    }
    let mut random = Rng::with_seed(0x5EED + seed);
    for _ in 0..ATTEMPTS {
        match attempt(subject, motion, haste, &mut random) {
            Ok(components) => return Ok(components),
            Err(Stop::Redraw) => {}
            Err(Stop::Never(reason)) => return Err(reason),
        }
    }
    Err("no numbers were found for the motion".to_owned())
}

fn attempt(
    subject: &Subject<'_>,
    motion: &Motion,
    haste: f64,
    random: &mut Rng,
) -> Drawn<Vec<Component>> {
    let mut draft = Draft::random(subject, random)?;
    // Parameters and the time are known; the state that was drawn is not that of the motion.
    let moment = Moment::of(subject, draft.clone())?;
    let constants: Vec<(String, f64)> = motion
        .constants
        .iter()
        .map(|constant| (constant.name().ascii(), 2.0 * random.f64() - 1.0))
        .collect();
    let components = in_order(subject, motion)?;
    let curve = |s: f64| -> Result<Vec<f64>, String> {
        let mut reader = Reader::new(subject.declared, &moment);
        reader.scope.set("t", moment.t + s + haste * s * s / 2.0);
        for (name, value) in &constants {
            reader.scope.set(name, *value);
            reader.scope.set(&super::results::sized(name), value.abs());
        }
        components.iter().map(|value| Ok(reader.scalar(value)?.value)).collect()
    };
    draft.q = curve(0.0)?;
    draft.v = derivative(&curve)?;
    let acceleration = second_derivative(&curve)?;
    let moment = Moment::of(subject, draft)?;
    Ok(left(&moment, &acceleration))
}

/// The expressions of the motion, in the order of the coordinates.
fn in_order<'a>(subject: &Subject<'_>, motion: &'a Motion) -> Drawn<Vec<&'a Expr>> {
    let of = |ascii: &str| {
        let mut components = motion.components.iter();
        components.find(|c| c.target.name().ascii() == ascii).map(|c| &c.value)
    };
    subject.model.info.coordinates.iter().map(|c| or_redraw(of(c.ascii))).collect()
}

fn left(moment: &Moment, acceleration: &[f64]) -> Vec<Component> {
    let Moment { system, t, q, v, .. } = moment;
    let mut φ = vec![0.0; system.info().holonomic_count()];
    system.holonomic(*t, q, &mut φ);
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let place = largest(q);
    let mut all: Vec<Component> =
        φ.iter().map(|value| Component { value: *value, size: 1.0 + place }).collect();
    let (rows, offsets) = constraints(&**system, *t, q);
    for (row, b) in rows.iter().zip(offsets) {
        let terms: Vec<f64> = row.iter().zip(v).map(|(a, v)| a * v).collect();
        let size = b.abs() + place + terms.iter().map(|x| x.abs()).sum::<f64>();
        all.push(Component { value: b + terms.iter().sum::<f64>(), size });
    }
    let size = place + largest(v) + largest(acceleration);
    let pairs = acceleration.iter().zip(&moment.accelerations);
    all.extend(pairs.map(|(found, a)| Component { value: found - a, size: size + a.abs() }));
    all
}
