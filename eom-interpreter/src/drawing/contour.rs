//! Curves f = 0 in a box of the plane: marching squares. Cells are told by the signs of f at their corners, ends of
//! lines lie where f is 0 along the sides of cells, and lines that share an end are one.

type Point = [f64; 2];

/// A side of a cell by its number: those of a lower left end are two, the second runs upwards.
type Side = usize;

/// How often an end is brought nearer to f = 0: by the rule of Illinois that is rounding.
const ROUNDS: usize = 24;

/// Into how many cells along a side one is parted in which f ends.
const PARTS: usize = 8;

/// The lines on which f is 0; a closed one ends where it begins. Where f ends within a cell, as a boundary does at a
/// condition, a line is followed into the parts of the cell.
pub(super) fn contour(
    f: &dyn Fn(Point) -> f64,
    range: [[f64; 2]; 2],
    cells: usize,
) -> Vec<Vec<Point>> {
    let (mut lines, ending) = marched(f, range, cells);
    lines.extend(ending.into_iter().flat_map(|cell| marched(f, cell, PARTS).0));
    lines
}

/// The lines in the cells in which f is finite, and the cells in which it is so in part.
fn marched(
    f: &dyn Fn(Point) -> f64,
    range: [[f64; 2]; 2],
    cells: usize,
) -> (Vec<Vec<Point>>, Vec<[[f64; 2]; 2]>) {
    let cells = cells.max(1);
    let place = |axis: usize, k: usize| {
        let [low, high] = range[axis];
        low + (high - low) * k as f64 / cells as f64
    };
    let at = |i: usize, j: usize| [place(0, i), place(1, j)];
    let row = |j: usize| (0..=cells).map(|i| f(at(i, j))).collect::<Vec<f64>>();
    let mut ending = Vec::new();
    let mut segments: Vec<[Side; 2]> = Vec::new();
    let mut ends: Vec<Option<Point>> = vec![None; 2 * (cells + 1) * (cells + 1)];
    let mut below = row(0);
    for j in 0..cells {
        let above = row(j + 1);
        for (i, (low, high)) in below.windows(2).zip(above.windows(2)).enumerate() {
            let ([a, b], [d, c]) = ([low[0], low[1]], [high[0], high[1]]);
            let finite = [a, b, c, d].iter().filter(|value| value.is_finite()).count();
            if finite < 4 {
                if finite > 0 {
                    ending.push([0, 1].map(|axis| [at(i, j)[axis], at(i + 1, j + 1)[axis]]));
                }
                continue;
            }
            let centre = || {
                f([0.5 * (at(i, j)[0] + at(i + 1, j)[0]), 0.5 * (at(i, j)[1] + at(i, j + 1)[1])])
            };
            for pair in crossed([a, b, c, d], centre) {
                let sides = pair.map(|side| side_of(side, [i, j], cells));
                for (side, which) in sides.iter().zip(pair) {
                    let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    let values = [a, b, c, d];
                    let (from, to) = (which, (which + 1) % 4);
                    let ends_of = [(corners[from], values[from]), (corners[to], values[to])];
                    ends[*side].get_or_insert_with(|| zero(f, ends_of));
                }
                segments.push(sides);
            }
        }
        below = above;
    }
    (joined(&segments, &ends), ending)
}

/// Side 0 is below, 1 to the right, 2 above, 3 to the left.
fn side_of(which: usize, [i, j]: [usize; 2], cells: usize) -> Side {
    let (i, j, upwards) = match which {
        0 => (i, j, 0),
        1 => (i + 1, j, 1),
        2 => (i, j + 1, 0),
        _ => (i, j, 1),
    };
    2 * (i * (cells + 1) + j) + upwards
}

/// The pairs of sides that lines of a cell join, by the signs at its corners; where two lines cross it, the centre
/// tells which corner each cuts off.
fn crossed(values: [f64; 4], centre: impl Fn() -> f64) -> Vec<[usize; 2]> {
    let inside = values.map(|value| value > 0.0);
    let sides: Vec<usize> = (0..4).filter(|&k| inside[k] != inside[(k + 1) % 4]).collect();
    match sides[..] {
        [a, b] => vec![[a, b]],
        [_, _, _, _] => {
            if (centre() > 0.0) == inside[0] {
                vec![[0, 1], [2, 3]]
            } else {
                vec![[3, 0], [1, 2]]
            }
        }
        _ => Vec::new(),
    }
}

