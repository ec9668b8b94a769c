import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import { AppError, isServerFault } from '@shopscope/errors';
import { noOrigin } from '@shopscope/telemetry';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

const intervalMs = 1_000;
const maxBatchSize = 100;

/**
 * Sends the entries of the outbox to the keys service, oldest first.
 *
 * - Two instances send one entry -> the keys service records it once, by its id.
 * - The keys service is unavailable -> the entries wait.
 * - The keys service refuses an entry -> the entry is logged and not sent again.
 */
export async function deliverAuditEntries({ auditOutbox: outbox, keys, clock, logger }: Dependencies): Promise<void> {
  for (const entry of await outbox.next(maxBatchSize)) {
    try {
      await keys.recordAuditEntry(entry, noOrigin);
      await outbox.remove(entry.id);
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (isServerFault(error)) throw error;
      logger.error({ err: error, entryId: entry.id, action: entry.action }, 'an audit entry was refused');
      await outbox.refuse(entry.id, new Date(clock.now()));
    }
  }
}

export function startAuditDelivery(deps: Dependencies): PeriodicLoop {
  return startPeriodicLoop({
    intervalMs,
    run: () => deliverAuditEntries(deps),
    onError: (error) => deps.logger.warn({ err: error }, 'audit entries wait for the keys service'),
  });
}
