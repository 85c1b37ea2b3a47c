// Equations typeset, claims with their ticks.
import katex from 'katex';
import { el } from './dom';
import type { Claim, Line, Sentence, Sheet } from './types';

function typeset(latex: string, block: boolean): HTMLElement {
  const made = el('span');
  katex.render(latex, made, { displayMode: block, throwOnError: false, output: 'htmlAndMathml', strict: false });
  return made;
}

/** A line of the equations. */
export function line({ name, left, right, note }: Line): HTMLElement {
  if (note) return el('p', { class: 'note' }, typeset(note.latex, false));
  const latex = `${left?.latex ?? ''} = ${right?.latex ?? ''}`;
  const row = el('div', { class: 'equation', tabindex: 0 }, typeset(latex, true));
  if (name) row.append(el('span', { class: 'equation-name' }, name));
  return row;
}

/** Milliseconds of typesetting after which the page is given a frame. */
const SLICE = 8;

/** What is typeset, or is being so. */
let shown = '';

/** The equations, all sections, a few lines at a time: who types does not wait for them. */
export async function showEquations(into: HTMLElement, sheet: Sheet): Promise<void> {
  const sections = sheet.sections.filter(({ lines }) => lines.length);
  const key = JSON.stringify(sections);
  if (key === shown) return;
  shown = key;
  const made = el('div');
  let since = performance.now();
  for (const { title, lines } of sections) {
    const section = el('section', {}, el('h3', {}, title));
    made.append(section);
    for (const equation of lines) {
      section.append(line(equation));
      if (performance.now() - since > SLICE) {
        await new Promise(requestAnimationFrame);
        // Another declaration has come meanwhile.
        if (shown !== key) return;
        since = performance.now();
      }
    }
  }
  into.replaceChildren(made);
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

/** What is claimed of motions: the engine of the page does not decide it, and says so. */
function sentence({ name, equation, doc, printed }: Sentence): HTMLElement {
  const number = equation && equation !== name ? ` (${equation})` : '';
  const item = el('li', {}, el('strong', {}, `${name}${number} `), el('code', {}, printed));
  item.append(el('span', { class: 'dim undecided' }, ' of a motion: decided by ', el('code', {}, 'eom check')));
  if (doc) item.append(el('div', { class: 'dim' }, doc));
  return item;
}

/** The claims; a declaration in which one does not follow has a mistake at its place instead. */
export function showClaims(into: HTMLElement, sheet: Sheet): void {
  const items = [...sheet.claims.map(claim), ...sheet.sentences.map(sentence)];
  into.replaceChildren(items.length ? el('ul', { class: 'claims' }, ...items) : el('p', { class: 'dim' }, 'Nothing is claimed.'));
}
