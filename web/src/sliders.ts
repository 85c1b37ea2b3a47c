// Sliders of parameters and of the start: what is set with them goes beside the text, not into it.
import { by, el } from './dom';
import type { Named, Scenario, Sheet } from './types';

export type Values = Record<string, number | string>;

/** Where a slider of a number goes: on both sides of it, on its own side of 0 where a bound says so. */
function span(value: number, bound: string): [number, number] {
  const size = Math.abs(value) || 1;
  if (/>=?\s*0$/.test(bound)) return [bound.includes('>=') ? 0 : size / 50, 3 * size];
  return [value - 2 * size, value + 2 * size];
}

/** A number as it is read. */
function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

export class Sliders {
  values: Values = {};

  constructor(private readonly changed: () => void) {
    by('reset').addEventListener('click', () => {
      this.values = {};
      this.changed();
      if (this.last) this.load(...this.last);
    });
  }

  private last: [Sheet, Scenario | undefined] | null = null;

  /** The sliders of a declaration, with what is still set. */
  load(sheet: Sheet, scenario: Scenario | undefined): void {
    this.last = [sheet, scenario];
    const { parameters, positions, inputs, functions } = sheet.declared;
    const known = new Set([...parameters, ...positions, ...sheet.speeds, ...inputs, ...functions].map(({ ascii }) => ascii));
    this.values = Object.fromEntries(Object.entries(this.values).filter(([name]) => known.has(name)));
    const free = (named: Named) => !scenario?.solved.includes(named.ascii);
    const numbers = (items: Named[], values: (number | null)[] | undefined) =>
      items.flatMap((item, i) => (free(item) ? [this.slider(item, values?.[i] ?? 0, '')] : []));
    by('parameters').replaceChildren(
      ...parameters.map((item, i) => this.slider(item, sheet.values[i] ?? 1, item.bound)),
      ...functions.map((item) => this.formula(item, item.default ?? '')),
    );
    by('starts').replaceChildren(
      ...numbers(positions, scenario?.q), ...numbers(sheet.speeds, scenario?.v), ...numbers(inputs, scenario?.u),
    );
  }

  /** The values of a run, for parameters that are not set: a default may depend on one that is. */
  refresh(values: (number | null)[]): void {
    this.last?.[0].declared.parameters.forEach(({ ascii }, index) => {
      const value = values[index];
      if (this.values[ascii] !== undefined || value === null || value === undefined) return;
      const [slide, number] = by(`set-${ascii}`).parentElement!.querySelectorAll('input');
      slide.value = String(value);
      number.value = short(value);
    });
  }

  private slider(item: Named, declared: number, bound: string): HTMLElement {
    const set = this.values[item.ascii];
    const value = typeof set === 'number' ? set : declared;
    const [low, high] = span(declared, bound);
    const id = `set-${item.ascii}`;
    const slide = el('input', {
      type: 'range', id, min: low, max: high, step: 'any', value, 'aria-label': `${item.name}, slider`,
    });
    const number = el('input', { type: 'number', step: 'any', value: short(value), 'aria-label': item.name });
    const take = (text: string, other: HTMLInputElement) => {
      const read = Number(text);
      if (text === '' || !Number.isFinite(read)) return;
      other.value = text;
      this.values[item.ascii] = read;
      this.changed();
    };
    slide.addEventListener('input', () => take(String(Number(Number(slide.value).toPrecision(4))), number));
    number.addEventListener('change', () => take(number.value, slide));
    const label = el('label', { for: id, title: item.doc ?? '' }, item.name);
    return el('div', { class: 'slider' }, label, slide, number);
  }

  private formula(item: Named, declared: string): HTMLElement {
    const set = this.values[item.ascii];
    const id = `set-${item.ascii}`;
    const text = el('input', { type: 'text', id, value: typeof set === 'string' ? set : declared });
    text.addEventListener('change', () => {
      this.values[item.ascii] = text.value;
      this.changed();
    });
    return el('div', { class: 'slider' }, el('label', { for: id, title: item.doc ?? '' }, item.name), text);
  }
}
