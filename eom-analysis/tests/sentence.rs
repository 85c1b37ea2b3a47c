//! Claims of whole motions against closed forms: those that are so, and those that are not in their last digit.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(mixed_script_confusables, confusable_idents, reason = "x and ẋ")]

mod common;

use common::interpreted;
use eom_analysis::{AnalysisError, Verdict, complaint, decide};
use eom_core::{Declared as _, System};

/// What is found of the one claim of a system.
fn found(system: &str, claim: &str) -> Result<Verdict, AnalysisError> {
    let end = system.rfind('}').unwrap();
    let system = interpreted(&format!("{} claim said of {claim}; }}", &system[..end]));
    let build = |overrides: &[Option<f64>]| {
        system.with_parameters(overrides).map(|system| Box::new(system) as Box<dyn System>)
    };
    decide(system.info(), 0, &build)
}

/// Whether a claim of a system holds, which is decided.
fn check(system: &str, claim: &str, holds: bool) {
    let verdict = found(system, claim).unwrap_or_else(|why| panic!("{claim}: {why}"));
    assert_eq!(verdict.holds, holds, "{claim}: {verdict:?}");
}

/// A pendulum: λ = ±i √(g/l) below, ±√(g/l) above.
const PENDULUM: &str = "system Pendulum {
    coordinates { θ }
    parameters { l = 2 where l > 0, g = 9.81 }
    inputs { τ }
    kinetic = l^2*θ̇^2/2;
    potential = -g*l*cos(θ);
    force θ = τ;
    scenario below { until t = 1; }
    scenario above { θ = pi; until t = 1; }
}";

/// A bead on a hoop: at rest below while Ω² < g/r.
const HOOP: &str = "system Hoop {
    coordinates { θ }
    parameters { r = 0.5 where r > 0, g = 9.81, Ω = 3 }
    kinetic = r^2/2*(θ̇^2 + (Ω*sin(θ))^2);
    potential = -g*r*cos(θ);
    scenario below { until t = 1; }
}";

/// A driven oscillator: over a period T of the drive its multipliers have the size e^(−ζT).
const DRIVEN: &str = "system Driven {
    coordinates { x }
    parameters { ζ = 0.1, ω = 2 where ω > 0 }
    kinetic = ẋ^2/2;
    potential = x^2/2;
    force x = -2*ζ*ẋ + cos(ω*t);
    event top { guard = ẋ; falling; }
    scenario rest { until t = 1; }
}";

/// Van der Pol's oscillator, μ = 1: its period in tables.
const CYCLE: &str = "system Cycle {
    coordinates { x }
    parameters { μ = 1 }
    kinetic = ẋ^2/2;
    potential = x^2/2;
    force x = μ*(1 - x^2)*ẋ;
    event top { guard = ẋ; falling; }
    scenario near { x = 1.9; until t = 1; }
}";

/// A spring that swings within less than a nanosecond.
const QUICK: &str = "system Quick {
    coordinates { x }
    parameters { T = 1e-10 where T > 0 }
    kinetic = ẋ^2/2;
    potential = x^2/(2*T^2);
    event top { guard = ẋ; falling; }
    scenario top { x = 1; until t = 1e-9; }
}";

/// A saddle: exponents ±k; at rest there, variations grow all the same.
const SADDLE: &str = "system Saddle {
    coordinates { x }
    parameters { k = 0.5 where k > 0 }
    kinetic = ẋ^2/2;
    potential = -k^2*x^2/2;
    scenario rest { until t = 1; }
}";

/// A block that slides on a rough plane.
const BLOCK: &str = "system Block {
    coordinates { x }
    parameters { μ = 0.2 where μ >= 0, g = 9.81 }
    kinetic = ẋ^2/2;
    dissipation = μ*g*abs(ẋ);
    scenario slide { ẋ = 3; until t = 1; }
}";

/// At x = 0 nothing changes θ̇, and θ is an angle; nothing turns the body.
const ROTOR: &str = "system Rotor {
    coordinates { x, θ }
    rotation R { space: ω_1, ω_2, ω_3 }
    parameters { k = 2 where k > 0 }
    kinetic = (ẋ^2 + θ̇^2 + ω_1^2 + ω_2^2 + ω_3^2)/2;
    potential = k*x^2*(2 + cos(θ))/2;
    scenario turn { θ̇ = 3; until t = 1; }
}";

