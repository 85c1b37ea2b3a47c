//! A step of ẏ = f(y) by the midpoint rule, extrapolated: of numbers, and of numbers with derivatives.

use eom_elementary::Number;

/// Midpoint steps of each extrapolation.
const MIDPOINTS: [usize; 7] = [2, 4, 6, 8, 10, 12, 14];

/// A step by the midpoint rule, extrapolated in h², and the change that the last extrapolation made.
pub fn extrapolated<N: Number, const D: usize>(
    rates: &dyn Fn(&[N; D]) -> [N; D],
    from: &[N; D],
    h: f64,
) -> ([N; D], [N; D]) {
    let mut table: Vec<[N; D]> = Vec::with_capacity(MIDPOINTS.len());
    let mut change = *from;
    for (row, n) in MIDPOINTS.iter().enumerate() {
        let mut new = midpoints(rates, from, h, *n);
        // Neville's scheme: `table` holds the last row.
        for (column, place) in table.iter_mut().enumerate() {
            let old = std::mem::replace(place, new);
            let ratio = (*n as f64 / MIDPOINTS[row - column - 1] as f64).powi(2);
            for (i, change) in change.iter_mut().enumerate() {
                *change = (new[i] - old[i]) / N::of(ratio - 1.0);
                new[i] = new[i] + *change;
            }
        }
        table.push(new);
    }
    (table[table.len() - 1], change)
}

/// n midpoint steps.
fn midpoints<N: Number, const D: usize>(
    rates: &dyn Fn(&[N; D]) -> [N; D],
    from: &[N; D],
    h: f64,
    n: usize,
) -> [N; D] {
    let h = h / n as f64;
    let moved = |y: &[N; D], by: f64, f: &[N; D]| -> [N; D] {
        let mut sum = *y;
        sum.iter_mut().zip(f).for_each(|(sum, f)| *sum = *sum + N::of(by) * *f);
        sum
    };
    let (mut before, mut here) = (*from, moved(from, h, &rates(from)));
    for _ in 1..n {
        (before, here) = (here, moved(&before, 2.0 * h, &rates(&here)));
    }
    here
}
