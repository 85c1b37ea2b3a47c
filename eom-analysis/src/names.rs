//! What the entries of y = (q, v) are called.

use eom_core::info::SystemInfo;
use unicode_normalization::UnicodeNormalization;

/// An entry of the state: a coordinate or a speed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place in y = (q, v).
    pub place: usize,
    /// Its name: `θ`, `θ̇`, `u`.
    pub name: String,
    /// The same in ASCII: `theta`, `theta_dot`.
    pub ascii: String,
}

/// The entries of y in their order.
pub(crate) fn entries(info: &SystemInfo) -> Vec<Entry> {
    let positions = (0..info.positions()).map(|i| (info.position_name(i), info.position_ascii(i)));
    let velocities =
        info.velocities.iter().map(|speed| (speed.name.to_owned(), speed.ascii.to_owned()));
    let rates = info.coordinates.iter().filter(|_| info.is_plain());
    let rates =
        rates.map(|coordinate| (dotted(coordinate.name), format!("{}_dot", coordinate.ascii)));
    let all = positions.chain(velocities).chain(rates).enumerate();
    all.map(|(place, (name, ascii))| Entry { place, name, ascii }).collect()
}

/// `ẋ_B` of `x_B`, `θ̇1` of `θ1`: the dot is on the letter.
fn dotted(name: &str) -> String {
    let ends = |c: char| c == '_' || c.is_ascii_digit();
    let stem = name.find(ends).unwrap_or(name.len());
    let (letters, rest) = name.split_at(stem);
    let mut chars = letters.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) => format!("{letter}\u{307}{rest}").nfc().collect(),
        _ => format!("{name}_dot"),
    }
}

/// The place of a name among entries, in either spelling; `theta_dot[1]` is `theta1_dot`.
pub(crate) fn find(entries: &[Entry], name: &str) -> Option<usize> {
    let element = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let name = element.map_or_else(
        || name.to_owned(),
        |(base, index)| match base.strip_suffix("_dot") {
            Some(stem) => format!("{stem}{}_dot", index.trim()),
            None => format!("{base}{}", index.trim()),
        },
    );
    let name: String = name.nfc().collect();
    entries.iter().position(|entry| entry.name.nfc().eq(name.chars()) || entry.ascii == name)
}

/// `a, b, c`.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}
