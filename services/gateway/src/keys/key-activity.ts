import { type Clock, hourMs } from '@shopscope/clock';
import type { KeyActivity } from '@shopscope/proto';
import type { Caller } from './caller.ts';
import type { ResponseClass } from './response-class.ts';

/**
 * Counts the responses of each key by UTC hour, until they are taken for a report.
 *
 * - A response counts in the hour in which it ended.
 * - Cost of a response: one map look-up and a few additions, without I/O.
 * - Bound: `maxCounts`, each of one key and hour. A response that needs a further count is not counted -> `onDropped`.
 */
export type KeyActivityCounter = ReturnType<typeof createKeyActivityCounter>;

/** The responses of one key in one hour. */
export type KeyActivityCount = Omit<KeyActivity, 'instanceId' | 'sequence'>;

export function createKeyActivityCounter(options: {
  clock: Pick<Clock, 'now'>;
  onDropped: () => void;
  maxCounts?: number;
}) {
  const { clock, onDropped, maxCounts = 10_000 } = options;
  /** The counts by key id. The hours of a key are in the order of counting. */
  const hoursByKey = new Map<string, KeyActivityCount[]>();
  let size = 0;

  return {
    /** Counts a response that has ended. */
    count({ workspaceId, keyId }: Pick<Caller, 'workspaceId' | 'keyId'>, response: ResponseClass, startedAtMs: number) {
      const nowMs = clock.now();
      const hourStartMs = nowMs - (nowMs % hourMs);
      const hours = hoursByKey.get(keyId);
      let current = hours?.at(-1);
      if (current?.hourStartMs !== hourStartMs) {
        if (size >= maxCounts) return onDropped();
        const none = { succeeded: 0, clientErrors: 0, serverErrors: 0, limited: 0 };
        current = { workspaceId, keyId, lastUsedAtMs: startedAtMs, hourStartMs, ...none };
        size++;
        if (hours) hours.push(current);
        else hoursByKey.set(keyId, [current]);
      }
      current.lastUsedAtMs = Math.max(current.lastUsedAtMs, startedAtMs);
      addTo(current, response);
    },
    /** Removes and returns at most `max` counts. It takes only the oldest hour of each key. */
    take(max: number): KeyActivityCount[] {
      const taken: KeyActivityCount[] = [];
      for (const [keyId, hours] of hoursByKey) {
        if (taken.length === max) break;
        const oldest = hours.shift();
        if (oldest) taken.push(oldest);
        if (hours.length === 0) hoursByKey.delete(keyId);
      }
      size -= taken.length;
      return taken;
    },
    /** The number of waiting counts. */
    get size() {
      return size;
    },
  };
}

function addTo(count: KeyActivityCount, response: ResponseClass): void {
  if (response === 'succeeded') count.succeeded++;
  else if (response === 'server_error') count.serverErrors++;
  else {
    count.clientErrors++;
    if (response === 'limited') count.limited++;
  }
}
