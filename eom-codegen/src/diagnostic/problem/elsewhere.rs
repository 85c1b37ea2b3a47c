//! Items and laws that go by other names elsewhere, and what is written here.

/// The item that is meant by another name.
pub(super) fn synonym(word: &str, known: &[&'static str]) -> Option<&'static str> {
    // table
    let item = match word {
        "mu" | "μ" => "friction",
        "damping" | "rayleigh" => "dissipation",
        "parameter" | "constants" | "constant" | "param" | "params" => "parameters",
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
        "T" | "kinetic_energy" | "E_kin" | "KE" => "kinetic",
        "V" | "U" | "potential_energy" | "E_pot" | "PE" => "potential",
        _ => return None,
    };
    known.contains(&item).then_some(item)
}

/// What is written for equations of motion.
pub(super) const EQUATIONS: &str =
    "equations are derived: state `kinetic`, `potential`, `force x = …;` and `constraints { … }`";

/// What is written for an item that has no like here.
pub(super) fn item(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let (of_system, of_contact) = (known.contains(&"kinetic"), known.contains(&"gap"));
    let of_event = known.contains(&"guard");
    // table
    match word {
        "equations" | "equation" | "dynamics" | "ode" if of_system => Some(EQUATIONS),
        "var" | "variable" | "variables" | "Real" | "real" | "float" | "double" | "symbols"
            if of_system =>
        {
            Some("write `coordinates { x }`, and values as `parameters { m = 1 }`")
        }
        "friction" if of_system => {
            Some("write `dissipation = c*abs(ẋ);`, or `slip = ẋ; friction = μ;` in a contact")
        }
        "for" | "foreach" if of_system => {
            Some("write an index: `contact c[i in 1..=4] { … }`, `x[1..=3]`, `sum(…, i in 1..=3)`")
        }
        "initial" | "initials" | "ic" | "start" if of_system => {
            Some("write `scenario start { x = 1; until t = 10; }`")
        }
        "F" | "Q" | "forces" | "torque" | "generalized_force" | "generalised_force"
            if of_system =>
        {
            Some("write `force x = …;`, one for each coordinate")
        }
        "const" | "final" | "val" if of_system => {
            Some("write `let X = …;`, or a value in `parameters { X = 3 }`")
        }
        "plot" | "print" if of_system => {
            Some("write `output name = …;` for what a run has along it; `eom run … --plot` draws")
        }
        "restitution" | "e" | "cor" | "elastic" | "plastic" if of_contact => {
            Some("write `impact = restitution(e);`, or `elastic`, `plastic`")
        }
        "terminal" | "stop" | "terminate" | "end" | "until" if of_event => {
            Some("a scenario says what ends a run: `until NAME;`, with the name of this event")
        }
        "when" | "condition" | "trigger" | "if" if of_event => {
            Some("an event happens where its guard passes 0: write `guard = x - 1;`")
        }
        "direction" if of_event => Some("write `rising;`, `falling;` or `both;`"),
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
