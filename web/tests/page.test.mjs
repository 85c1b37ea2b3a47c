// The page in a real Chromium: what a user does, in the order of a visit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { command as eom, ended, here, opened, write } from './browser.mjs';

const PENDULUM = `system Pendulum {
    coordinates {
        /// From the vertical, rad.
        θ,
    }
    parameters { l = 1 where l > 0, g = 9.81 }
    let X = l*sin(θ);
    let Y = -l*cos(θ);
    kinetic = (Ẋ^2 + Ẏ^2)/2;
    potential = g*Y;
    scenario swing { θ = 1; until t = 5; }
    claim motion_: l*θ̈ = -g*sin(θ);
}
`;

let at;
before(async () => {
  mkdirSync(join(here, 'shots'), { recursive: true });
  at = await opened('#model=penny');
});
after(() => at.close());

const shot = (page, name) => page.screenshot({ path: join(here, 'shots', `${name}.png`) });

test('a model opens, is derived and runs', async () => {
  const { page } = at;
  // Published: the run of figure 3 of the document ends with its twentieth impact.
  assert.match(await ended(page, /reached/), /^reached 20 impacts at t = 23\.767/);
  await page.waitForSelector('#equations .katex');
  assert.equal(await page.textContent('#name'), 'Penny');
  assert.ok((await page.locator('#claims .tick').count()) > 40);
  assert.equal(await page.locator('#events tbody tr').count(), 20);
  assert.match(await page.textContent('#tale'), /closes/);
  await shot(page, 'penny');
});

test('a mistake is marked where it stands, and mended', async () => {
  const { page } = at;
  await write(page, PENDULUM.replace('potential = g*Y', 'potential = g*Z'));
  assert.match(await ended(page, /mistake/), /^1 mistake/);
  await page.waitForSelector('.cm-lintRange-error');
  assert.match(await page.textContent('#findings'), /10:19/);
  assert.equal(await page.locator('.cm-lintRange-error').first().textContent(), 'Z');
  await shot(page, 'mistake');
  await write(page, PENDULUM);
  assert.match(await ended(page, /reached/), /^reached t = 5$/);
  assert.equal(await page.locator('.cm-lintRange-error').count(), 0);
});

test('a claim that does not follow is a mistake at its place', async () => {
  const { page } = at;
  await write(page, PENDULUM.replace('-g*sin(θ);', '-2*g*sin(θ);'));
  assert.match(await ended(page, /mistake/), /^1 mistake/);
  assert.match(await page.textContent('#findings'), /12:/);
  await write(page, PENDULUM);
  await ended(page, /reached/);
});

test('a claim of a motion says who decides it', async () => {
  const { page } = at;
  const said = 'claim rate of below: im(eigenvalues[1]) = sqrt(g/l);';
  await write(page, PENDULUM.replace('claim motion_', `scenario below { until t = 5; } ${said} claim motion_`));
  await ended(page, /reached/);
  const items = page.locator('#claims li');
  assert.equal(await items.count(), 2);
  assert.match(await items.nth(1).textContent(), /^rate of below: .* decided by eom check$/);
  // It is no claim that follows: it has no tick.
  assert.equal(await page.locator('#claims .tick').count(), 1);
  await write(page, PENDULUM);
  await ended(page, /reached/);
});

test('a slider runs again at once', async () => {
  const { page } = at;
  const start = () => page.evaluate(() => document.getElementById('tale').textContent);
  const first = await start();
  await page.focus('#set-g');
  await page.keyboard.press('End');
  await page.waitForFunction((old) => document.getElementById('tale').textContent !== old, first);
  assert.equal(await page.inputValue('input[aria-label="g"]'), '29.43');
  await page.click('#reset');
  await page.waitForFunction((old) => document.getElementById('tale').textContent === old, first);
});

test('a number that is emptied is as declared', async () => {
  const { page } = at;
  const [g, tale] = ['input[aria-label="g"]', () => page.textContent('#tale')];
  const first = await tale();
  for (const value of ['3', '']) {
    const before = await tale();
    await page.fill(g, value);
    await page.press(g, 'Enter');
    await page.waitForFunction((old) => document.getElementById('tale').textContent !== old, before);
  }
  assert.deepEqual([await page.inputValue(g), await page.inputValue('#set-g'), await tale()], ['9.81', '9.81', first]);
});

test('the motion plays, and goes to events', async () => {
  const { page } = at;
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('time').value) > 20);
  await page.click('#play');
  await page.click('#next');
  // Nothing happens to a pendulum: the next event is the end.
  assert.equal(await page.textContent('#now'), 't = 5');
});

