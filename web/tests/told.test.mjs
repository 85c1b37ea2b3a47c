// What the page keeps of what was set, what it shows of a fast motion, and what it says where it does not show what is asked.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ended, opened, write } from './browser.mjs';

const spring = (until) => `system Spring {
    coordinates { x }
    kinetic = ẋ^2/2;
    potential = x^2/2;
    scenario s { x = 1; until t = ${until}; }
}`;

const HEAD = `system Head {
    coordinates { θ }
    parameters { l = 1 where l > 0, g = 9.81, head = 0.5, m }
    allow unused_parameter(head), unused_parameter(m);
    kinetic = l^2*θ̇^2/2;
    potential = -g*l*cos(θ);
    scenario swing { θ = 1; until t = 5; }
    scenario before { t = -10; θ = 1; until t = -5; }
}`;

const SKATE = `system Skate {
    coordinates { x, y, φ }
    kinetic = (ẋ^2 + ẏ^2 + φ̇^2)/2;
    constraints { blade: ẏ*cos(φ) - ẋ*sin(φ) = 0; }
    scenario free { ẏ = 0; until t = 1; }
    scenario glide { ẋ = 1; φ = 0.5; solve ẏ; until t = 1; }
}`;

let at;
before(async () => {
  at = await opened('#model=kepler');
  await ended(at.page, /reached/);
  await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
after(() => at.close());

const set = async (page, selector, value) => {
  await page.fill(selector, value);
  await page.press(selector, 'Enter');
};
const number = (name) => `input[type=number][aria-label="${name}"]`;
const isStale = (page) => page.evaluate(() => document.getElementById('results').classList.contains('stale'));

/** What is drawn in the frame of the curves: heights of the lines, of points, and all texts. */
const drawn = (page) => page.evaluate(() => {
  const found = { lines: [], points: [], texts: [] };
  const { lineTo, fillRect, fillText } = CanvasRenderingContext2D.prototype;
  const watched = (canvas) => canvas.id === 'curves';
  Object.assign(CanvasRenderingContext2D.prototype, {
    lineTo(x, y) {
      if (watched(this.canvas) && this.lineWidth > 1.5) found.lines.push(y);
      return lineTo.call(this, x, y);
    },
    fillRect(x, y, w, h) {
      if (watched(this.canvas) && h === 2) found.points.push(y);
      return fillRect.call(this, x, y, w, h);
    },
    fillText(text, x, y) {
      if (watched(this.canvas)) found.texts.push(text);
      return fillText.call(this, text, x, y);
    },
  });
  document.getElementById('theme').click();
  Object.assign(CanvasRenderingContext2D.prototype, { lineTo, fillRect, fillText });
  return found;
});

/** How often heights turn. */
const turns = (heights) => heights.filter((y, i) => (heights[i + 1] - y) * (y - heights[i - 1]) < 0).length;

/** Only this number is drawn, over time. */
const look = async (page, name) => {
  const chosen = page.locator('#chosen label');
  for (const label of await chosen.all()) {
    await label.locator('input').setChecked((await label.textContent()) === name);
  }
  await page.waitForTimeout(300);
  return drawn(page);
};

test('a motion that turns often is drawn as it turns', async () => {
  const { page } = at;
  // x = cos t turns at each π.
  for (const until of [40, 300, 9424.777]) {
    await write(page, spring(until));
    const said = await ended(page, new RegExp(`^reached t = ${until}`));
    assert.equal(said, `reached t = ${until}`);
    const found = turns((await drawn(page)).lines);
    const expected = Math.floor(until / Math.PI - 1e-6);
    assert.ok(Math.abs(found - expected) <= 2, `${found} turns in ${until}, not ${expected}`);
  }
});

test('a motion that turns more often than that is said to', async () => {
  const { page } = at;
  await write(page, spring(5e4));
  const said = await ended(page, /^reached t = 50000/);
  assert.match(said, /it turns faster than it is sampled: pictures show \d+ states of it/);
  // At even times it would be one slow curve; nothing is known between the states.
  const { lines, points } = await drawn(page);
  assert.ok(turns(points) > points.length / 2);
  assert.equal(lines.length, 0);
});

test('a motion that leaves all bounds is shown up to there', async () => {
  const { page } = at;
  await write(page, `system Runs {
    coordinates { x }
    kinetic = ẋ^2/2;
    potential = -x^4;
    scenario s { x = 1; ẋ = 1; until t = 10; }
}`);
  // ∫ dx/√(2x⁴ − 1) from 1 to ∞.
  assert.match(await ended(page, /stopped/), /^stopped at t = 0\.7530905741793/);
  assert.match(await page.textContent('#tale'), /stopped[^]*error–/);
});

test('the axes tell what is near to each other apart, and what does not change is flat', async () => {
  const { page } = at;
  await write(page, `system Far {
    coordinates { x }
    kinetic = ẋ^2/2;
    potential = (x - 100000)^2/2;
    output o = ln(t);
    scenario s { x = 100000.3; until t = 20; }
}`);
  await ended(page, /^reached t = 20$/);
  assert.equal(await page.inputValue(number('x')), '100000.3');
  const { texts } = await look(page, 'x');
  assert.equal(new Set(texts).size, texts.length, `${texts}`);
  assert.ok(texts.includes('100000.2'));
  const heights = (await look(page, 'energy')).lines;
  assert.ok(Math.max(...heights) - Math.min(...heights) < 1);
  // ln t is −∞ at 0: what is finite is within the frame.
  const { lines } = await look(page, 'o');
  const height = await page.evaluate(() => document.getElementById('curves').clientHeight);
  assert.ok(lines.length > 100 && lines.every((y) => y > 0 && y < height), `${Math.min(...lines)} ${Math.max(...lines)}`);
});

test('no more curves are chosen than are drawn', async () => {
  const { page } = at;
  const boxes = page.locator('#chosen input');
  for (const box of (await boxes.all()).slice(0, 6)) await box.setChecked(true);
  assert.ok(await boxes.nth(6).isDisabled());
  await boxes.nth(0).setChecked(false);
  assert.ok(!(await boxes.nth(6).isDisabled()));
});

test('a parameter is not what the page calls something else', async () => {
  const { page } = at;
  await write(page, HEAD);
  assert.match(await ended(page, /parameter `m`/), /has no default/);
  // A slider says no value where there is none.
  assert.equal(await page.inputValue(number('m')), '');
  await set(page, number('m'), '2');
  await ended(page, /^reached t = 5$/);
  assert.equal(await page.inputValue('#until'), '');
  assert.equal(await page.inputValue(number('head')), '0.5');
});

test('an end is taken as it is given', async () => {
  const { page } = at;
  await set(page, '#until', '-1');
  assert.match(await ended(page, /until=-1/), /is not after the start, t = 0/);
  await page.selectOption('#scenario', 'before');
  await ended(page, /^reached t = -5$/);
  await set(page, '#until', '-7');
  await ended(page, /^reached t = -7$/);
  await page.selectOption('#scenario', 'swing');
  await ended(page, /^reached t = 5$/);
});

test('what is shown of another run stands back', async () => {
  const { page } = at;
  await set(page, number('l'), '-3');
  await ended(page, /l > 0/);
  assert.ok(await isStale(page));
  await set(page, number('l'), '2');
  await ended(page, /^reached/);
  assert.ok(!(await isStale(page)));
  // A mistake stays told while sliders move.
  await write(page, HEAD.replace('cos(θ)', 'cos(ψ)'));
  await ended(page, /^1 mistake$/);
  await set(page, number('g'), '5');
  await page.waitForTimeout(500);
  assert.equal(await page.textContent('#status'), '1 mistake');
  assert.ok(await isStale(page));
});

test('a link has all that is set', async () => {
  const { page } = at;
  await write(page, HEAD);
  await ended(page, /^reached t = 5$/);
  await set(page, '#until', '9');
  await ended(page, /^reached t = 9$/);
  await page.selectOption('#method', 'taylor');
  await page.click('#share');
  await ended(page, /link/);
  const other = await opened(new URL(page.url()).hash);
  try {
    await ended(other.page, /^reached t = 9$/);
    assert.equal(await other.page.inputValue('#until'), '9');
    assert.equal(await other.page.inputValue('#method'), 'taylor');
    assert.equal(await other.page.inputValue(number('m')), '2');
  } finally {
    await other.close();
  }
});

test('the address is that of what is shown', async () => {
  const { page } = at;
  await page.selectOption('#gallery', 'kepler');
  await page.waitForFunction(() => document.getElementById('name').textContent === 'Kepler');
  await page.goBack();
  await page.waitForFunction(() => document.getElementById('name').textContent === 'Head');
  await ended(page, /^reached t = 9$/);
});

test('Back, Forward and a reload open a text of one’s own, with what is set', async () => {
  const { page, close } = await opened('#model=kepler');
  const shown = async () => [await page.textContent('#name'), await page.inputValue('#until'), await page.inputValue('#gallery')];
  const named = (name) => page.waitForFunction((name) => document.getElementById('name').textContent === name, name);
  try {
    await ended(page, /^reached/);
    await write(page, spring(5));
    await ended(page, /^reached t = 5$/);
    await set(page, '#until', '9');
    await ended(page, /^reached t = 9$/);
    for (const [go, expected] of [
      [() => page.selectOption('#gallery', 'ziegler'), ['Ziegler', '', 'ziegler']],
      [() => page.goBack(), ['Spring', '9', '']],
      [() => page.reload(), ['Spring', '9', '']],
      [() => page.goForward(), ['Ziegler', '', 'ziegler']],
      // A second one, of the same address.
      [() => write(page, spring(4).replace('Spring', 'Second')), ['Second', '', '']],
      [() => page.goBack(), ['Spring', '9', '']],
      [() => page.goForward(), ['Second', '', '']],
      [() => page.goBack(), ['Spring', '9', '']],
    ]) {
      await go();
      await named(expected[0]);
      await ended(page, /^reached/);
      assert.deepEqual(await shown(), expected);
    }
  } finally {
    await close();
  }
});

test('while a run is made, what is shown is told to be of another', async () => {
  const { page } = at;
  const stale = () => page.evaluate(() => document.getElementById('results').classList.contains('stale'));
  await set(page, '#until', '');
  await write(page, spring(5));
  await ended(page, /^reached t = 5$/);
  // Some 10⁵ periods.
  await set(page, '#until', '1e6');
  await ended(page, /^running …$/);
  assert.equal(await stale(), true);
  await ended(page, /^(reached t = 1000000|interrupted at t = \d+\.)/);
  assert.equal(await stale(), false);
});

test('names that are longer than a phone is wide are within it', async () => {
  const phone = await opened('', { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true });
  try {
    await ended(phone.page, /^reached/);
    const name = 'displacement_of_the_first_carriage_from_the_second';
    await write(phone.page, `system Long { coordinates { ${name} } kinetic = ${name}_dot^2/2; scenario s { until t = 3; } }`);
    await ended(phone.page, /^reached t = 3$/);
    const [wide, high] = await phone.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= 375 && high <= 375, `${wide} of ${high}`);
  } finally {
    await phone.close();
  }
});

test('a link that is none opens nothing, and says so', async () => {
  for (const [fragment, said] of [['#eom=AAAA', /link is damaged/], ['#model=nope', /no model of this name/]]) {
    const other = await opened(fragment);
    try {
      assert.match(await ended(other.page, /nothing is opened/), said);
      assert.equal(new URL(other.page.url()).hash, fragment);
      assert.equal(await other.page.textContent('#name'), 'Motion');
    } finally {
      await other.close();
    }
  }
});

test('a model that cannot be loaded is said to be none, and one that comes late writes over nothing', async () => {
  const at = await opened('#model=penny');
  const { page, errors } = at;
  try {
    await ended(page, /reached/);
    await page.route('**/models/rolling-ball.eom', (route) => route.abort());
    await page.evaluate(() => (location.hash = 'model=rolling-ball'));
    assert.match(await ended(page, /nothing is opened/), /rolling-ball cannot be loaded/);
    assert.match(await page.textContent('.cm-content'), /system Penny/);
    let release;
    await page.route('**/models/snakeboard.eom', async (route) => {
      await new Promise((go) => (release = go));
      await route.continue();
    });
    await page.evaluate(() => (location.hash = 'model=snakeboard'));
    const own = 'system Own { coordinates { x } kinetic = ẋ^2/2; scenario s { until t = 3; } }';
    await write(page, own);
    await ended(page, /^reached t = 3$/);
    release();
    await page.waitForResponse('**/models/snakeboard.eom');
    await page.waitForTimeout(200);
    assert.equal(await page.textContent('.cm-content'), own);
    // What the browser itself says of a load that failed.
    assert.deepEqual(errors.filter((error) => !/Failed to load resource/.test(error)), []);
  } finally {
    await at.close();
  }
});

test('an empty text is shared as one', async () => {
  const { page } = at;
  await write(page, ' ');
  await page.keyboard.press('Backspace');
  await ended(page, /mistake/);
  await page.click('#share');
  await ended(page, /link/);
  const other = await opened(new URL(page.url()).hash);
  try {
    await ended(other.page, /mistake/);
  } finally {
    await other.close();
  }
});

test('what is solved for in a scenario is not set in it', async () => {
  const { page } = at;
  await page.fill('#until', '');
  await write(page, SKATE);
  await ended(page, /^reached t = 1$/);
  await set(page, number('ẏ'), '0.7');
  await ended(page, /violates/);
  await page.selectOption('#scenario', 'glide');
  await ended(page, /^reached t = 1$/);
});

test('what there is nothing of has no frame', async () => {
  const { page } = at;
  const shown = () => page.locator('fieldset').evaluateAll((all) => all.map((one) => one.checkVisibility()));
  for (const [text, expected] of [[spring(1), [false, true]], [HEAD, [true, true]]]) {
    await write(page, text);
    await page.waitForFunction((name) => document.getElementById('name').textContent === name, text.match(/system (\w+)/)[1]);
    assert.deepEqual(await shown(), expected);
  }
});

test('no script fails', () => assert.deepEqual(at.errors, []));
