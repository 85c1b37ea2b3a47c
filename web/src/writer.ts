// What is given away, written in a thread that is started for it: the engine with its writers is large.
import init, { Declared } from '../dist/write/engine.js';

/** What is to be written: `eom generate` in a language, or the page of a run. */
export interface Writing { format: string; text: string; file: string; asked: string }

export type Written = { text: string } | { failure: string };

self.onmessage = async ({ data: { format, text, file, asked } }: MessageEvent<Writing>) => {
  const answer = (written: Written) => (self as unknown as Worker).postMessage(written);
  try {
    await init({ module_or_path: new URL('write/engine_bg.wasm', self.location.href) });
    const declared = new Declared(text);
    answer({ text: format === 'html' ? declared.html(asked, file) : declared.code(format, file) });
  } catch (error) {
    answer({ failure: String(error) });
  }
};
