import { setTimeout as delay } from 'node:timers/promises';

/**
 * Time as a dependency. Wall time names instants that people and other services see; monotonic time measures how long
 * something took or may still take, and never runs backwards.
 */
export interface Clock {
  /** Wall time in ms since 1970, UTC. */
  now(): number;
  /** Monotonic time in ms from an arbitrary origin. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `callback` once after `ms`. The returned function cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal ? { signal } : {});
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that a test moves. Sleepers wake when time passes their instant. */
export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  #sleepers: { atMs: number; wake: () => void }[] = [];

  constructor(wall: Date | number = Date.UTC(2026, 0, 15, 12)) {
    this.#wallMs = Number(wall);
  }

  now(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { atMs: this.#monotonicMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((s) => s !== sleeper);
        reject(signal.reason);
      });
    });
  }

  after(ms: number, callback: () => void): () => void {
    const sleeper = { atMs: this.#monotonicMs + ms, wake: callback };
    this.#sleepers.push(sleeper);
    return () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    };
  }

  /** Moves both clocks forward and wakes whoever is due. */
  advance(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
    const due = this.#sleepers.filter((s) => s.atMs <= this.#monotonicMs);
    this.#sleepers = this.#sleepers.filter((s) => s.atMs > this.#monotonicMs);
    for (const sleeper of due) sleeper.wake();
  }

  /** Sets wall time alone, as an administrator or NTP does. */
  setWall(wall: Date | number): void {
    this.#wallMs = Number(wall);
  }
}

export { type Period, periodAt } from './period.ts';