/// Where f is 0 between two points of different signs: regula falsi with the weights of Illinois.
fn zero(f: &dyn Fn(Point) -> f64, ends: [(Point, f64); 2]) -> Point {
    let [(a, f_a), (b, f_b)] = ends;
    let point = |s: f64| [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
    let (mut low, mut high) = ((0.0, f_a), (1.0, f_b));
    let (mut s, mut last) = (0.5, None);
    for _ in 0..ROUNDS {
        s = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let value = f(point(s));
        if value == 0.0 || !value.is_finite() || high.0 - low.0 < 1e-15 {
            break;
        }
        let is_high = (value > 0.0) == (high.1 > 0.0);
        // The end that stays twice counts half.
        let weight = if last == Some(is_high) { 0.5 } else { 1.0 };
        last = Some(is_high);
        if is_high {
            (high, low.1) = ((s, value), weight * low.1);
        } else {
            (low, high.1) = ((s, value), weight * high.1);
        }
    }
    point(s)
}

/// Lines of segments that share sides.
fn joined(segments: &[[Side; 2]], ends: &[Option<Point>]) -> Vec<Vec<Point>> {
    // A side is of two cells, and a cell has a line through it once.
    let mut meeting: Vec<[Option<usize>; 2]> = vec![[None; 2]; ends.len()];
    for (index, sides) in segments.iter().enumerate() {
        for side in sides {
            let [first, second] = &mut meeting[*side];
            *if first.is_none() { first } else { second } = Some(index);
        }
    }
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    // Open lines first, from an end that no other segment has.
    let open = meeting.iter().enumerate().filter_map(|(side, at)| match at {
        [Some(only), None] => Some((side, *only)),
        _ => None,
    });
    let closed = segments.iter().enumerate().map(|(index, sides)| (sides[0], index));
    for (start, first) in open.chain(closed) {
        if used.get(first).copied().unwrap_or(true) {
            continue;
        }
        let mut line: Vec<Point> = ends[start].into_iter().collect();
        let (mut side, mut next) = (start, Some(first));
        while let Some(index) = next {
            used[index] = true;
            let [a, b] = segments[index];
            side = if a == side { b } else { a };
            line.extend(ends[side]);
            next = meeting[side].into_iter().flatten().find(|other| !used[*other]);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::contour;

    /// A line that ends at a condition is drawn up to an eighth of a cell from there.
    #[test]
    fn lines_reach_their_ends() {
        let f = |[x, y]: [f64; 2]| if x < 0.31 { y - 0.1 } else { f64::INFINITY };
        let lines = contour(&f, [[-1.0, 1.0]; 2], 20);
        let reach = lines.iter().flatten().map(|[x, _]| *x).fold(-1.0, f64::max);
        assert!(reach < 0.31 && reach > 0.31 - 0.1 / 8.0, "{reach}");
        assert!(lines.iter().flatten().all(|[_, y]| (y - 0.1).abs() < 1e-12));
    }

    /// The circle x² + y² = 1 is one closed line of points on it; a hyperbola has two open ones; a line that
    /// leaves the box ends on its sides.
    #[test]
    fn lines_lie_on_their_curves() {
        type Field<'f> = &'f dyn Fn([f64; 2]) -> f64;
        let circle = |[x, y]: [f64; 2]| x * x + y * y - 1.0;
        let hyperbola = |[x, y]: [f64; 2]| x * y - 0.3;
        let line = |[x, y]: [f64; 2]| y - 0.5 * x;
        let nothing = |_: [f64; 2]| 1.0;
        // f, lines, of them closed
        let table: [(Field<'_>, usize, usize); 4] =
            [(&circle, 1, 1), (&hyperbola, 2, 0), (&line, 1, 0), (&nothing, 0, 0)];
        for (f, count, closed) in table {
            let lines = contour(f, [[-1.7, 1.9], [-1.8, 1.7]], 23);
            assert_eq!(lines.len(), count);
            assert_eq!(lines.iter().filter(|line| line.first() == line.last()).count(), closed);
            assert!(lines.iter().flatten().all(|point| f(*point).abs() < 1e-12));
        }
    }
}
