import { dayMs } from '@shopscope/clock/durations';
import type { RouterContextProvider } from 'react-router';
import { contextOf, load, loadPart, workspaceVisit } from '../../app/pages/server.ts';
import { expiresSoonMs } from '../../keys/domain.ts';
import type { Pace } from '../domain/pace.ts';
import type { UnitCounts, UnitName } from '../domain/units.ts';
import type { HourOfWorkspace } from '../operations/activity.ts';
import { totalOf } from './units.ts';

/** What the overview shows. Plain JSON, because the page reads it again every few seconds. */
export interface OverviewData {
  nowMs: number;
  period: { startMs: number; endMs: number };
  used?: UnitCounts | undefined;
  reserved?: UnitCounts | undefined;
  included?: UnitCounts | undefined;
  paces: Partial<Record<UnitName, Pace>>;
  /** Responses of the last 24 hours. */
  hours?: HourOfWorkspace[] | undefined;
  /** Active keys that expire within 14 days, the first one first. */
  expiring: KeySummary[];
  /** Keys that expired within 30 days, the latest first. */
  expired: KeySummary[];
  /** Absent when they are done, and while it is not known. */
  firstSteps?: { hasKey: boolean; hasCalled: boolean; hasUsage: boolean } | undefined;
  publicApiUrl: string;
  missing: { usage: boolean; days: boolean; keys: boolean; requests: boolean };
}

const expiredMs = 30 * dayMs;

export async function loadOverview(context: Readonly<RouterContextProvider>): Promise<OverviewData> {
  const { usage, activity, publicApiUrl } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const shown = await load(context, async () => usage.period(null));
  const [totals, days, keys, plan, hours] = await Promise.all([
    loadPart(context, usage.totals(visit, shown)),
    loadPart(context, usage.days(visit, shown)),
    loadPart(context, usage.keys(visit)),
    loadPart(context, usage.plan(visit)),
    loadPart(context, activity.lastDay(visit.membership.workspaceId)),
  ]);
  const nowMs = usage.nowMs();
  const period = totals.value?.period ?? { startMs: shown.startMs, endMs: shown.endMs };
  const included = plan.value?.included;
  const expiresIn = ({ expiresAtMs }: KeySummary) => (expiresAtMs ?? Number.POSITIVE_INFINITY) - nowMs;
  // The first steps are about keys of people.
  const known = (keys.value ?? []).filter(({ isOfDashboard }) => !isOfDashboard);

  const hasKey = known.length > 0;
  const hasUnits = totals.value !== undefined && totalOf(totals.value.used) > 0;
  const hasRequests = hours.value?.some(
    ({ succeeded, clientErrors, serverErrors }) => succeeded + clientErrors + serverErrors > 0,
  );
  const hasCalled = hasUnits || hasRequests === true || known.some(({ lastUsed }) => typeof lastUsed === 'object');
  // A month without units does not make a workspace new.
  const isOlder = (plan.value?.workspaceSinceMs ?? Number.POSITIVE_INFINITY) < period.startMs;
  const hasUsage = hasUnits || (hasCalled && isOlder);
  const isKnown = keys.value !== undefined && totals.value !== undefined;
  return {
    nowMs,
    period,
    used: totals.value?.used,
    reserved: totals.value?.reserved,
    included,
    paces: totals.value && days.value ? usage.paces(totals.value, days.value, included) : {},
    hours: hours.value,
    expiring: known
      .filter((key) => key.state === 'active' && expiresIn(key) < expiresSoonMs)
      .sort((a, b) => expiresIn(a) - expiresIn(b)),
    expired: known
      .filter((key) => key.state === 'expired' && expiresIn(key) > -expiredMs)
      .sort((a, b) => expiresIn(b) - expiresIn(a)),
    firstSteps: isKnown && !(hasKey && hasUsage) ? { hasKey, hasCalled, hasUsage } : undefined,
    publicApiUrl,
    missing: {
      usage: totals.problem !== undefined,
      days: days.problem !== undefined,
      keys: keys.problem !== undefined || plan.problem !== undefined,
      requests: hours.problem !== undefined,
    },
  };
}
