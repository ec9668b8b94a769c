import type { Clock } from './clock.ts';

/** A clock for tests. Time passes only by `advance` and `setWall`. */
export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  #timers: { atMs: number; fire: () => void }[] = [];

  constructor(wall: Date | number = Date.UTC(2026, 0, 15, 12)) {
    this.#wallMs = Number(wall);
  }

  now(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  sleep(ms: number, abort?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (abort?.aborted) return reject(abort.reason);
      const cancel = this.after(ms, resolve);
      abort?.addEventListener('abort', () => {
        cancel();
        reject(abort.reason);
      });
    });
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { atMs: this.#monotonicMs + ms, fire: callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves wall time and monotonic time forward, and fires the timers that are due. */
  advance(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#monotonicMs);
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.#monotonicMs);
    for (const timer of due) timer.fire();
  }

  /** Sets only the wall time, as an administrator or NTP does. */
  setWall(wall: Date | number): void {
    this.#wallMs = Number(wall);
  }
}
