import { hash, randomBytes } from 'node:crypto';
import { createRateLimiter } from '@shopscope/async';
import { type Clock, minuteMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { LRUCache } from 'lru-cache';

/**
 * Limits the look-ups of invalid API keys per client address, to protect the keys service.
 *
 * - It counts different refused keys, not requests: one broken key counts once, however often it is sent. `createRateLimiter` counts units
 *   only, so it limits the look-ups and not the keys.
 * - The whole key is counted, because an attacker could keep the public key tag and vary the rest.
 * - A malformed key fails its checksum without a look-up, so it is neither counted nor limited.
 * - An address reaches the limit -> one look-up per second of unfamiliar keys from that address, until its minute ends. A
 *   valid key that is new at the address competes for this look-up. It waits about one second, and at most until the minute ends.
 * - Each gateway counts alone, without I/O.
 * - Bounds: `maxAddresses`, and `maxKeys` over all addresses. The address that failed least recently is dropped first.
 *   An address at its limit stores no keys. A key is stored as 31 bits of a salted hash.
 */
export type AuthFailures = ReturnType<typeof createAuthFailures>;

interface Failures {
  /** Hashes of the refused keys. Undefined after the address has reached its limit. */
  keys: Set<number> | undefined;
  endMs: number;
}

/** One look-up of unfamiliar keys per second. */
const lookUpRate = { max: 1, windowMs: 1_000 };

export function createAuthFailures(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  maxPerMinute: number;
  maxAddresses?: number;
  maxKeys?: number;
}) {
  const { clock, maxAddresses = 50_000, maxKeys = 500_000 } = options;
  const limit = Math.min(options.maxPerMinute, maxKeys);
  const lookUps = createRateLimiter({ clock, maxKeys: maxAddresses });
  // The keys are counted here, because a size in lru-cache is at least 1 and an address at its limit has size 0.
  let keyCount = 0;
  const byAddress = new LRUCache<string, Failures>({
    max: maxAddresses,
    dispose: ({ keys }) => {
      keyCount -= keys?.size ?? 0;
    },
  });
  // The salt prevents a caller from choosing keys with equal hashes.
  const salt = randomBytes(16).toString('hex');
  const hashOf = (token: string) => hash('sha256', salt + token, 'buffer').readUInt32LE() >>> 1;

  /** Uses `peek` because it keeps the order of the addresses, which is the order of their latest failures. */
  const current = (address: string, nowMs: number): Failures | undefined => {
    const failures = byAddress.peek(address);
    if (failures && nowMs < failures.endMs) return failures;
    byAddress.delete(address);
    return undefined;
  };

  return {
    /**
     * Call it before the look-up of an unfamiliar key. Throws `rate_limited` with `retry_after` if the address is at its
     * limit and the look-up of this second is used up.
     */
    acquireLookUp(address: string): void {
      const failures = current(address, clock.monotonicMs());
      if (!failures || failures.keys || lookUps.of(address, lookUpRate).take() === 0) return;
      const message =
        `${limit} different keys that are not valid came from this address within a minute; ` +
        'a key that is new there is looked up once a second. Retry in 1 s.';
      throw new AppError('rate_limited', message, {
        // The unit is whole seconds. The wait is never longer than the interval.
        details: { retry_after: lookUpRate.windowMs / 1_000 },
      });
    },
    /** Counts a refused key of this address. */
    record(address: string, token: string): void {
      const nowMs = clock.monotonicMs();
      let failures = current(address, nowMs);
      // `get` and `set` both make the address the one that failed last.
      if (failures) byAddress.get(address);
      else {
        failures = { keys: new Set(), endMs: nowMs + minuteMs };
        byAddress.set(address, failures);
      }
      const { keys } = failures;
      if (!keys) return;
      keyCount -= keys.size;
      keys.add(hashOf(token));
      if (keys.size >= limit) failures.keys = undefined;
      else keyCount += keys.size;
      while (keyCount > maxKeys) byAddress.pop();
    },
    /** The number of stored addresses. */
    get size() {
      return byAddress.size;
    },
    /** The number of stored keys of all addresses. */
    get keys() {
      return keyCount;
    },
  };
}
