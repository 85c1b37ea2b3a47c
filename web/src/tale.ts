// How a run went: its end, the ledger, what happened.
import { el, shown } from './dom';
import type { Happening, Ledger, Tale } from './types';

const EVENTS_MAX = 300;

function row(...cells: (string | Node)[]): HTMLElement {
  return el('tr', {}, ...cells.map((cell) => el('td', {}, cell)));
}

function table(caption: string, heads: string[], rows: HTMLElement[]): HTMLElement {
  const head = el('tr', {}, ...heads.map((text) => el('th', { scope: 'col' }, text)));
  return el('table', {}, el('caption', {}, caption), el('thead', {}, head), el('tbody', {}, ...rows));
}

function event(one: Happening, jump: (t: number) => void): HTMLElement {
  const impulses = one.impulses.map(({ name, impulse }) => `Λ(${name}) = ${shown(impulse)}`).join(', ');
  const time = el('button', { class: 'link', onclick: () => jump(one.t) }, shown(one.t, 8));
  return row(time, one.kind, one.names.join(', '), impulses);
}

/** The events, each with a button that goes to its time. */
export function showEvents(into: HTMLElement, tale: Tale, jump: (t: number) => void): void {
  if (!tale.event_count) return into.replaceChildren(el('p', { class: 'dim' }, 'Nothing happened on the way.'));
  const rows = tale.events.slice(0, EVENTS_MAX).map((one) => event(one, jump));
  const more = tale.event_count - rows.length;
  into.replaceChildren(table(`${tale.event_count} events`, ['t', 'what', 'of', 'impulse'], rows));
  if (more > 0) into.append(el('p', { class: 'dim' }, `and ${more} more`));
}

function books(ledger: Ledger): HTMLElement {
  const number = (value: number | null) => value?.toExponential(6) ?? '–';
  return table('Ledger of the energy h = v·∂L/∂v − L', ['', 'energy', 'of'], [
    row('start', number(ledger.start), ''),
    ...ledger.works.map(({ of, work }) => row('work', number(work), of)),
    ...ledger.jumps.map(({ of, count, change }) => row('jump', number(change), `${of}, ${count} times`)),
    row('end', number(ledger.end), ''),
    row('error', number(ledger.error), `${ledger.closes ? 'closes' : 'DOES NOT CLOSE'}: the tolerance is ${number(ledger.tolerance)}`),
  ]);
}

/** The end and what tells whether to trust it. */
export function showTale(into: HTMLElement, tale: Tale): void {
  const lines: HTMLElement[] = [
    el('p', { class: tale.end.complete ? '' : 'early' }, tale.end.text, tale.end.help ? `. ${tale.end.help}.` : ''),
    el('p', { class: 'dim' }, `${tale.steps} steps, ${tale.rejected} rejected, ${tale.evaluations} evaluations; guards ${tale.guards}${tale.sampled.length ? ` (${tale.sampled.join(', ')})` : ''}, forces ${tale.forces}`),
  ];
  if (tale.ledger) lines.push(books(tale.ledger));
  into.replaceChildren(...lines);
}
