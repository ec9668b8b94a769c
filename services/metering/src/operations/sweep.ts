import { createDeadline } from '@shopscope/async';
import { hasPassed, type Offsets, type TopicProgress } from '@shopscope/kafka';
import type { Charge } from '../domain/charge.ts';
import type { UsageSignal } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import { noUnits } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';
import { recordUsage } from './record-usage.ts';

/**
 * Ends expired reservations: those that the ledger shows as counted are only marked, the stranded ones are given back.
 * An event that is durable may still be unread when its reservation expires, so the order is the guarantee:
 *   1. note the time, 2. read the end of every partition, 3. wait until the ledger has passed all of them,
 *   4. sweep what had expired at 1.
 * Without Kafka nothing passes, and nothing is swept. Several instances may sweep at once: giving back is a ledger entry
 * with a unique id.
 */
export interface Sweeper {
  /** One step: takes a bound, or waits for it, or sweeps. Resolves to the reservations given back. */
  tick(abort?: AbortSignal): Promise<number>;
}

const chunkMax = 1_000;
/** A tick ends after this many charges; the next one goes on. */
const chunksPerTick = 200;
const returnsPerTransaction = 200;
const timeoutMs = 10_000;

export function createSweeper(deps: Dependencies, positions: TopicProgress): Sweeper {
  let bound: { expiredMs: number; ends: Offsets } | undefined;

  return {
    async tick(abort) {
      if (!bound) {
        const expiredMs = deps.clock.now();
        if ((await deps.charges.expired(expiredMs, 1, timeoutMs)).length === 0) {
          // Another instance may have swept what this one was waiting for.
          deps.metrics.sweepBlocked.set(0);
          return 0;
        }
        bound = { expiredMs, ends: await positions.ends().catch(blockedBy(deps)) };
      }
      const consumed = await positions.consumed().catch(blockedBy(deps));
      const passed = hasPassed(consumed, bound.ends);
      deps.metrics.sweepBlocked.set(passed ? 0 : 1);
      if (!passed) return 0;
      const { expiredMs } = bound;
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
  for (let chunk = 0; chunk < chunksPerTick && !abort?.aborted; chunk++) {
    const charges = await deps.charges.expired(expiredMs, chunkMax, timeoutMs);
    const entries = await deps.ledger.entriesOf(
      charges.map(({ id, attempt }) => attemptKey(id, attempt)),
      { maxTimeMS: timeoutMs },
    );
    const isSettled = ({ id, attempt }: Charge) => entries.has(attemptKey(id, attempt));
    const settled = charges.filter(isSettled).map(({ id }) => id);
    await deps.charges.closeExpired(settled, expiredMs, deps.clock.now(), timeoutMs);
    deps.metrics.swept.inc({ outcome: 'settled' }, settled.length);

    const stranded = charges.filter((charge) => !isSettled(charge));
    const { given, failed } = await giveBack(deps, stranded);
    returned += given;
    if (failed > 0 || charges.length < chunkMax) break;
  }
  return returned;
}

async function giveBack(deps: Dependencies, stranded: readonly Charge[]): Promise<{ given: number; failed: number }> {
  let given = 0;
  let failed = 0;
  for (const [workspaceId, charges] of Map.groupBy(stranded, (charge) => charge.workspaceId)) {
    for (let start = 0; start < charges.length; start += returnsPerTransaction) {
      const signals = charges.slice(start, start + returnsPerTransaction).map((charge) => returnOf(deps, charge));
      try {
        await recordUsage(deps, signals, createDeadline(timeoutMs, { clock: deps.clock }));
        given += signals.length;
      } catch (error) {
        failed += signals.length;
        deps.logger.error(
          { err: error, workspaceId, reservations: signals.length },
          'reservations were not given back',
        );
      }
    }
  }
  deps.metrics.swept.inc({ outcome: 'given_back' }, given);
  if (given > 0) deps.logger.info({ reservations: given }, 'expired reservations were given back');
  return { given, failed };
}

const returnOf = (deps: Dependencies, charge: Charge): UsageSignal => ({
  signal: 'return',
  chargeId: charge.id,
  attempt: charge.attempt,
  workspaceId: charge.workspaceId,
  keyId: charge.keyId,
  units: noUnits,
  periodStartMs: charge.periodStartMs,
  operation: 'sweep',
  occurredAtMs: deps.clock.now(),
});
