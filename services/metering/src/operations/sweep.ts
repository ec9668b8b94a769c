import { createDeadline } from '@shopscope/async';
import { hasPassed, type Offsets, type TopicProgress } from '@shopscope/kafka';
import type { Charge } from '../domain/charge.ts';
import type { UsageEvent } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import { noUnits } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';
import { recordUsage } from './record-usage.ts';

/**
 * Ends expired reservations. A reservation with a ledger entry is only marked as ended; one without is returned.
 * An event that is durable may still be unread when its reservation expires, so the order is the guarantee:
 * 1. Note the time.
 * 2. Read the end of every partition of usage.v1.
 * 3. Wait until the ledger has read up to all of these ends.
 * 4. Sweep the reservations that had expired at 1.
 *
 * - Kafka does not respond -> nothing is swept.
 * - Concurrency: several instances may sweep at the same time, because a return is a ledger entry with a unique id.
 */
export interface Sweeper {
  /** One step: notes the ends, or waits for them, or sweeps. Resolves to the number of returned reservations. */
  tick(abort?: AbortSignal): Promise<number>;
}

const maxBatchSize = 1_000;
/** A tick ends after this many batches; the next tick continues. */
const maxBatchesPerTick = 200;
const maxReturnsPerTransaction = 200;
const timeoutMs = 10_000;

export function createSweeper(deps: Dependencies, progress: TopicProgress): Sweeper {
  let bound: { expiredMs: number; ends: Offsets } | undefined;

  return {
    async tick(abort) {
      if (!bound) {
        const expiredMs = deps.clock.now();
        if ((await deps.charges.expired(expiredMs, 1, timeoutMs)).length === 0) {
          // Another instance may have swept the reservations that blocked this one.
          deps.metrics.sweepBlocked.set(0);
          return 0;
        }
        bound = { expiredMs, ends: await progress.ends().catch(blockedBy(deps)) };
      }
      const consumed = await progress.consumed().catch(blockedBy(deps));
      const passed = hasPassed(consumed, bound.ends);
      deps.metrics.sweepBlocked.set(passed ? 0 : 1);
      if (!passed) return 0;
      // After a step back of the clock, younger reservations may expire before the noted time.
      const expiredMs = Math.min(bound.expiredMs, deps.clock.now());
      bound = undefined;
      return sweepExpired(deps, expiredMs, abort);
    },
  };
}

const blockedBy = (deps: Dependencies) => (error: unknown) => {
  deps.metrics.sweepBlocked.set(1);
  throw error;
};

async function sweepExpired(deps: Dependencies, expiredMs: number, abort: AbortSignal | undefined): Promise<number> {
  let returned = 0;
  for (let batch = 0; batch < maxBatchesPerTick && !abort?.aborted; batch++) {
    const charges = await deps.charges.expired(expiredMs, maxBatchSize, timeoutMs);
    const entries = await deps.ledger.entriesOf(
      charges.map(({ id, attempt }) => attemptKey(id, attempt)),
      { maxTimeMS: timeoutMs },
    );
    const isSettled = ({ id, attempt }: Charge) => entries.has(attemptKey(id, attempt));
    const settled = charges.filter(isSettled).map(({ id }) => id);
    await deps.charges.closeExpired(settled, expiredMs, deps.clock.now(), timeoutMs);
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
});
