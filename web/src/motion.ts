// The numbers of a motion at any time, between its samples as films have them.
import { before, between, mixed } from '../../eom-interpreter/src/film/scene.js';

export { before };

/** More samples than these are as near as can be seen. */
const DENSE = 6000;

/** A column at a time. */
export function at(times: Float64Array, column: Float64Array, t: number): number {
  return mixed((i: number) => column[i], between(times, t));
}

/** Times among which those of a motion are, so many that lines between them are seen as curves. */
export function denser(times: Float64Array): Float64Array {
  const parts = Math.max(1, Math.floor(DENSE / times.length));
  const all: number[] = [];
  times.forEach((t, i) => {
    const h = (times[i + 1] - t) / parts;
    all.push(t);
    for (let part = 1; part < parts && h > 0; part++) all.push(t + part * h);
  });
  return Float64Array.from(all);
}

/** A column at such times: both sides of events stay as they are. */
export function resampled(times: Float64Array, column: Float64Array, at_: Float64Array): Float64Array {
  let i = 0;
  return at_.map((t) => {
    if (t === times[i]) return column[i++];
    return at(times, column, t);
  });
}
