// Every model of the repository is derived in the page, and each of its scenarios runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ended, here, opened } from './browser.mjs';

const models = JSON.parse(readFileSync(join(here, '..', 'dist', 'models.json'), 'utf8'));

let at;
before(async () => (at = await opened('#model=penny')));
after(() => at.close());

for (const { name } of models) {
  test(name, async () => {
    const { page } = at;
    await page.evaluate(() => document.getElementById('motion').removeAttribute('data-end'));
    await page.evaluate((model) => (location.hash = `model=${model}`), name);
    await page.waitForFunction(() => document.getElementById('motion').dataset.end !== undefined, undefined, { timeout: 120_000 });
    // A long run is interrupted and shown; nothing else ends one early but what the document says.
    assert.match(await ended(page), /^(reached|interrupted|stopped at t)/);
    assert.equal(await page.locator('#findings .error').count(), 0);
    assert.deepEqual(at.errors, []);
  });
}
