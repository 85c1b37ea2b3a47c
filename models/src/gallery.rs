//! The gallery: systems of the literature as files of the language, and the published numbers that they hold.
//!
//! A system is a line of [`GALLERY`] and a file; a number is a line of `gallery/numbers.tsv`, which the tests hold and
//! the book prints.

/// A system of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GalleryEntry {
    /// The name by which commands call it, in ASCII.
    pub name: &'static str,
    /// What it shows, in a line.
    pub shows: &'static str,
    /// Its declaration.
    pub text: &'static str,
}

/// The entry of a file.
macro_rules! system {
    ($name:literal, $shows:literal) => {
        system!($name, $shows, concat!("../gallery/", $name, ".eom"))
    };
    ($name:literal, $shows:literal, $path:expr) => {
        GalleryEntry { name: $name, shows: $shows, text: include_str!($path) }
    };
}

/// All systems of the gallery, as they are listed.
pub static GALLERY: [GalleryEntry; 34] = [
    system!(
        "bicycle",
        "Whipple's bicycle: weave and capsize",
        "../../examples/bicycle/bicycle.eom"
    ),
    system!("simplest-walker", "the simplest walker: its two gaits and their multipliers"),
    system!("compass-walker", "a walker with massive legs: a gait, and where its period doubles"),
    system!("rimless-wheel", "a wheel of spokes: multiplier cos²2α"),
    system!("housner-block", "a slender block: periods and loss of its rocking"),
    system!("rocking-block", "a free block: Housner's loss, derived from a contact"),
    system!("bouncing-ball", "a ball on a shaking table: where its period doubles"),
    system!("impact-oscillator", "a driven oscillator at a wall: the square root of grazing"),
    system!("chaplygin-sleigh", "a sleigh: it turns by π √(1 + J/(m a²)), and keeps no volume"),
    system!("suslov", "Suslov's problem: one steady turn attracts, the opposite one repels"),
    system!("appell", "Appell's example: a constraint of squares of velocities"),
    system!("chaplygin-ball", "Chaplygin's ball: the moment of momentum about the contact stays"),
    system!("rattleback", "the rattleback: one sense of spin is unstable"),
    system!("rolling-disk", "a rolling disk: critical speeds, Euler's disk"),
    system!("euler-disk", "Euler's disk to its stop: (t₀ − t)², 24 decades of it"),
    system!("snakeboard", "the snakeboard: its momentum equation"),
    system!(
        "contact-oscillator",
        "oscillators coupled by a gearbox: integrals of a nonholonomic system"
    ),
    system!("cylinder-pendulum", "a spherical pendulum in a cylinder: energy through impacts"),
    system!("bouncing-ellipse", "an ellipse on a floor: energy and momentum through impacts"),
    system!("capstan", "a bead on a ring: v = v₀ e^(−μθ), as a rope round a drum"),
    system!("woodpecker", "the woodpecker toy: friction, impacts, a jam a cycle"),
    system!("tippe-top", "the tippe top: friction turns it over, Jellett's integral stays"),
    system!("slider-crank", "a slider–crank with play in a pin"),
    system!("kapitza", "Kapitza's pendulum: Mathieu's stability"),
    system!("ziegler", "Ziegler's column: flutter, and what damping does to it"),
    system!("heavy-top", "Lagrange's top: asleep from 4 m g l I₁/I₃² on"),
    system!("kovalevskaya", "Kovalevskaya's top: the fourth integral"),
    system!("spherical-pendulum", "the spherical pendulum about a steady cone"),
    system!("kepler", "Kepler's problem: Laplace, Runge and Lenz"),
    system!("lagrange-points", "the triangular points: Routh's mass ratio"),
    system!("figure-eight", "three bodies on a figure eight"),
    system!("circular-billiard", "a billiard in a circle: exponents 0"),
    system!("sinai-billiard", "Sinai's billiard: its exponent for a small disk"),
    system!("stadium-billiard", "Bunimovich's stadium: chaos"),
];

/// A number that a system of the gallery holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// The system.
    pub model: &'static str,
    /// What it is.
    pub what: &'static str,
    /// The command that computes it, without the name of the model: `analyse linear --scenario straight`.
    pub asked: &'static str,
    /// Where it stands in what the command writes: JSON pointers, joined by ` + ` where they are added.
    pub at: &'static str,
    /// The value as printed, or as a closed form.
    pub value: &'static str,
    /// How far it may be off.
    pub within: &'static str,
    /// Where it was published, or how it follows.
    pub source: &'static str,
}

/// The numbers, by system.
pub fn numbers() -> impl Iterator<Item = Number> {
    include_str!("../gallery/numbers.tsv").lines().skip(1).filter_map(number)
}

fn number(line: &'static str) -> Option<Number> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    Some(Number {
        model: next()?,
        what: next()?,
        asked: next()?,
        at: next()?,
        value: next()?,
        within: next()?,
        source: next()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_numbers_is_read_and_names_a_system() {
        let lines = include_str!("../gallery/numbers.tsv").lines().count() - 1;
        assert_eq!(numbers().count(), lines);
        for number in numbers() {
            let known = GALLERY.iter().any(|entry| entry.name == number.model);
            assert!(known, "{}", number.model);
        }
    }

    #[test]
    fn every_system_holds_a_number() {
        for entry in &GALLERY {
            assert!(numbers().any(|number| number.model == entry.name), "{}", entry.name);
        }
    }
}
