//! Numbers beside the impacts: which of them share a label, and where it stands.

use models::scene::Point;
use std::f64::consts::FRAC_PI_2;

/// Impacts closer than this share a label, in page units.
const SHARED: f64 = 6.0;
/// Distance of a label's middle from its impact.
const AWAY: f64 = 13.0;
/// A label stands in one of so many rings around its impact.
const RINGS: u8 = 4;
/// Height of a label, and the width of one of its letters.
const HEIGHT: f64 = 10.5;
const LETTER: f64 = 6.0;

/// A label on the page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    /// Its text, such as `3` or `1, 14`.
    pub(crate) text: String,
    /// Its middle.
    pub(crate) at: Point,
}

/// Impacts that share a label.
struct Cluster {
    touch: Point,
    /// Away from the body.
    direction: f64,
    numbers: Vec<usize>,
}

/// The labels of impacts that are given by their number, the corner of the path and the touching
/// point on the page, in their order. Labels stay within the frame from `low` to `high` and cover neither
/// each other nor a touching point; one that finds no place is left out.
pub(crate) fn place(impacts: &[(usize, [Point; 2])], low: Point, high: Point) -> Vec<Label> {
    let clusters = clusters(impacts);
    let mut labels: Vec<Label> = Vec::new();
    for cluster in &clusters {
        let text = text(&cluster.numbers);
        let fits = |at: &Point| {
            let half = half_size(&text, HEIGHT);
            let inside = (0..2).all(|i| low[i] + half[i] < at[i] && at[i] < high[i] - half[i]);
            let clear = labels.iter().all(|other| {
                let taken = half_size(&other.text, HEIGHT);
                (0..2).any(|i| (other.at[i] - at[i]).abs() > half[i] + taken[i])
            });
            let visible = clusters
                .iter()
                .all(|other| (0..2).any(|i| (other.touch[i] - at[i]).abs() > half[i] + 2.0));
            inside && clear && visible
        };
        let place = candidates(cluster, &text).find(fits);
        if let Some(at) = place {
            labels.push(Label { text, at });
        }
    }
    labels
}

fn clusters(impacts: &[(usize, [Point; 2])]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for (number, [corner, touch]) in impacts {
        let near = |cluster: &&mut Cluster| {
            (cluster.touch[0] - touch[0]).hypot(cluster.touch[1] - touch[1]) < SHARED
        };
        if let Some(cluster) = clusters.iter_mut().find(near) {
            cluster.numbers.push(*number);
        } else {
            // Away from the path's corner; where the corner itself is marked, above it.
            let direction = if touch == corner {
                -FRAC_PI_2
            } else {
                (touch[1] - corner[1]).atan2(touch[0] - corner[0])
            };
            clusters.push(Cluster { touch: *touch, direction, numbers: vec![*number] });
        }
    }
    clusters
}

/// `1, 14`; of more than three the first two and the last.
fn text(numbers: &[usize]) -> String {
    match numbers {
        [first, second, _, .., last] if numbers.len() > 3 => format!("{first}, {second} … {last}"),
        _ => numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Places around an impact: straight on first, then turned to both sides, then further out, and
/// only then sideways, where the outline is likely to run.
fn candidates(cluster: &Cluster, text: &str) -> impl Iterator<Item = Point> {
    let wide = half_size(text, HEIGHT)[0] - LETTER / 2.0;
    let Cluster { touch, direction, .. } = *cluster;
    let turns: [&[f64]; 2] = [&[0.0, 0.4, -0.4], &[0.8, -0.8, 1.2, -1.2]];
    turns.into_iter().flat_map(move |turns| {
        (0..RINGS).flat_map(move |ring| {
            turns.iter().map(move |turn| {
                let (sin, cos) = (direction + turn).sin_cos();
                let away = AWAY + f64::from(ring) * HEIGHT;
                [touch[0] + (away + wide) * cos, touch[1] + away * sin]
            })
        })
    })
}

fn half_size(text: &str, height: f64) -> Point {
    [text.chars().count() as f64 * LETTER / 2.0, height / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_outside_and_near_impacts_share_one() {
        let up = |x: f64| [[x, 60.0], [x, 50.0]];
        let (low, high) = ([0.0, 0.0], [200.0, 100.0]);
        // abscissae of impacts, labels
        let table: [(&[f64], &[&str]); 4] = [
            (&[20.0, 100.0], &["1", "2"]),
            (&[20.0, 100.0, 23.0], &["1, 3", "2"]),
            (&[50.0; 5], &["1, 2 … 5"]),
            (&[], &[]),
        ];
        for (impacts, expected) in table {
            let impacts: Vec<(usize, [Point; 2])> =
                (1..).zip(impacts.iter().copied().map(up)).collect();
            let labels = place(&impacts, low, high);
            let texts: Vec<_> = labels.iter().map(|label| label.text.as_str()).collect();
            assert_eq!(texts, expected);
            assert!(labels.iter().all(|label| label.at[1] == 50.0 - AWAY));
        }
    }
}
