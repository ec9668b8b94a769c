import type { CallContext } from '@shopscope/grpc';
import { type DailyKeyUsage, type GetDailyUsageResponse, isZero, type Units } from '@shopscope/proto';
import { daysWithUnits, type KeyUsage, notRecorded } from '../domain/key-usage.ts';
import { requestedPeriod } from '../domain/period.ts';
import type { Dependencies } from './dependencies.ts';

/** As many unrevoked keys as a workspace can have. The rows of all their days are about 1 MB. */
const maxKeys = 500;

/**
 * Usage of a workspace in a period by UTC day and key. Default: the current period.
 *
 * - Days and units without a day add up to {@link getUsage}, because one snapshot has both.
 * - More than `maxKeys` keys -> days of the newest keys; the units of the others are in `notRecorded`.
 */
export async function getDailyUsage(
  deps: Dependencies,
  workspaceId: string,
  caller: CallContext,
  periodStartMs?: number,
): Promise<GetDailyUsageResponse> {
  const { startMs, endMs } = requestedPeriod(deps.clock.now(), periodStartMs);
  const counters = await deps.counters.ofPeriodByDay(workspaceId, startMs, {
    maxTimeMS: caller.deadline.timeoutMs(),
    readConcern: 'snapshot',
  });
  const keys = counters
    .filter(({ keyId }) => keyId !== '')
    // Ids of keys sort by the creation of the keys.
    .sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const older = keys.slice(0, -maxKeys).map((key) => ({ ...key, days: new Map<number, Units>() }));
  const newest = keys.slice(-maxKeys);
  return {
    periodStartMs: startMs,
    periodEndMs: endMs,
    days: rowsByDay(newest),
    notRecorded: [...older, ...newest]
      .map((key) => ({ keyId: key.keyId, used: notRecorded(key) }))
      .filter(({ used }) => !isZero(used)),
  };
}

function rowsByDay(keys: readonly ({ keyId: string } & KeyUsage)[]): DailyKeyUsage[] {
  const rows = new Map<number, DailyKeyUsage[]>();
  for (const { keyId, days } of keys) {
    for (const [dayStartMs, used] of daysWithUnits({ days })) {
      const row = { dayStartMs, keyId, used };
      const ofDay = rows.get(dayStartMs);
      if (ofDay) ofDay.push(row);
      else rows.set(dayStartMs, [row]);
    }
  }
  return [...rows].sort(([a], [b]) => a - b).flatMap(([, ofDay]) => ofDay);
}
