import type { Clock } from './clock.ts';

/**
 * A clock with wall time that can be moved, for development. A moved clock goes on at the speed of its source.
 *
 * - Monotonic time and timers are those of the source: deadlines, intervals and pauses do not move.
 * - Only services with a development setting create it. Their configuration refuses this setting in production.
 */
export class MovableClock implements Clock {
  readonly #source: Clock;
  #offsetMs = 0;

  constructor(source: Clock) {
    this.#source = source;
  }

  /** Wall time minus the wall time of the source. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Wall time becomes the source's plus `offsetMs`; with 0 it is the source's again. */
  setOffset(offsetMs: number): void {
    this.#offsetMs = offsetMs;
  }

  /** The offset that would make wall time `nowMs`. */
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
