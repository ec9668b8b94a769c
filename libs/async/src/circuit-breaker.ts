import type { Clock } from '@shopscope/clock';

/**
 * Refuses calls to a server that keeps failing, so that callers lose a time limit a few times and not on every call.
 *
 * - Opens after `failures` failures in a row. One success closes it.
 * - While open it admits one probe per `probeIntervalMs`, counted from the latest probe or failure.
 * - Concurrency: calls that were admitted before it opened may still end; each outcome counts.
 */
export interface CircuitBreaker {
  /** True when a call may start now. The caller reports the outcome with `succeeded` or `failed`. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  readonly open: boolean;
}

export interface CircuitBreakerOptions {
  /** Failures in a row that open it; at least 1. */
  failures: number;
  probeIntervalMs: number;
  clock: Pick<Clock, 'monotonicMs'>;
}

export function createCircuitBreaker({ failures, probeIntervalMs, clock }: CircuitBreakerOptions): CircuitBreaker {
  let failuresInARow = 0;
  let nextProbeMs = 0;
  const postponeProbe = () => {
    nextProbeMs = clock.monotonicMs() + probeIntervalMs;
  };
  const isOpen = () => failuresInARow >= failures;

  return {
    admits() {
      if (!isOpen()) return true;
      if (clock.monotonicMs() < nextProbeMs) return false;
      postponeProbe();
      return true;
    },
    succeeded() {
      failuresInARow = 0;
    },
    failed() {
      failuresInARow += 1;
      if (isOpen()) postponeProbe();
    },
    get open() {
      return isOpen();
    },
  };
}
