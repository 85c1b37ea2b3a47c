// Curves in a frame: any number of columns over one, with the events and the present time marked.
import { digitsOf, shown } from './dom';

export interface Curve { name: string; x: Float64Array; y: Float64Array }

export interface Mark { x: number; y: number }

/** What a chart shows: curves, or, where nothing is known between them, points. */
export interface Shown { xName: string; curves: Curve[]; arePoints: boolean }

/** A spread below this part of the size is what the tolerance of a run leaves. */
const SPREAD_MIN = 1e-9;

/** A colour of the style sheet. */
function named(name: string, otherwise: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || otherwise;
}

/** Colours that are told apart, also by those who do not see all; by places in the style sheet. */
export function colour(index: number): string {
  return named(`--curve-${index % 6}`, '#06c');
}

/** The colour of what stands back. */
export function grid(): string {
  return named('--grid', '#ddd');
}

/** Round numbers from `low` to `high`, some five of them. */
function ticks(low: number, high: number, wanted = 5): number[] {
  const raw = (high - low) / wanted;
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= raw) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first;
  return Array.from({ length: Math.max(0, count) + 1 }, (_, i) => (first + i) * step);
}

/** The least and the greatest finite number, apart from each other. */
function range(columns: Float64Array[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const column of columns) {
    for (const value of column) {
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
  }
  if (!(low <= high)) return [0, 1];
  // What does not change is shown against its own size.
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > SPREAD_MIN * size)) return [low - (size / 2 || 0.5), high + (size / 2 || 0.5)];
  const room = high - low;
  return [low - 0.04 * room, high + 0.04 * room];
}

/** The canvas in points of the page, sharp on every screen. */
export function context(canvas: HTMLCanvasElement): [CanvasRenderingContext2D, number, number] | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const c = canvas.getContext('2d');
  if (!c || width === 0 || height === 0) return null;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  return [c, width, height];
}

const FRAME = { left: 58, right: 12, top: 10, bottom: 34 };

/** Draws curves and the marks on them; the text for those who do not see it is the caller's. */
export function draw(canvas: HTMLCanvasElement, { xName, curves, arePoints }: Shown, now: Mark[]): void {
  const made = context(canvas);
  if (!made) return;
  const [c, width, height] = made;
  const style = getComputedStyle(canvas);
  const [x0, x1] = range(curves.map((curve) => curve.x));
  const [y0, y1] = range(curves.map((curve) => curve.y));
  c.font = '12px system-ui, sans-serif';
  const h = height - FRAME.top - FRAME.bottom;
  const up = labelled(y0, y1, h / 50);
  // Long numbers have room.
  const left = Math.max(FRAME.left, ...up.map(({ text }) => c.measureText(text).width + 8));
  const w = width - left - FRAME.right;
  const px = (x: number) => left + ((x - x0) / (x1 - x0)) * w;
  const py = (y: number) => FRAME.top + (1 - (y - y0) / (y1 - y0)) * h;
  axes(c, { px, py, x: labelled(x0, x1, w / 90), y: up, left, w, h, style });
  c.fillStyle = style.color;
  c.textAlign = 'center';
  c.fillText(xName, left + w / 2, height - 4);
  c.save();
  c.beginPath();
  c.rect(left, FRAME.top, w, h);
  c.clip();
  curves.forEach((curve, index) => {
    c.strokeStyle = colour(index);
    c.lineWidth = 1.6;
    c.lineJoin = 'round';
    (arePoints ? points : line)(c, curve, px, py);
    const at = now[index];
    if (at) {
      c.fillStyle = colour(index);
      c.beginPath();
      c.arc(px(at.x), py(at.y), 4, 0, 2 * Math.PI);
      c.fill();
    }
  });
  c.restore();
  legend(c, curves, style.color, [left + 8, left + w]);
}

interface Tick { value: number; text: string }

/** Ticks with as many digits as tell them apart. */
function labelled(low: number, high: number, wanted: number): Tick[] {
  const values = ticks(low, high, wanted);
  const step = values.length > 1 ? values[1] - values[0] : high - low;
  const digits = digitsOf(Math.max(Math.abs(low), Math.abs(high)), step, 4);
  // What is nothing beside a step is rounding.
  return values.map((value) => ({ value, text: shown(Math.abs(value) < step / 2 ? 0 : value, digits) }));
}

interface Axes {
  px: (x: number) => number; py: (y: number) => number; x: Tick[]; y: Tick[];
  left: number; w: number; h: number; style: CSSStyleDeclaration;
}

function axes(c: CanvasRenderingContext2D, { px, py, x, y, left, w, h, style }: Axes): void {
  c.strokeStyle = grid();
  c.fillStyle = style.color;
  c.lineWidth = 1;
  c.textBaseline = 'alphabetic';
  c.textAlign = 'center';
  c.beginPath();
  for (const { value, text } of x) {
    c.moveTo(px(value), FRAME.top);
    c.lineTo(px(value), FRAME.top + h);
    c.fillText(text, px(value), FRAME.top + h + 14);
  }
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  for (const { value, text } of y) {
    c.moveTo(left, py(value));
    c.lineTo(left + w, py(value));
    c.fillText(text, left - 5, py(value));
  }
  c.stroke();
  c.textBaseline = 'alphabetic';
  c.strokeRect(left, FRAME.top, w, h);
}

function line(
  c: CanvasRenderingContext2D, { x, y }: Curve, px: (x: number) => number, py: (y: number) => number,
): void {
  c.beginPath();
  let pen = false;
  for (let i = 0; i < x.length; i++) {
    // A number that there is not is a gap.
    if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) pen = false;
    else if (pen) c.lineTo(px(x[i]), py(y[i]));
    else {
      c.moveTo(px(x[i]), py(y[i]));
      pen = true;
    }
  }
  c.stroke();
}

/** States that nothing joins. */
function points(
  c: CanvasRenderingContext2D, { x, y }: Curve, px: (x: number) => number, py: (y: number) => number,
): void {
  c.fillStyle = c.strokeStyle;
  x.forEach((value, i) => c.fillRect(px(value) - 1, py(y[i]) - 1, 2, 2));
}

/** The names of the curves, from one place to another, in as many lines as it takes. */
function legend(c: CanvasRenderingContext2D, curves: Curve[], text: string, [from, to]: [number, number]): void {
  c.textAlign = 'left';
  c.font = 'italic 13px system-ui, sans-serif';
  let [at, line] = [from, FRAME.top + 14];
  curves.forEach((curve, index) => {
    const width = c.measureText(curve.name).width;
    if (at > from && at + 18 + width > to) [at, line] = [from, line + 16];
    c.fillStyle = colour(index);
    c.fillRect(at, line - 6, 14, 3);
    c.fillStyle = text;
    c.fillText(curve.name, at + 18, line);
    at += 30 + width;
  });
}
