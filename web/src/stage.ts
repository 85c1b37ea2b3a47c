// The stage of a declaration that draws nothing: the path of two of its numbers.
import { context } from './chart';

export type Point = [number, number];

/** A path over a motion, and the box that holds it. */
export interface Path {
  points: Point[];
  /** Nothing is known between them. */
  arePoints: boolean;
  box: { low: Point; high: Point };
  /** One unit is as long in both directions. */
  isEqual: boolean;
  /** The points so far at a time, the present one last. */
  past: (t: number) => Point[];
  colours: { path: string; past: string };
}

type Map2 = (point: Point) => Point;

/** Draws the path at a time. */
export function show(canvas: HTMLCanvasElement, path: Path, t: number): void {
  const made = context(canvas);
  if (!made) return;
  const [c, width, height] = made;
  const map = fitted(path, width, height);
  const past = path.past(t);
  const way = path.arePoints ? dots : line;
  way(c, path.points.map(map), path.colours.path, 1.2);
  way(c, past.map(map), path.colours.past, 2);
  c.fillStyle = path.colours.past;
  c.beginPath();
  c.arc(...map(past[past.length - 1]), 5, 0, 2 * Math.PI);
  c.fill();
}

/** From the path to the canvas. */
function fitted({ box: { low, high }, isEqual }: Path, width: number, height: number): Map2 {
  const room = 18;
  const size: Point = [high[0] - low[0] || 1, high[1] - low[1] || 1];
  let scale: Point = [(width - 2 * room) / size[0], (height - 2 * room) / size[1]];
  if (isEqual) scale = [Math.min(...scale), Math.min(...scale)];
  const middle: Point = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  return ([x, y]) => [width / 2 + (x - middle[0]) * scale[0], height / 2 - (y - middle[1]) * scale[1]];
}

function dots(c: CanvasRenderingContext2D, points: Point[], colour: string, width: number): void {
  c.fillStyle = colour;
  for (const [x, y] of points) c.fillRect(x - width / 2, y - width / 2, width, width);
}

function line(c: CanvasRenderingContext2D, points: Point[], colour: string, width: number): void {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.lineCap = c.lineJoin = 'round';
  c.beginPath();
  points.forEach((point, index) => (index ? c.lineTo(...point) : c.moveTo(...point)));
  c.stroke();
}
