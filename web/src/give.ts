// What is given away as a file: the text, the page of the motion, code in other languages.
import { isStudio } from './document';
import { el } from './dom';
import type { Answer, Asked, Request, Writing } from './types';

/** Milliseconds in which a file is written. */
const LIMIT = 60_000;

/** The formats: how the name of a file ends, what it is called. */
export const FORMATS: Record<string, { ending: string; what: string }> = {
  eom: { ending: 'eom', what: '.eom' },
  html: { ending: 'html', what: 'HTML' },
  rust: { ending: 'rs', what: 'Rust' },
  'no-std': { ending: 'rs', what: 'Rust, no std' },
  c: { ending: 'h', what: 'C' },
  python: { ending: 'py', what: 'Python' },
};

/** Writes in a thread of its own, which ends with it. */
function written(writing: Writing): Promise<string> {
  const worker = new Worker(isStudio ? 'native.js' : 'writer.js', { type: 'module', name: 'writer' });
  const end = new Promise<string>((done, fail) => {
    const late = setTimeout(() => fail(`it took longer than ${LIMIT / 1000} s`), LIMIT);
    worker.onerror = () => fail('the writer could not be loaded');
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.kind === 'ready') return;
      clearTimeout(late);
      if (data.kind === 'write') done(data.text);
      else if (data.kind === 'refused') fail(data.refusal.message);
      else fail(data.kind === 'broken' ? data.message : data.kind);
    };
    const request: Request = { id: 1, kind: 'write', ...writing };
    worker.postMessage(request);
  });
  return end.finally(() => worker.terminate());
}

/** Gives a text, or what is made of it, to be kept. */
export async function give(format: string, name: string, text: string, asked: Asked): Promise<void> {
  const { ending } = FORMATS[format];
  const file = `${name}.eom`;
  const made = format === 'eom' ? text : await written({ format, text, file, asked });
  const link = el('a', {
    href: URL.createObjectURL(new Blob([made], { type: 'text/plain' })), download: `${name}.${ending}`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
