import type { ReserveItem, ReserveResult } from '@shopscope/proto';
import { type Coalescer, createCoalescer } from '../coalesce.ts';

export interface TimedReservation {
  item: ReserveItem;
  timeoutMs: number;
}

/** As many items as metering takes at once. */
const maxBatch = 1_000;
/** About as long as a decision takes, behind which metering would let the next of a workspace wait anyway. */
const gatherMs = 10;

/**
 * Reservations of one event-loop turn, in as few calls as may share their fate. Those that no Idempotency-Key names are
 * decided at once, so they leave together. A named one may be a retry, for which metering waits until its ledger has
 * caught up with the execution before it: whatever shares its call waits with it, so only named ones of its workspace do.
 * `call` answers parallel to its items.
 */
export function createReservations<Timed extends TimedReservation>(
  call: (items: Timed[]) => Promise<ReserveResult[]>,
): Coalescer<Timed, ReserveResult> {
  const unnamed = createCoalescer({ maxBatch, gatherMs, call });
  const named = createCoalescer<Timed, { answer: Promise<ReserveResult> }>({
    maxBatch,
    async call(items) {
      const answers = new Map<Timed, Promise<ReserveResult>>();
      for (const ofWorkspace of Map.groupBy(items, ({ item }) => item.workspaceId).values()) {
        const results = call(ofWorkspace);
        for (const [n, timed] of ofWorkspace.entries()) answers.set(timed, results.then(nth(n)));
      }
      return items.map((timed) => ({ answer: answers.get(timed) as Promise<ReserveResult> }));
    },
  });
  return {
    load: async (timed) => {
      if (timed.item.fingerprint.length === 0) return unnamed.load(timed);
      const { answer } = await named.load(timed);
      return answer;
    },
  };
}

const nth = (n: number) => (results: ReserveResult[]) => {
  const result = results[n];
  if (!result) throw new Error(`metering answered ${results.length} reservations of more`);
  return result;
};
