//! Claims about motion in contact: `closed`, and the dissipation of a contact. Every equation here is
//! worked out by hand from the declaration it stands in.

use eom_codegen::derive_source;

/// A particle on a hemisphere that it may leave (putting-green, section 4.1).
const HEMISPHERE: &str = "coordinates { r, θ }
    parameters { m = 1 where m > 0, g = 9.81 where g > 0, R = 1/2 where R > 0 }
    kinetic = m/2*(ṙ^2 + r^2*θ̇^2); potential = m*g*r*cos(θ);
    contact surface { gap = r - R; impact = plastic; }";

/// A block on a rough floor, beside a wall.
const BLOCK: &str = "coordinates { x, y }
    parameters { m = 1 where m > 0, g = 9.81, c = 1 where c > 0, k = 1/2 }
    kinetic = m/2*(ẋ^2 + ẏ^2); potential = m*g*y; dissipation = k/2*ẋ^2;
    contact floor { gap = y; impact = plastic; dissipation = c/2*ẋ^2; }
    contact wall { gap = x; impact = elastic; }";

/// A particle between two walls.
const WEDGE: &str = "coordinates { x, y } kinetic = ẋ^2 + ẏ^2; potential = y;
    contact left { gap = y - x/3; impact = plastic; }
    contact right { gap = y + 0.7*x; impact = plastic; }";

