import { Badge } from '../../app/components/badge.tsx';
import { zoned } from '../../app/components/formats.ts';
import { Prose, PublicPage } from '../../app/components/public-page.tsx';
import { Time } from '../../app/components/time.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import { load } from '../../app/pages/server.ts';
import type { DayState, PartStatus } from '../domain/service-status.ts';
import type { Route } from './+types/status';

export const meta = fixedMeta({
  title: 'Status · Shopscope',
  description: 'Whether each part of Shopscope works now, and how it worked in the last 90 days.',
});

export const loader = ({ context }: Route.LoaderArgs) => load(context, ({ serviceStatus }) => serviceStatus.read());

export default function Status({ loaderData: { parts, measuredAtMs } }: Route.ComponentProps) {
  const failing = parts.filter(({ isWorking }) => isWorking === false);
  return (
    <PublicPage title="Status" lead={summaryOf(parts, failing)}>
      <ul className="grid gap-6">
        {parts.map((part) => (
          <li key={part.id} className="grid gap-2">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <h2 className="text-lg">{part.name}</h2>
              <Now isWorking={part.isWorking} />
            </div>
            <Days part={part} />
            <p className="flex justify-between gap-4 text-sm text-quiet">
              <span>90 days ago</span>
              <span>{shareText(part.workingShare)}</span>
              <span>Today</span>
            </p>
          </li>
        ))}
      </ul>
      <Prose>
        <p className="text-sm text-quiet">
          Each part is measured once a minute.
          {measuredAtMs !== undefined && (
            <>
              {' '}
              Last: <Time ms={measuredAtMs} as="exact" /> UTC.
            </>
          )}{' '}
          A day with more than two minutes of failures is disturbed, one with an hour or more failed. A day of which
          less than half was measured is partly measured, unless it is disturbed or failed. While the dashboard itself
          is away, nothing is measured.
        </p>
      </Prose>
    </PublicPage>
  );
}

function summaryOf(parts: readonly PartStatus[], failing: readonly PartStatus[]): string {
  if (parts.every(({ isWorking }) => isWorking === undefined)) return 'Nothing was measured in the last minutes.';
  const unknown = parts.filter(({ isWorking }) => isWorking === undefined);
  if (failing.length === 0 && unknown.length === 0) return 'Every part works.';
  if (failing.length === 0)
    return `Every measured part works. Not measured: ${unknown.map(({ name }) => name).join(', ')}.`;
  return `${failing.map(({ name }) => name).join(', ')}: not working at the moment.`;
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2, roundingMode: 'floor' });
const shareText = (share: number | undefined) =>
  share === undefined ? 'not measured yet' : `${percent.format(share)} of the measured time`;

function Now({ isWorking }: { isWorking: boolean | undefined }) {
  if (isWorking === undefined) return <Badge tone="unknown">Not measured</Badge>;
  return isWorking ? <Badge tone="ok">Works</Badge> : <Badge tone="danger">Does not work</Badge>;
}

const dateOf = zoned({ dateStyle: 'medium' });
/** The height differs by state, so that the state can be recognized without colour. */
const looks: Record<DayState, { words: string; className: string; height: number }> = {
  working: { words: 'worked', className: 'fill-ok', height: 24 },
  partly_measured: { words: 'partly measured', className: 'fill-control', height: 20 },
  disturbed: { words: 'disturbed', className: 'fill-warning', height: 16 },
  failed: { words: 'failed', className: 'fill-danger', height: 8 },
  not_measured: { words: 'not measured', className: 'fill-line', height: 2 },
};

function Days({ part: { name, days } }: { part: PartStatus }) {
  const counts = Map.groupBy(days, ({ state }) => state);
  const label = [...counts].map(([state, of]) => `${of.length} ${looks[state].words}`).join(', ');
  return (
    <svg
      viewBox={`0 0 ${days.length * 4} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}, days: ${label}`}
      className="h-8 w-full"
    >
      {days.map(({ dayMs, state, measured, failed }, n) => (
        <rect
          key={dayMs}
          x={n * 4}
          y={24 - looks[state].height}
          width="3"
          height={looks[state].height}
          className={looks[state].className}
        >
          <title>{`${dateOf(dayMs, 'UTC')}: ${looks[state].words}${measured > 0 ? `, ${failed} of ${measured} measured minutes without an answer` : ''}`}</title>
        </rect>
      ))}
    </svg>
  );
}
