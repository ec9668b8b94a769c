import { type Clock, systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/**
 * The instant by which a piece of work has to end. The edge creates one per request; HTTP, operations, gRPC and MongoDB
 * pass the same value on.
 *
 * - Time source: the monotonic clock. A wall clock that jumps changes nothing.
 * - Expiry: `timeoutMs` throws and `race` rejects.
 * - `cancel`: no further step starts (`timeoutMs` throws). Steps that already run go on: `race` does not reject early,
 *   because their outcome is still needed for cleaning up.
 * - Bounds: one timer per deadline, and only while a `race` waits.
 */
export interface Deadline {
  /** Milliseconds left, fractional. 0 after expiry or cancellation; never throws. */
  readonly remainingMs: number;
  /** Milliseconds since the deadline was created. */
  readonly elapsedMs: number;
  /** True after expiry or cancellation. */
  readonly expired: boolean;
  /**
   * The time limit of the next step: whole milliseconds, at least 1 (MongoDB takes 0 for "no limit"), at most `atMostMs`.
   * Throws the deadline's error after expiry or cancellation. Read it again for every step.
   */
  timeoutMs(atMostMs?: number): number;
  /** A deadline for a part of the work: ends with this one, and at the latest `atMostMs` from now. */
  capped(atMostMs: number): Deadline;
  /** The outcome of `work`, or a rejection with the deadline's error at expiry. `work` itself goes on. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Stops further steps. `reason` becomes the cause of the error that they meet. */
  cancel(reason?: unknown): void;
}

export interface DeadlineOptions {
  clock?: Pick<Clock, 'monotonicMs' | 'after'>;
  /** The error at expiry; default: `internal`, retryable. */
  error?: (cause?: unknown) => Error;
}

const tookTooLong = (cause?: unknown) =>
  new AppError('internal', 'The request took too long; retry in a few seconds.', { retryable: true, cause });

/** A deadline `timeoutMs` from now. `Infinity` never expires. */
export function createDeadline(timeoutMs: number, options: DeadlineOptions = {}): Deadline {
  const { clock = systemClock, error = tookTooLong } = options;
  const startMs = clock.monotonicMs();
  return deadlineAt({ startMs, endMs: startMs + timeoutMs, clock, error });
}

interface DeadlineParts {
  startMs: number;
  endMs: number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  error: (cause?: unknown) => Error;
  parent?: Deadline;
}

function deadlineAt({ startMs, endMs, clock, error, parent }: DeadlineParts): Deadline {
  const waiting = new Set<() => void>();
  let cancelTimer: (() => void) | undefined;
  let cancelled = false;
  let reason: unknown;

  const remainingMs = () => {
    if (cancelled || parent?.expired) return 0;
    return Math.max(0, endMs - clock.monotonicMs());
  };
  const expire = () => {
    cancelTimer = undefined;
    for (const reject of waiting) reject();
    waiting.clear();
  };

  const deadline: Deadline = {
    get remainingMs() {
      return remainingMs();
    },
    get elapsedMs() {
      return clock.monotonicMs() - startMs;
    },
    get expired() {
      return remainingMs() <= 0;
    },
    timeoutMs(atMostMs = Number.POSITIVE_INFINITY) {
      const leftMs = remainingMs();
      if (leftMs > 0) return Math.max(1, Math.floor(Math.min(leftMs, atMostMs)));
      // The cause of a cancelled parent is the parent's to tell.
      if (!cancelled && parent?.expired) return parent.timeoutMs();
      throw error(reason);
    },
    capped(atMostMs) {
      const nowMs = clock.monotonicMs();
      return deadlineAt({ startMs: nowMs, endMs: Math.min(endMs, nowMs + atMostMs), clock, error, parent: deadline });
    },
    race<T>(work: Promise<T>) {
      const leftMs = endMs - clock.monotonicMs();
      if (leftMs === Number.POSITIVE_INFINITY) return work;
      return new Promise<T>((resolve, reject) => {
        const expired = () => reject(error(reason));
        const settled = () => {
          waiting.delete(expired);
          if (waiting.size > 0) return;
          cancelTimer?.();
          cancelTimer = undefined;
        };
        waiting.add(expired);
        cancelTimer ??= clock.after(Math.max(0, leftMs), expire);
        work.then(
          (value) => {
            settled();
            resolve(value);
          },
          (failure: unknown) => {
            settled();
            reject(failure);
          },
        );
      });
    },
    cancel(cause) {
      if (cancelled) return;
      cancelled = true;
      reason = cause;
    },
  };
  return deadline;
}

/** Never expires; for work that is bounded by something else. */
export const noDeadline: Deadline = createDeadline(Number.POSITIVE_INFINITY);

/**
 * The deadline of work that several callers share: it expires when the last of them has expired or was cancelled, so that
 * no caller who leaves ends the work of the others. {@link noDeadline} for an empty list.
 */
export function latestDeadline(deadlines: Iterable<Deadline>): Deadline {
  const distinct = [...new Set(deadlines)];
  const [first = noDeadline] = distinct;
  return distinct.length > 1 ? sharedDeadline(distinct) : first;
}

function sharedDeadline(callers: readonly Deadline[]): Deadline {
  let members = callers;
  let latest = latestOf(members);
  const current = () => {
    if (latest.expired) latest = latestOf(members);
    return latest;
  };
  const reference = latest;
  const createdMs = reference.elapsedMs;

  return {
    get remainingMs() {
      return current().remainingMs;
    },
    get elapsedMs() {
      return reference.elapsedMs - createdMs;
    },
    get expired() {
      return current().expired;
    },
    timeoutMs: (atMostMs) => current().timeoutMs(atMostMs),
    capped: (atMostMs) => sharedDeadline(members.map((member) => member.capped(atMostMs))),
    race: (work) => current().race(work),
    cancel(reason) {
      // The callers' own deadlines stay as they are.
      members = members.map((member) => member.capped(Number.POSITIVE_INFINITY));
      for (const member of members) member.cancel(reason);
      latest = latestOf(members);
    },
  };
}

function latestOf(deadlines: readonly Deadline[]): Deadline {
  let latest = noDeadline;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const deadline of deadlines) {
    const { remainingMs } = deadline;
    if (remainingMs <= latestMs) continue;
    latest = deadline;
    latestMs = remainingMs;
  }
  return latest;
}
