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
    refused(HEMISPHERE, "claim free: r = R;", "claim `free` does not follow");
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
    assert_eq!(derived.model.claims[0].closed, [0, 1]);
    assert_eq!(derived.model.contacts.len(), 2, "the model is as it was");
    assert!(derived.model.rows.is_empty(), "the model is as it was");
}
