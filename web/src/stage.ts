// The stage: a drawing in motion. A drawing is a list of primitives for each sample; what makes the lists is not
// known here.
import { context } from './chart';

export type Point = [number, number];

export type Primitive =
  | { kind: 'point'; at: Point; colour?: string }
  | { kind: 'segment'; from: Point; to: Point; colour?: string; width?: number }
  | { kind: 'polyline'; points: Point[]; colour?: string; width?: number }
  | { kind: 'circle'; centre: Point; radius: number; colour?: string; filled?: boolean }
  | { kind: 'polygon'; points: Point[]; colour?: string; filled?: boolean }
  | { kind: 'text'; at: Point; text: string; colour?: string };

/** A drawing over a motion: what is still, what moves, and the box that holds it all. */
export interface Drawing {
  still: Primitive[];
  frame: (t: number) => Primitive[];
  box: { low: Point; high: Point };
  /** One unit is as long in both directions. */
  isEqual: boolean;
}

type Map2 = (point: Point) => Point;

/** Draws the frame of a time. */
export function show(canvas: HTMLCanvasElement, drawing: Drawing, t: number): void {
  const made = context(canvas);
  if (!made) return;
  const [c, width, height] = made;
  const map = fitted(drawing, width, height);
  const unit = Math.abs(map([1, 0])[0] - map([0, 0])[0]);
  const ink = getComputedStyle(canvas).color;
  for (const primitive of [...drawing.still, ...drawing.frame(t)]) one(c, primitive, map, unit, ink);
}

/** From the drawing to the canvas. */
function fitted({ box: { low, high }, isEqual }: Drawing, width: number, height: number): Map2 {
  const room = 18;
  const size: Point = [high[0] - low[0] || 1, high[1] - low[1] || 1];
  let scale: Point = [(width - 2 * room) / size[0], (height - 2 * room) / size[1]];
  if (isEqual) scale = [Math.min(...scale), Math.min(...scale)];
  const middle: Point = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  return ([x, y]) => [width / 2 + (x - middle[0]) * scale[0], height / 2 - (y - middle[1]) * scale[1]];
}

function one(c: CanvasRenderingContext2D, p: Primitive, map: Map2, unit: number, ink: string): void {
  c.strokeStyle = c.fillStyle = p.colour ?? ink;
  c.lineWidth = 'width' in p && p.width ? p.width : 1.8;
  c.lineCap = c.lineJoin = 'round';
  c.beginPath();
  switch (p.kind) {
    case 'point':
      c.arc(...map(p.at), 5, 0, 2 * Math.PI);
      return c.fill();
    case 'segment':
      c.moveTo(...map(p.from));
      c.lineTo(...map(p.to));
      return c.stroke();
    case 'polyline':
    case 'polygon':
      p.points.forEach((point, index) => (index ? c.lineTo(...map(point)) : c.moveTo(...map(point))));
      if (p.kind === 'polyline') return c.stroke();
      c.closePath();
      return p.filled ? c.fill() : c.stroke();
    case 'circle':
      c.arc(...map(p.centre), p.radius * unit, 0, 2 * Math.PI);
      return p.filled ? c.fill() : c.stroke();
    case 'text':
      c.font = '13px system-ui, sans-serif';
      c.fillText(p.text, ...map(p.at));
  }
}
