import { createDeadline } from '@shopscope/async';
import type { TopicProgress } from '@shopscope/kafka';
import { noUnits } from '@shopscope/proto';
import { type Charge, workspacesOf } from '../domain/charge.ts';
import type { UsageEvent } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import { type AfterReading, createAfterReading } from './after-reading.ts';
import type { Dependencies } from './dependencies.ts';
import { recordUsage } from './record-usage.ts';

const maxBatchSize = 1_000;
/** A tick ends after this many batches. The next tick continues. */
const maxBatchesPerTick = 200;
const maxReturnsPerTransaction = 200;
const timeoutMs = 10_000;

/**
 * Ends expired reservations, once usage.v1 has been read up to the end that it has after their expiry. A reservation with a
 * ledger entry is only marked as ended. A reservation without one is returned.
 *
 * Concurrency: several instances may sweep at the same time, because a return is a ledger entry with a unique id.
 */
export const createSweeper = (deps: Dependencies, progress: TopicProgress): AfterReading =>
  createAfterReading({
    metrics: deps.metrics,
    work: 'reservations',
    progress,
    async collect() {
      const expiredMs = deps.clock.now();
      const [first] = await deps.charges.expired(expiredMs, 1, timeoutMs);
      return first && { expiredMs };
    },
    // After the clock has stepped back, younger reservations may expire before the noted time.
    finish: ({ expiredMs }, abort) => sweepExpired(deps, Math.min(expiredMs, deps.clock.now()), abort),
  });

async function sweepExpired(deps: Dependencies, expiredMs: number, abort: AbortSignal | undefined): Promise<number> {
  let returned = 0;
  for (let batch = 0; batch < maxBatchesPerTick && !abort?.aborted; batch++) {
    const charges = await deps.charges.expired(expiredMs, maxBatchSize, timeoutMs);
    const entries = await deps.ledger.entriesOf(
      charges.map(({ id, attempt }) => attemptKey(id, attempt)),
      workspacesOf(charges),
      { maxTimeMS: timeoutMs },
    );
    const isSettled = ({ id, attempt }: Charge) => entries.has(attemptKey(id, attempt));
    const settled = charges.filter(isSettled);
    const named = { workspaceIds: workspacesOf(settled), ids: settled.map(({ id }) => id) };
    await deps.charges.closeExpired(named, expiredMs, deps.clock.now(), timeoutMs);
    deps.metrics.swept.inc({ outcome: 'settled' }, settled.length);

    const expired = await returnReservations(
      deps,
      charges.filter((charge) => !isSettled(charge)),
    );
    returned += expired.returned;
    if (expired.failed > 0 || charges.length < maxBatchSize) break;
  }
  return returned;
}

async function returnReservations(deps: Dependencies, expired: readonly Charge[]) {
  let returned = 0;
  let failed = 0;
  for (const [workspaceId, charges] of Map.groupBy(expired, (charge) => charge.workspaceId)) {
    for (let start = 0; start < charges.length; start += maxReturnsPerTransaction) {
      const events = charges.slice(start, start + maxReturnsPerTransaction).map((charge) => returnOf(deps, charge));
      try {
        await recordUsage(deps, events, createDeadline(timeoutMs, { clock: deps.clock }));
        returned += events.length;
      } catch (error) {
        failed += events.length;
        deps.logger.error({ err: error, workspaceId, reservations: events.length }, 'reservations were not returned');
      }
    }
  }
  deps.metrics.swept.inc({ outcome: 'given_back' }, returned);
  if (returned > 0) deps.logger.info({ reservations: returned }, 'expired reservations were returned');
  return { returned, failed };
}

const returnOf = (deps: Dependencies, charge: Charge): UsageEvent => ({
  kind: 'return',
  chargeId: charge.id,
  attempt: charge.attempt,
  workspaceId: charge.workspaceId,
  keyId: charge.keyId,
  units: noUnits,
  periodStartMs: charge.periodStartMs,
  operation: 'sweep',
  occurredAtMs: deps.clock.now(),
  leaseId: '',
});
