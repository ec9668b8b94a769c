import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/**
 * Refused credentials per client address. Somebody who tries keys, or a fleet that has not heard of a rotation, costs
 * the gateways and keys a bounded amount of work: after so many refusals within a minute, unfamiliar credentials from
 * there are not even looked at until the minute has ended. Each gateway counts for itself, without I/O. Bounded: the
 * address that failed least recently is forgotten first.
 */
export interface FailedAttempts {
  /** Throws `rate_limited` with `retry_after` when the address has failed too often. */
  check(address: string): void;
  note(address: string): void;
  /** Addresses remembered. */
  readonly size: number;
}

interface Failures {
  count: number;
  endMs: number;
}

const windowMs = 60_000;

export function createFailedAttempts(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  maxPerMinute: number;
  maxAddresses?: number;
}): FailedAttempts {
  const { clock, maxPerMinute, maxAddresses = 50_000 } = options;
  const byAddress = new Map<string, Failures>();

  const current = (address: string): Failures | undefined => {
    const failures = byAddress.get(address);
    if (failures && clock.monotonicMs() < failures.endMs) return failures;
    byAddress.delete(address);
    return undefined;
  };

  return {
    check(address) {
      const failures = current(address);
      if (!failures || failures.count < maxPerMinute) return;
      const retryAfter = Math.max(1, Math.ceil((failures.endMs - clock.monotonicMs()) / 1_000));
      throw new AppError('rate_limited', 'Too many requests with keys that are not valid came from this address.', {
        details: { retry_after: retryAfter },
      });
    },
    note(address) {
      const failures = current(address) ?? { count: 0, endMs: clock.monotonicMs() + windowMs };
      failures.count++;
      // Deleted first, so that the order of the map is the order of the latest failures.
      byAddress.delete(address);
      if (byAddress.size >= maxAddresses) byAddress.delete(byAddress.keys().next().value as string);
      byAddress.set(address, failures);
    },
    get size() {
      return byAddress.size;
    },
  };
}
