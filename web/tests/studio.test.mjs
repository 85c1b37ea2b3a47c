// `eom studio`: the file on disk in the page, saved and read again; nobody else is answered.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
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

before(async () => {
  writeFileSync(file, BALL);
  studio = spawn(command, ['studio', file, '--page', join(here, '..', 'dist')], { stdio: ['ignore', 'pipe', 'inherit'] });
  address = await new Promise((done) => studio.stdout.on('data', (text) => {
    const found = String(text).match(/http:\S+/);
    if (found) done(found[0]);
  }));
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
