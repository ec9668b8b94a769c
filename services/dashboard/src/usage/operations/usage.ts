/**
 * Usage of a workspace, as metering counts it. The methods are separate calls, so that a page can show the other parts if one call fails.
 */

import { dayMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { type Key, type ListKeysResponse, Quotas } from '@shopscope/proto';
import { csvOf } from '@shopscope/text';
import { requireRecentSignIn, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type KeySummary, keySummary } from '../../keys/domain.ts';
import { recordAudit } from '../../people/operations.ts';
import { type Pace, paceOf } from '../domain/pace.ts';
import { addCounts, countsOf, noCounts, type UnitCounts, type UnitName, unitNames } from '../domain/units.ts';
import { type ShownPeriod, shownPeriod } from '../domain/usage-period.ts';

/** Counted units of a period, in total and by key. The units of the keys add up to the total. */
export type UsageTotals = Awaited<ReturnType<typeof totals>>;

/** Counted units of a period by UTC day and key. Together with `notRecorded` they add up to the total. */
export type UsageByDay = Awaited<ReturnType<typeof days>>;

/** Bounds of the keys service: its page size, and the maximum of unrevoked keys of a workspace, including the Dashboard key. */
const maxPage = 200;
const maxUnrevoked = 501;
const maxRevoked = 100;

/** Metering decides which period is the current one. */
const usageRequest = ({ membership: { workspaceId } }: WorkspaceVisit, { isCurrent, startMs }: ShownPeriod) => ({
  workspaceId,
  periodStartMs: isCurrent ? undefined : startMs,
});

const keysOfVisit = (visit: WorkspaceVisit) => ({
  workspaceId: idOf(visit),
  environment: visit.origin.environment,
});

const unrevokedOf = async (deps: Dependencies, visit: WorkspaceVisit): Promise<Key[]> => {
  const found: Key[] = [];
  for (let position: string | undefined = ''; position !== undefined && found.length < maxUnrevoked; ) {
    const request = { ...keysOfVisit(visit), limit: maxPage, revoked: false, position };
    const page: ListKeysResponse = await deps.keys.listKeys(request, visit.origin);
    found.push(...page.keys);
    position = page.nextPosition;
  }
  return found;
};

export const nowMs = (deps: Dependencies): number => deps.clock.now();

/** Throws `not_found` if the name is not one of the last 13 months. */
export const period = (deps: Dependencies, name: string | null): ShownPeriod => shownPeriod(name, deps.clock.now());

export async function totals(deps: Dependencies, visit: WorkspaceVisit, period: ShownPeriod) {
  const { balance, keys: rows } = await deps.metering.getUsage(usageRequest(visit, period), visit.origin);
  if (!balance) throw new AppError('internal', 'The usage could not be read.');
  return {
    period: { startMs: balance.periodStartMs, endMs: balance.periodEndMs },
    used: countsOf(balance.used),
    reserved: countsOf(balance.reserved),
    byKey: new Map(rows.map(({ keyId, used }) => [keyId, countsOf(used)])),
  };
}

export async function days(deps: Dependencies, visit: WorkspaceVisit, period: ShownPeriod) {
  const daily = await deps.metering.getDailyUsage(usageRequest(visit, period), visit.origin);
  return {
    period: { startMs: daily.periodStartMs, endMs: daily.periodEndMs },
    days: daily.days.map(({ dayStartMs, keyId, used }) => ({ dayStartMs, keyId, used: countsOf(used) })),
    /** Units that were counted but belong to no recorded day. */
    notRecorded: new Map(daily.notRecorded.map(({ keyId, used }) => [keyId, countsOf(used)])),
  };
}

/** Keys that are neither revoked nor expired. */
export async function activeKeys(deps: Dependencies, visit: WorkspaceVisit): Promise<KeySummary[]> {
  return (await deps.keys.listKeys(keysOfVisit(visit), visit.origin)).keys.map(keySummary);
}

/** All unrevoked keys, and the latest revoked keys. */
export async function keys(deps: Dependencies, visit: WorkspaceVisit): Promise<KeySummary[]> {
  const revoked = deps.keys.listKeys({ ...keysOfVisit(visit), limit: maxRevoked, revoked: true }, visit.origin);
  const [unrevoked, latest] = await Promise.all([unrevokedOf(deps, visit), revoked]);
  return [...unrevoked, ...latest.keys].map(keySummary);
}

/** The keys with these ids, in any state. */
export async function keysOf(deps: Dependencies, visit: WorkspaceVisit, keyIds: readonly string[]) {
  return (await deps.keys.getKeys(idOf(visit), keyIds, visit.origin)).map(keySummary);
}

export async function plan(deps: Dependencies, visit: WorkspaceVisit) {
  const { workspace, plan } = await deps.keys.getWorkspace(idOf(visit), visit.origin);
  const { slug, rpm, concurrency, enrichBatchMax, freshnessDays, historyDays, included, quotas } = plan;
  const limits = { slug, rpm, concurrency, enrichBatchMax, freshnessDays, historyDays };
  return {
    ...limits,
    included: countsOf(included),
    quotas: Quotas.create(quotas),
    workspaceSinceMs: workspace.createdAtMs,
  };
}

/** The pace of each unit in the current period. A unit without enough data is left out. */
export function paces(
  deps: Dependencies,
  totals: UsageTotals,
  byDay: UsageByDay,
  included: UnitCounts | undefined,
): Partial<Record<UnitName, Pace>> {
  const sums = sumsByDay(byDay);
  const entries = unitNames.flatMap((unit) => {
    const pace = paceOf({
      unitsOfDays: sums.map((sum) => sum[unit]),
      used: totals.used[unit],
      included: included?.[unit],
      period: totals.period,
      nowMs: deps.clock.now(),
    });
    return pace ? [[unit, pace] as const] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * The units of the period by day and key as comma-separated values, from one snapshot of metering. The export is recorded in the audit log
 * before it is sent.
 */
export async function exportCsv(deps: Dependencies, visit: WorkspaceVisit, period: ShownPeriod): Promise<string> {
  requireRecentSignIn(visit.person, deps.clock.now());
  const byDay = await days(deps, visit, period);
  const keyIds = new Set([...byDay.notRecorded.keys(), ...byDay.days.map(({ keyId }) => keyId)]);
  const summaries = await keysOf(deps, visit, [...keyIds]);
  await recordAudit(deps, visit, { action: 'usage.exported', subjectId: idOf(visit), detail: period.name });
  return csvOf(csvRows(byDay, summaries));
}

const idOf = (visit: WorkspaceVisit) => visit.membership.workspaceId;

/** The sum of all keys for each day of the period. */
function sumsByDay({ period, days }: UsageByDay): UnitCounts[] {
  const sums = Array.from({ length: Math.round((period.endMs - period.startMs) / dayMs) }, () => noCounts);
  for (const { dayStartMs, used } of days) {
    const index = Math.floor((dayStartMs - period.startMs) / dayMs);
    const sum = sums[index];
    if (sum) sums[index] = addCounts(sum, used);
  }
  return sums;
}

function csvRows({ days, notRecorded }: UsageByDay, keys: readonly KeySummary[]): (string | number)[][] {
  const known = new Map(keys.map((key) => [key.id, key]));
  const row = (day: string, keyId: string, used: UnitCounts) => {
    const { prefix = '', label = '' } = known.get(keyId) ?? {};
    return [day, keyId, prefix, label, ...unitNames.map((unit) => used[unit])];
  };
  return [
    ['day', 'key_id', 'prefix', 'label', ...unitNames],
    ...[...notRecorded].map(([keyId, used]) => row('not recorded', keyId, used)),
    ...days.map(({ dayStartMs, keyId, used }) => row(new Date(dayStartMs).toISOString().slice(0, 10), keyId, used)),
  ];
}
