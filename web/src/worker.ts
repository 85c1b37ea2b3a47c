// The engine in a thread of its own. It keeps the last declaration and the last motion, and answers in order.
import init, { Engine } from '../dist/engine/engine.js';
import { answer } from './answer';

let memory: WebAssembly.Memory | undefined;

answer(init({ module_or_path: new URL('engine/engine_bg.wasm', self.location.href) }).then((made) => {
  memory = made.memory;
  const engine = new Engine();
  return (question) => engine.answer(question);
}), () => memory?.buffer.byteLength ?? 0);
