// A run in WebAssembly has the bits of the command's: the same models by both, number by number.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import init, { Declared } from '../dist/engine/engine.js';
import { command as eom, here } from './browser.mjs';

await init({ module_or_path: readFileSync(join(here, '..', 'dist', 'engine', 'engine_bg.wasm')) });

/** Elastic impacts, an impact map by projection, dry friction, a rotation, a controlled system, bodies on bodies. */
const RUNS = [
  ['penny', {}, []],
  ['penny', { method: 'taylor' }, ['--method', 'taylor']],
  ['penny', { values: { a: 0.2, φ: 1.1 } }, ['--set', 'a=0.2', '--set', 'φ=1.1']],
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

for (const [model, asked, flags] of RUNS) {
  test(`${model} ${flags.join(' ')}`, () => {
    const declared = new Declared(readFileSync(join(here, '..', '..', 'models', 'eom', `${model}.eom`), 'utf8'));
    const motion = declared.run(JSON.stringify(asked));
    const expected = native(model, flags);
    const names = JSON.parse(declared.sheet()).numbers.map(({ ascii }) => ascii);
    let compared = 0;
    for (const [index, name] of names.entries()) {
      if (!expected.has(name)) continue;
      const column = motion.column(index);
      assert.deepEqual([...column], expected.get(name), name);
      compared += column.length;
    }
    assert.ok(compared > 30, `${compared} numbers`);
    motion.free();
    declared.free();
  });
}
