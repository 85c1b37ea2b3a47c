// The pictures of a motion: its drawing, curves over a number, a portrait of two numbers.
import { colour, type Curve, draw, grid } from './chart';
import { by, el } from './dom';
import { at, before, denser, resampled } from './motion';
import { type Path, type Point, show } from './stage';
import type { Made, Sheet } from './types';
import { handle, paletteOf, reelOf, sceneOf } from '../../eom-interpreter/src/film/scene.js';

/** Coordinates among which the first two that change are looked for. */
const LOOKED_AT = 6;

/** Curves that have colours of their own: no more are drawn at a time. */
const CURVES = 6;

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

/** The path of two coordinates, or of the only one over time. */
function path(sheet: Sheet, shown: number[], column: (index: number) => Float64Array, arePoints: boolean): Path {
  const time = column(0);
  const isPlane = shown.length > 1;
  const [x, y] = isPlane ? [column(shown[0]), column(shown[1])] : [time, column(shown[0] ?? 1)];
  const points = Array.from(x, (value, i): Point => [value, y[i]]).filter((p) => p.every(Number.isFinite));
  const bound = (axis: 0 | 1, pick: (...values: number[]) => number, from: number) =>
    points.reduce((found, point) => pick(found, point[axis]), from);
  const low: Point = [bound(0, Math.min, Infinity), bound(1, Math.min, Infinity)];
  const high: Point = [bound(0, Math.max, -Infinity), bound(1, Math.max, -Infinity)];
  const past = (t: number) => [...points.slice(0, before(time, t) + 1), [at(time, x, t), at(time, y, t)] as Point];
  return { points, arePoints, box: { low, high }, isEqual: isPlane, past, colours: { path: grid(), past: colour(0) } };
}

/** What can be looked at, and what is. */
export class View {
  private sheet: Sheet | null = null;
  private made: Made | null = null;
  private scene: ReturnType<typeof sceneOf> | null = null;
  private path: Path | null = null;
  private over = by<HTMLSelectElement>('over');
  private across = by<HTMLSelectElement>('across');
  private up = by<HTMLSelectElement>('up');
  private chosen = new Set<number>();
  /** The times of the pictures, and the numbers at them. */
  private times: Float64Array = new Float64Array();
  private columnsSeen = new Map<number, Float64Array>();

  constructor(private readonly wanted: () => void) {
    for (const select of [this.over, this.across, this.up]) select.addEventListener('change', () => wanted());
    const stage = by<HTMLCanvasElement>('stage');
    new ResizeObserver(() => this.show(this.t)).observe(stage);
    handle(stage, () => this.scene, () => this.show(this.t), () => this.whole(), false);
    const keep = by<HTMLInputElement>('keep');
    keep.addEventListener('change', () => {
      this.scene?.keep(keep.checked);
      this.show(this.t);
    });
    by('whole').addEventListener('click', () => this.whole());
  }

  private t = 0;

  /** The numbers that can be chosen. What was chosen stays where its name does. */
  know(sheet: Sheet): void {
    const names = sheet.numbers.map(({ name }) => name);
    const same = this.sheet && this.sheet.numbers.map(({ name }) => name).join() === names.join();
    this.sheet = sheet;
    if (same) return;
    [this.made, this.scene, this.path] = [null, null, null];
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
        this.full();
        this.wanted();
      } });
      return el('label', { class: 'chip' }, box, name);
    }));
  }

  /** Where as many are drawn as there can be, no other is chosen. */
  private full(): void {
    const isFull = this.chosen.size >= CURVES;
    for (const box of by('chosen').querySelectorAll('input')) {
      box.disabled = isFull && !box.checked;
      box.title = box.disabled ? `${CURVES} are drawn at most` : '';
    }
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
    const times = made.columns.get(0) ?? new Float64Array();
    [this.times, this.columnsSeen] = [made.tale.coarse ? times : denser(times), new Map()];
    if (!this.sheet || made.length === 0) return;
    const stage = by<HTMLCanvasElement>('stage');
    const { film } = made;
    if (film) {
      const eye = this.scene?.eye;
      const scene = sceneOf(film, reelOf(film), stage, paletteOf());
      // Who has turned it sees the next run from there, too.
      if (eye) Object.assign(scene.eye, { yaw: eye.yaw, pitch: eye.pitch, zoom: eye.zoom });
      scene.keep(by<HTMLInputElement>('keep').checked);
      [this.scene, this.path] = [scene, null];
    } else {
      const column = (index: number) => this.column(index);
      [this.scene, this.path] = [null, path(this.sheet, pair(this.sheet, column), column, made.tale.coarse)];
    }
    stage.setAttribute('aria-label', this.words(made));
    stage.dataset.shapes = film ? film.shapes.map(({ kind }) => kind).join(' ') : '';
  }

  /** All is seen again. */
  private whole(): void {
    by<HTMLInputElement>('keep').checked = false;
    this.scene?.keep(false);
    this.scene?.reset();
    this.show(this.t);
  }

  /** The same pictures in the colours of now. */
  repaint(): void {
    if (this.made) this.load(this.made);
    this.show(this.t);
  }

  /** The motion in words, for those who do not see it. */
  private words({ film, tale }: Made): string {
    const kinds = [...new Set(film?.shapes.map(({ kind }) => kind))].join(', ');
    const what = film ? `The motion, drawn as ${kinds}` : 'The path of two coordinates';
    return `${what}: ${tale.end.text}, with ${tale.event_count} events`;
  }

  /** A number of the motion at the times of the pictures. */
  private column(index: number): Float64Array {
    const known = this.columnsSeen.get(index);
    if (known) return known;
    const column = this.made?.columns.get(index);
    if (!column) return new Float64Array(this.times.length).fill(NaN);
    const seen = this.times.length === column.length ? column : resampled(this.made!.columns.get(0)!, column, this.times);
    this.columnsSeen.set(index, seen);
    return seen;
  }

  /** All pictures at a time. */
  show(t: number): void {
    this.t = t;
    const { sheet, made } = this;
    if (!sheet || !made) return;
    const time = this.column(0);
    // Where samples are too far apart nothing is known between them.
    if (made.tale.coarse) t = time[before(time, t)];
    this.scene?.paint(t);
    if (this.path) show(by<HTMLCanvasElement>('stage'), this.path, t);
    const curve = (over: number) => (index: number): Curve => ({
      name: sheet.numbers[index].name, x: this.column(over), y: this.column(index),
    });
    const now = ({ x, y }: Curve) => ({ x: at(time, x, t), y: at(time, y, t) });
    const over = Number(this.over.value);
    const curves = [...this.chosen].sort((a, b) => a - b).map(curve(over));
    const arePoints = made.tale.coarse;
    draw(by<HTMLCanvasElement>('curves'), { xName: sheet.numbers[over].name, curves, arePoints }, curves.map(now));
    const portrait = [curve(Number(this.across.value))(Number(this.up.value))];
    const xName = sheet.numbers[Number(this.across.value)].name;
    draw(by<HTMLCanvasElement>('portrait'), { xName, curves: portrait, arePoints }, portrait.map(now));
  }
}
