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
  return String(Number(value.toPrecision(12)));
}

export class Sliders {
  values: Values = {};
  /** The slider and the number of each name. */
  private readonly entries = new Map<string, [HTMLInputElement, HTMLInputElement]>();

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
    const free = (named: Named) => !scenario?.solved.includes(named.ascii);
    // What is solved for in this scenario has no slider, and is not set.
    const starts = [...positions, ...sheet.speeds, ...inputs].filter(free);
    const known = new Set([...parameters, ...starts, ...functions].map(({ ascii }) => ascii));
    this.values = Object.fromEntries(Object.entries(this.values).filter(([name]) => known.has(name)));
    this.entries.clear();
    const numbers = (items: Named[], values: (number | null)[] | undefined) =>
      items.flatMap((item, i) => (free(item) ? [this.slider(item, values?.[i] ?? 0, '')] : []));
    by('parameters').replaceChildren(
      ...parameters.map((item, i) => this.slider(item, sheet.values[i], item.bound)),
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
      const entry = this.entries.get(ascii);
      if (!entry) return;
      entry[0].value = String(value);
      entry[1].value = short(value);
    });
  }

  /** A slider with its number, which is empty where nothing is declared or set; one that is emptied is as declared again. */
  private slider(item: Named, declared: number | null, bound: string): HTMLElement {
    const set = this.values[item.ascii];
    const value = typeof set === 'number' ? set : declared;
    const [low, high] = span(declared ?? 1, bound);
    const id = `set-${item.ascii}`;
    const slide = el('input', {
      type: 'range', id, min: low, max: high, step: 'any', value: value ?? 1, 'aria-label': `${item.name}, slider`,
    });
    const shown = (of: number | null) => (of === null ? '' : short(of));
    const number = el('input', { type: 'number', step: 'any', value: shown(value), placeholder: 'none', 'aria-label': item.name });
    this.entries.set(item.ascii, [slide, number]);
    const take = (text: string, other: HTMLInputElement) => {
      const read = Number(text);
      if (text === '' || !Number.isFinite(read)) return;
      other.value = text;
      this.values[item.ascii] = read;
      this.changed();
    };
    slide.addEventListener('input', () => take(String(Number(Number(slide.value).toPrecision(4))), number));
    number.addEventListener('change', () => {
      if (number.value !== '') return take(number.value, slide);
      delete this.values[item.ascii];
      number.value = shown(declared);
      slide.value = String(declared ?? 1);
      this.changed();
    });
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
