// Every model of the repository is derived in the page, runs, and plays as it is drawn.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ended, here, opened } from './browser.mjs';

const dist = join(here, '..', 'dist');
const models = JSON.parse(readFileSync(join(dist, 'models.json'), 'utf8'));

let at;
before(async () => (at = await opened('#model=penny')));
after(() => at.close());

/** The shapes of the block `draw` of a text, in their order. */
function declared(text) {
  const block = text.match(/^ *draw \{(.*?)^ *\}|^ *draw \{(.*)\}$/ms);
  const items = (block?.[1] ?? block?.[2] ?? '').replace(/\/\/.*$/gm, '').split(';');
  return items.map((item) => item.trim().split(/[\s[]/)[0]).filter(Boolean);
}

/** What the stage shows. */
const picture = (page) => page.evaluate(() => document.getElementById('stage').toDataURL());

for (const { name } of models) {
  const text = readFileSync(join(dist, 'models', `${name}.eom`), 'utf8');
  test(name, async () => {
    const { page } = at;
    await page.evaluate(() => document.getElementById('motion').removeAttribute('data-end'));
    await page.evaluate((model) => (location.hash = `model=${model}`), name);
    await page.waitForFunction(() => document.getElementById('motion').dataset.end !== undefined, undefined, { timeout: 120_000 });
    // A long run is interrupted and shown; nothing else ends one early but what the document says.
    assert.match(await ended(page), /^(reached|interrupted|stopped at t)/);
    assert.equal(await page.locator('#findings .error').count(), 0);
    const shapes = (await page.getAttribute('#stage', 'data-shapes')).split(' ');
    for (const shape of declared(text)) assert.ok(shapes.includes(shape), `${shape} is among ${shapes}`);
    await page.focus('#stage');
    await page.keyboard.press('Home');
    const [before, since] = [await picture(page), await page.inputValue('#time')];
    await page.keyboard.press('Space');
    await page.waitForFunction((old) => Number(document.getElementById('time').value) > Number(old) + 20, since);
    await page.keyboard.press('Space');
    assert.notEqual(await picture(page), before, 'it moves');
    assert.deepEqual(at.errors, []);
  });
}
