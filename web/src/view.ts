// The pictures of a motion: the stage, curves over a number, a portrait of two numbers.
import { colour, type Curve, draw, grid } from './chart';
import { by, el } from './dom';
import { at, before } from './motion';
import { type Drawing, type Point, show } from './stage';
import type { Made, Sheet } from './types';

/** Coordinates among which the first two that change are looked for. */
const LOOKED_AT = 6;

/** The places of the coordinates that may be drawn. */
function places(sheet: Sheet): number[] {
  return sheet.declared.coordinates.slice(0, LOOKED_AT).map((_, index) => index + 1);
}

/** The two coordinates of the picture: the first two, of those that change where there are such. */
function pair(sheet: Sheet, column: (index: number) => Float64Array): number[] {
  const all = places(sheet);
  const changes = (index: number) => {
    const numbers = column(index);
    return numbers.some((value) => Math.abs(value - numbers[0]) > 1e-9 * (1 + Math.abs(numbers[0])));
  };
  const moving = all.filter(changes);
  return [...moving, ...all.filter((index) => !moving.includes(index))].slice(0, 2).sort((a, b) => a - b);
}

/** The curve of two coordinates, or of the only one over time. */
function path(sheet: Sheet, shown: number[], column: (index: number) => Float64Array): Drawing {
  const time = column(0);
  const isPlane = shown.length > 1;
  const [x, y] = isPlane ? [column(shown[0]), column(shown[1])] : [time, column(shown[0] ?? 1)];
  const points = Array.from(x, (value, i): Point => [value, y[i]]).filter((p) => p.every(Number.isFinite));
  const bound = (axis: 0 | 1, pick: (...values: number[]) => number, from: number) =>
    points.reduce((found, point) => pick(found, point[axis]), from);
  const low: Point = [bound(0, Math.min, Infinity), bound(1, Math.min, Infinity)];
  const high: Point = [bound(0, Math.max, -Infinity), bound(1, Math.max, -Infinity)];
  const bright = colour(0);
  return {
    isEqual: isPlane,
    box: { low, high },
    still: [{ kind: 'polyline', points, colour: grid(), width: 1.2 }],
    frame: (t) => {
      const here: Point = [at(time, x, t), at(time, y, t)];
      const past = points.slice(0, before(time, t) + 1);
      return [
        { kind: 'polyline', points: [...past, here], colour: bright, width: 2 },
        { kind: 'point', at: here, colour: bright },
      ];
    },
  };
}

/** What can be looked at, and what is. */
export class View {
  private sheet: Sheet | null = null;
  private made: Made | null = null;
  private drawing: Drawing | null = null;
  private over = by<HTMLSelectElement>('over');
  private across = by<HTMLSelectElement>('across');
  private up = by<HTMLSelectElement>('up');
  private chosen = new Set<number>();

  constructor(private readonly wanted: () => void) {
    for (const select of [this.over, this.across, this.up]) select.addEventListener('change', () => wanted());
    new ResizeObserver(() => this.show(this.t)).observe(by('stage'));
  }

  private t = 0;

  /** The numbers that can be chosen. What was chosen stays where its name does. */
  know(sheet: Sheet): void {
    const names = sheet.numbers.map(({ name }) => name);
    const same = this.sheet && this.sheet.numbers.map(({ name }) => name).join() === names.join();
    this.sheet = sheet;
    if (same) return;
    this.made = null;
    const speed = sheet.numbers.findIndex(({ ascii }) => ascii === sheet.speeds[0]?.ascii);
    this.chosen = new Set(sheet.declared.positions.slice(0, 2).map((_, index) => index + 1));
    const fill = (select: HTMLSelectElement, value: number) => {
      select.replaceChildren(...names.map((name, index) => el('option', { value: index }, name)));
      select.value = String(Math.max(0, value));
    };
    fill(this.over, 0);
    fill(this.across, 1);
    fill(this.up, speed);
    by('chosen').replaceChildren(...names.map((name, index) => {
      const box = el('input', { type: 'checkbox', checked: this.chosen.has(index), onchange: () => {
        if (box.checked) this.chosen.add(index);
        else this.chosen.delete(index);
        this.wanted();
      } });
      return el('label', { class: 'chip' }, box, name);
    }));
  }

  /** The columns that are needed for what is looked at. */
  columns(): number[] {
    const selected = [this.over, this.across, this.up].map((select) => Number(select.value) || 0);
    return [...new Set([0, 1, ...(this.sheet ? places(this.sheet) : []), ...selected, ...this.chosen])].sort((a, b) => a - b);
  }

  /** Those of them that a motion does not have yet. */
  missing(): number[] {
    return this.made ? this.columns().filter((index) => !this.made!.columns.has(index)) : [];
  }

  add(columns: [number, Float64Array][]): void {
    columns.forEach(([index, column]) => this.made?.columns.set(index, column));
    this.show(this.t);
  }

  load(made: Made): void {
    this.made = made;
    if (!this.sheet || made.length === 0) return;
    const column = (index: number) => this.column(index);
    const shown = pair(this.sheet, column);
    this.drawing = path(this.sheet, shown, column);
    by('stage').setAttribute('aria-label', this.words(made, shown));
  }

  /** The same pictures in the colours of now. */
  repaint(): void {
    if (this.made) this.load(this.made);
    this.show(this.t);
  }

  /** The motion in words, for those who do not see it. */
  private words(made: Made, shown: number[]): string {
    const names = shown.map((index) => this.sheet?.numbers[index].name).join(', ');
    return `The path of ${names}: ${made.tale.end.text}, with ${made.tale.event_count} events`;
  }

  private column(index: number): Float64Array {
    return this.made?.columns.get(index) ?? new Float64Array(this.made?.length ?? 0).fill(NaN);
  }

  /** All pictures at a time. */
  show(t: number): void {
    this.t = t;
    const { sheet, made, drawing } = this;
    if (!sheet || !made || !drawing) return;
    show(by<HTMLCanvasElement>('stage'), drawing, t);
    const time = this.column(0);
    const curve = (over: number) => (index: number): Curve => ({
      name: sheet.numbers[index].name, x: this.column(over), y: this.column(index),
    });
    const now = ({ x, y }: Curve) => ({ x: at(time, x, t), y: at(time, y, t) });
    const over = Number(this.over.value);
    const curves = [...this.chosen].sort((a, b) => a - b).slice(0, 6).map(curve(over));
    draw(by<HTMLCanvasElement>('curves'), { xName: sheet.numbers[over].name, curves }, curves.map(now));
    const portrait = [curve(Number(this.across.value))(Number(this.up.value))];
    const xName = sheet.numbers[Number(this.across.value)].name;
    draw(by<HTMLCanvasElement>('portrait'), { xName, curves: portrait }, portrait.map(now));
  }
}
