import { dayMs } from '@shopscope/clock/durations';
import { isolated } from '@shopscope/text';
import { contextOf, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { KeySummary } from '../../keys/domain.ts';
import { noCounts, type UnitCounts, type UnitName } from '../domain/units.ts';
import type { UsageByDay, UsageTotals } from '../operations/usage.ts';
import { loadUnits } from './load-units.ts';
import { largest, sum } from './scale.ts';
import { totalOf, unitNamed } from './units.ts';

export type UsageData = Awaited<ReturnType<typeof loadUsage>>;
export type UsageChart = ReturnType<typeof chartOf>;

/** A row of usage. If the keys service does not return the key, its label is its id and it has no state. */
export type KeyUsageRow = Pick<KeySummary, 'id' | 'label' | 'prefix'> &
  Partial<KeySummary> & { used: UnitCounts | undefined };

/** The maximum number of series in the chart, without "other". */
const mostSeries = 6;
const mostRows = 200;

/** The data of the usage page. Plain JSON, because the page reads it again every few seconds. */
export async function loadUsage(context: PageContext, search: URLSearchParams) {
  const { usage } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const [{ totals, days, plan, period, counts }, keys] = await Promise.all([
    loadUnits(context, search.get('period')),
    loadPart(context, usage.activeKeys(visit)),
  ]);
  const inactiveIds = keys.value ? inactiveWithUnits(keys.value, totals, days) : [];
  const others = await loadPart(context, usage.keysOf(visit, inactiveIds));
  const named = [...(keys.value ?? []), ...(others.value ?? [])];
  const unit = unitNamed(search.get('unit'))?.unit ?? 'lookup_cached';
  const isSplitByKey = search.get('split') === 'keys';
  const nowMs = usage.nowMs();
  const rows = keyRows(named, totals);
  const isBeforeWorkspace = (plan?.workspaceSinceMs ?? 0) >= period.startMs;
  return {
    nowMs,
    period: { ...period, older: isBeforeWorkspace ? undefined : period.older },
    unit,
    /** Whether the chart has one series per key. */
    isSplitByKey,
    ...counts,
    chart: days && chartOf(days, { unit, isSplitByKey, nowMs, keys: named }),
    keys: rows.slice(0, mostRows),
    /** The number of keys that the page leaves out. They have the fewest units. */
    moreKeys: Math.max(0, rows.length - mostRows),
    missing: {
      usage: !totals,
      days: !days,
      keys: (keys.problem ?? others.problem) !== undefined,
      plan: !plan,
    },
  };
}

/** Ids of the inactive keys with the most units, as many as the page shows. */
function inactiveWithUnits(
  active: readonly KeySummary[],
  totals: UsageTotals | undefined,
  days: UsageByDay | undefined,
): string[] {
  const isActive = new Set(active.map(({ id }) => id));
  const ofDays = [...(days?.notRecorded ?? []), ...(days?.days ?? []).map(({ keyId, used }) => [keyId, used] as const)];
  const units = new Map<string, number>();
  for (const [keyId, used] of totals?.byKey ?? ofDays) {
    if (!isActive.has(keyId) && totalOf(used) > 0) units.set(keyId, (units.get(keyId) ?? 0) + totalOf(used));
  }
  const mostFirst = [...units].sort(([, a], [, b]) => b - a);
  return mostFirst.slice(0, mostRows).map(([keyId]) => keyId);
}

/** Active keys and other keys with units, as in /v1/usage. The keys with the most units come first. The rows add up to the total. */
function keyRows(keys: readonly KeySummary[], totals: UsageTotals | undefined): KeyUsageRow[] {
  const listed = new Set(keys.map(({ id }) => id));
  const known = keys.map((key): KeyUsageRow => ({ ...key, used: totals && (totals.byKey.get(key.id) ?? noCounts) }));
  const unknown = [...(totals?.byKey ?? [])]
    .filter(([id]) => !listed.has(id))
    .map(([id, used]): KeyUsageRow => ({ id, label: id, prefix: '', used }));
  const total = ({ used }: KeyUsageRow) => (used ? totalOf(used) : 0);
  return [...known, ...unknown]
    .filter((row) => row.state === 'active' || total(row) > 0)
    .sort((a, b) => total(b) - total(a) || (a.label < b.label ? -1 : 1));
}

function chartOf(
  { period, days, notRecorded }: UsageByDay,
  options: { unit: UnitName; isSplitByKey: boolean; nowMs: number; keys: readonly KeySummary[] },
) {
  const { unit, isSplitByKey, nowMs, keys } = options;
  const totals = new Map<string, number>();
  const addTotal = (keyId: string, units: number) => totals.set(keyId, (totals.get(keyId) ?? 0) + units);
  for (const { keyId, used } of days) addTotal(keyId, used[unit]);
  for (const [keyId, used] of notRecorded) addTotal(keyId, used[unit]);
  const used = [...totals].map(([id, total]) => ({ id, total })).filter(({ total }) => total > 0);
  const { shown, rest } = largest(used, isSplitByKey ? mostSeries : 0);
  const label = labelsOf(keys);
  const series = shown.map(({ id, total }) => ({ id, label: label(id), total }));
  if (rest.length > 0 || series.length === 0) {
    const restLabel =
      isSplitByKey && rest.length > 0 ? `${rest.length} other ${rest.length === 1 ? 'key' : 'keys'}` : 'All keys';
    series.push({ id: 'rest', label: restLabel, total: sum(rest.map(({ total }) => total)) });
  }
  const seriesOf = new Map(shown.map(({ id }, index) => [id, index]));
  const indexOf = (keyId: string) => seriesOf.get(keyId) ?? series.length - 1;

  const count = Math.round((period.endMs - period.startMs) / dayMs);
  const values = Array.from({ length: count }, () => series.map(() => 0));
  for (const { dayStartMs, keyId, used } of days) {
    const day = values[Math.floor((dayStartMs - period.startMs) / dayMs)];
    if (day) day[indexOf(keyId)] = (day[indexOf(keyId)] ?? 0) + used[unit];
  }
  const unrecorded = series.map(() => 0);
  for (const [keyId, used] of notRecorded) unrecorded[indexOf(keyId)] = (unrecorded[indexOf(keyId)] ?? 0) + used[unit];
  // Units without a day are older than the first recorded day. The units of the days before it are therefore not known.
  const isIncomplete = unrecorded.some((units) => units > 0);
  const firstRecordedMs = isIncomplete ? (days[0]?.dayStartMs ?? nowMs) : period.startMs;
  return {
    series,
    /** The units of each series that no day records. */
    notRecorded: unrecorded,
    days: values.map((each, index) => {
      const startMs = period.startMs + index * dayMs;
      const isFuture = startMs > nowMs;
      return {
        startMs,
        isFuture,
        isToday: startMs <= nowMs && nowMs < startMs + dayMs,
        values: isFuture || startMs < firstRecordedMs ? null : each,
      };
    }),
  };
}

/** Returns the labels of keys. Keys with the same label get their prefixes, to distinguish them. */
function labelsOf(keys: readonly KeySummary[]): (keyId: string) => string {
  const known = new Map(keys.map((key) => [key.id, key]));
  const counts = new Map<string, number>();
  for (const { label } of keys) counts.set(label, (counts.get(label) ?? 0) + 1);
  return (keyId) => {
    const key = known.get(keyId);
    if (!key) return keyId;
    return (counts.get(key.label) ?? 0) > 1 ? `${isolated(key.label)} (${key.prefix})` : key.label;
  };
}
