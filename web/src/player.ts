// Time: it runs, is dragged, and goes on to the next event.
import { by, digitsOf, el, shown } from './dom';

/** How long a motion plays, from and to, in seconds: one that is shorter is slowed down, a longer one made fast. */
const SECONDS = [4, 30];

/** Speeds beside that pace. */
const PARTS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16];

export class Player {
  t = 0;
  private from = 0;
  private to = 1;
  private events: number[] = [];
  private last: number | null = null;
  private readonly slider = by<HTMLInputElement>('time');
  private readonly button = by<HTMLButtonElement>('play');
  private readonly speed = by<HTMLSelectElement>('speed');

  constructor(private readonly show: (t: number) => void) {
    this.button.addEventListener('click', () => (this.isPlaying ? this.pause() : this.play()));
    this.slider.addEventListener('input', () => {
      this.pause();
      this.set(this.from + (Number(this.slider.value) / 1000) * (this.to - this.from));
    });
    by('next').addEventListener('click', () => this.next());
    by('back').addEventListener('click', () => this.back());
    by('stage').addEventListener('keydown', (event) => this.key(event));
  }

  /** The keys of the stage. */
  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const frame = this.pace() / 60;
    const keys: Record<string, () => void> = {
      ' ': () => (this.isPlaying ? this.pause() : this.play()),
      ArrowLeft: () => this.still(this.t - frame), ArrowRight: () => this.still(this.t + frame),
      ',': () => this.back(), '.': () => this.next(),
      Home: () => this.still(this.from), End: () => this.still(this.to),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  private still(t: number): void {
    this.pause();
    this.go(t);
  }

  /** Units of time a second, so that the whole plays well. */
  private pace(): number {
    const span = this.to - this.from;
    return span > 0 ? span / Math.min(Math.max(span, SECONDS[0]), SECONDS[1]) : 1;
  }

  /** The speeds in units of time a second; the chosen one stays beside the pace. */
  private speeds(): void {
    const chosen = this.speed.selectedIndex >= 0 ? this.speed.selectedIndex : PARTS.indexOf(1);
    const pace = this.pace();
    this.speed.replaceChildren(...PARTS.map((part) => el('option', { value: pace * part }, `${shown(pace * part, 3)}×`)));
    this.speed.selectedIndex = chosen;
  }

  get isPlaying(): boolean {
    return this.last !== null;
  }

  /** Another motion: it goes on at the present time where it has one. */
  load(from: number, to: number, events: number[]): void {
    [this.from, this.to] = [from, Math.max(to, from)];
    this.events = events;
    this.speeds();
    if (!(this.t >= from && this.t <= to)) this.t = from;
    this.set(this.t);
  }

  play(): void {
    if (this.t >= this.to) this.t = this.from;
    this.last = performance.now();
    this.button.textContent = 'Pause';
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    this.last = null;
    this.button.textContent = 'Play';
  }

  private tick(now: number): void {
    if (this.last === null) return;
    const passed = (Math.max(0, now - this.last) / 1000) * Number(this.speed.value);
    this.last = now;
    if (this.t + passed >= this.to) {
      this.pause();
      return this.set(this.to);
    }
    this.set(this.t + passed);
    requestAnimationFrame((later) => this.tick(later));
  }

  /** Goes to a time. */
  go(t: number): void {
    this.set(Math.min(Math.max(t, this.from), this.to));
  }

  private next(): void {
    this.pause();
    this.set(this.events.find((t) => t > this.t) ?? this.to);
  }

  private back(): void {
    this.pause();
    this.set(this.events.filter((t) => t < this.t).pop() ?? this.from);
  }

  private set(t: number): void {
    this.t = t;
    const share = this.to > this.from ? (t - this.from) / (this.to - this.from) : 0;
    this.slider.value = String(Math.round(1000 * share));
    // A late start has more digits.
    const digits = digitsOf(Math.abs(t), (this.to - this.from) / 1000, 5);
    this.slider.setAttribute('aria-valuetext', `t = ${shown(t, digits)}`);
    by('now').textContent = `t = ${shown(t, digits)}`;
    this.show(t);
  }
}
