import type { Clock } from './clock.ts';

/**
 * A clock whose wall time can be moved, for development. A moved clock runs at the speed of its source.
 *
 * - Monotonic time and timers are those of the source. Deadlines, intervals and pauses therefore do not move.
 * - Only services with a development setting create this clock. Their configuration refuses the setting in production.
 */
export class MovableClock implements Clock {
  readonly #source: Clock;
  #offsetMs = 0;

  constructor(source: Clock) {
    this.#source = source;
  }

  /** The wall time minus the wall time of the source. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Sets the wall time to the source's plus `offsetMs`. With 0 it is the source's again. */
  setOffset(offsetMs: number): void {
    this.#offsetMs = offsetMs;
  }

  /** Returns the offset that would set the wall time to `nowMs`. */
  offsetTo(nowMs: number): number {
    return nowMs - this.#source.now();
  }

  now(): number {
    return this.#source.now() + this.#offsetMs;
  }

  monotonicMs(): number {
    return this.#source.monotonicMs();
  }

  sleep(ms: number, abort?: AbortSignal): Promise<void> {
    return this.#source.sleep(ms, abort);
  }

  after(ms: number, callback: () => void): () => void {
    return this.#source.after(ms, callback);
  }
}