test('typing does not wait for the engine', async () => {
  const { page } = at;
  await page.evaluate(() => (location.hash = 'model=penny'));
  await ended(page, /20 impacts/);
  // The engine is asked and does not answer, for as long as is typed: what is told is an order, not a time.
  await page.evaluate(() => {
    window.held = [];
    window.post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      window.held.push([this, message]);
    };
  });
  const [first, ...letters] = '// typed while it runs';
  await page.click('.cm-content');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(first);
  await page.waitForFunction(() => window.held.length === 1);
  for (const letter of letters) await page.keyboard.type(letter, { delay: 10 });
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.cm-line').first().textContent(), [first, ...letters].join(''));
  assert.equal(await page.textContent('#status'), 'reading …');
  assert.equal(await page.evaluate(() => window.held.length), 1, 'one question at a time');
  await page.evaluate(() => {
    Worker.prototype.postMessage = window.post;
    for (const [worker, message] of window.held) worker.postMessage(message);
  });
  await ended(page, /20 impacts/);
  await write(page, PENDULUM);
  await ended(page, /^reached t = 5$/);
});

test('a link holds the text and what is set', async () => {
  const { page, context } = at;
  await page.fill('input[aria-label="l"]', '2');
  await page.keyboard.press('Enter');
  await page.click('#share');
  await page.waitForFunction(() => location.hash.startsWith('#eom='));
  const other = await context.newPage();
  await other.goto(page.url());
  await ended(other, /reached/);
  assert.equal(await other.textContent('#name'), 'Pendulum');
  assert.equal(await other.inputValue('input[aria-label="l"]'), '2');
  assert.ok((await other.textContent('.cm-content')).includes('coordinates'));
  await other.reload();
  await ended(other, /reached/);
  await other.close();
});

test('the text is downloaded', async () => {
  const { page } = at;
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
  assert.equal(download.suggestedFilename(), 'Pendulum.eom');
  assert.equal(readFileSync(await download.path(), 'utf8'), PENDULUM);
});

/** What the command writes of the text into a file, in a folder of its own. */
function command(...flags) {
  return commandOf(PENDULUM, ...flags);
}

function commandOf(text, ...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'eom-'));
  writeFileSync(join(folder, 'Pendulum.eom'), text);
  execFileSync(eom, [...flags, 'written'], { cwd: folder, stdio: 'ignore' });
  return readFileSync(join(folder, 'written'), 'utf8');
}

/** The file of a format that the page gives. */
async function given(page, format, timeout) {
  await page.selectOption('#format', format);
  const [download] = await Promise.all([page.waitForEvent('download', { timeout }), page.click('#download')]);
  return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
}

test('code is downloaded as the command writes it', async () => {
  const { page } = at;
  await page.click('#reset');
  for (const [format, name, flags] of [
    ['rust', 'Pendulum.rs', ['rust']], ['no-std', 'Pendulum.rs', ['rust', '--no-std']],
    ['c', 'Pendulum.h', ['c']], ['python', 'Pendulum.py', ['python']],
  ]) {
    const expected = command('generate', 'Pendulum.eom', '--lang', ...flags, '--out');
    assert.deepEqual(await given(page, format, 60_000), [name, expected]);
  }
});

test('the motion is downloaded as the page that the command writes', async () => {
  const { page } = at;
  const expected = command('run', 'Pendulum.eom', '--html');
  const [name, html] = await given(page, 'html', 60_000);
  assert.equal(name, 'Pendulum.html');
  assert.equal(html, expected);
  await page.selectOption('#format', 'eom');
});

test('a film says how little it knows of a number that is small beside its range', async () => {
  const film = await at.context.newPage();
  // It does not play: what it begins with is read.
  await film.emulateMedia({ reducedMotion: 'reduce' });
  for (const [potential, start, until, told] of [
    // x = e^t has 10^13 at the end: of 1 a film in 65,535 steps knows nothing.
    ['-x^2/2', 'x = 1; ẋ = 1;', 30, /x = 0 ± 1e\+9/],
    ['x^2/2', 'ẋ = 1;', 10, /x = 0\.000/],
    ['0*x', 'ẋ = 0;', 1, /x = 0(?![.\d ±])/],
    // All digits before the point are right.
    ['0*x', 'x = 123456.7;', 1, /x = 123457/],
  ]) {
    const text = `system S { coordinates { x } kinetic = ẋ^2/2; potential = ${potential}; scenario s { ${start} until t = ${until}; } }`;
    await film.setContent(commandOf(text, 'run', 'Pendulum.eom', '--html'));
    assert.match(await film.textContent('.legend'), told);
  }
  await film.close();
});

