//! Contacts with rows of their own, as claims: equations of documents and of hand calculations.

use eom_codegen::derive_source;

/// A rough disc in the plane above the floor; ẋ − r θ̇ is the velocity of its lowest point.
const DISC: &str = "coordinates { x, z, θ }
    parameters { m = 1 where m > 0, J = 1 where J > 0, r = 1 where r > 0, g = 9.81,
        e = 1/2 where e >= 0 && e <= 1, e_t = 1/2 where e_t >= -1 && e_t <= 1 }
    kinetic = m/2*(ẋ^2 + ż^2) + J/2*θ̇^2; potential = m*g*z;
    let K = J + m*r^2;";

/// A ball in Euler angles near φ = ψ = 0, θ = π/2 (nonholonomic-collisions 5): there ω₁ = θ̇,
/// ω₂ = −φ̇, ω₃ = ψ̇; here by their exact expressions, rotations about z, x, z in turn.
const BALL: &str = "coordinates { x, y, z, φ, θ, ψ }
    parameters { m = 1 where m > 0, J = 1 where J > 0, r = 1 where r > 0 }
    let ω_1 = θ̇*cos(ψ) + φ̇*sin(ψ)*sin(θ);
    let ω_2 = θ̇*sin(ψ) - φ̇*cos(ψ)*sin(θ);
    let ω_3 = ψ̇ + φ̇*cos(θ);
    let K = J + m*r^2;
    let H = J + m*r^2/2;
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + J/2*(ω_1^2 + ω_2^2 + ω_3^2);";

/// The compass walker: hip mass M, legs of length l with masses m at the distance b from the hip;
/// foot 1 stands, foot 2 swings.
const WALKER: &str = "coordinates { x, y, th1, th2 }
    parameters { M = 10 where M > 0, m = 5 where m > 0, l = 1 where l > 0, b = 1/2 where b > 0,
        g = 9.81 }
    let x_1 = x - b*sin(th1); let y_1 = y - b*cos(th1);
    let x_2 = x - b*sin(th2); let y_2 = y - b*cos(th2);
    let x_foot = x - l*sin(th1); let y_foot = y - l*cos(th1);
    let x_swing = x - l*sin(th2); let y_swing = y - l*cos(th2);
    kinetic = M/2*(ẋ^2 + ẏ^2) + m/2*(ẋ_1^2 + ẏ_1^2 + ẋ_2^2 + ẏ_2^2);
    potential = M*g*y + m*g*(y_1 + y_2);
    constraints { stand_x: ẋ_foot = 0; stand_y: ẏ_foot = 0; }
    contact step {
        gap = y_swing;
        impact = plastic;
        constraints { hold: ẋ_swing = 0; }
        when th1 > th2;
        releases stand_x, stand_y;
        relabel { th1 <-> th2; }
    }";

fn complaints(system: &str, items: &str) -> Vec<String> {
    match derive_source(&format!("system S {{\n{items}\n{system}\n}}")) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

fn check(system: &str, items: &str) {
    let found = complaints(system, items);
    assert!(found.is_empty(), "{items}\n{}", found.join("\n"));
}

#[test]
fn a_rough_disc_bounces_as_in_the_document() {
    for law in ["restitution(e)", "restitution(e, e)"] {
        let contact = format!(
            "contact floor {{ gap = z - r; impact = {law}; constraints {{ no_slip: ẋ = r*θ̇; }} }}"
        );
        // Section 6, with μ = e.
        let claims = "
            claim v_1 at floor: K*ẋ_plus = (m*r^2 - e*J)*ẋ + J*r*(1 + e)*θ̇;
            claim v_3 at floor: ż_plus = -e*ż;
            claim ω_2 at floor: K*θ̇_plus = r*m*(1 + e)*ẋ + (J - e*m*r^2)*θ̇;
            claim impulse at floor: impulse(floor.no_slip) = -(1 + e)*(ẋ - r*θ̇)*m*J/K;
            claim gram at floor: gram = [[1/m, 0], [0, 1/m + r^2/J]];
            claim one at floor: gram[floor.no_slip, floor] = 0;
            claim inverse at floor: inverse(gram)*gram = [[1, 0], [0, 1]];
            claim raised at floor: sharp(floor.no_slip) = [1/m, 0, -r/J];
            claim form at floor: floor.no_slip = dx - r*dθ;
            claim P at floor: K*projector = [[J, 0, -J*r], [0, K, 0], [-r*m, 0, r^2*m]];
            claim spin at floor: m*r*ẋ_plus + J*θ̇_plus = m*r*ẋ + J*θ̇;";
        check(DISC, &format!("{contact} {claims}"));
    }
}

/// Garwin's ball: e and e_t apart, and what they do to the energy.
#[test]
fn slip_and_gap_have_coefficients_of_their_own() {
    let contact = "contact floor { gap = z - r; impact = restitution(e, e_t);
        constraints { no_slip: ẋ = r*θ̇; } }";
    let claims = "
        claim slip at floor: ẋ_plus - r*θ̇_plus = -e_t*(ẋ - r*θ̇);
        claim bounce at floor: ż_plus = -e*ż;
        claim about_contact at floor: m*r*ẋ_plus + J*θ̇_plus = m*r*ẋ + J*θ̇;
        claim loss at floor: plus(energy) = energy
            - m/2*(1 - e^2)*ż^2 - m*J/(2*K)*(1 - e_t^2)*(ẋ - r*θ̇)^2;
        claim smooth at floor when e_t = -1: [ẋ_plus, θ̇_plus] = [ẋ, θ̇];
        claim elastic at floor when e = 1, e_t = 1: plus(energy) = energy;
        claim document at floor under elastic:
            [K*ẋ_plus, K*θ̇_plus] = [(m*r^2 - J)*ẋ + 2*J*r*θ̇, 2*r*m*ẋ + (J - m*r^2)*θ̇];
        claim stops at floor under project: [ẋ_plus, ż_plus] = [r*θ̇_plus, -ż];
        claim reflects at floor under reflect: [ẋ_plus, ż_plus, θ̇_plus] = [ẋ, -ż, θ̇];";
    check(DISC, &format!("{contact} {claims}"));
}

