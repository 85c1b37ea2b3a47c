// Curves in a frame: any number of columns over one, with the events and the present time marked.
import { shown } from './dom';

export interface Curve { name: string; x: Float64Array; y: Float64Array }

export interface Mark { x: number; y: number }

/** What a chart shows. */
export interface Shown { xName: string; curves: Curve[] }

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
      if (value < low) low = value;
      if (value > high && value < Infinity) high = value;
    }
  }
  if (!(low <= high) || !Number.isFinite(low)) return [0, 1];
  const room = high - low || Math.max(1e-9, Math.abs(low)) * 0.1;
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
export function draw(canvas: HTMLCanvasElement, { xName, curves }: Shown, now: Mark[]): void {
  const made = context(canvas);
  if (!made) return;
  const [c, width, height] = made;
  const style = getComputedStyle(canvas);
  const [x0, x1] = range(curves.map((curve) => curve.x));
  const [y0, y1] = range(curves.map((curve) => curve.y));
  const [w, h] = [width - FRAME.left - FRAME.right, height - FRAME.top - FRAME.bottom];
  const px = (x: number) => FRAME.left + ((x - x0) / (x1 - x0)) * w;
  const py = (y: number) => FRAME.top + (1 - (y - y0) / (y1 - y0)) * h;
  axes(c, { px, py, x: ticks(x0, x1, w / 90), y: ticks(y0, y1, h / 50), w, h, style });
  c.fillStyle = style.color;
  c.textAlign = 'center';
  c.fillText(xName, FRAME.left + w / 2, height - 4);
  c.save();
  c.beginPath();
  c.rect(FRAME.left, FRAME.top, w, h);
  c.clip();
  curves.forEach((curve, index) => {
    c.strokeStyle = colour(index);
    c.lineWidth = 1.6;
    c.lineJoin = 'round';
    line(c, curve, px, py);
    const at = now[index];
    if (at) {
      c.fillStyle = colour(index);
      c.beginPath();
      c.arc(px(at.x), py(at.y), 4, 0, 2 * Math.PI);
      c.fill();
    }
  });
  c.restore();
  legend(c, curves, style.color);
}

interface Axes {
  px: (x: number) => number; py: (y: number) => number; x: number[]; y: number[];
  w: number; h: number; style: CSSStyleDeclaration;
}

function axes(c: CanvasRenderingContext2D, { px, py, x, y, w, h, style }: Axes): void {
  c.font = '12px system-ui, sans-serif';
  c.strokeStyle = grid();
  c.fillStyle = style.color;
  c.lineWidth = 1;
  c.textBaseline = 'alphabetic';
  c.textAlign = 'center';
  c.beginPath();
  for (const tick of x) {
    c.moveTo(px(tick), FRAME.top);
    c.lineTo(px(tick), FRAME.top + h);
    c.fillText(shown(tick, 4), px(tick), FRAME.top + h + 14);
  }
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  for (const tick of y) {
    c.moveTo(FRAME.left, py(tick));
    c.lineTo(FRAME.left + w, py(tick));
    c.fillText(shown(tick, 4), FRAME.left - 5, py(tick));
  }
  c.stroke();
  c.textBaseline = 'alphabetic';
  c.strokeRect(FRAME.left, FRAME.top, w, h);
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

function legend(c: CanvasRenderingContext2D, curves: Curve[], text: string): void {
  c.textAlign = 'left';
  c.font = 'italic 13px system-ui, sans-serif';
  let at = FRAME.left + 8;
  curves.forEach((curve, index) => {
    c.fillStyle = colour(index);
    c.fillRect(at, FRAME.top + 8, 14, 3);
    c.fillStyle = text;
    c.fillText(curve.name, at + 18, FRAME.top + 14);
    at += 30 + c.measureText(curve.name).width;
  });
}
