import type { Deadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import type { Origin } from '@shopscope/telemetry';
import { isScannable } from '@shopscope/test-tenant';
import { executionMs, maxWaiting, newRescan, type Rescan } from '../../domain/rescan.ts';
import { inPeriod, pausedUntil, type Rescans, scheduled, takeTurns } from '../../domain/rescans.ts';
import type { Watchlist } from '../../domain/watchlist.ts';
import type { Dependencies } from '../dependencies.ts';
import { saveWatchlist } from '../save-watchlist.ts';
import type { RescanPayer } from './find-rescan-payer.ts';
import { observationsAreKnown } from './read-observations.ts';

/** When the rescans of a suspended workspace are looked at again. */
const suspendedPauseMs = 10 * minuteMs;
/** When a watchlist whose rescans wait for an outage is looked at again. */
const outagePauseMs = minuteMs;

interface StartRescans<E extends Environment> {
  tenant: Tenant<E>;
  watchlistId: string;
  /** The key for which `payer` was found. */
  keyId: string;
  payer: RescanPayer;
  /** The most turns that are taken. */
  limit: number;
  origin: Origin;
  deadline: Deadline;
}

/**
 * Takes the turns of a watchlist that are due, in one transaction: the turns, the places of their stores, the units of the budget and the
 * rescans change together. A rescan exists once, therefore, with any number of instances.
 *
 * - The key or the plan cannot pay -> the rescans pause, and no turn is taken.
 * - A store rests after failures, belongs to the other environment, or stands for a fault of requests -> its turn ends without a rescan.
 * - Earlier rescans cannot be executed -> the turns of that time are left out, so that no burst follows an outage.
 */
export async function startRescans<E extends Environment>(
  deps: Dependencies<E>,
  start: StartRescans<E>,
): Promise<Rescan[]> {
  const { tenant, watchlistId, keyId, payer, limit, origin, deadline } = start;
  const ref = { ...tenant, id: watchlistId };
  const found = await deps.watchlists.find(ref, { maxTimeMS: deadline.timeoutMs() });
  if (!found) return [];
  if (payer.kind === 'able' && !(await observationsAreKnown(deps, found, limit, origin, deadline))) return [];
  return deps.transact(
    async (tx) => {
      const now = new Date(deps.clock.now());
      const before = await deps.watchlists.find(ref, tx);
      const isDue = before?.rescans.wakeAt && before.rescans.wakeAt <= now;
      // A key that was set meanwhile is looked up at the next visit.
      if (!isDue || before.rescans.keyId !== keyId) return [];
      const save = (rescans: Rescans) =>
        saveWatchlist(deps, tx, { before, after: { ...before, rescans }, now, origin });
      if (payer.kind === 'key_revoked') {
        await save(pausedUntil(before.rescans, 'key_revoked', null));
        return [];
      }
      const current = resumed(before, now);
      if (payer.kind === 'workspace_suspended') {
        await save(postponed(current, new Date(now.getTime() + suspendedPauseMs)));
        return [];
      }
      const overdue = new Date(now.getTime() - executionMs);
      if ((await deps.rescans.countStarted(ref, overdue, maxWaiting, tx)) >= maxWaiting) {
        await save(postponed(current, new Date(now.getTime() + outagePauseMs)));
        return [];
      }
      const paceDays = Math.max(current.intervalDays ?? 0, payer.payer.plan.freshnessDays);
      const paced = { ...before, rescans: { ...current, paceDays } };
      const { rescans, turns } = takeTurns(paced, now, limit);
      const order = rescans.budget === null ? 'turnAt' : 'observedAt';
      const stores = turns > 0 ? await deps.watchedTurns.next(ref, order, turns, tx) : [];
      const domains = stores.map(({ domain }) => domain);
      const resting = await deps.scanFailures.resting(tenant, domains, now, tx);
      const asked = stores.filter(({ domain }) => isScannable(tenant.environment, domain) && !resting.has(domain));
      const started = asked.map((store, index) =>
        newRescan(tenant, { watchlistId, keyId, turn: rescans.turn - index }, store, now),
      );
      await deps.watchedTurns.take(ref, domains, now, tx);
      await deps.rescans.insert(started, tenant, tx);
      const taken = rescans.taken - (turns - started.length);
      await save({ ...rescans, taken, wakeAt: earlier(rescans.wakeAt, payer.keyExpiresAt) });
      return started;
    },
    { deadline },
  );
}

/** A pause for a spent budget or allowance has ended when the timer wakes. */
function resumed(before: Watchlist, now: Date): Rescans {
  const rescans = inPeriod(before.rescans, now);
  const hasEnded = rescans.paused && rescans.nextAt && rescans.nextAt <= now;
  if (!hasEnded) return rescans;
  return scheduled(before, { ...before, rescans: { ...rescans, paused: null, nextAt: null } }, now);
}

/** The next look is at `at` or at the next turn, whichever is later. */
function postponed(rescans: Rescans, at: Date): Rescans {
  const nextAt = rescans.nextAt && rescans.nextAt < at ? at : rescans.nextAt;
  return { ...rescans, nextAt, wakeAt: nextAt };
}

const earlier = (wakeAt: Date | null, at: Date | null): Date | null => (wakeAt && at && at < wakeAt ? at : wakeAt);
