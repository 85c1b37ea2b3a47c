// The engine as the page sees it: one question at a time, the newest of each kind waits, and a worker that takes
// too long or too much is ended and started anew. In `eom studio` it is a process of the machine, with the limits of
// the studio.
import { isStudio } from './document';
import type { Answer, Asked, Claim, Finding, Made, Refusal, Request, Section, Sheet } from './types';

/** Milliseconds until a worker is ended. */
const LIMITS = { start: 60_000, read: 20_000, run: 12_000, columns: 12_000, equations: 20_000 };

/** Milliseconds after which a run stops by itself and shows what it has. */
const BUDGET = 6_000;

/** A worker with more than this is started anew when it has nothing to do. */
const BYTES_MAX = 400_000_000;

export type Outcome =
  | { kind: 'read'; sheet: Sheet | null; findings: Finding[] }
  | { kind: 'run'; made: Made }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'columns'; columns: [number, Float64Array][] }
  | { kind: 'equations'; sections: Section[]; claims: Claim[] }
  | { kind: 'idle' }
  | { kind: 'ended'; what: string };

/** The questions of which one waits. */
type Kind = 'read' | 'run' | 'columns' | 'equations';

/** The questions in the order in which they are asked: a motion is seen before equations are printed. */
const KINDS: Kind[] = ['read', 'run', 'columns', 'equations'];

interface Waiting { request: Request & { kind: Kind }; done: (outcome: Outcome) => void }

export class Engine {
  private worker: Worker;
  private next = 1;
  private current: Waiting | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting = new Map<Kind, Waiting>();
  /** The text that the worker holds. */
  private text: string | null = null;
  private bytes = 0;
  private ready = false;
  /** Other pages have engines with other names. */
  private readonly name = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

  constructor() {
    this.worker = this.start();
  }

  read(text: string): Promise<Outcome> {
    return this.ask({ id: this.next++, kind: 'read', text });
  }

  run(asked: Asked, columns: number[]): Promise<Outcome> {
    return this.ask({ id: this.next++, kind: 'run', asked: { budget: BUDGET, ...asked }, columns });
  }

  columns(columns: number[]): Promise<Outcome> {
    return this.ask({ id: this.next++, kind: 'columns', columns });
  }

  /** The equations and claims of what was read, when nothing else is to be done. */
  equations(): Promise<Outcome> {
    return this.ask({ id: this.next++, kind: 'equations' });
  }

  private start(): Worker {
    const worker = new Worker(isStudio ? 'native.js' : 'worker.js', { type: 'module', name: this.name });
    worker.onmessage = (message: MessageEvent<Answer>) => this.take(message.data);
    worker.onerror = () => this.end('the engine could not be loaded');
    this.ready = false;
    return worker;
  }

  /** Asks; what of the kind was waiting is idle, and of a new declaration all questions about the old one. */
  private ask(request: Waiting['request']): Promise<Outcome> {
    const idle = request.kind === 'read' ? KINDS : [request.kind];
    for (const kind of idle) {
      this.waiting.get(kind)?.done({ kind: 'idle' });
      this.waiting.delete(kind);
    }
    return new Promise((done) => {
      this.waiting.set(request.kind, { request, done });
      this.go();
    });
  }

  private go(): void {
    if (this.current) return;
    const kind = KINDS.find((kind) => this.waiting.has(kind));
    if (!kind) {
      if (this.bytes > BYTES_MAX) this.restart();
      return;
    }
    const next = this.waiting.get(kind)!;
    this.waiting.delete(kind);
    if (kind !== 'read' && this.text === null) {
      next.done({ kind: 'ended', what: 'there is no declaration' });
      return this.go();
    }
    this.current = next;
    if (!isStudio) {
      const limit = LIMITS[kind] + (this.ready ? 0 : LIMITS.start);
      this.timer = setTimeout(() => this.end(`it took longer than ${limit / 1000} s`), limit);
    }
    this.worker.postMessage(next.request);
  }

  private take(answer: Answer): void {
    if (answer.kind === 'ready') {
      this.ready = true;
      return;
    }
    if (!this.current || answer.id !== this.current.request.id) return;
    if (answer.kind === 'broken') return this.end(answer.message);
    const { request, done } = this.current;
    clearTimeout(this.timer);
    this.current = null;
    this.bytes = answer.bytes;
    if (answer.kind === 'read') {
      if (request.kind === 'read' && answer.sheet) this.text = request.text;
      done({ kind: 'read', sheet: answer.sheet && { ...answer.sheet, sections: [], claims: [] }, findings: answer.findings });
    } else if (answer.kind === 'run') {
      const { tale, film, length } = answer;
      done({ kind: 'run', made: { tale, film, length, columns: new Map(answer.columns) } });
    } else if (answer.kind !== 'write') {
      done(answer);
    }
    this.go();
  }

  /** Ends the worker, and starts another. */
  private end(what: string): void {
    const ended = this.current;
    this.current = null;
    clearTimeout(this.timer);
    this.restart();
    ended?.done({ kind: 'ended', what });
    this.go();
  }

  private restart(): void {
    this.worker.terminate();
    this.bytes = 0;
    const text = this.text;
    this.text = null;
    this.worker = this.start();
    // What was right before is read again, so that its motion can still be asked for.
    if (text !== null && !this.waiting.has('read')) {
      const request = { id: this.next++, kind: 'read', text } as const;
      this.waiting.set('read', { request, done: () => {} });
      this.go();
    }
  }
}
