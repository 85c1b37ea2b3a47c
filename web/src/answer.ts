// A worker that answers the page, by the engine that it is given.
import type { Answer, Request } from './types';

/** What is sent to who made this thread. */
const post = (answer: Answer) => (self as unknown as Worker).postMessage(answer);

/** An answer in the bytes that the engine gives: an object, a line end, the numbers of its columns. */
function unpacked(bytes: Uint8Array): Answer {
  const end = bytes.indexOf(10);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  if (!head.columns) return head;
  // Where numbers can stand: at a multiple of their size.
  const numbers = new Float64Array(bytes.slice(end + 1).buffer);
  const column = (place: number, row: number) => [place, numbers.slice(row * head.length, (row + 1) * head.length)];
  return { ...head, columns: head.columns.map(column) };
}

/** Answers question after question; `held` says how many bytes the engine has. */
/** Numbers that are no whole ones as text: the engine reads that to the last bit. */
const digits = (_: string, value: unknown): unknown => {
  const isLong = typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value);
  return isLong ? String(value) : value;
};

export function answer(started: Promise<(question: string) => Uint8Array | Promise<Uint8Array>>, held: () => number): void {
  void started.then(() => post({ id: 0, kind: 'ready', bytes: held() }), () => {});
  self.onmessage = async ({ data }: MessageEvent<Request>) => {
    try {
      const ask = await started;
      post({ ...unpacked(await ask(JSON.stringify(data, digits))), id: data.id, bytes: held() } as Answer);
    } catch (error) {
      // The engine has stopped in the middle of something: nothing of it can be used again. A text is the reason.
      post({ id: data.id, kind: 'broken', message: typeof error === 'string' ? error : `it broke off: ${error}` });
    }
  };
}
