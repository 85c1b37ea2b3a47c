// Builds `dist`, all that a server has to give away: the engine, what it writes with, the page, the models. `--page`
// leaves what is of WebAssembly as it is.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, copyFileSync, existsSync } from 'node:fs';
import { join, dirname, basename } from 'node:path';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const target = process.env.CARGO_TARGET_DIR ?? join(here, 'target');
const cargo = (...arguments_) =>
  execFileSync('cargo', arguments_, { cwd: here, stdio: 'inherit', env: { ...process.env, CARGO_TARGET_DIR: target } });

/** Where sources lie on this machine is no part of the engine: the same sources give the same bytes anywhere. */
const rustc = (...arguments_) => execFileSync('rustc', arguments_, { cwd: here, encoding: 'utf8' });
const sources = {
  [join(here, '..')]: 'eom',
  [process.env.CARGO_HOME ?? join(homedir(), '.cargo')]: 'cargo',
  // Those of the standard library are called so where they are not installed.
  [join(rustc('--print', 'sysroot').trim(), 'lib', 'rustlib', 'src', 'rust')]: `/rustc/${rustc('-vV').match(/commit-hash: (\S+)/)[1]}`,
};
const flags = Object.entries(sources).map(([from, to]) => `--remap-path-prefix=${from}=${to}`);

/** What stands beside what it is like is found from an order, so from another one too: that which packs best is taken. */
const ORDERS = 12;

/** A module of the engine with these features. What `.cargo/config.toml` says of the stack and of memory is added to. */
function engine(name, ...features) {
  const added = `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(flags)}`;
  const package_ = ['--package', 'eom-web', '--target', 'wasm32-unknown-unknown', ...features];
  cargo('build', '--release', '--locked', '--quiet', '--config', added, ...package_);
  const built = join(target, 'wasm32-unknown-unknown', 'release', 'eom_web.wasm');
  const bind = (...arguments_) => cargo('run', '--locked', '--quiet', '--package', 'eom-bind', '--', ...arguments_);
  bind(built, join(dist, name));
  const module = join(dist, name, 'engine_bg.wasm');
  // What a value can be on no way through the module is not asked, and what a function leaves as it is is known; functions
  // that differ in a number are one, with it as an argument. The stack ends at 0, so that nothing stands near there, and what
  // is added to an address is a part of what reads from it. Which instructions there are says the module.
  const effects = '--generate-global-effects';
  const smaller = ['--low-memory-unused', effects, '-Oz', effects, '--gufa-optimizing', '--merge-similar-functions', effects, '-Oz'];
  execFileSync(join(here, 'node_modules', '.bin', 'wasm-opt'), [...smaller, '--strip-target-features', '--strip-producers', module, '-o', module]);
  const orders = Array.from({ length: ORDERS }, () => {
    bind('--order', module);
    return readFileSync(module);
  });
  const packed = (bytes) => gzipSync(bytes, { level: 9 }).length;
  writeFileSync(module, orders.reduce((best, order) => (packed(order) < packed(best) ? order : best)));
}

if (!process.argv.includes('--page')) {
  rmSync(dist, { recursive: true, force: true });
  engine('write', '--features', 'write');
  engine('engine');
}
if (!existsSync(join(dist, 'engine', 'engine.js'))) throw new Error('there is no engine: build without --page');

/** The models of a folder. */
const models = (group, ...folders) => readdirSync(join(here, '..', ...folders)).filter((file) => file.endsWith('.eom')).sort().map((file) => {
  const text = readFileSync(join(here, '..', ...folders, file), 'utf8');
  // The line of documentation above `system`.
  const title = text.match(/^\/\/\/ (.*)\n(?:\/\/\/.*\n|#.*\n)*system /m)?.[1] ?? '';
  return { group, name: basename(file, '.eom'), title: title.replace(/\.$/, ''), text };
});
const all = [...models('Documents', 'models', 'eom'), ...models('Gallery', 'examples', 'bicycle'), ...models('Gallery', 'models', 'gallery')];
// The list is loaded at a visit, a text when it is opened.
rmSync(join(dist, 'models'), { recursive: true, force: true });
mkdirSync(join(dist, 'models'), { recursive: true });
writeFileSync(join(dist, 'models.json'), JSON.stringify(all.map(({ text: _, ...listed }) => listed)));
for (const { name, text } of all) writeFileSync(join(dist, 'models', `${name}.eom`), text);
copyFileSync(join(here, 'src', 'index.html'), join(dist, 'index.html'));

const shared = { bundle: true, minify: true, format: 'esm', target: 'es2022', outdir: dist, logLevel: 'warning' };
await build({ ...shared, entryPoints: ['worker', 'writer', 'native', 'book'].map((name) => join(here, 'src', `${name}.ts`)) });
await build({
  ...shared,
  entryPoints: [join(here, 'src', 'main.ts'), join(here, 'src', 'main.css')],
  splitting: true,
  chunkNames: 'part-[hash]',
  assetNames: 'fonts/[name]',
  // The browsers that run the engine read WOFF2.
  loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
});
