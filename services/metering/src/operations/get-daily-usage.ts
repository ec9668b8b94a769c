import type { CallContext } from '@shopscope/grpc';
import { type DailyKeyUsage, type GetDailyUsageResponse, isZero, type Units } from '@shopscope/proto';
import { daysWithUnits, type KeyUsage, notRecorded } from '../domain/key-usage.ts';
import { requestedPeriod } from '../domain/period.ts';
import type { Dependencies } from './dependencies.ts';

/** A workspace can have this many unrevoked keys. The rows of all their days are about 1 MB. */
const maxKeys = 500;

/**
 * Resolves to the usage of a workspace in a period, by UTC day and key. The default is the current period.
 *
 * - The units of the days and the units without a day add up to {@link getUsage}, because all are read in one snapshot.
 * - More than `maxKeys` keys -> only the newest keys have days. The units of the other keys are in `notRecorded`.
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
    // Key ids sort by the creation time of the keys.
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
