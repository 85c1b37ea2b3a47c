// Time: it runs, is dragged, and goes on to the next event.
import { by, shown } from './dom';

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
  }

  get isPlaying(): boolean {
    return this.last !== null;
  }

  /** Another motion: it goes on at the present time where it has one. */
  load(from: number, to: number, events: number[]): void {
    [this.from, this.to] = [from, Math.max(to, from)];
    this.events = events;
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

  private set(t: number): void {
    this.t = t;
    const share = this.to > this.from ? (t - this.from) / (this.to - this.from) : 0;
    this.slider.value = String(Math.round(1000 * share));
    this.slider.setAttribute('aria-valuetext', `t = ${shown(t)}`);
    by('now').textContent = `t = ${shown(t, 5)}`;
    this.show(t);
  }
}