/// Painlevé's rod: at tan θ = 2 Coulomb's law has no solution beyond μ = 4/3.
const ROD: &str = "system Rod {
    coordinates { x, y, θ }
    parameters { μ = 1.2 where μ >= 0, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6;
    potential = g*y;
    contact tip { gap = y - sin(θ); slip = ẋ + sin(θ)*θ̇; friction = μ; impact = plastic; }
    scenario push { θ = atan(2); y = sin(atan(2)); ẋ = -10; until t = 1; }
}";

/// A bead on a circle that a row drags along.
const BEAD: &str = "system Bead {
    coordinates { x, y, z }
    parameters { l = 2 where l > 0, a = 2 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
    holonomic { circle: x^2 + y^2 = l^2; } constraints { drag: ż - a*ẏ = 0; }
    scenario start { x = l; solve ż; until t = 1; }
}";

/// A ring on a rod that is drawn along by V, held by a spring.
const RING: &str = "system Ring {
    coordinates { x, y }
    parameters { k = 18 where k > 0, m = 2 where m > 0, μ = 0.3 where μ >= 0, V = 0.5, g = 9.81 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = k/2*x^2 + m*g*y;
    holonomic { rod: y = 0; }
    row rod { slip = ẋ - V; friction = μ; }
    scenario drawn { x = μ*m*g/k; until t = 1; }
}";

/// A beam of nanometres, 10⁴ times in a second.
const BEAM: &str = "system Beam {
    coordinates { x, y }
    parameters { m = 1e-15 where m > 0, k = 4e-6 where k > 0, A = 1e-9 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = k/2*(x^2 + 2*y^2);
    event top { guard = ẋ; falling; }
    scenario bent { x = A; until t = 1; }
}";

/// A planet in metres and seconds, at an apsis.
const PLANET: &str = "system Planet {
    coordinates { x, y }
    parameters { GM = 1.32712440018e20, r = 1.496e11, v = 28000 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = -GM/sqrt(x^2 + y^2);
    event apsis { guard = y; rising; }
    scenario year { x = r; ẏ = v; until t = 3.2e7; }
}";

/// x → r x (1 − x) once a second: of r = 4 the exponent is ln 2.
const LOGISTIC: &str = "system Logistic {
    coordinates { x, c }
    parameters { r = 4 }
    kinetic = (ẋ^2 + ċ^2)/2;
    potential = 0;
    event tick { guard = c - 1; rising; reset { c = 0; x = r*x*(1 - x); } }
    scenario start { x = 0.3; ċ = 1; until t = 1; }
}";

/// A return is waited for as long as the scenario lasts; an exponent that is known to less than the claim asks for may be it by
/// luck.
#[test]
fn claims_of_long_returns_and_short_spans() {
    let cases = [
        (PLANET, "year: period(apsis) = 2*pi*GM/(2*GM/r - v^2)^1.5", true),
        (PLANET, "year: period(apsis) = 2.676e7", true),
        (PLANET, "year: period(apsis) = 2.677e7", false),
        (LOGISTIC, "start: lyapunov(1, 2000)[1] = 0.7", true),
        (LOGISTIC, "start: lyapunov(1, 2000)[1] = 0.69", false),
        (LOGISTIC, "start: lyapunov(1, 4000)[1] = 0.69", true),
        (LOGISTIC, "start: lyapunov(1, 10)[1] = 0.7", false),
    ];
    for (system, claim, holds) in cases {
        check(system, claim, holds);
    }
}

/// Damped critically an eigenvalue is there twice, in a row of two such six times, and known to a root of rounding: no digits
/// beyond decide, it is real as far as that is known, and on its side.
#[test]
fn claims_of_multiple_eigenvalues() {
    let one = "system One { coordinates { x } parameters { k = 2.37 where k > 0 } kinetic = ẋ^2/2; potential = k*x^2/2;
        force x = -2*sqrt(k)*ẋ; scenario rest { until t = 1; } }";
    let row = "system Row { coordinates { x, y, z } parameters { k = 2.37 where k > 0 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = k*(x^2 + y^2 + z^2)/2; force x = -2*sqrt(k)*ẋ;
        force y = x - 2*sqrt(k)*ẏ; force z = y + 0.3*ẋ - 2*sqrt(k)*ż; scenario rest { until t = 1; } }";
    for (system, within) in [(one, "1e-6"), (row, "0.02")] {
        check(system, &format!("rest: eigenvalues[1] = -sqrt(k) within {within}"), true);
        check(system, "rest: eigenvalues[1] < 0", true);
        check(system, "rest: eigenvalues[1] = -sqrt(k) within 1e-12", false);
    }
    check(row, "rest: eigenvalues[1] = -1.53687", false);
    check(one, "rest with k = 2: eigenvalues[2] > -1.4", false);
}

