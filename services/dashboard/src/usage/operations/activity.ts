/**
 * Responses by key and hour, as the gateways report them: every 15 s, or every minute if many keys are active. The counts are approximate:
 * a gateway that is killed loses its latest counts. They are not used for billing.
 */

import { hourMs } from '@shopscope/clock';
import type { KeyActivity } from '@shopscope/proto';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type HourOfKey, type ResponseCounts, responseClasses } from '../outbound/key-activity.ts';

export type HourOfWorkspace = Omit<HourOfKey, 'keyId'>;

const noResponses: ResponseCounts = { succeeded: 0, clientErrors: 0, serverErrors: 0, limited: 0 };
/** The current hour and the 23 before it. */
const dayHours = 24;
const weekHours = 7 * 24;
const readTimeoutMs = 2_000;
/** The number of rows for the hours of a week and 500 busy keys. */
const maxRows = 84_000;

const hoursSince = (deps: Dependencies, hours: number) =>
  Math.floor(deps.clock.now() / hourMs) * hourMs - (hours - 1) * hourMs;

/** The hours of the keys of the visit's environment. */
async function read(deps: Dependencies, { membership, origin }: WorkspaceVisit, hours: number) {
  const { workspaceId } = membership;
  const rows = await deps.keyActivity.hours(
    { workspaceId, fromMs: hoursSince(deps, hours), limit: maxRows },
    readTimeoutMs,
  );
  const keys = await deps.keys.getKeys(workspaceId, [...new Set(rows.map(({ keyId }) => keyId))], origin);
  const ofTest = new Set(keys.filter(({ environment }) => environment === 'test').map(({ id }) => id));
  return rows.filter(({ keyId }) => ofTest.has(keyId) === (origin.environment === 'test'));
}

export const record = (deps: Dependencies, reports: readonly KeyActivity[]): Promise<void> =>
  deps.keyActivity.count(reports);

/** The last 24 hours, oldest first; hours without requests are zero. */
export async function lastDay(deps: Dependencies, visit: WorkspaceVisit) {
  const fromMs = hoursSince(deps, dayHours);
  const hours = Array.from({ length: dayHours }, (_, index) => ({
    hourStartMs: fromMs + index * hourMs,
    ...noResponses,
  }));
  for (const row of await read(deps, visit, dayHours)) {
    const hour = hours[(row.hourStartMs - fromMs) / hourMs];
    if (hour) add(hour, row);
  }
  return hours;
}

/** The last seven days: all responses together, and the busiest hour of a key. */
export async function lastWeek(deps: Dependencies, visit: WorkspaceVisit) {
  const counts = { ...noResponses };
  let busiest: { requests: number; keyId: string; hourStartMs: number } | undefined;
  for (const row of await read(deps, visit, weekHours)) {
    add(counts, row);
    // Limited requests are included in the client errors.
    const requests = row.succeeded + row.clientErrors + row.serverErrors;
    const { keyId, hourStartMs } = row;
    if (requests > (busiest?.requests ?? 0)) busiest = { requests, keyId, hourStartMs };
  }
  return { counts, busiest };
}

function add(sum: ResponseCounts, row: HourOfKey): void {
  for (const name of responseClasses) sum[name] += row[name];
}
