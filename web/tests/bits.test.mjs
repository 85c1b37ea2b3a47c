// A run in WebAssembly has the bits of the command's: the same models by both, number by number.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import init, { Engine } from '../dist/engine/engine.js';
import { command as eom, here } from './browser.mjs';

await init({ module_or_path: readFileSync(join(here, '..', 'dist', 'engine', 'engine_bg.wasm')) });

/** Elastic impacts, an impact map by projection, dry friction, a rotation, a controlled system, bodies on bodies. */
const RUNS = [
  ['penny', {}, []],
  ['penny', { method: 'taylor' }, ['--method', 'taylor']],
  ['penny', { values: { a: 0.2, φ: 1.1 } }, ['--set', 'a=0.2', '--set', 'φ=1.1']],
  ['penny', { values: { a: '0.12345678901234568' } }, ['--set', 'a=0.12345678901234568']],
  ['rough-particle', {}, []],
  ['rough-particle', { method: 'radau' }, ['--method', 'radau']],
  ['rolling-ball', {}, []],
  ['controlled-penny', {}, []],
  ['hemisphere', {}, []],
  ['two-particles', {}, []],
  ['viscous-particles', {}, []],
  ['thin-rod-hack', {}, []],
];

function native(model, flags) {
  const file = join(here, '..', '..', 'models', 'eom', `${model}.eom`);
  const csv = execFileSync(eom, ['run', file, '--csv', '-', ...flags], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  const [head, ...lines] = csv.trim().split('\n').filter((line) => !line.startsWith('#'));
  const rows = lines.map((line) => line.split(',').map(Number));
  return new Map(head.split(',').map((name, index) => [name.trim(), rows.map((row) => row[index])]));
}

/** The object of an answer, and its numbers. */
function answered(engine, question) {
  const bytes = engine.answer(JSON.stringify({ id: 1, ...question }));
  const end = bytes.indexOf(10);
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))), new Float64Array(bytes.slice(end + 1).buffer)];
}

for (const [model, asked, flags] of RUNS) {
  test(`${model} ${flags.join(' ')}`, () => {
    const engine = new Engine();
    const text = readFileSync(join(here, '..', '..', 'models', 'eom', `${model}.eom`), 'utf8');
    const [{ sheet }] = answered(engine, { kind: 'read', text });
    const names = sheet.numbers.map(({ ascii }) => ascii);
    const [{ length }, numbers] = answered(engine, { kind: 'run', asked, columns: names.map((_, index) => index) });
    const expected = native(model, flags);
    let compared = 0;
    for (const [index, name] of names.entries()) {
      if (!expected.has(name)) continue;
      const column = numbers.subarray(index * length, (index + 1) * length);
      assert.deepEqual([...column], expected.get(name), name);
      compared += column.length;
    }
    assert.ok(compared > 30, `${compared} numbers`);
    engine.free();
  });
}