/// Chaplygin's sleigh and a block that friction slows down, v = 1/(1 + t), are regular: variations grow and fall as powers of the
/// time, and no exponent is told from 0. A velocity that falls as slowly by a rate has one.
#[test]
fn claims_of_exponents_that_powers_make() {
    let sleigh = "system Sleigh {
        coordinates { x, y, θ }
        velocities { v = cos(θ)*ẋ + sin(θ)*ẏ, w = cos(θ)*ẏ - sin(θ)*ẋ, ω = θ̇ }
        kinetic = (v^2 + (w + 0.6*ω)^2)/2 + ω^2/4;
        constraints { edge: w; }
        scenario turn { ω = 1; until t = 60; }
    }";
    let block = "system Block { coordinates { x } kinetic = ẋ^2/2; force x = -ẋ^2; scenario slow { ẋ = 1; until t = 1; } }";
    let damped = "system Damped { coordinates { x } kinetic = ẋ^2/2; force x = -0.005*ẋ; scenario slow { ẋ = 1; until t = 1; } }";
    let cases = [
        (sleigh, "turn: lyapunov(1, 300)[1] > 0", false),
        (sleigh, "turn: lyapunov(1, 300)[2] > 0", false),
        (sleigh, "turn: lyapunov(1, 300)[5] = -0.646997", true),
        (block, "slow: lyapunov(1, 1000)[2] < 0", false),
        (damped, "slow: lyapunov(1, 1000)[2] < 0", true),
    ];
    for (system, claim, holds) in cases {
        check(system, claim, holds);
    }
}

/// What is little is told from 0 by what there is: A cos ωt of a beam, claimed where it is not there.
#[test]
fn claims_of_zero_are_beside_what_there_is() {
    let cases = [
        ("bent: returns(2*pi*sqrt(m/k)) = 0", true),
        ("bent: returns(pi*sqrt(m/k)) = 0", false),
        ("bent: returns(1e-12) = 0", false),
        ("bent with A = 1e-14: returns(pi*sqrt(m/k)) = 0", false),
        ("bent: value(x, pi/2*sqrt(m/k)) = 0", true),
        ("bent: value(x, pi/4*sqrt(m/k)) = 0", false),
        ("bent: value(y, 1e-4) = 0", true),
        ("bent with A = 1e-16: value(x, 0) = 2*A", false),
        ("bent: period(top) = 2*pi*sqrt(m/k)", true),
        ("bent with m = 1e-38: period(top) = 3*pi*sqrt(m/k)", false),
    ];
    for (claim, holds) in cases {
        check(BEAM, claim, holds);
    }
}

/// What is said of one run, against closed forms: v/(μg) and v²/(2μg) of the block, whole turns, the critical
/// coefficient, points off the circle.
#[test]
fn claims_of_one_run_are_decided() {
    let cases: [(&str, &str, bool); 22] = [
        (BLOCK, "slide: stops(10) = 3/(μ*g)", true),
        (BLOCK, "slide: stops(10) = 3/(μ*g) + 1e-6", false),
        (BLOCK, "slide with μ = 0.1: stops(10) = 3/(0.1*g)", true),
        (BLOCK, "slide with ẋ = 0: stops(1) = 0", true),
        (BLOCK, "slide: value(x, 10) = 9/(2*μ*g)", true),
        (BLOCK, "slide: value(ẋ, 1) = 3 - μ*g", true),
        (BLOCK, "slide: value(ẋ, 1) > 1.1", false),
        (BLOCK, "slide: value(x, 0) = 0", true),
        (BLOCK, "slide with ẋ = 0: returns(5) = 0", true),
        (ROTOR, "turn: returns(2*pi/3) = 0", true),
        (ROTOR, "turn: returns(2*pi/3 + 0.1) = 0.3 within 1e-9", true),
        (ROTOR, "turn: returns(pi/3) = pi within 1e-9", true),
        // R turns once over 2π, its quaternion comes back with the other sign.
        (ROTOR, "turn with θ̇ = 0, ω_1 = 1: returns(2*pi) = 0", true),
        (ROTOR, "turn with θ̇ = 0, ω_1 = 1: returns(pi) = 1", true),
        (ROTOR, "turn with θ̇ = 0, x = 1, k = 3: value(x, pi/6) = 0 within 1e-9", true),
        (ROTOR, "turn with θ̇ = 0, x = 1, k = 3: returns(2*pi/3) = 0 within 1e-8", true),
        (ROD, "push with μ = 1.33: possible(1e-11) = 1", true),
        (ROD, "push with μ = 1.34: possible(1e-11) = 0", true),
        (ROD, "push with μ = 1.34: possible(1e-11) = 1", false),
        (BEAD, "start with ẏ = 1: possible(1) = 1", true),
        (BEAD, "start with x = 3: possible(1) = 0", true),
        (BEAD, "start with ẏ = 1, ż = 1: possible(1) = 0", true),
    ];
    for (system, claim, holds) in cases {
        check(system, claim, holds);
    }
}

