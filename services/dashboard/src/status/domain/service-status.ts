import { dayMs, minuteMs } from '@shopscope/clock/durations';

/** The parts of the service that users see, in the order of the status page. */
export const serviceParts = [
  { id: 'api', name: 'HTTP API' },
  { id: 'lookups', name: 'Store look-ups' },
  { id: 'keys', name: 'API keys' },
  { id: 'usage', name: 'Usage and allowances' },
  { id: 'scans', name: 'Scans' },
  { id: 'dashboard', name: 'Dashboard' },
] as const;

export type ServicePart = (typeof serviceParts)[number]['id'];

/** Probes of the parts that this process can reach. A probe fails by rejecting or by resolving to false. */
export type Probes = Partial<Record<ServicePart, () => Promise<boolean>>>;

/** The minutes of one UTC day in which a part was probed. */
export interface DayOfPart {
  /** The first instant of the day. */
  dayMs: number;
  measured: number;
  failed: number;
}

export type DayState = 'working' | 'partly_measured' | 'disturbed' | 'failed' | 'not_measured';

export type PartStatus = ReturnType<typeof statusOfPart>;

export const shownDays = 90;
/** Up to two failed minutes of a day, such as those of a restart, do not change its colour. */
const disturbedAfterMinutes = 2;
const failedAfterMinutes = 60;
/** A day is not shown as working if a smaller share of it was measured. Measured failures still count. */
const minMeasuredShare = 0.5;

export function stateOfDay({ dayMs: startMs, measured, failed }: DayOfPart, nowMs: number): DayState {
  if (measured === 0) return 'not_measured';
  if (failed >= failedAfterMinutes) return 'failed';
  if (failed > disturbedAfterMinutes) return 'disturbed';
  // Today has only the minutes until now.
  const minutes = Math.floor(Math.min(dayMs, nowMs - startMs) / minuteMs);
  return measured < minutes * minMeasuredShare ? 'partly_measured' : 'working';
}

/** The status of one part in the last {@link shownDays} days until today, from the recorded days. */
export function statusOfPart(
  part: (typeof serviceParts)[number],
  recorded: readonly DayOfPart[],
  /** `isWorking` is undefined if nothing was measured in the last minutes. */
  options: { nowMs: number; isWorking: boolean | undefined },
) {
  const today = Math.floor(options.nowMs / dayMs) * dayMs;
  const byDay = new Map(recorded.map((day) => [day.dayMs, day]));
  const days = Array.from({ length: shownDays }, (_, n) => {
    const start = today - (shownDays - 1 - n) * dayMs;
    const day = byDay.get(start) ?? { dayMs: start, measured: 0, failed: 0 };
    return { ...day, state: stateOfDay(day, options.nowMs) };
  });
  const measured = days.reduce((sum, day) => sum + day.measured, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  return {
    ...part,
    isWorking: options.isWorking,
    days,
    /** The share of the measured minutes in which the part worked; undefined if none was measured. */
    workingShare: measured === 0 ? undefined : (measured - failed) / measured,
  };
}