fn complaints(system: &str, items: &str) -> Vec<String> {
    match derive_source(&format!("system S {{\n{items}\n{system}\n}}")) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

/// The items are accepted.
fn check(system: &str, items: &str) {
    let found = complaints(system, items);
    assert!(found.is_empty(), "{items}\n{}", found.join("\n"));
}

/// The items are refused, with these words.
fn refused(system: &str, items: &str, words: &str) {
    let found = complaints(system, items).join("\n");
    assert!(found.contains(words), "{items}\nexpected `{words}`, found\n{found}");
}

#[test]
fn the_gap_and_its_rate_are_zero_in_contact() {
    check(HEMISPHERE, "claim on closed surface: r = R;");
    check(HEMISPHERE, "claim still closed surface: ṙ = 0;");
    check(HEMISPHERE, "claim stays closed surface: r̈ = 0;");
    // Between two walls nothing moves, to rounding of the rows.
    check(WEDGE, "claim still closed left, right: [ẋ, ẏ] = [0, 0];");
    check(WEDGE, "claim stays closed left, right: [ẍ, ÿ] = [0, 0];");
    check(WEDGE, "claim corner closed left, right: [x, y] = [0, 0];");
    refused(WEDGE, "claim still closed left: ẋ = 0;", "claim `still` does not follow");
    refused(WEDGE, "claim corner closed left: x = 0;", "claim `corner` does not follow");
    refused(HEMISPHERE, "claim free: r = R;", "claim `free` does not follow");
}

/// x = 0 where y + z = r and y + z + 3x = r, to rounding of y and z.
#[test]
fn places_that_rows_hold_at_zero() {
    let held = "coordinates { x, y, z } parameters { r = 1/2 where r > 0 }
        kinetic = ẋ^2 + ẏ^2 + ż^2; potential = y;
        holonomic { a: y + z = r; b: y + z + 3*x = r; }";
    check(held, "claim place: x = 0; claim turned: sin(x) = 0; claim still: ẋ = 0;");
    for wrong in ["x = 1e-12", "x = 1e-12*y", "3*x = 1e-9"] {
        let claim = format!("claim off: {wrong};");
        refused(held, &claim, "claim `off` does not follow");
    }
    let near = held.replace("3*x = r", "3*x = r + 1e-12*y");
    refused(&near, "claim place: x = 0;", "claim `place` does not follow");
}

#[test]
fn the_multiplier_of_a_closed_contact_is_the_normal_force() {
    check(HEMISPHERE, "claim force closed surface: λ(surface) = m*(g*cos(θ) - R*θ̇^2);");
    check(HEMISPHERE, "claim radial closed surface: r̈ = r*θ̇^2 - g*cos(θ) + λ(surface)/m;");
    check(HEMISPHERE, "claim flight: r̈ = r*θ̇^2 - g*cos(θ);");
    check(
        HEMISPHERE,
        "erratum lost: θ̈ = g/r*sin(θ); corrected: θ̈ = g/r*sin(θ) - 2*ṙ*θ̇/r;
         claim kept closed surface: θ̈ = g/r*sin(θ);",
    );
    check(BLOCK, "claim weight closed floor: λ(floor) = m*g;");
    check(BLOCK, "claim corner closed wall, floor: [λ(floor), λ(wall)] = [m*g, 0];");
}

#[test]
fn conditions_are_added_to_contact() {
    check(HEMISPHERE, "claim leaves closed surface when λ(surface) = 0: R*θ̇^2 = g*cos(θ);");
    check(
        HEMISPHERE,
        "claim slides closed surface when energy = m*g*R: R*θ̇^2 = 2*g*(1 - cos(θ));
         claim angle closed surface when energy = m*g*R, λ(surface) = 0: cos(θ) = 2/3;",
    );
    refused(HEMISPHERE, "claim idle closed surface when r = R: ṙ = 0;", "`r = R` has no effect");
}

#[test]
fn impacts_with_another_contact_closed() {
    check(BLOCK, "claim bounce closed floor at wall: [ẋ_plus, ẏ_plus] = [-ẋ, 0];");
    check(BLOCK, "claim alone at wall: [ẋ_plus, ẏ_plus] = [-ẋ, ẏ];");
}

#[test]
fn the_dissipation_of_a_contact_acts_while_it_is_closed() {
    check(BLOCK, "claim rubs closed floor: m*ẍ = -(c + k)*ẋ;");
    check(BLOCK, "claim flies: [m*ẍ, ÿ] = [-k*ẋ, -g];");
    check(BLOCK, "claim touches closed wall: ẍ = 0;");
    check(BLOCK, "claim power closed floor: force(x)*ẋ = -2*dissipation;");
    check(BLOCK, "claim total closed floor: dissipation = (c + k)/2*ẋ^2;");
    check(BLOCK, "claim own: dissipation = k/2*ẋ^2;");
}

#[test]
fn mistakes() {
    refused(HEMISPHERE, "claim a: λ(surface) = 0;", "write `claim name closed surface: …`");
    refused(HEMISPHERE, "claim a closed surfaces: r = R;", "there is no contact `surfaces`");
    refused(BLOCK, "claim a closed wall: λ(floor) = 0;", "`λ(floor)` is a force only while");
    refused(
        BLOCK,
        "contact roof { gap = 2 - y; impact = elastic; dissipation = ẋ^2; dissipation = ẏ^2; }",
        "a contact has one gap, one law, one dissipation, one slip and one friction",
    );
    refused(
        BLOCK,
        "contact roof { gap = 2 - y; impact = elastic; dissipation = ẍ^2; }",
        "dissipation",
    );
}

#[test]
fn dry_friction_of_a_contact_is_refused() {
    refused(
        BLOCK,
        "contact roof { gap = 2 - y; impact = elastic; dissipation = abs(ẋ); }",
        "the dissipation of a contact must be smooth",
    );
    check(BLOCK, "contact roof { gap = 2 - y; impact = elastic; dissipation = ẋ^2*abs(ẋ); }");
}

#[test]
fn the_closed_contacts_are_kept() {
    let source = format!("system S {{ claim a closed wall, floor: x = y; {BLOCK} }}");
    let derived = derive_source(&source).expect("the claim follows");
    let closed = derived.model.claims[0].closed.iter().map(|touching| touching.contact);
    assert!(closed.eq([0, 1]));
    assert_eq!(derived.model.contacts.len(), 2, "the model is as it was");
    assert!(derived.model.rows.is_empty(), "the model is as it was");
}

/// A ball of mass m and radius r on an incline: its slip is ẋ − r θ̇.
const INCLINE: &str = "coordinates { x, y, θ }
    parameters { m = 1 where m > 0, r = 1/2 where r > 0, g = 9.81 where g > 0, φ = 1/4, μ = 0.3 where μ > 0, δ = 1/20 }
    kinetic = m/2*(ẋ^2 + ẏ^2) + m*r^2/5*θ̇^2; potential = m*g*(y*cos(φ) - x*sin(φ));
    contact floor { gap = y; slip = ẋ - r*θ̇; friction(2*μ, μ); impact = plastic; }
    contact wall { gap = 9 - x; impact = elastic; }";

#[test]
fn what_sticks_holds_its_slip() {
    check(INCLINE, "claim rolls closed floor sticks: ẋ = r*θ̇;");
    check(INCLINE, "claim slow closed floor sticks: ẍ = 5/7*g*sin(φ);");
    check(INCLINE, "claim held closed floor sticks: friction(floor) = -2/7*m*g*sin(φ);");
    check(INCLINE, "claim stays closed floor sticks: λ(floor) = m*g*cos(φ);");
    refused(INCLINE, "claim fast closed floor sticks: ẍ = g*sin(φ);", "does not follow");
}

#[test]
fn what_slides_is_pushed_back_along_its_slip() {
    let push = "let s = ẋ - r*θ̇; claim push closed floor slides:";
    check(INCLINE, &format!("{push} friction(floor) = -μ*m*g*cos(φ)*s/abs(s);"));
    check(INCLINE, &format!("{push} ẍ = g*sin(φ) - μ*g*cos(φ)*sign(s);"));
    check(INCLINE, &format!("{push} θ̈ = 5/2*μ*g*cos(φ)/r*sign(s);"));
    refused(INCLINE, &format!("{push} ẋ = r*θ̇;"), "does not follow");
    // With another contact closed beside it.
    check(
        INCLINE,
        "claim both closed floor slides, wall:
         λ(wall) = m*g*(sin(φ) - μ*cos(φ)*sign(ẋ - r*θ̇));",
    );
}

/// A rod with one end on a floor: friction and normal force are coupled.
#[test]
fn friction_that_turns_a_body_changes_its_normal_force() {
    let rod = "coordinates { x, y, θ }
        parameters { m = 1 where m > 0, l = 1 where l > 0, J = 1/3 where J > 0, g = 9.81, μ = 1/2 where μ > 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2; potential = m*g*y; let s = ẋ + l*sin(θ)*θ̇;
        contact floor { gap = y - l*sin(θ); slip = s; friction = μ; impact = plastic; }";
    check(
        rod,
        "claim normal closed floor slides:
         λ(floor)*(1/m + l^2*cos(θ)*(cos(θ) + μ*sign(s)*sin(θ))/J) = g - l*sin(θ)*θ̇^2;",
    );
    check(rod, "claim turns closed floor sticks: (J + m*l^2)*θ̈ = -m*g*l*cos(θ);");
}

/// Two directions, of one coefficient and of two, and resistance against rolling and spinning.
#[test]
fn in_a_plane_friction_has_two_components() {
    let puck = "coordinates { x, y, z } parameters { m = 1 where m > 0, g = 9.81 where g > 0, a = 0.3, b = 0.2 }
        kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2); potential = m*g*z;
        contact ice { gap = z; slip = [ẋ, ẏ]; FRICTION impact = plastic; }";
    let round = puck.replace("FRICTION", "friction = a;");
    let oval = puck.replace("FRICTION", "friction([a, b]);");
    check(&round, "claim slow closed ice slides: ẍ = -a*g*ẋ/sqrt(ẋ^2 + ẏ^2);");
    check(&round, "claim vector closed ice slides: friction(ice) = -a*m*g/norm(velocity)*[ẋ, ẏ];");
    check(&round, "claim rests closed ice sticks: [ẋ, ÿ] = [0, 0];");
    check(&oval, "claim slow closed ice slides: ÿ = -b^2*g*ẏ/sqrt(a^2*ẋ^2 + b^2*ẏ^2);");
    check(&oval, "claim first closed ice slides: friction(ice)[1]*b^2*ẏ = friction(ice)[2]*a^2*ẋ;");
    let disk = "coordinates { x, y, θ, ψ } parameters { m = 1 where m > 0, r = 1, J = 1, g = 9.81 where g > 0, δ = 0.1, ε = 0.2 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*(θ̇^2 + ψ̇^2); potential = m*g*y;
        contact floor { gap = y; slip = ẋ - r*θ̇; friction = 1/2; roll = θ̇; rolling = δ; spin = ψ̇; spinning = ε; impact = plastic; }";
    check(disk, "claim rolls closed floor sticks: (m*r^2 + J)*θ̈ = -δ*m*g*sign(θ̇);");
    check(disk, "claim spins closed floor slides: J*ψ̈ = spinning(floor);");
    check(disk, "claim moment closed floor sticks: rolling(floor) = -δ*m*g*θ̇/abs(θ̇);");
}

/// What acts with a normal force is in the claims of its contact, and in those of flight not.
#[test]
fn forces_with_a_normal_force_act_while_the_contact_is_closed() {
    let block = "coordinates { x, y } parameters { m = 1 where m > 0, g = 9.81, c = 1/3 }
        kinetic = m/2*(ẋ^2 + ẏ^2); potential = m*g*y; force x = -c*λ(floor)*ẋ;
        contact floor { gap = y - x/2; impact = plastic; }";
    check(block, "claim flight: m*ẍ = 0;");
    check(block, "claim slow closed floor: m*ẍ = -(c*ẋ + 1/2)*λ(floor);");
    check(block, "claim normal closed floor: λ(floor)*(1 + 1/4 + c*ẋ/2) = m*g;");
    check(block, "claim force closed floor: force(x) = -c*λ(floor)*ẋ;");
}

#[test]
fn what_is_said_of_friction_that_is_not_there() {
    for (claim, words) in [
        ("claim a closed floor: ẍ = 0;", "write `closed floor sticks` or `closed floor slides`"),
        ("claim a closed wall slides: ẍ = 0;", "`wall` has no friction"),
        ("claim a closed floor stick: ẍ = 0;", "did you mean `sticks`?"),
        ("claim a: friction(floor) = 0;", "write `claim name closed floor: …`"),
        ("claim a closed wall: friction(wall) = 0;", "`wall` has no friction"),
        ("claim a at floor: ẋ_plus = ẋ_minus;", "of whose impulses claims know nothing"),
    ] {
        refused(INCLINE, claim, words);
    }
}

/// A crate on two rough feet, and a beam on three supports: the motion is determined, and the sum of the forces, by hand; what
/// each bears is not. A contact that holds a velocity which another one does not has no state.
#[test]
fn what_is_not_determined_is_not_claimed() {
    let undetermined = "which the equations of motion do not determine: rows depend on each other";
    let crate_ = "coordinates { x, y, θ } parameters { μ = 0.8, g = 9.81, F = 1, b = 0.5, h = 0.3 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/8; potential = g*y; force x = F;
        let L = [x - b*cos(θ) + h*sin(θ), y - b*sin(θ) - h*cos(θ)];
        let R = [x + b*cos(θ) + h*sin(θ), y + b*sin(θ) - h*cos(θ)];
        contact left { gap = L[2]; slip = L_dot[1]; friction = μ; impact = plastic; }
        contact right { gap = R[2]; slip = R_dot[1]; friction = μ; impact = plastic; }";
    check(crate_, "claim rests closed left sticks, right sticks: [ẍ, ÿ] = [0, 0];");
    check(
        crate_,
        "claim both closed left sticks, right sticks: friction(left) + friction(right) = -F;",
    );
    refused(
        crate_,
        "claim one closed left sticks, right sticks: friction(left) = -F;",
        undetermined,
    );
    refused(
        crate_,
        "claim other closed left sticks, right sticks: friction(right) = 0;",
        undetermined,
    );
    let beam =
        "coordinates { y, θ } parameters { g = 9.81 } kinetic = ẏ^2/2 + θ̇^2/8; potential = g*y;
        contact a { gap = y - θ; impact = plastic; } contact b { gap = y; impact = plastic; }
        contact c { gap = y + θ; impact = plastic; }";
    check(beam, "claim all closed a, b, c: λ(a) + λ(b) + λ(c) = g;");
    check(beam, "claim even closed a, b, c: λ(a) = λ(c);");
    check(beam, "claim two closed a, c: λ(a) = g/2;");
    refused(beam, "claim none closed a, b, c: λ(c) = 0;", undetermined);
    refused(beam, "claim middle closed a, b, c: λ(b) = g;", "does not follow");
    let belt = "coordinates { x, y } parameters { V = 0.5 where V > 0, μ = 0.3, g = 9.81 } kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
        contact belt { gap = y; slip = ẋ - V; friction = μ; impact = plastic; } contact wall { gap = 3 - x; impact = plastic; }";
    refused(belt, "claim both closed belt sticks, wall: λ(wall) = 0;", "cannot be decided");
}

/// A beam on three supports, which slides into a slanted wall: the impulses of the supports are known in their sum and in
/// their moment. A row that the struck contact brings along and that depends on what is closed is left out.
#[test]
fn impulses_that_are_not_determined_are_not_claimed() {
    let beam = "coordinates { x, y, θ } parameters { g = 9.81 } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/8; potential = g*y;
        contact a { gap = y - θ; impact = plastic; } contact b { gap = y; impact = plastic; }
        contact c { gap = y + θ; impact = plastic; } contact wall { gap = 3 - x + y/5 + θ/7; impact = elastic; }";
    check(beam, "claim after closed a, b, c at wall: [ẋ_plus, ẏ_plus, θ̇_plus] = [-ẋ, 0, 0];");
    check(beam, "claim struck closed a, b, c at wall: impulse(wall) = 2*ẋ;");
    check(
        beam,
        "claim all closed a, b, c at wall: impulse(a) + impulse(b) + impulse(c) = -impulse(wall)/5;",
    );
    check(beam, "claim moment closed a, b, c at wall: impulse(a) - impulse(c) = impulse(wall)/7;");
    check(beam, "claim two closed a, c at wall: impulse(a) = -impulse(wall)*(1/5 - 1/7)/2;");
    refused(beam, "claim none closed a, b, c at wall: impulse(c) = 0;", "does not follow");
    let middle = "claim middle closed a, b, c at wall: impulse(b) = -impulse(wall)*(1/5 + 1/7);";
    refused(beam, middle, "does not follow");
    let feet = "coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/8;
        contact left { gap = y - θ; constraints { hold: ẋ = 0; } impact = plastic; }
        contact right { gap = y + θ; constraints { grip: ẋ = 0; } impact = plastic; }";
    check(feet, "claim out closed left at right: impulse(right.grip) = 0;");
}

/// A wheel that a row lets roll slips nowhere: of how it slides nothing can be claimed.
#[test]
fn what_rows_hold_does_not_slide() {
    const WHEEL: &str = "coordinates { x, y, θ }
        parameters { m = 1 where m > 0, J = 1 where J > 0, R = 1 where R > 0, g = 9.81, μ = 0.3 where μ > 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2; potential = m*g*y;
        contact floor { gap = y; impact = plastic; slip = ẋ - R*θ̇; friction = μ; }";
    let rolling = format!("{WHEEL} constraints {{ roll: ẋ = R*θ̇; }}");
    let held = "`floor` slides nowhere";
    refused(&rolling, "claim c closed floor slides: ẍ = 0;", held);
    refused(&rolling, "claim c closed floor slides: ẍ = μ*g;", held);
    check(WHEEL, "claim c closed floor slides: m*ẍ = -μ*m*g*sign(ẋ - R*θ̇);");
    refused(WHEEL, "claim c closed floor slides: m*ẍ = μ*m*g*sign(ẋ - R*θ̇);", "does not follow");
    check(WHEEL, "claim c closed floor sticks: ẍ = 0;");
}
