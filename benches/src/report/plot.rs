//! Work and precision as figures: error along a logarithmic axis, time along another.

use super::Row;
use super::precision::{Curve, curves};
use crate::contest::Role;
use crate::work::Work;
use svg::Document;
use svg::node::element::path::Data;
use svg::node::element::{Circle, Group, Line, Path, Rectangle, Text, Title};

/// Lengths of the page in units of 1/96 inch.
const ORIGIN: [f64; 2] = [78.0, 62.0];
const SIZE: [f64; 2] = [520.0, 360.0];
const BELOW: f64 = 62.0;
const RIGHT: f64 = 26.0;
const LEGEND_ROW: f64 = 20.0;
const SAMPLE: f64 = 30.0;

const INK: &str = "#1a1a1a";
const QUIET: &str = "#5a5a5a";
const GRID: &str = "#e4e4e4";
/// Colours and dashes of the curves, by their places.
const STYLES: [(&str, &str); 6] = [
    ("#2b5c9e", ""),
    ("#c8391f", "7 3"),
    ("#1f7a3d", "2.5 2.5"),
    ("#7b3fa0", "9 3 2 3"),
    ("#b8860b", "4 2"),
    ("#1a1a1a", "1 2"),
];

/// The figures of the smooth problems: the names of the files and what is in them. The same rows
/// give the same bytes.
pub fn plots(rows: &[Row]) -> Vec<(String, String)> {
    let figure = |row: &Row| match row.work {
        Work::Precision(problem) => {
            let mut curves = curves(row);
            // Ours in the first style, on every figure.
            curves.sort_by_key(|curve| curve.role != Role::Ours);
            let frame = Frame::of(&curves)?;
            let title = format!("Time to an error: {}", problem.title());
            Some((format!("precision-{}.svg", problem.id()), frame.draw(&title, &curves)))
        }
        _ => None,
    };
    rows.iter().filter_map(figure).collect()
}

/// Powers of ten around all points: of the error across, of the time in ms up.
struct Frame {
    error: [i32; 2],
    time: [i32; 2],
}

impl Frame {
    fn of(curves: &[Curve]) -> Option<Self> {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let powers = |value: &dyn Fn(&(f64, f64)) -> f64| {
            let logarithms = points().map(|point| value(point).log10());
            let (low, high) = logarithms
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            [low.floor() as i32, (high.ceil() as i32).max(low.floor() as i32 + 1)]
        };
        points().next()?;
        Some(Self { error: powers(&|point| point.0), time: powers(&|point| point.1 * 1e-6) })
    }

    /// Where a point is on the page: small errors to the right, as is usual.
    fn at(&self, error: f64, ms: f64) -> [f64; 2] {
        let part = |value: f64, [low, high]: [i32; 2]| {
            (value.log10() - f64::from(low)) / f64::from(high - low)
        };
        [
            ORIGIN[0] + SIZE[0] * (1.0 - part(error, self.error)),
            ORIGIN[1] + SIZE[1] * (1.0 - part(ms, self.time)),
        ]
    }

    fn draw(&self, title: &str, curves: &[Curve]) -> String {
        let width = ORIGIN[0] + SIZE[0] + RIGHT;
        let height = ORIGIN[1] + SIZE[1] + BELOW + LEGEND_ROW * curves.len() as f64 + 8.0;
        let heading = words(title, [ORIGIN[0] + SIZE[0] / 2.0, 26.0], 15.0, "middle")
            .set("font-weight", "bold");
        let below = "each point a tolerance; lower is faster, further right more accurate";
        let mut document = Document::new()
            .set("width", width)
            .set("height", height)
            .set("viewBox", (0, 0, width, height))
            .set("font-family", "'DejaVu Sans', Verdana, sans-serif")
            .add(Title::new(title))
            .add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"))
            .add(heading)
            .add(words(below, [ORIGIN[0] + SIZE[0] / 2.0, 46.0], 11.5, "middle").set("fill", QUIET))
            .add(self.axes());
        for (place, curve) in curves.iter().enumerate() {
            document = document.add(self.curve(curve, place)).add(entry(curve, place));
        }
        format!("{document}\n")
    }

