// The engine that writes what is given away, in a thread that is started for it: it is large.
import init, { Engine } from '../dist/write/engine.js';
import { answer } from './answer';

answer(init({ module_or_path: new URL('write/engine_bg.wasm', self.location.href) }).then(() => {
  const engine = new Engine();
  return (question) => engine.answer(question);
}), () => 0);
