// The engine in a thread of its own. It keeps the last declaration and the last motion, and answers in order.
import init, { Declared, type Motion } from '../dist/engine/engine.js';
import type { Answer, Request } from './types';

let declared: Declared | null = null;
let motion: Motion | null = null;
let memory: WebAssembly.Memory | null = null;

const started = init({ module_or_path: new URL('engine/engine_bg.wasm', self.location.href) }).then((engine) => {
  memory = engine.memory;
  post({ id: 0, kind: 'ready', bytes: bytes() });
});

function bytes(): number {
  return memory ? memory.buffer.byteLength : 0;
}

function post(answer: Answer): void {
  (self as unknown as Worker).postMessage(answer);
}

function columns(asked: number[]): [number, Float64Array][] {
  const made = motion;
  return made ? asked.map((index) => [index, made.column(index)]) : [];
}

function read(text: string): Pick<Extract<Answer, { kind: 'read' }>, 'sheet' | 'findings'> {
  let made: Declared;
  try {
    made = new Declared(text);
  } catch (error) {
    // Mistakes are a text; all else is a defect.
    if (typeof error === 'string') return { sheet: null, findings: JSON.parse(error) };
    throw error;
  }
  motion?.free();
  declared?.free();
  motion = null;
  declared = made;
  return { sheet: JSON.parse(made.sheet()), findings: JSON.parse(made.findings()) };
}

function answer(request: Request): void {
  const { id } = request;
  if (request.kind === 'read') {
    post({ id, kind: 'read', ...read(request.text), bytes: bytes() });
  } else if (request.kind === 'columns') {
    post({ id, kind: 'columns', columns: columns(request.columns), bytes: bytes() });
  } else if (declared) {
    try {
      const made = declared.run(JSON.stringify(request.asked));
      motion?.free();
      motion = made;
    } catch (error) {
      if (typeof error !== 'string') throw error;
      post({ id, kind: 'refused', refusal: JSON.parse(error), bytes: bytes() });
      return;
    }
    const made = columns(request.columns);
    const [tale, film] = [JSON.parse(motion.tale()), JSON.parse(motion.film())];
    post({ id, kind: 'run', tale, film, length: motion.length(), columns: made, bytes: bytes() });
  } else {
    post({ id, kind: 'refused', refusal: { message: 'there is no declaration', help: null }, bytes: bytes() });
  }
}

self.onmessage = async (message: MessageEvent<Request>) => {
  try {
    await started;
    answer(message.data);
  } catch (error) {
    // The engine has stopped in the middle of something: nothing of it can be used again.
    post({ id: message.data.id, kind: 'broken', message: String(error) });
  }
};