/// Each claim with whether it is so.
#[test]
fn claims_are_decided() {
    let cases: [(&str, &str, bool); 40] = [
        (PENDULUM, "below: im(eigenvalues[1]) = sqrt(g/l)", true),
        (PENDULUM, "below: im(eigenvalues[2]) = -sqrt(g/l)", true),
        // √4.905 = 2.21472…
        (PENDULUM, "below: im(eigenvalues[1]) = 2.2147", true),
        (PENDULUM, "below: im(eigenvalues[1]) = 2.2148", false),
        (PENDULUM, "below: im(eigenvalues[1]) = 2.2148 within 2e-4", true),
        (PENDULUM, "below: im(eigenvalues[1]) = 2.21470", false),
        (PENDULUM, "below: eigenvalues[1] = 0", false),
        (PENDULUM, "above: eigenvalues[1] = sqrt(g/l)", true),
        (PENDULUM, "above: eigenvalues[2] < 0", true),
        (PENDULUM, "above: eigenvalues[1] <= 0", false),
        (PENDULUM, "above with l = g: eigenvalues[1] = 1", true),
        // On the edge, whatever the rounding.
        (PENDULUM, "below: re(eigenvalues[1]) < 0", false),
        (PENDULUM, "below: re(eigenvalues[1]) > 0", false),
        (PENDULUM, "below: re(eigenvalues[1]) <= 0", true),
        (PENDULUM, "below: re(eigenvalues[2]) >= 0", true),
        (PENDULUM, "above: eigenvalues[1] > sqrt(g/l)", false),
        (PENDULUM, "above: eigenvalues[1] >= sqrt(g/l)", true),
        // g l sin θ = τ holds it at θ, where λ² = −g/l cos θ.
        (PENDULUM, "below with θ = 1, τ = g*l*sin(1): im(eigenvalues[1]) = sqrt(g/l*cos(1))", true),
        (HOOP, "below: critical(Ω, 3, 6)[1] = sqrt(g/r)", true),
        (HOOP, "below with r = 1: critical(Ω, 6, 1) = sqrt(g)", true),
        (HOOP, "below: critical(Ω, 3, 6)[1] = 4.4295", false),
        (HOOP, "below: frequency(Ω, 3, 6) = 0", true),
        (DRIVEN, "rest: abs(multipliers(2*pi/ω)[2]) = exp(-ζ*2*pi/ω)", true),
        (DRIVEN, "rest: abs(multipliers(2*pi/ω, 2)[1]) = exp(-ζ*2*pi/ω)", false),
        (DRIVEN, "rest: abs(multipliers(2*pi/ω, 2)[1]) = exp(-2*ζ*2*pi/ω)", true),
        (CYCLE, "near: period(top) = 6.66328685932", true),
        (CYCLE, "near: period(top, 2) = 13.3265737186", true),
        (CYCLE, "near: period(top) = 6.66328685931", false),
        (SADDLE, "rest: lyapunov(1, 100) = k within 1e-5", true),
        (SADDLE, "rest with k = 1: lyapunov(1, 100)[2] = -1 within 1e-5", true),
        (SADDLE, "rest: lyapunov(1, 100)[2] > 0", false),
        // A formula is small beside itself, not beside 1.
        (QUICK, "top: period(top) = 2*pi*T", true),
        (QUICK, "top: period(top) = 3*pi*T", false),
        (QUICK, "top: period(top) = 2*pi*T*(1 + 1e-8)", false),
        (QUICK, "top: value(x, 2*pi*T) = sin(pi) + 1", true),
        (RING, "drawn: im(eigenvalues[1]) = sqrt(k/m)", true),
        (RING, "drawn: im(eigenvalues[1]) = 2.9", false),
        // A rod that stands holds the ring where it is.
        (RING, "drawn with V = 0, x = 0.1: eigenvalues[1] = 0", true),
        (RING, "drawn: value(x, 1) = μ*m*g/k", true),
        (RING, "drawn: lyapunov(1, 100)[1] = 0 within 0.05", true),
    ];
    for (system, claim, holds) in cases {
        check(system, claim, holds);
    }
}

