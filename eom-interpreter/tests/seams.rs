//! Surfaces that meet anywhere, by conditions that end one where the other begins: what slides comes over the seam again and
//! again, from both sides.

use eom_core::{Method, Options, State, Trajectory, run_scenario};
use eom_interpreter::Interpreted;

const G: f64 = 9.81;

const EXPLICIT: [Method; 2] = [Method::RungeKutta, Method::Taylor];

/// The runs of a declaration by these methods, to their ends.
fn runs(text: &str, methods: &[Method]) -> Vec<Trajectory> {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let runs = methods.iter().map(|&method| {
        let options = Options { method, ..Options::default() };
        let run = run_scenario(&system, "s", &options).expect("it starts");
        assert!(run.end.is_complete(), "{method:?}: {}\n{text}", run.end);
        run
    });
    runs.collect()
}

/// A point slides from rest in a valley, whose seam is at (X, Y): plastic, it loses the part of its velocity across the other flank
/// each time, v → v cos(β − α).
fn check_valley((x, y): (f64, f64), [α, β]: [f64; 2], way: f64) {
    let flank = |name: &str, φ: f64, side: &str| {
        let (sin, cos) = φ.sin_cos();
        format!(
            "contact {name} {{ gap = (y - ({y}))*({cos:?}) - (x - ({x}))*({sin:?}); when x {side} {x}; impact = plastic; }}"
        )
    };
    let (down, loss) = ((2.0 * way / (G * -α.sin())).sqrt(), (β - α).cos());
    let bottom = down * G * -α.sin();
    // Up the right flank and down again, up the left one, and a part of the way down.
    let [right, left] = [bottom * loss, bottom * loss * loss].map(|v| v / G);
    let until = down + 2.0 * right / β.sin() + 1.3 * left / -α.sin();
    let text = format!(
        "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = {G}*y; {} {}
         scenario s {{ x = {:?}; y = {:?}; until t = {until:?}; }} }}",
        flank("left", α, "<"),
        flank("right", β, ">"),
        x - way * α.cos(),
        y - way * α.sin(),
    );
    let (v, τ) = (left * G, 1.3 * left / -α.sin());
    let up = v * τ + G * α.sin() * τ * τ / 2.0;
    for run in runs(&text, &[Method::RungeKutta, Method::Taylor, Method::Radau]) {
        let State { q, .. } = run.last().expect("a state");
        let error = (q[0] - x + up * α.cos()).hypot(q[1] - y + up * α.sin());
        assert!(error < 1e-9, "{error:e}: {q:?}\n{text}");
    }
}

#[test]
fn a_valley_is_crossed_again_and_again() {
    for number in 0..12 {
        let k = f64::from(number);
        let [x, y] = [1.7, 2.9].map(|part| (part * k + 0.3).sin());
        check_valley(
            (x, y),
            [-0.15 - 0.04 * k, 0.1 + 0.05 * f64::from(5 * number % 11)],
            0.3 + 0.03 * k,
        );
    }
}

