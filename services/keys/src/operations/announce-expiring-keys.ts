import { newId } from '@shopscope/ids';
import { KeyChange } from '@shopscope/proto';
import { daysLeftAt, nextNoticeAfter } from '../domain/expiry-notice.ts';
import type { Dependencies } from './dependencies.ts';

/** The number of keys per transaction. */
const maxBatchSize = 200;
/** A pass ends after this many batches. The next pass continues. */
const maxBatches = 50;

/**
 * Publishes an event for each key that expires in seven days, and again one day before its expiry. Resolves to the number of events.
 *
 * - Exactly once: one transaction writes the events and the time of each key's next notice. The second of two concurrent instances
 *   conflicts, runs again and finds nothing.
 * - No instance ran at the time of a notice -> it comes late. A notice is left out if a later one has replaced it, or if the key has expired.
 * - The key is revoked meanwhile -> one of the two transactions runs again. A revoked key has no next notice.
 * - A transaction fails -> the call rejects. The earlier transactions stay, and the next pass continues.
 */
export async function announceExpiringKeys(
  deps: Pick<Dependencies, 'clock' | 'keys' | 'transact' | 'appendEvents'>,
  abort?: AbortSignal,
): Promise<number> {
  let announced = 0;
  for (let batch = 0; batch < maxBatches && !abort?.aborted; batch++) {
    const { found, events } = await announceBatch(deps);
    announced += events;
    if (found < maxBatchSize) break;
  }
  return announced;
}

function announceBatch({ clock, keys, transact, appendEvents }: Parameters<typeof announceExpiringKeys>[0]) {
  return transact(async (tx) => {
    const nowMs = clock.now();
    const due = await keys.listDueNotices(new Date(nowMs), maxBatchSize, tx);
    const events = due.flatMap(({ id: keyId, workspaceId, environment, expiresAt }) => {
      const daysLeft = daysLeftAt({ expiresAt }, nowMs);
      if (!daysLeft) return [];
      const expiring = { change: KeyChange.KEY_EXPIRING, workspaceId, keyId, atMs: nowMs };
      return [{ environment, event: { ...expiring, expiresAtMs: expiresAt?.getTime(), daysLeft } }];
    });
    await keys.setNextNotices(
      due.map((key) => ({ id: key.id, at: nextNoticeAfter(key, nowMs) })),
      tx,
    );
    const requestId = newId('req', nowMs);
    for (const [environment, own] of Map.groupBy(events, (each) => each.environment)) {
      await appendEvents(tx, { requestId, traceparent: '', environment }, ...own.map(({ event }) => event));
    }
    return { found: due.length, events: events.length };
  });
}
