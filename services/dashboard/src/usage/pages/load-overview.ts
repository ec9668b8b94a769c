import { dayMs } from '@shopscope/clock/durations';
import { contextOf, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import { expiresSoonMs, type KeySummary } from '../../keys/domain.ts';
import { loadUnits } from './load-units.ts';
import { totalOf } from './units.ts';

export type OverviewData = Awaited<ReturnType<typeof loadOverview>>;

const expiredMs = 30 * dayMs;

/** The data of the overview. Plain JSON, because the page reads it again every few seconds. */
export async function loadOverview(context: PageContext) {
  const { usage, activity, publicApiUrl } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const [{ totals, days, plan, period, counts }, keys, hours] = await Promise.all([
    loadUnits(context),
    loadPart(context, usage.keys(visit)),
    loadPart(context, activity.lastDay(visit)),
  ]);
  const nowMs = usage.nowMs();
  const expiresIn = ({ expiresAtMs }: KeySummary) => (expiresAtMs ?? Number.POSITIVE_INFINITY) - nowMs;
  // The first steps are about keys that people create.
  const known = (keys.value ?? []).filter(({ isOfDashboard }) => !isOfDashboard);

  const hasKey = known.length > 0;
  const hasUnits = totals !== undefined && totalOf(totals.used) > 0;
  const hasRequests = hours.value?.some(
    ({ succeeded, clientErrors, serverErrors }) => succeeded + clientErrors + serverErrors > 0,
  );
  const hasCalled = hasUnits || hasRequests === true || known.some(({ lastUsed }) => typeof lastUsed === 'object');
  // A month without units does not make a workspace new.
  const isOlder = (plan?.workspaceSinceMs ?? Number.POSITIVE_INFINITY) < period.startMs;
  const hasUsage = hasUnits || (hasCalled && isOlder);
  const isKnown = keys.value !== undefined && totals !== undefined;
  return {
    nowMs,
    period,
    ...counts,
    /** Responses of the last 24 hours. */
    hours: hours.value,
    /** Active keys that expire soon, earliest first. */
    expiring: known
      .filter((key) => key.state === 'active' && expiresIn(key) < expiresSoonMs)
      .sort((a, b) => expiresIn(a) - expiresIn(b)),
    /** Latest first. */
    expired: known
      .filter((key) => key.state === 'expired' && expiresIn(key) > -expiredMs)
      .sort((a, b) => expiresIn(b) - expiresIn(a)),
    /** Absent if the steps are done, or if it is not known. */
    firstSteps: isKnown && !(hasKey && hasUsage) ? { hasKey, hasCalled, hasUsage } : undefined,
    publicApiUrl,
    missing: {
      usage: !totals,
      days: !days,
      keys: !keys.value || !plan,
      requests: !hours.value,
    },
  };
}
