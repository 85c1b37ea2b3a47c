// In the book: a link behind each declaration, and at each name of a model, that opens it in the page beside the book.
import { packed } from './share';

/** The page, where this file is. */
const page = new URL('.', import.meta.url);

/** The declaration in a listing, with its documentation, as a file has it; nothing where there is none as a whole. */
export function declaration(listing: string): string | null {
  const found = listing.match(/^(?:[ \t]*\/\/\/.*\n)*([ \t]*)(?:pub )?system \w+ \{/mu);
  if (!found || found.index === undefined) return null;
  let depth = 0;
  for (let at = found.index + found[0].length - 1; at < listing.length; at++) {
    // Braces in comments count for nothing.
    if (listing.startsWith('//', at)) at = Math.max(at, listing.indexOf('\n', at));
    if (listing[at] === '{') depth++;
    if (listing[at] === '}' && --depth === 0) {
      const lines = listing.slice(found.index, at + 1).split('\n');
      const text = lines.map((line) => (line.startsWith(found[1]) ? line.slice(found[1].length) : line)).join('\n');
      return text.replace(/^pub system /m, 'system ') + '\n';
    }
  }
  return null;
}

function link(fragment: string, text: string): HTMLAnchorElement {
  const made = document.createElement('a');
  made.href = `${page}#${fragment}`;
  made.textContent = text;
  return made;
}

async function open(): Promise<void> {
  for (const code of document.querySelectorAll('pre > code')) {
    const text = declaration(code.textContent ?? '');
    if (text) code.parentElement?.after(link(await packed({ text }), 'Open in the page'));
  }
  const models: { name: string }[] = await (await fetch(new URL('models.json', page))).json();
  const names = new Set(models.map(({ name }) => name));
  for (const code of document.querySelectorAll('td:first-child > code')) {
    const name = code.textContent ?? '';
    if (!names.has(name)) continue;
    const made = link(`model=${name}`, '');
    code.replaceWith(made);
    made.append(code);
  }
}

if (typeof document !== 'undefined') void open();
