import { type Clock, systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/**
 * The time by which a piece of work has to end. The edge creates one deadline per request. HTTP, operations, gRPC and MongoDB pass the same
 * value on.
 *
 * - Time source: the monotonic clock. A jump of the wall clock has no effect.
 * - Expiry: `timeoutMs` throws and `race` rejects.
 * - `cancel`: no further step starts, because `timeoutMs` throws. Running steps continue, and `race` does not reject early: cleaning up
 *   needs their outcome.
 * - Bounds: at most one timer per deadline, which runs only while a `race` waits.
 */
export interface Deadline {
  /** The milliseconds left, as a fraction. 0 after expiry or cancellation. It never throws. */
  readonly remainingMs: number;
  /** The milliseconds since the deadline was created, plus `spentMs`. */
  readonly elapsedMs: number;
  /** Whether the deadline has expired or was cancelled. */
  readonly expired: boolean;
  /** Whether `cancel` was called. A deadline that only expired is not cancelled. */
  readonly cancelled: boolean;
  /**
   * Returns the time limit of the next step in whole milliseconds: at least 1 (0 means "no limit" in MongoDB), at most `atMostMs`. Throws
   * the deadline's error after expiry or cancellation. Call it again for every step.
   */
  timeoutMs(atMostMs?: number): number;
  /** Returns a deadline for a part of the work. It ends with this one, and at the latest `atMostMs` from now. */
  capped(atMostMs: number): Deadline;
  /** Settles as `work` does, or rejects with the deadline's error at expiry. `work` itself continues. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Prevents further steps. `reason` becomes the cause of the error that they throw. */
  cancel(reason?: unknown): void;
}

export interface DeadlineOptions {
  clock?: Pick<Clock, 'monotonicMs' | 'after'>;
  /** Returns the error at expiry. Default: `internal`, retryable. */
  error?: (cause?: unknown) => Error;
  /** The part of the time that has already passed, in ms. Default 0. */
  spentMs?: number;
}

const tookTooLong = (cause?: unknown) =>
  new AppError('internal', 'The request took too long; retry in a few seconds.', { retryable: true, cause });

/** Creates a deadline that ends `timeoutMs` after its start. The start is now, or `spentMs` ago. `Infinity` never expires. */
export function createDeadline(timeoutMs: number, options: DeadlineOptions = {}): Deadline {
  const { clock = systemClock, error = tookTooLong, spentMs = 0 } = options;
  const startMs = clock.monotonicMs() - spentMs;
  return new ClockDeadline({ startMs, endMs: startMs + timeoutMs, clock, error });
}

interface DeadlineParts {
  startMs: number;
  endMs: number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  error: (cause?: unknown) => Error;
  /** The deadline has expired when all of these have expired. */
  parents?: readonly Deadline[];
}

/** A class, because one deadline is created per request, and an object of closures costs microseconds. */
class ClockDeadline implements Deadline {
  readonly #parts: DeadlineParts;
  #waiting: Set<() => void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #cancelled = false;
  #reason: unknown;

  constructor(parts: DeadlineParts) {
    this.#parts = parts;
  }

  get remainingMs() {
    if (this.#cancelled || this.#parentsExpired()) return 0;
    const { endMs, clock } = this.#parts;
    return endMs === Number.POSITIVE_INFINITY ? endMs : Math.max(0, endMs - clock.monotonicMs());
  }

  get elapsedMs() {
    return this.#parts.clock.monotonicMs() - this.#parts.startMs;
  }

  get expired() {
    return this.remainingMs <= 0;
  }

  get cancelled() {
    return this.#cancelled || this.#parts.parents?.every(({ cancelled }) => cancelled) === true;
  }

  timeoutMs(atMostMs = Number.POSITIVE_INFINITY) {
    const leftMs = this.remainingMs;
    if (leftMs > 0) return Math.max(1, Math.floor(Math.min(leftMs, atMostMs)));
    // If the parents have expired, the latest one throws its own error, which has the cause.
    if (!this.#cancelled && this.#parentsExpired()) return latestDeadline(this.#parts.parents ?? []).timeoutMs();
    throw this.#parts.error(this.#reason);
  }

  capped(atMostMs: number): Deadline {
    const { endMs, clock, error } = this.#parts;
    const startMs = clock.monotonicMs();
    return new ClockDeadline({ startMs, endMs: Math.min(endMs, startMs + atMostMs), clock, error, parents: [this] });
  }

  race<T>(work: Promise<T>): Promise<T> {
    const { endMs, clock, error } = this.#parts;
    if (endMs === Number.POSITIVE_INFINITY) return work;
    return new Promise<T>((resolve, reject) => {
      const expire = () => reject(error(this.#reason));
      this.#wait(expire, endMs - clock.monotonicMs());
      work.then(
        (value) => {
          this.#endWait(expire);
          resolve(value);
        },
        (failure: unknown) => {
          this.#endWait(expire);
          reject(failure);
        },
      );
    });
  }

  cancel(reason?: unknown) {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
  }

  /** Returns a deadline with the end of this one. It is cancelled only when all of `parents` are cancelled. */
  sharedBy(parents: readonly Deadline[]): Deadline {
    return new ClockDeadline({ ...this.#parts, startMs: this.#parts.clock.monotonicMs(), parents });
  }

  #parentsExpired(): boolean {
    return this.#parts.parents?.every(({ expired }) => expired) === true;
  }

  #wait(expire: () => void, leftMs: number) {
    this.#waiting ??= new Set();
    this.#waiting.add(expire);
    this.#cancelTimer ??= this.#parts.clock.after(Math.max(0, leftMs), () => {
      this.#cancelTimer = undefined;
      for (const expireOne of this.#waiting ?? []) expireOne();
      this.#waiting?.clear();
    });
  }

  #endWait(expire: () => void) {
    this.#waiting?.delete(expire);
    if (this.#waiting?.size !== 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

/** A deadline that never expires, for work that is bounded by something else. */
export const noDeadline: Deadline = createDeadline(Number.POSITIVE_INFINITY);

/** Returns the deadline that ends last, or {@link noDeadline} for an empty list. */
export function latestDeadline(deadlines: Iterable<Deadline>): Deadline {
  let latest: Deadline | undefined;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const deadline of deadlines) {
    const { remainingMs } = deadline;
    if (latest && remainingMs <= latestMs) continue;
    latest = deadline;
    latestMs = remainingMs;
  }
  return latest ?? noDeadline;
}

/**
 * Returns the deadline of work that several callers share. It ends with the latest of their deadlines, and is cancelled only when all of
 * them are. A caller that cancels therefore does not stop the work of the others.
 */
export function sharedDeadline(deadlines: readonly Deadline[]): Deadline {
  const latest = latestDeadline(deadlines);
  return deadlines.length > 1 && latest instanceof ClockDeadline ? latest.sharedBy(deadlines) : latest;
}
