import type { Clock } from '@shopscope/clock';

/**
 * Refuses calls to a server that keeps failing. Callers then wait for a time limit a few times, not on every call.
 *
 * - The circuit opens after `failures` failures in a row. One success closes it.
 * - An open circuit admits one probe per `probeIntervalMs`, counted from the latest probe or failure.
 * - Concurrency: calls that were admitted before the circuit opened may still end. Each outcome counts.
 */
export interface CircuitBreaker {
  /** Returns whether a call may start now. The caller reports the outcome with `succeeded` or `failed`. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  readonly open: boolean;
}

export interface CircuitBreakerOptions {
  /** The number of failures in a row that opens the circuit; at least 1. */
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
