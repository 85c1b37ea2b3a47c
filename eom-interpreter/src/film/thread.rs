//! Lines with as few points as they need.

use eom_elementary::hypot;

type Point = [f64; 2];

/// The points of a line that keep it within a distance of what it was.
pub(super) fn thinned(line: &[Point], distance: f64) -> Vec<Point> {
    let mut keep = vec![false; line.len()];
    let Some(last) = line.len().checked_sub(1) else { return Vec::new() };
    (keep[0], keep[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let off = |at: &usize| distance_to(line[*at], line[from], line[to]);
        let farthest = (from + 1..to).max_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(at) = farthest.filter(|at| off(at) > distance) {
            keep[at] = true;
            open.extend([(from, at), (at, to)]);
        }
    }
    line.iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| *point).collect()
}

/// From a point to a chord; to its ends where these are one point.
fn distance_to(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let (px, py) = (point[0] - from[0], point[1] - from[1]);
    let length = hypot(dx, dy);
    if length == 0.0 { hypot(px, py) } else { (dx * py - dy * px).abs() / length }
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn straight_parts_keep_their_ends() {
        let corner: Vec<[f64; 2]> =
            (0..=10).map(|k| [f64::from(k.min(5)), f64::from((k - 5).max(0))]).collect();
        assert_eq!(thinned(&corner, 1e-9), [[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]]);
        let circle: Vec<[f64; 2]> = (0..=360)
            .map(|k| {
                let (sin, cos) = f64::from(k).to_radians().sin_cos();
                [cos, sin]
            })
            .collect();
        let few = thinned(&circle, 1e-3);
        // A chord of angle α is 1 − cos α/2 off its arc.
        assert!((60..120).contains(&few.len()), "{}", few.len());
        assert_eq!(thinned(&[], 1.0), Vec::<[f64; 2]>::new());
    }
}