/// The same with friction or without, until it rests in the seam. With u = g (sin φ + μ cos φ) on the way up a flank and d = g (sin φ −
/// μ cos φ) on the way down, and what is left of a velocity at the seam,
///
/// ```text
/// T_φ = 1/u + 1/√(u d)    k_φ = √(d/u)    c = cos(β − α) − μ sin(β − α)
/// t = v₀/d_α + v₀ (c T_β + c² k_β T_α)/(1 − c² k_α k_β)
/// ```
fn check_rest((x, y): (f64, f64), [α, β]: [f64; 2], (way, μ): (f64, f64)) {
    let flank = |name: &str, φ: f64, side: &str| {
        let (sin, cos) = φ.sin_cos();
        format!(
            "contact {name} {{ gap = (y - ({y}))*({cos:?}) - (x - ({x}))*({sin:?}); when x {side} {x};
             slip = ẋ*({cos:?}) + ẏ*({sin:?}); friction = {μ}; impact = plastic; }}"
        )
    };
    let along = |φ: f64| [1.0, -1.0].map(|side| G * (φ.abs().sin() + side * μ * φ.cos()));
    let [[up_left, down_left], [up, down]] = [along(α), along(β)];
    let back = |u: f64, d: f64| (1.0 / u + (u * d).sqrt().recip(), (d / u).sqrt());
    let ((of_left, k_left), (of_right, k_right)) = (back(up_left, down_left), back(up, down));
    let (v, c) = ((2.0 * down_left * way).sqrt(), (β - α).cos() - μ * (β - α).sin());
    let passes = (c * of_right + c * c * k_right * of_left) / (1.0 - c * c * k_left * k_right);
    let rests = v / down_left + v * passes;
    let text = format!(
        "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = {G}*y; {} {}
         scenario s {{ x = {:?}; y = {:?}; until t = {:?}; }} }}",
        flank("left", α, "<"),
        flank("right", β, ">="),
        x - way * α.cos(),
        y - way * α.sin(),
        rests + 1.0,
    );
    for run in runs(&text, &EXPLICIT) {
        let State { q, v, .. } = run.last().expect("a state");
        assert!((q[0] - x).hypot(q[1] - y) < 1e-12 && *v == [0.0; 2], "{q:?} {v:?}\n{text}");
        let last = run.events.last().expect("it comes to rest").t;
        assert!((last - rests).abs() < 1e-7, "{last}, not {rests}\n{text}");
    }
}

#[test]
fn passes_over_the_seam_of_a_valley_shrink_to_rest() {
    for number in 0..12 {
        let k = f64::from(number);
        let place = [1.7, 2.9].map(|part| (part * k + 0.3).sin());
        let flanks = [-0.35 - 0.03 * k, 0.3 + 0.05 * f64::from(5 * number % 11)];
        check_rest(place.into(), flanks, (0.3 + 0.03 * k, if number % 2 == 0 { 0.0 } else { 0.1 }));
    }
}

/// A point on a floor, tilted by φ, that goes on as a circle, with a tangent in common: it goes up there and comes back, and keeps
/// its energy.
fn check_pipe((x, y): (f64, f64), (φ, radius): (f64, f64), v: f64, law: &str) {
    let (sin, cos) = φ.sin_cos();
    let along = format!("((x - ({x}))*({cos:?}) + (y - ({y}))*({sin:?}))");
    let off = format!("((y - ({y}))*({cos:?}) - (x - ({x}))*({sin:?}))");
    let text = format!(
        "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = {G}*y;
         contact floor {{ gap = {off}; when {along} < 0; impact = {law}; }}
         contact pipe {{ gap = {radius} - sqrt({along}^2 + ({off} - {radius})^2); when {along} > 0; impact = {law}; }}
         scenario s {{ x = {:?}; y = {:?}; ẋ = {:?}; ẏ = {:?}; until t = 3; }} }}",
        x - cos,
        y - sin,
        v * cos,
        v * sin
    );
    for run in runs(&text, &EXPLICIT) {
        let place = |q: &[f64]| {
            let [dx, dy] = [q[0] - x, q[1] - y];
            (dx * cos + dy * sin, dy * cos - dx * sin)
        };
        let came = run.samples.iter().any(|state| place(&state.q).0 > 0.01);
        assert!(came, "{text}");
        for State { t, q, v: now, .. } in &run.samples {
            let (along, off) = place(q);
            let gap = if along < 0.0 { off } else { radius - along.hypot(off - radius) };
            let energy = now[0].hypot(now[1]).powi(2) / 2.0 + G * (q[1] - y + sin);
            let error = gap.abs().max((energy - v * v / 2.0).abs());
            assert!(error < 1e-9, "{error:e} at {t}: {gap:e} {energy:e}\n{text}");
        }
    }
}

#[test]
fn a_floor_goes_on_as_a_pipe() {
    for number in 0..12 {
        let k = f64::from(number);
        let [x, y] = [1.3, 2.3].map(|part| (part * k + 0.7).sin());
        let φ = if number % 3 == 0 { 0.0 } else { -0.02 * k };
        let law = if number % 2 == 0 { "plastic" } else { "restitution(0.5)" };
        check_pipe((x, y), (φ, 0.9 + 0.2 * k), 1.5 + 0.15 * k, law);
    }
}
