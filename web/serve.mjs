// Serves `dist` on the loopback interface: `node serve.mjs [PORT]`.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join, dirname, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
  '.wasm': 'application/wasm', '.woff2': 'font/woff2', '.eom': 'text/plain; charset=utf-8',
};

/** A server of a folder; it listens at a port, any where it is 0. */
export function serve(folder, port = 0) {
  const packed = new Map();
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const name = path.endsWith('/') ? path + 'index.html' : path;
    try {
      if (name.includes('..')) throw new Error('outside');
      if (!packed.has(name)) packed.set(name, gzipSync(readFileSync(join(folder, name)), { level: 9 }));
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-encoding': 'gzip' });
      response.end(packed.get(name));
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(join(dirname(fileURLToPath(import.meta.url)), 'dist'), Number(process.argv[2] ?? 8000));
  process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`);
}
