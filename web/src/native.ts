// The engine of `eom studio`, a process beside the browser, which it ends when it takes too long or too much.
import { answer } from './answer';

/** Where the engine is asked that has the name of this thread. */
const engine = `engine/${self.name}`;

async function asked(method: string, body?: string): Promise<Uint8Array> {
  const answer = await fetch(engine, { method, body }).catch(() => null);
  if (!answer) throw 'eom studio does not answer';
  if (!answer.ok) throw await answer.text();
  return new Uint8Array(await answer.arrayBuffer());
}

// What the last thread of this name asked is not wanted any more.
answer(asked('DELETE').then(() => (question) => asked('POST', question)), () => 0);
