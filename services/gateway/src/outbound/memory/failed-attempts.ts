import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { LRUCache } from 'lru-cache';

/**
 * Limits what one client address can cost the keys service with keys that are not valid.
 *
 * - Counted are different keys, not requests: one broken key of an office counts once, however often it is sent. The whole
 *   key counts and not its public prefix, or a guesser could keep the prefix and vary the rest.
 * - Only look-ups are limited. A malformed key fails its checksum without one, so it is neither counted nor limited.
 * - `limit reached -> one look-up a second` for unfamiliar keys of that address until its minute ends. A guesser gets one
 *   guess a second. A valid key that is new at the address works within about a second once the others pause; while they
 *   go on it competes with them for each second's look-up, at most until the minute ends and 60 are looked up again.
 * - Each gateway counts for itself, without I/O.
 * - Bounds: addresses, and keys over all addresses; the address that failed least recently is dropped first. An address
 *   at its limit needs no keys any more, and a key is kept as 31 bits of a salted hash, never in clear. The second bound is
 *   ours: sizes of lru-cache are at least 1, and an address at its limit has none.
 */
export interface FailedAttempts {
  /** Asks for a look-up of an unfamiliar key. Throws `rate_limited` with `retry_after` when the second's one is taken. */
  takeLookUp(address: string): void;
  /** A key from this address was refused. */
  note(address: string, token: string): void;
  /** Addresses remembered. */
  readonly size: number;
  /** Keys remembered, over all addresses. */
  readonly keys: number;
}

interface Failures {
  /** Hashes of the refused keys; undefined once the address is at its limit. */
  keys: Set<number> | undefined;
  endMs: number;
  nextLookUpMs: number;
}

const windowMs = 60_000;
const lookUpEveryMs = 1_000;

export function createFailedAttempts(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  maxPerMinute: number;
  maxAddresses?: number;
  maxKeys?: number;
}): FailedAttempts {
  const { clock, maxAddresses = 50_000, maxKeys = 500_000 } = options;
  const limit = Math.min(options.maxPerMinute, maxKeys);
  let keyCount = 0;
  const byAddress = new LRUCache<string, Failures>({
    max: maxAddresses,
    dispose: ({ keys }) => {
      keyCount -= keys?.size ?? 0;
    },
  });
  // Salted: whoever chooses the keys must not be able to choose their hashes.
  const salt = randomBytes(16).toString('hex');
  const hashOf = (token: string) => hash('sha256', salt + token, 'buffer').readUInt32LE() >>> 1;

  /** Reading makes no address more recent: their order is that of their latest failures. */
  const current = (address: string, nowMs: number): Failures | undefined => {
    const failures = byAddress.peek(address);
    if (failures && nowMs < failures.endMs) return failures;
    byAddress.delete(address);
    return undefined;
  };

  return {
    takeLookUp(address) {
      const nowMs = clock.monotonicMs();
      const failures = current(address, nowMs);
      if (!failures || failures.keys) return;
      if (nowMs >= failures.nextLookUpMs) {
        failures.nextLookUpMs = nowMs + lookUpEveryMs;
        return;
      }
      const message =
        `${limit} different keys that are not valid came from this address within a minute; ` +
        'a key that is new there is looked up once a second. Retry in 1 s.';
      throw new AppError('rate_limited', message, {
        // Whole seconds, and the wait is never longer than the interval.
        details: { retry_after: lookUpEveryMs / 1_000 },
      });
    },
    note(address, token) {
      const nowMs = clock.monotonicMs();
      let failures = current(address, nowMs);
      // Either makes the address the latest one that failed. Deleting it first would cost a pass over the whole cache when it
      // is the only one.
      if (failures) byAddress.get(address);
      else {
        failures = { keys: new Set(), endMs: nowMs + windowMs, nextLookUpMs: nowMs };
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
    get size() {
      return byAddress.size;
    },
    get keys() {
      return keyCount;
    },
  };
}