/// Theorem 5.2, at the Euler angles of its proof.
#[test]
fn a_rough_ball_is_thrown_to_the_floor() {
    let contact = "contact floor { gap = z - r; impact = elastic; constraints {
        along_x: ẋ = r*ω_2; along_y: ẏ = -r*ω_1; } }";
    let claims = "
        claim thm5_2 at floor when φ = 0, ψ = 0, θ = pi/2: [ẋ_plus, ẏ_plus, ż_plus] = [
            ((m*r^2 - J)*ẋ + 2*J*r*ω_2)/K, ((m*r^2 - J)*ẏ - 2*J*r*ω_1)/K, -ż];
        claim thm5_2_spin at floor: [plus(ω_1), plus(ω_2), plus(ω_3)] = [
            (-2*r*m*ẏ + (J - m*r^2)*ω_1)/K, (2*r*m*ẋ + (J - m*r^2)*ω_2)/K, ω_3];
        claim energy at floor: plus(energy) = energy;";
    let found = complaints(BALL, &format!("{contact} {claims}"));
    // They hold at all angles: the engine says that the first needs no conditions.
    assert_eq!(found.len(), 1, "{}", found.join("\n"));
    assert!(found[0].contains("`thm5_2` follows without its conditions"), "{}", found[0]);
}

/// Theorem 5.1: the ball rolls on the floor and meets a rough wall; of the wall's two rows one
/// depends on the others.
#[test]
fn a_rolling_ball_meets_a_rough_wall() {
    let floor = "holonomic { floor: z = r; }
        constraints { roll_x: ẋ = r*ω_2; roll_y: ẏ = -r*ω_1; }
        contact wall { gap = x - r; impact = elastic; constraints {
            up: r*ω_2 = 0; along: ẏ = r*ω_3; } }";
    // The wall's point is at −r e_x from the centre: v_G = v_S + ω × (−r, 0, 0).
    let claims = "
        claim thm5_1 at wall: [ẋ_plus, ẏ_plus, plus(ω_3)] = [-ẋ,
            m*r^2/(2*H)*ẏ + r*J/H*ω_3, K/(r*H)*ẏ - m*r^2/(2*H)*ω_3];
        claim energy at wall: plus(energy) = energy;
        claim dropped at wall: impulse(wall.up) = 0;
        claim inverse at wall: inverse(gram)[wall.up, wall.up] = 0;
        claim twice at wall: projector*projector = projector;";
    check(BALL, &format!("{floor} {claims}"));
}

/// Angular momentum about the new foot, and of the trailing leg about the hip; what was the swing
/// leg stands after the step.
#[test]
fn a_walker_changes_its_support() {
    let claims = "
        let about = M*((x - x_swing)*ẏ - (y - y_swing)*ẋ)
            + m*((x_1 - x_swing)*ẏ_1 - (y_1 - y_swing)*ẋ_1)
            + m*((x_2 - x_swing)*ẏ_2 - (y_2 - y_swing)*ẋ_2);
        let about_new = M*((x - x_foot)*ẏ - (y - y_foot)*ẋ)
            + m*((x_1 - x_foot)*ẏ_1 - (y_1 - y_foot)*ẋ_1)
            + m*((x_2 - x_foot)*ẏ_2 - (y_2 - y_foot)*ẋ_2);
        claim about_foot at step: plus(about_new) = about;
        let hip = m*((x_1 - x)*ẏ_1 - (y_1 - y)*ẋ_1);
        let hip_new = m*((x_2 - x)*ẏ_2 - (y_2 - y)*ẋ_2);
        claim about_hip at step: plus(hip_new) = hip;
        claim stands at step: [plus(ẋ_foot), plus(ẏ_foot)] = [0, 0];
        claim legs at step: [th1_plus, th2_plus] = [th2, th1];
        claim place at step: [plus(x_foot), x_plus] = [x_swing, x];";
    check(WALKER, claims);
}

#[test]
fn assigned_velocities_are_those_after() {
    let contact = "contact floor { gap = z - x^2/2; impact = assign { ż = x*ẋ; }; }";
    let claims = "
        claim lands at floor: [ẋ_plus, ż_plus, θ̇_plus] = [ẋ, x*ẋ, θ̇];
        claim rest at floor: ż_plus - x*ẋ_plus = 0;";
    check(DISC, &format!("{contact} {claims}"));
}

/// A disc that rolls down a rough floor that leans by α: the force along it is that of the row.
#[test]
fn own_rows_are_in_force_while_the_contact_is_closed() {
    let contact = "inputs { f } force x = f;
        contact floor { gap = z - r; impact = plastic; constraints { no_slip: ẋ = r*θ̇; } }";
    let claims = "
        claim rolls closed floor: K*ẍ = r^2*f;
        claim friction closed floor: λ(floor.no_slip) = -J*f/K;
        claim normal closed floor: λ(floor) = m*g;
        claim spin closed floor: J*θ̈ = -r*λ(floor.no_slip);
        claim holds closed floor when λ(floor.no_slip) = 0: ẍ = 0;";
    check(DISC, &format!("{contact} {claims}"));
}
