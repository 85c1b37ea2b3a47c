// `eom studio`: the file on disk in the page, saved and read again; nobody else is answered.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { command, ended, here, opened, write } from './browser.mjs';

const BALL = 'system Ball { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y; scenario fall { y = 1; until t = 1; } }\n';
const file = join(mkdtempSync(join(tmpdir(), 'eom-')), 'ball.eom');
let studio;
let address;
let at;

/** A studio that runs, and its address. */
async function started(...asked) {
  const studio = spawn(command, ['studio', ...asked, '--page', join(here, '..', 'dist'), '--limit', '4'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done) => studio.stdout.on('data', (text) => {
    const found = String(text).match(/http:\S+/);
    if (found) done(found[0]);
  }));
  return [studio, address];
}

before(async () => {
  writeFileSync(file, BALL);
  [studio, address] = await started(file);
  at = await opened('', {}, address);
});
after(async () => {
  await at.close();
  studio.kill();
});

/** The status of a request with these headers. */
function status(path, headers = {}, method = 'GET') {
  const { port } = new URL(address);
  return new Promise((done, fail) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
    asked.on('error', fail);
    asked.end(method === 'PUT' ? 'system Evil { }' : undefined);
  });
}

test('the file is shown and runs', async () => {
  assert.equal(await ended(at.page, /reached/), 'reached t = 1');
  assert.equal(await at.page.textContent('#file'), 'ball.eom');
});

test('the machine runs it, not the browser', () => {
  const paths = at.requests.map((url) => new URL(url).pathname.slice(new URL(address).pathname.length));
  assert.ok(paths.filter((path) => /^engine\/[0-9a-f]{32}$/.test(path)).length >= 3, 'ended, read, run');
  assert.deepEqual(paths.filter((path) => path.endsWith('.wasm')), []);
});

test('undo does not go behind the file as it was read', async () => {
  const { page } = at;
  await page.click('.cm-content');
  await page.keyboard.press('Control+z');
  await page.keyboard.insertText('// ');
  await page.waitForFunction(() => document.querySelector('.cm-content').textContent.includes('// '));
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Control+z');
  await new Promise((done) => setTimeout(done, 1500));
  assert.equal(await page.textContent('.cm-content'), BALL.trim());
  assert.equal(readFileSync(file, 'utf8'), BALL);
});

test('code is downloaded as the command writes it', async () => {
  await at.page.selectOption('#format', 'c');
  const [download] = await Promise.all([at.page.waitForEvent('download'), at.page.click('#download')]);
  // The page calls the file by the name of the system.
  const folder = mkdtempSync(join(tmpdir(), 'eom-'));
  writeFileSync(join(folder, 'Ball.eom'), BALL);
  execFileSync(command, ['generate', 'Ball.eom', '--lang', 'c', '--out', 'written'], { cwd: folder, stdio: 'ignore' });
  assert.equal(readFileSync(await download.path(), 'utf8'), readFileSync(join(folder, 'written'), 'utf8'));
});

test('a text that takes too long ends, and the studio goes on', async () => {
  await write(at.page, BALL.replace('9.81*y', '9.81*y^2').replace('until t = 1', 'until t = 1e12'));
  assert.match(await ended(at.page, /^stopped/), /longer than 4 s/);
  await write(at.page, BALL);
  await ended(at.page, /^reached t = 1$/);
  assert.deepEqual(at.errors.filter((error) => !error.includes('503')), []);
});

test('what is edited is saved', async () => {
  const text = BALL.replace('until t = 1', 'until t = 2');
  await write(at.page, text);
  await ended(at.page, /^reached t = 2$/);
  await at.page.waitForTimeout(1500);
  assert.equal(readFileSync(file, 'utf8'), text);
});

test('what another program writes is shown', async () => {
  writeFileSync(file, BALL.replace('until t = 1', 'until t = 3'));
  assert.equal(await ended(at.page, /^reached t = 3$/), 'reached t = 3');
});

test('what another program writes meanwhile is not written over', async () => {
  const { page } = at;
  const theirs = BALL.replace('until t = 1', 'until t = 4');
  await page.click('.cm-content');
  await page.keyboard.press('Control+Home');
  // Within the quiet after the last letter.
  await page.keyboard.type('// mine');
  writeFileSync(file, theirs);
  await ended(page, /^reached t = 4$/);
  assert.equal(readFileSync(file, 'utf8'), theirs);
  assert.match(await page.textContent('#of-file'), /undo brings back your own/);
  await page.click('.cm-content');
  await page.keyboard.press('Control+Z');
  await page.waitForTimeout(1500);
  assert.match(readFileSync(file, 'utf8'), /^\/\/ mine/);
});

test('a file that cannot be read is not written', async () => {
  const { page } = at;
  const theirs = Buffer.from([0x2f, 0x2f, 0xff, 0x0a]);
  writeFileSync(file, theirs);
  await page.waitForFunction(() => /cannot be read/.test(document.getElementById('of-file').textContent));
  await page.click('.cm-content');
  await page.keyboard.type('// mine again');
  await page.waitForTimeout(1500);
  assert.deepEqual(readFileSync(file), theirs);
  writeFileSync(file, BALL.replace('until t = 1', 'until t = 6'));
  await ended(page, /^reached t = 6$/);
  await page.waitForFunction(() => !/cannot be read/.test(document.getElementById('of-file').textContent));
});

test('what was typed last is saved as the page closes', async () => {
  const other = await opened('', {}, address);
  await ended(other.page, /^reached/);
  await other.page.click('.cm-content');
  await other.page.keyboard.press('Control+Home');
  await other.page.keyboard.type('// the last');
  await other.page.goto('about:blank');
  await other.close();
  assert.match(readFileSync(file, 'utf8'), /^\/\/ the last/);
});

test('nobody else is answered', async () => {
  const { pathname, port } = new URL(address);
  const own = { origin: `http://127.0.0.1:${port}` };
  const before = readFileSync(file, 'utf8');
  assert.equal(await status(`${pathname}document`), 200);
  assert.equal(await status('/document'), 403);
  assert.equal(await status(`${pathname}document`, { host: 'evil.example' }), 403);
  assert.equal(await status(`${pathname}document`, { origin: 'http://evil.example' }), 403);
  assert.equal(await status(`${pathname}document`, { origin: 'http://evil.example' }, 'PUT'), 403);
  assert.equal(await status(`${pathname}document`, {}, 'PUT'), 403);
  assert.equal(await status(`${pathname}../../../../etc/passwd`, own), 404);
  assert.equal(readFileSync(file, 'utf8'), before);
});

test('without a file it has the gallery, run by the machine', async () => {
  const [studio, address] = await started();
  const at = await opened('#model=kepler', {}, address);
  try {
    assert.match(await ended(at.page, /^reached/), /reached t = 6\.28/);
    assert.equal(await at.page.inputValue('#gallery'), 'kepler');
    const paths = at.requests.map((url) => new URL(url).pathname);
    assert.deepEqual(paths.filter((path) => path.endsWith('.wasm') || path.endsWith('document')), []);
    await at.page.selectOption('#gallery', 'rocking-block');
    assert.equal(await ended(at.page, /^reached t = 5$/), 'reached t = 5');
    assert.deepEqual(at.errors, []);
  } finally {
    await at.close();
    studio.kill();
  }
});
