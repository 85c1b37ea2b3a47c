//! How figures look beside what they show: ranges, logarithmic axes, size, title, dark, dots an inch.

use crate::complaint::Complaint;
use crate::numbers::evaluate;
use models::scene::Point;

/// The wishes of the command line; without them figures are as they were.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Look {
    /// The range of each axis, where it is given.
    pub(crate) ranges: [Option<[f64; 2]>; 2],
    /// Which axes are logarithmic.
    pub(crate) log: [bool; 2],
    /// The width and the height of the frame in units of 1/96 inch.
    pub(crate) size: Option<[f64; 2]>,
    /// The title in place of the model's; an empty one leaves it out.
    pub(crate) title: Option<String>,
    /// Light lines on a dark page.
    pub(crate) dark: bool,
    /// Dots an inch of PNG.
    pub(crate) dpi: Option<f64>,
    /// Of points at events the last so many of each run; without it all.
    pub(crate) last: Option<usize>,
}

/// The least and the largest side of a frame.
const SIDES: [f64; 2] = [40.0, 20_000.0];

/// Dots an inch, from and to.
const DPI: [f64; 2] = [10.0, 2400.0];

/// Colours of the light page, and what they are on a dark one.
const DARK: [(&str, &str); 11] = [
    ("white", "#14161a"),
    ("#1a1a1a", "#e8e8e6"),
    ("#5a5a5a", "#a2a8b0"),
    ("#b4b4b4", "#5a6069"),
    ("#ececec", "#2a2f37"),
    ("#2b5c9e", "#7fb0ee"),
    ("#c8391f", "#ff8a70"),
    ("#7b3fa0", "#c79be8"),
    ("#1f7a3d", "#6fcf8f"),
    ("#fbf9f4", "#1c1f25"),
    ("#b3690a", "#f0b35a"),
];

impl Look {
    /// The last points of a run, where not all are shown.
    pub(crate) fn last<T>(&self, mut points: Vec<T>) -> Vec<T> {
        let left_out = self.last.map_or(0, |last| points.len().saturating_sub(last));
        points.drain(..left_out);
        points
    }

    /// The range of an axis: `A:B`.
    pub(crate) fn range(option: &str, text: &str) -> Result<[f64; 2], Complaint> {
        let complain = |what: &str| Complaint::new(format!("{option} {text}: {what}"));
        let (low, high) = text.split_once(':').ok_or_else(|| complain("write LOW:HIGH"))?;
        let number =
            |side: &str| evaluate(side, &[]).map_err(|mistake| complain(&mistake.to_string()));
        match [number(low)?, number(high)?] {
            range if range[0] < range[1] && (range[1] - range[0]).is_finite() => Ok(range),
            _ => Err(complain("the first is not below the second")),
        }
    }

    /// The size of the frame: `WxH`.
    pub(crate) fn size(text: &str) -> Result<[f64; 2], Complaint> {
        let sides = text.split_once(['x', '×', ',']).and_then(|(width, height)| {
            Some([width.trim().parse::<f64>().ok()?, height.trim().parse::<f64>().ok()?])
        });
        sides
            .filter(|sides| sides.iter().all(|side| (SIDES[0]..=SIDES[1]).contains(side)))
            .ok_or_else(|| {
                Complaint::new(format!("--size {text}: write WIDTHxHEIGHT, from 40 to 20000 each"))
            })
    }

    /// Dots an inch.
    pub(crate) fn dpi(dpi: f64) -> Result<f64, Complaint> {
        if (DPI[0]..=DPI[1]).contains(&dpi) {
            return Ok(dpi);
        }
        Err(Complaint::new(format!("--dpi {dpi}: it is from 10 to 2400")))
    }

    /// Whether an axis can be logarithmic over a range.
    pub(crate) fn check(&self, bounds: &[[f64; 2]; 2]) -> Result<(), String> {
        for (axis, name) in ["x", "y"].into_iter().enumerate() {
            let low =
                self.ranges[axis].map_or(bounds[axis][0], |range| range[0].min(bounds[axis][0]));
            if self.log[axis] && low <= 0.0 {
                return Err(format!("--log: the {name} axis has values that are not above 0"));
            }
        }
        Ok(())
    }

    /// The line below the title; it says where points have no place on a logarithmic axis.
    pub(crate) fn told<'p>(&self, detail: &str, points: impl Iterator<Item = &'p Point>) -> String {
        let has_no_place = |point: &Point| point.iter().any(|x| !x.is_finite());
        let is_left_out = self.log != [false; 2] && { points }.any(has_no_place);
        let left_out = if is_left_out { "; what is not above 0 is left out" } else { "" };
        format!("{detail}{left_out}")
    }

    /// The title of a figure; none where it is left out.
    pub(crate) fn titled<'t>(&'t self, title: &'t str) -> Option<&'t str> {
        match &self.title {
            None => Some(title),
            Some(own) => Some(own.as_str()).filter(|own| !own.is_empty()),
        }
    }

    /// The page in its colours.
    pub(crate) fn coloured(&self, svg: String) -> String {
        if !self.dark {
            return svg;
        }
        DARK.iter().fold(svg, |svg, (light, dark)| {
            ["fill", "stroke"].into_iter().fold(svg, |svg, what| {
                svg.replace(&format!("{what}=\"{light}\""), &format!("{what}=\"{dark}\""))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Look;

    #[test]
    fn wishes_are_read() {
        let range = |text: &str| Look::range("--x", text).ok();
        assert_eq!(range("-1:2*pi"), Some([-1.0, 2.0 * std::f64::consts::PI]));
        assert_eq!([range("2:1"), range("1"), range("a:1"), range("1:1")], [None; 4]);
        let size = |text: &str| Look::size(text).ok();
        assert_eq!(
            [size("640x480"), size("3x3"), size("640"), size("NaNx50")],
            [Some([640.0, 480.0]), None, None, None]
        );
        assert!(
            Look::dpi(300.0).is_ok() && Look::dpi(f64::NAN).is_err() && Look::dpi(0.0).is_err()
        );
    }

    #[test]
    fn the_last_points_are_shown() {
        let shown = |last| Look { last, ..Look::default() }.last(vec![1, 2, 3]);
        assert_eq!(
            [shown(None), shown(Some(5)), shown(Some(2))].map(|points| points.len()),
            [3, 3, 2]
        );
        assert_eq!(shown(Some(2)), [2, 3]);
    }

    #[test]
    fn a_logarithm_needs_numbers_above_0() {
        let log = Look { log: [false, true], ..Look::default() };
        assert!(log.check(&[[-1.0, 1.0], [0.1, 1.0]]).is_ok());
        assert!(log.check(&[[-1.0, 1.0], [0.0, 1.0]]).is_err());
    }
}
