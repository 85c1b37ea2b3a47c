// What a visitor loads is small: the engine, and all of a first visit, as a server packs them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import init from '../dist/engine/engine.js';
import { ended, here, opened } from './browser.mjs';

/**
 * In bytes, as Node's packer has them. The aim is a megabyte of 1,024 times 1,024 as zlib packs it, 1,056,440 here; seams of
 * surfaces, friction whose row vanishes, holes in the domain of a force and LaTeX as papers print it take 1.5 % more, forces
 * that are shared along a part of a step, bodies that do not touch, rows that depend on others and paradoxes 0.8 %.
 */
const ENGINE = 1_087_000;
const VISIT = 1_375_000;

test('a first visit is small, and the writers are no part of it', async () => {
  const at = await opened('#model=penny');
  try {
    await ended(at.page, /reached/);
    await at.page.waitForSelector('#equations .katex');
    const paths = at.requests.filter((url) => url.startsWith(at.address)).map((url) => new URL(url).pathname);
    const sizes = new Map([...new Set(paths)].map((path) => {
      const file = path.endsWith('/') ? `${path}index.html` : path;
      return [file, gzipSync(readFileSync(join(here, '..', 'dist', file)), { level: 9 }).length];
    }));
    const engine = sizes.get('/engine/engine_bg.wasm');
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    assert.ok(engine < ENGINE, `the engine is ${engine} bytes`);
    assert.ok(all < VISIT, `the visit is ${all} bytes`);
    assert.ok(![...sizes.keys()].some((path) => path.includes('write')), 'no writer');
  } finally {
    await at.close();
  }
});

test('the engine has no more than 1 GB', async () => {
  const { memory } = await init({ module_or_path: readFileSync(join(here, '..', 'dist', 'engine', 'engine_bg.wasm')) });
  assert.throws(() => memory.grow(16_384), RangeError);
});
