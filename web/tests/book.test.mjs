// The book beside the page: its declarations and its models are opened there.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../serve.mjs';
import { ended, here, opened } from './browser.mjs';

const book = join(here, '..', '..', 'book');
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A page of the book as mdBook writes its listings and tables, with the scripts that `book.toml` names. */
function written(markdown, root) {
  const listings = [...markdown.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(([, kind, code]) => `<pre><code class="language-${kind}">${escaped(code)}</code></pre>`);
  const names = [...markdown.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => `<tr><td><code>${name}</code></td></tr>`);
  const [, scripts] = readFileSync(join(book, 'book.toml'), 'utf8').match(/^additional-js = \[(.*)\]$/m);
  const tags = JSON.parse(`[${scripts}]`).map((script) => `<script src="${root}${script}"></script>`);
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>var path_to_root = "${root}";</script>`
    + `<main>${listings.join('')}<table>${names.join('')}</table></main>${tags.join('')}`;
}

let server;
let at;
before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'eom-book-'));
  mkdirSync(join(folder, 'documents'));
  for (const [name, root] of [['language', ''], ['gallery', ''], ['documents/bouncing-penny', '../']]) {
    writeFileSync(join(folder, `${name}.html`), written(readFileSync(join(book, 'src', `${name}.md`), 'utf8'), root));
  }
  for (const file of readdirSync(book).filter((file) => file.endsWith('.js'))) cpSync(join(book, file), join(folder, file));
  cpSync(join(here, '..', 'dist'), join(folder, 'page'), { recursive: true });
  server = await serve(folder);
  at = await opened('language.html', {}, `http://127.0.0.1:${server.address().port}/`);
});
after(async () => {
  await at.close();
  server.close();
});

test('a declaration of the book runs in the page', async () => {
  await at.page.click('text=Open in the page');
  assert.equal(await ended(at.page, /^reached/), 'reached t = 5');
  assert.match(await at.page.textContent('.cm-content'), /^(\/\/\/.*)?system Pendulum \{/);
});

test('so do the models of a document', async () => {
  await at.page.goto(`${at.address}documents/bouncing-penny.html`);
  await at.page.waitForSelector('text=Open in the page');
  const links = at.page.locator('text=Open in the page');
  assert.equal(await links.count(), 3);
  await links.first().click();
  assert.match(await ended(at.page, /^reached/), /^reached 20 impacts/);
});

test('and those of the gallery', async () => {
  await at.page.goto(`${at.address}gallery.html`);
  await at.page.click('a:has-text("rocking-block")');
  assert.equal(await ended(at.page, /^reached/), 'reached t = 5');
  assert.equal(await at.page.inputValue('#gallery'), 'rocking-block');
  assert.deepEqual(at.errors, []);
});
