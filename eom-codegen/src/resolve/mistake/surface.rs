//! What is said of points on surfaces.

type Words = (String, Option<String>);

/// A point, or a velocity, of another size than the surface.
pub(super) fn places(found: &str, places: usize) -> Words {
    if !(2..=3).contains(&places) {
        let help = "write `surface(x, y) = y;` in the plane, `surface(x, y, z) = z;` in space";
        return (
            format!("a surface is one of two places or three, not of {places}"),
            Some(help.to_owned()),
        );
    }
    let form = if places == 2 { "[X, Y]" } else { "[X, Y, Z]" };
    (
        format!("the surface is one of {places} places, and this is {found}"),
        Some(format!(
            "write a vector such as `{form}`, or as many places as it has: `surface(x, y)`"
        )),
    )
}

/// A surface without its places.
pub(super) fn without(names: &[String]) -> Words {
    let form = "write what is positive outside of it, such as the height over it: `surface(x, y) = y - x^2/2;`";
    (
        format!("the surface does not depend on its places {}", names.join(", ")),
        Some(form.to_owned()),
    )
}

/// A surface that moves.
pub(super) fn moves(size: usize) -> Words {
    let form = if size == 2 { "[0, 0]" } else { "[0, 0, 0]" };
    (
        "the surface moves, and what slips on it depends on how".to_owned(),
        Some(format!(
            "add the velocity of what the surface is made of where the point touches: `velocity = {form};`"
        )),
    )
}

/// A slip beside a surface.
pub(super) fn slip() -> Words {
    let help = "leave it out, or write `gap = …;` in place of the point and the surface";
    ("the point and the surface tell the slip".to_owned(), Some(help.to_owned()))
}
