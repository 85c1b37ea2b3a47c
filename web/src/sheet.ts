// Equations typeset, claims with their ticks.
import katex from 'katex';
import { el } from './dom';
import type { Claim, Line, Section, Sheet } from './types';

function typeset(latex: string, block: boolean): HTMLElement {
  const made = el('span');
  katex.render(latex, made, { displayMode: block, throwOnError: false, output: 'htmlAndMathml', strict: false });
  return made;
}

function line({ name, left, right, note }: Line): HTMLElement {
  if (note) return el('p', { class: 'note' }, typeset(note.latex, false));
  const latex = `${left?.latex ?? ''} = ${right?.latex ?? ''}`;
  const row = el('div', { class: 'equation', tabindex: 0 }, typeset(latex, true));
  if (name) row.append(el('span', { class: 'equation-name' }, name));
  return row;
}

function section({ title, lines }: Section): HTMLElement {
  return el('section', {}, el('h3', {}, title), ...lines.map(line));
}

/** The equations, all sections. */
export function showEquations(into: HTMLElement, sheet: Sheet): void {
  into.replaceChildren(...sheet.sections.filter(({ lines }) => lines.length).map(section));
}

function claim({ name, equation, doc, verdict, printed, corrected, difference, when, closed }: Claim): HTMLElement {
  const follows = verdict === 'follows';
  const sign = el('span', { class: follows ? 'tick' : 'misprint', role: 'img', 'aria-label': follows ? 'follows' : 'misprint' }, follows ? '✓' : '✗');
  const number = equation && equation !== name ? ` (${equation})` : '';
  const item = el('li', {}, sign, el('strong', {}, ` ${name}${number} `), el('code', {}, printed));
  const conditions = [closed && `with ${closed} closed`, when && `where ${when}`].filter(Boolean).join(', ');
  if (conditions) item.append(el('span', { class: 'dim' }, ` ${conditions}`));
  if (!follows) item.append(el('div', {}, 'corrected: ', el('code', {}, corrected)), el('div', {}, 'difference: ', el('code', {}, difference)));
  if (doc) item.append(el('div', { class: 'dim' }, doc));
  return item;
}

/** The claims; a declaration in which one does not follow has a mistake at its place instead. */
export function showClaims(into: HTMLElement, sheet: Sheet): void {
  const items = sheet.claims.map(claim);
  into.replaceChildren(items.length ? el('ul', { class: 'claims' }, ...items) : el('p', { class: 'dim' }, 'Nothing is claimed.'));
}
