// What is told of a name in the editor: its documentation and unit, its value, what is derived of it.
import { el, shown } from './dom';
import type { Line, Sheet } from './types';

/** The most lines that are shown of a name. */
const LINES = 4;

const DOT = '\u0307';
const DOTS = '\u0308';

/** What is told of a name. */
export interface Told { words: string; lines: Line[] }

/** The name without its dots, and how many there are. */
function undotted(name: string): [string, number] {
  const parts = name.normalize('NFD');
  const dots = [...parts].reduce((sum, mark) => sum + (mark === DOT ? 1 : mark === DOTS ? 2 : 0), 0);
  return [parts.replaceAll(DOT, '').replaceAll(DOTS, '').normalize(), dots];
}

/** What a declaration says of a name, and what was derived of it; nothing of a name that it does not have. */
export function told(sheet: Sheet, written: string): Told | null {
  const name = written.normalize();
  const [plain, dots] = undotted(name);
  const words = inWords(sheet, name, plain, dots);
  const lines = derived(sheet, name, plain);
  return words || lines.length ? { words: words ?? name, lines } : null;
}

function inWords(sheet: Sheet, name: string, plain: string, dots: number): string | null {
  const { declared, values, speeds } = sheet;
  const place = declared.parameters.findIndex((item) => item.name === name);
  if (place >= 0) {
    const { doc, bound } = declared.parameters[place];
    const value = values[place];
    const parts = [value === null ? 'a parameter without a default' : `${name} = ${shown(value)}`, doc, bound && `where ${bound}`];
    return parts.filter(Boolean).join('; ');
  }
  const speed = speeds.find((item) => item.name.normalize() === name);
  const coordinate = declared.coordinates.find((item) => item.name === plain);
  if (coordinate && dots > 0) {
    const order = ['', 'rate', 'second rate'][dots] ?? `rate of order ${dots}`;
    return `${name}: ${order} of ${plain}${speed?.unit ? `, ${speed.unit}` : ''}`;
  }
  const all = [declared.coordinates, declared.inputs, declared.outputs, declared.functions, declared.contacts, declared.events];
  const known = all.flat().find((item) => item.name === name);
  return known ? [known.name, known.doc].filter(Boolean).join(': ') : null;
}

/** The lines that give a name, its acceleration, or the contact of that name. */
function derived({ sections }: Sheet, name: string, plain: string): Line[] {
  const wanted = new Set([name, `${plain}${DOTS}`.normalize(), `λ(${name})`]);
  const holds = ({ name: row, left, right }: Line) =>
    row === name || (left && right && [...wanted].some((text) => is(left.text, text)));
  const found = sections.flatMap(({ title, lines }) =>
    title.split(':')[0] === `Contact ${name}` ? lines.filter(({ left }) => left) : lines.filter(holds));
  const text = ({ left, right }: Line) => `${left?.text} = ${right?.text}`;
  return found.filter((line, index) => found.findIndex((other) => text(other) === text(line)) === index).slice(0, LINES);
}

/** Whether a left side is a name, or is of its acceleration. */
function is(left: string, name: string): boolean {
  const text = left.normalize();
  return text === name || (name.normalize('NFD').endsWith(DOTS) && text.includes(name));
}

/** The box of it; equations are typeset once what typesets is there. */
export function box({ words, lines }: Told): HTMLElement {
  const made = el('div', { class: 'hover' }, el('div', {}, words));
  if (lines.length) void import('./sheet').then(({ line }) => made.append(...lines.map(line)));
  return made;
}
