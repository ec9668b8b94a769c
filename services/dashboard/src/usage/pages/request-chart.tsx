import { formatNumber, zoned } from '../../app/components/formats.ts';
import { useTimeZone } from '../../app/components/time.tsx';
import type { HourOfWorkspace } from '../operations/activity.ts';
import { BarChart, type ChartBar, type ChartSeries } from './bar-chart.tsx';
import { sum } from './scale.ts';

const series: ChartSeries[] = [
  { id: 'succeeded', label: 'Succeeded', look: 'succeeded' },
  { id: 'client_errors', label: 'Client errors', look: 'client_errors' },
  { id: 'limited', label: 'Limited', look: 'limited' },
  { id: 'server_errors', label: 'Server errors', look: 'server_errors' },
];

const hourOf = zoned({ hour: '2-digit', minute: '2-digit' });
const dayOf = zoned({ weekday: 'short', day: 'numeric', month: 'short' });

/** Responses by hour and class of status, in the reader's time zone. Limited requests are separate from other client errors. */
export function RequestChart({ hours }: { hours: readonly HourOfWorkspace[] }) {
  const timeZone = useTimeZone();
  const hour = (ms: number) => hourOf(ms, timeZone);
  const bars = hours.map(
    ({ hourStartMs, succeeded, clientErrors, limited, serverErrors }, index): ChartBar => ({
      id: String(hourStartMs),
      name: `${dayOf(hourStartMs, timeZone)}, ${hour(hourStartMs)} to ${hour(hourStartMs + 3_600_000)}`,
      note: index === hours.length - 1 ? 'so far' : undefined,
      tick: index % 3 === 2 ? { text: hour(hourStartMs), room: index % 6 === 2 ? 'any' : 'wide' } : undefined,
      values: [succeeded, clientErrors - limited, limited, serverErrors],
    }),
  );
  const failed = sum(hours.map(({ clientErrors, serverErrors }) => clientErrors + serverErrors));
  const all = failed + sum(hours.map(({ succeeded }) => succeeded));
  return (
    <BarChart
      title={titleOf(failed, all)}
      barName="Hour"
      allName={timeZone === 'UTC' ? 'Last 24 hours, UTC' : 'Last 24 hours'}
      series={series}
      bars={bars}
      emptyText="Bars appear with the first request."
    />
  );
}

function titleOf(failed: number, all: number): string {
  if (all === 0) return 'No requests in the last 24 hours';
  if (failed === 0) return `All ${formatNumber(all)} requests of the last 24 hours succeeded`;
  return `${formatNumber(failed)} of ${formatNumber(all)} requests failed in the last 24 hours`;
}
