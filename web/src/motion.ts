// The numbers of a motion at any time, between its samples.

/** The place of the last sample that is not after t. */
export function before(times: Float64Array, t: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A column at a time: straight between two samples. */
export function at(times: Float64Array, column: Float64Array, t: number): number {
  const i = before(times, t);
  const [t0, t1] = [times[i], times[i + 1]];
  if (i + 1 >= times.length || !(t1 > t0) || t <= t0) return column[i];
  return column[i] + ((t - t0) / (t1 - t0)) * (column[i + 1] - column[i]);
}
