//! What is meant, where the place of a name or its form is that of another habit.

/// What to do with a name that cannot stand in its place.
pub(super) fn not_here(name: &str, what: &str, place: &str) -> String {
    // table
    match (what, place) {
        ("a velocity", "a holonomic constraint") => {
            "write a row with velocities in `constraints { … }`".to_owned()
        }
        ("an input", "the potential") => {
            format!("write what `{name}` does as a force: `force x = {name};`")
        }
        ("a parameter", "a default") => {
            format!("declare `{name}` before the parameter whose default it stands in")
        }
        _ => format!("write it without `{name}`"),
    }
}

/// What is said of `diff(energy, ẋ)`.
pub(super) fn partial(function: &str, of: &str, by: &str) -> (String, Option<String>) {
    (
        format!("`{function}(…)` is no derivative here"),
        Some(format!("write `partial({of}, {by})` in a claim, elsewhere the derivative itself")),
    )
}

/// What is said of `[x, y] [0, 0]`.
pub(super) fn two_points(left: &str, right: &str) -> (String, Option<String>) {
    (
        "two brackets side by side read as a vector and its index".to_owned(),
        Some(format!("write `,` between two points: `{left}, {right}`")),
    )
}

/// What is to be added to quasi-velocities that are too few, each with the velocity that it is.
pub(super) fn more_speeds(missing: &[(String, String)]) -> String {
    if missing.is_empty() {
        return "define as many as there are coordinates in them".to_owned();
    }
    let more: Vec<String> = missing.iter().map(|(name, of)| format!("{name} = {of}")).collect();
    format!("define as many as there are coordinates in them: add `{}`", more.join(", "))
}
