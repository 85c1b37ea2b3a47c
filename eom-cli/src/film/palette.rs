//! The colours of a film with so few of them as a GIF has.

use std::collections::BTreeMap;

/// Red, green and blue.
pub(super) type Color = [u8; 3];

/// Colours with the numbers of pixels that have them; their order is that of the numbers, for the same bytes in each run.
pub(super) type Counts = BTreeMap<Color, u64>;

/// The few colours, and which of them each colour becomes.
#[derive(Debug)]
pub(super) struct Palette {
    /// The colours.
    pub(super) colors: Vec<Color>,
    of: BTreeMap<Color, u8>,
}

impl Palette {
    /// At most `most` ≤ 256 colours: all that there are, or those that are missed most,
    ///
    /// ```text
    /// c_{k+1} = argmax n(c) d²(c),    d(c) = min_{i ≤ k} |c − c_i|,
    /// ```
    ///
    /// n(c) pixels of a colour. A chosen colour stays to the bit, each other becomes the nearest of the chosen: what
    /// is seen much, or is like nothing else, is chosen before shades are.
    pub(super) fn new(counts: &Counts, most: usize) -> Self {
        // Each colour with its pixels, the square of its distance and the nearest of the few.
        let mut all: Vec<(Color, u64, u64, u8)> =
            counts.iter().map(|(color, count)| (*color, *count, u64::from(u32::MAX), 0)).collect();
        let mut colors: Vec<Color> = Vec::new();
        while colors.len() < most.min(256) {
            let missed = |(_, count, distance, _): &(Color, u64, u64, u8)| count * distance;
            // The first of those that are missed alike.
            let next = all.iter().rev().max_by_key(|entry| missed(entry));
            let Some((next, ..)) = next.copied().filter(|entry| missed(entry) > 0) else { break };
            for (color, _, distance, nearest) in &mut all {
                let own = square(*color, next);
                if own < *distance {
                    (*distance, *nearest) = (own, colors.len() as u8);
                }
            }
            colors.push(next);
        }
        let of = all.into_iter().map(|(color, _, _, nearest)| (color, nearest)).collect();
        Self { colors, of }
    }

    /// The place of the one that a colour becomes.
    pub(super) fn place(&self, color: Color) -> u8 {
        self.of.get(&color).copied().unwrap_or(0)
    }
}

/// The square of the distance of two colours.
fn square(one: Color, other: Color) -> u64 {
    one.iter().zip(other).map(|(a, b)| u64::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::{Counts, Palette};

    #[test]
    fn few_colours_are_kept() {
        let counts: Counts = [([9, 0, 0], 5), ([0, 9, 0], 1), ([255, 255, 255], 70)].into();
        let palette = Palette::new(&counts, 255);
        assert_eq!(palette.colors, [[255, 255, 255], [9, 0, 0], [0, 9, 0]]);
        assert_eq!(palette.place([0, 9, 0]), 2);
    }

    /// Of the shades between white and a colour, and a small dot of another, the ends and the dot stay, and no
    /// shade is farther from the nearest than half of an even division would have it, twice.
    #[test]
    fn of_many_the_distinct_stay() {
        let shades = (0..=200_u8).map(|k| ([255 - k, 255 - k, 255], 10 + u64::from(k % 7)));
        let mut counts: Counts = shades.collect();
        counts.insert([255, 255, 255], 1_000_000);
        counts.insert([200, 57, 31], 4);
        let palette = Palette::new(&counts, 16);
        assert_eq!(palette.colors.len(), 16);
        for kept in [[255, 255, 255], [200, 57, 31]] {
            assert_eq!(palette.colors[usize::from(palette.place(kept))], kept);
        }
        for color in counts.keys() {
            let found = palette.colors[usize::from(palette.place(*color))];
            assert!(found[0].abs_diff(color[0]) <= 14, "{color:?} becomes {found:?}");
        }
    }
}