/// What has no such quantity says why.
#[test]
fn what_cannot_be_decided_says_why() {
    let cases = [
        (PENDULUM, "below with θ = 1: eigenvalues[1] = 0", "not a steady motion"),
        (PENDULUM, "below: eigenvalues[3] = 0", "there are 2 eigenvalues, and number 3"),
        (PENDULUM, "below with l = -1: eigenvalues[1] = 0", "violates its bound"),
        (HOOP, "below: critical(Ω, 3, 4)[1] = 4", "there are 0 critical values in the range"),
        (SADDLE, "rest: lyapunov(-1, 9) > 0", "a span that is not above 0"),
        (RING, "drawn with x = 0.1: eigenvalues[1] = 0", "not a steady motion"),
        (ROTOR, "turn: stops(1) = 0", "it has not come to rest for good at t = 1"),
        (ROTOR, "turn: value(θ, -1) = 0", "a run from t = 0 to t = -1"),
        (
            ROD,
            "push with θ̇ = 8, ẏ = 8*cos(atan(2)), ẋ = -10 - 8*sin(atan(2)), μ = 2: possible(0.1) = 0",
            "the run ended",
        ),
    ];
    for (system, claim, why) in cases {
        let said = found(system, claim).unwrap_err().to_string();
        assert!(said.contains(why), "{claim}: {said}");
    }
}

/// A number that is claimed to be real and is none is told whole: −ζ − i √(1 − ζ²).
#[test]
fn a_complex_number_is_told_whole() {
    let damped = "system Damped {
        coordinates { x }
        parameters { ζ = 0.1 }
        kinetic = ẋ^2/2;
        potential = x^2/2;
        dissipation = ζ*ẋ^2;
        scenario rest { until t = 1; }
        claim said of rest: eigenvalues[2] = -0.1;
    }";
    let system = interpreted(damped);
    let build = |overrides: &[Option<f64>]| {
        system.with_parameters(overrides).map(|system| Box::new(system) as Box<dyn System>)
    };
    let verdict = decide(system.info(), 0, &build);
    let found = *verdict.as_ref().unwrap();
    assert!(!found.holds && (found.imaginary + 0.99_f64.sqrt()).abs() < 1e-12, "{found:?}");
    let said = complaint(&system.info().sentences[0], &verdict).unwrap();
    assert!(
        said.starts_with("does not hold: it is not real, -0.1") && said.contains(" - 0.994"),
        "{said}"
    );
}

eom_core::lagrangian! {
    /// A pendulum that the macro compiles.
    pub system Compiled {
        coordinates { θ }
        parameters { l = 2 where l > 0, g = 9.81 }
        kinetic = l^2*θ̇^2/2;
        potential = -g*l*cos(θ);
        scenario below { until t = 1; }
        /// √(g/l).
        claim eq3 of below with l = 1: im(eigenvalues[1]) = 3.1321;
    }
}

/// The compiled type says the same of itself.
#[test]
fn a_compiled_system_has_its_sentences() {
    let said = Compiled::INFO.sentences[0];
    assert_eq!((said.name, said.equation, said.doc), ("eq3", "3", "√(g/l)."));
    assert_eq!(said.printed, "of below with l = 1: im(eigenvalues[1]) = 3.1321");
    let build = |overrides: &[Option<f64>]| {
        Compiled::with_parameters(overrides).map(|system| Box::new(system) as Box<dyn System>)
    };
    let verdict = decide(Compiled::INFO, 0, &build).unwrap();
    assert!(verdict.holds && (verdict.found - 9.81_f64.sqrt()).abs() < 1e-14, "{verdict:?}");
    assert_eq!((verdict.claimed, verdict.within, verdict.error), (3.1321, 5e-5, 0.0));
}