test('a name tells its documentation and what is derived of it', async () => {
  const { page } = at;
  const told = async (text) => {
    const place = await page.evaluate((text) => {
      const walk = document.createTreeWalker(document.querySelector('.cm-content'), NodeFilter.SHOW_TEXT);
      for (let node; (node = walk.nextNode());) {
        const found = node.data.indexOf(text);
        if (found < 0) continue;
        const range = document.createRange();
        range.setStart(node, found);
        range.setEnd(node, found + text.length);
        const { x, y, width, height } = range.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      }
      return null;
    }, text);
    await page.mouse.move(0, 0);
    await page.mouse.move(...place);
    await page.waitForSelector('.hover .katex, .hover:only-child');
    return page.locator('.hover').first().innerText();
  };
  const equations = async () => page.locator('.hover annotation').allTextContents();
  assert.match(await told('θ'), /θ: From the vertical, rad/);
  await page.waitForSelector('.hover annotation', { state: 'attached' });
  // l²θ̈ + g l sin θ = 0
  assert.match((await equations()).join(), /l\^\{2\} \\ddot\{\\theta\} \+ g l \\sin\\theta = 0/);
  await told('Y');
  await page.waitForFunction(() => document.querySelector('.hover annotation')?.textContent.includes('Y ='));
  assert.match((await equations()).join(), /Y = -l \\cos\\theta/);
});

test('a run that takes too long is interrupted, and its worker can be ended', async () => {
  const { page } = at;
  await write(page, PENDULUM.replace('until t = 5', 'until t = 1e9'));
  assert.match(await ended(page, /interrupted|stopped/), /interrupted at t = \d/);
  // Meanwhile the page answers.
  await write(page, PENDULUM);
  assert.match(await ended(page, /^reached t = 5$/), /reached/);
});

test('the page runs on when a text takes the engine too long', async () => {
  const { page } = at;
  const n = 110;
  const term = (i, j) => `ẋ[${j + 1}]*sin(x[${((i * j) % n) + 1}] + x[${i + 1}]*x[${j + 1}])`;
  const row = (i) => `(${Array.from({ length: n }, (_, j) => term(i, j)).join(' + ')})^2`;
  const kinetic = Array.from({ length: n }, (_, i) => row(i)).join(' + ');
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const beat = (now) => {
      window.longest = Math.max(window.longest, now - last);
      last = now;
      window.beating = requestAnimationFrame(beat);
    };
    window.beating = requestAnimationFrame(beat);
    // No text is known that takes the engine 20 s: they are over after one.
    window.plain = window.setTimeout;
    window.setTimeout = (then, ms, ...rest) => window.plain(then, ms === 20_000 ? 1000 : ms, ...rest);
  });
  await write(page, 'system Bomb { coordinates { x[1..=110] } kinetic = 0; }');
  await ended(page, /mistake/);
  await page.evaluate(() => (window.longest = 0));
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(`system Bomb { coordinates { x[1..=${n}] } kinetic = ${kinetic}; }`);
  assert.match(await ended(page, /^stopped/, 120_000), /longer than 20 s|broke off/);
  const longest = await page.evaluate(() => {
    cancelAnimationFrame(window.beating);
    window.setTimeout = window.plain;
    return window.longest;
  });
  // It is a text of 400 kB: that one is slow to be set, nothing after it is.
  assert.ok(longest < 5000, `the page was never still: ${longest} ms`);
  await write(page, PENDULUM);
  assert.match(await ended(page, /^reached t = 5$/, 120_000), /reached/);
});

test('nothing comes from elsewhere, and no script fails', () => {
  const foreign = at.requests.filter((url) => !url.startsWith(at.address) && !/^(data|blob):/.test(url));
  assert.deepEqual(foreign, []);
  assert.deepEqual(at.errors, []);
});

test('on a phone, in the dark', async () => {
  const phone = await opened('#model=rough-particle', {
    viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true, hasTouch: true,
  });
  try {
    await ended(phone.page, /reached/);
    const [wide, high] = await phone.page.evaluate(() => [document.body.scrollWidth, innerWidth]);
    assert.ok(wide <= high, `nothing is wider than the screen: ${wide} of ${high}`);
    await phone.page.screenshot({ path: join(here, 'shots', 'phone.png'), fullPage: true });
    assert.deepEqual(phone.errors, []);
  } finally {
    await phone.close();
  }
});

test('every control has a name', async () => {
  const nameless = await at.page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, canvas')].filter((control) => {
      const label = control.labels?.length || control.getAttribute('aria-label') || control.textContent.trim();
      return !label && !control.closest('.cm-editor');
    }).map((control) => control.outerHTML));
  assert.deepEqual(nameless, []);
});
