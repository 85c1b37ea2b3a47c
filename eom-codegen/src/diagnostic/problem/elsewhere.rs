//! Items and laws that go by other names elsewhere, and what is written here.

/// The item that is meant by another name.
pub(super) fn synonym(word: &str, known: &[&'static str]) -> Option<&'static str> {
    // table
    let item = match word {
        "mu" | "μ" => "friction",
        "damping" | "rayleigh" => "dissipation",
        "parameter" | "constants" | "constant" | "params" => "parameters",
        "coordinate" | "states" | "generalized" => "coordinates",
        "input" | "controls" | "control" => "inputs",
        "constraint" | "nonholonomic" => "constraints",
        "define" | "where" => "let",
        "functions" | "fn" => "function",
        "impact" | "wall" | "ground" | "collision" | "obstacle" => "contact",
        "simulate" | "simulation" => "scenario",
        "distance" | "phi" | "signed_distance" => "gap",
        "law" => "impact",
        "L" => "lagrangian",
        "T" => "kinetic",
        "V" | "U" => "potential",
        _ => return None,
    };
    known.contains(&item).then_some(item)
}

/// What is written for an item that has no like here.
pub(super) fn item(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let (of_system, of_contact) = (known.contains(&"kinetic"), known.contains(&"gap"));
    // table
    match word {
        "equations" | "equation" | "dynamics" if of_system => Some(
            "equations are derived: state `kinetic`, `potential`, `force x = …;` and `constraints { … }`",
        ),
        "friction" if of_system => {
            Some("write `dissipation = c*abs(ẋ);`, or `slip = ẋ; friction = μ;` in a contact")
        }
        "for" | "foreach" if of_system => {
            Some("write an index: `contact c[i in 1..=4] { … }`, `x[1..=3]`, `sum(…, i in 1..=3)`")
        }
        "initial" | "initials" | "ic" | "start" if of_system => {
            Some("write `scenario start { x = 1; until t = 10; }`")
        }
        "F" | "Q" | "forces" if of_system => Some("write `force x = …;`, one for each coordinate"),
        "plot" | "print" if of_system => {
            Some("write `output name = …;` for what a run has along it; `eom run … --plot` draws")
        }
        "restitution" | "e" | "cor" | "elastic" | "plastic" if of_contact => {
            Some("write `impact = restitution(e);`, or `elastic`, `plastic`")
        }
        _ => None,
    }
}

/// What is written for a law of impact of another name.
pub(super) fn law(word: &str) -> Option<&'static str> {
    // table
    match word {
        "inelastic" | "perfectly_inelastic" | "sticky" | "stick" => {
            Some("write `plastic`, or `restitution(e)` with e in [0, 1]")
        }
        "newton" | "Newton" | "bounce" | "cor" | "e" | "partial" => {
            Some("write `restitution(e)` with e in [0, 1]")
        }
        "Poisson" => Some("write `poisson(e)`"),
        "Stronge" | "energetic" => Some("write `stronge(e)`"),
        _ => None,
    }
}