    /// The frame, lines at the powers of ten, finer ones of the time at 2 and 5.
    fn axes(&self) -> Group {
        let [left, top] = ORIGIN;
        let [right, bottom] = [left + SIZE[0], top + SIZE[1]];
        let mut group = Group::new();
        // About eight labels.
        let every = ((self.error[1] - self.error[0]) / 9 + 1).max(1);
        for power in self.error[0]..=self.error[1] {
            let x = self.at(10_f64.powi(power), 1.0)[0];
            group = group.add(line([x, top], [x, bottom]));
            if power % every == 0 {
                group = group.add(words(&ten(power), [x, bottom + 19.0], 11.5, "middle"));
            }
        }
        for power in self.time[0]..=self.time[1] {
            for factor in [1.0, 2.0, 5.0] {
                let ms = factor * 10_f64.powi(power);
                if ms > 1.001 * 10_f64.powi(self.time[1]) {
                    continue;
                }
                let y = self.at(1.0, ms)[1];
                group = group.add(line([left, y], [right, y]));
                let label = if ms < 0.99 {
                    format!("{ms:.*}", power.unsigned_abs() as usize)
                } else {
                    format!("{ms:.0}")
                };
                group = group.add(words(&label, [left - 8.0, y + 4.0], 11.5, "end"));
            }
        }
        let frame = Rectangle::new()
            .set("x", left)
            .set("y", top)
            .set("width", SIZE[0])
            .set("height", SIZE[1])
            .set("fill", "none")
            .set("stroke", INK);
        let middle = f64::midpoint(top, bottom);
        group
            .add(frame)
            .add(words(
                "largest error at the end",
                [f64::midpoint(left, right), bottom + 42.0],
                13.0,
                "middle",
            ))
            .add(
                words("time, ms", [22.0, middle], 13.0, "middle")
                    .set("transform", format!("rotate(-90 22 {middle})")),
            )
    }

    fn curve(&self, curve: &Curve, place: usize) -> Group {
        let at = |&(error, ns): &(f64, f64)| self.at(error, ns * 1e-6);
        let mut points = curve.points.iter().map(at);
        let mut group = Group::new();
        let Some([x, y]) = points.next() else { return group };
        let mut data = Data::new().move_to((rounded(x), rounded(y)));
        for [x, y] in points {
            data = data.line_to((rounded(x), rounded(y)));
        }
        group = group.add(styled(Path::new().set("d", data).set("fill", "none"), place));
        for [x, y] in curve.points.iter().map(at) {
            group = group.add(dot([x, y], place));
        }
        group
    }
}

/// A line of the legend.
fn entry(curve: &Curve, place: usize) -> Group {
    let y = ORIGIN[1] + SIZE[1] + BELOW + LEGEND_ROW * place as f64;
    let x = ORIGIN[0];
    let sample = Path::new().set("d", Data::new().move_to((x, y)).line_to((x + SAMPLE, y)));
    Group::new().add(styled(sample, place)).add(dot([x + SAMPLE / 2.0, y], place)).add(words(
        &curve.name,
        [x + SAMPLE + 10.0, y + 4.0],
        12.0,
        "start",
    ))
}

fn styled(path: Path, place: usize) -> Path {
    let (colour, dashes) = STYLES[place % STYLES.len()];
    let path = path.set("stroke", colour).set("stroke-width", if place == 0 { 2.4 } else { 1.5 });
    if dashes.is_empty() { path } else { path.set("stroke-dasharray", dashes) }
}

fn dot([x, y]: [f64; 2], place: usize) -> Circle {
    let colour = STYLES[place % STYLES.len()].0;
    Circle::new().set("cx", rounded(x)).set("cy", rounded(y)).set("r", 3.4).set("fill", colour)
}

fn line([x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) -> Line {
    let line = Line::new().set("x1", rounded(x0)).set("y1", rounded(y0));
    line.set("x2", rounded(x1)).set("y2", rounded(y1)).set("stroke", GRID)
}

fn words(text: &str, [x, y]: [f64; 2], size: f64, anchor: &str) -> Text {
    let text = Text::new(text).set("x", rounded(x)).set("y", rounded(y));
    text.set("font-size", size).set("text-anchor", anchor).set("fill", INK)
}

/// Two digits are enough on a page.
fn rounded(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}

/// 10 with its power raised.
fn ten(power: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => {
            char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit)
        }
        other => other,
    };
    format!("10{}", power.to_string().chars().map(raised).collect::<String>())
}
