import { isolated } from '@shopscope/text';
import { ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { Form, Link, useLocation } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { dayAndMonth, dayName, daysName, formatNumber, monthName, resetTime } from '../../app/components/formats.ts';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { Card, EmptyState, Notice, Page, Section } from '../../app/components/page.tsx';
import { useSearchWith } from '../../app/components/search.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { useLive } from '../../app/pages/live.ts';
import { KeyLink, KeyState, LastUsed } from '../../keys/pages.ts';
import type { Route } from './+types/usage';
import { BarChart, type ChartBar } from './bar-chart.tsx';
import { type KeyUsageRow, loadUsage, type UsageChart, type UsageData } from './load-usage.ts';
import { sum } from './scale.ts';
import type { Look } from './series-styles.tsx';
import { PaceHelp, UnitAllowances, UsageMissing } from './unit-allowances.tsx';
import { unitNamed, units } from './units.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Usage · Shopscope' }];

export const loader = ({ request, context }: Route.LoaderArgs) => loadUsage(context, new URL(request.url).searchParams);

export default function UsagePage({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation();
  const workspace = `/workspaces/${params.workspaceId}`;
  const base = `${workspace}/usage`;
  const { data, state } = useLive(loaderData, `${base}/figures${search}`);
  const { period, missing } = data;
  const to = useSearchWith();
  const csv = `${base}.csv${period.isCurrent ? '' : `?period=${period.name}`}`;
  return (
    <Page
      title="Usage"
      lead={`${monthName(period.startMs)}, ${period.isCurrent ? 'resets' : 'ended'} ${resetTime(period.endMs)}`}
      action={
        <Form method="post" action={csv} reloadDocument>
          <Button>
            <Download aria-hidden className="size-4" />
            Export CSV
          </Button>
        </Form>
      }
    >
      <Missing {...missing} />
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <nav aria-label="Period" className="-ml-2 flex items-center gap-1">
            {period.older && (
              <ButtonLink to={to({ period: period.older })} kind="quiet" preventScrollReset>
                <ChevronLeft aria-hidden className="size-4" />
                {monthOf(period.older)}
              </ButtonLink>
            )}
            {period.newer && (
              <ButtonLink to={to({ period: period.newer })} kind="quiet" preventScrollReset>
                {monthOf(period.newer)}
                <ChevronRight aria-hidden className="size-4" />
              </ButtonLink>
            )}
          </nav>
          <LiveStatus state={state} nowMs={data.nowMs} />
        </div>
        <UnitAllowances {...data} endMs={period.endMs} />
        {period.isCurrent ? (
          <PaceHelp />
        ) : (
          <p className="text-sm text-quiet">
            The allowance of an earlier month is not shown: the plan may have changed since.
          </p>
        )}
      </div>
      <Section title="By day" action={<Choices data={data} to={to} />}>
        <Card>
          {data.chart ? (
            <DayChart data={data} chart={data.chart} />
          ) : (
            <p className="py-8 text-center text-quiet">The days are not available right now. Nothing is lost.</p>
          )}
        </Card>
      </Section>
      <Section title="By key" note={data.moreKeys > 0 && `${formatNumber(data.moreKeys)} more keys are in the export`}>
        <KeyTable data={data} base={workspace} />
      </Section>
    </Page>
  );
}

function Missing({ usage, keys, plan }: UsageData['missing']) {
  return (
    <>
      {usage && <UsageMissing> This page shows the figures as soon as they can be read.</UsageMissing>}
      {(keys || plan) && (
        <Notice kind="warning" title="Keys and the plan are not available right now">
          {usage ? 'Their names and limits are missing.' : 'The figures are complete. Keys are shown by their ids.'}
        </Notice>
      )}
    </>
  );
}

const Choice = ({ to, isChosen, children }: { to: string; isChosen: boolean; children: string }) => (
  <Link
    to={to}
    aria-current={isChosen ? 'true' : undefined}
    preventScrollReset
    className="inline-flex h-10 items-center rounded px-2.5 text-sm whitespace-nowrap text-quiet hover:bg-sunken hover:text-text md:h-7 aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent"
  >
    {children}
  </Link>
);

function Choices({ data, to }: { data: UsageData; to: ReturnType<typeof useSearchWith> }) {
  return (
    <div className="-ml-2.5 flex flex-wrap gap-x-4 sm:ml-0">
      <nav aria-label="Unit" className="flex flex-wrap">
        {units.map(({ unit, label }, index) => (
          <Choice key={unit} to={to({ unit: index === 0 ? undefined : unit })} isChosen={unit === data.unit}>
            {label}
          </Choice>
        ))}
      </nav>
      <nav aria-label="Series" className="flex">
        <Choice to={to({ split: undefined })} isChosen={!data.isSplitByKey}>
          All keys
        </Choice>
        <Choice to={to({ split: 'keys' })} isChosen={data.isSplitByKey}>
          Each key
        </Choice>
      </nav>
    </div>
  );
}

function DayChart({ data, chart }: { data: UsageData; chart: UsageChart }) {
  const { series, days, notRecorded } = chart;
  const noun = unitNamed(data.unit)?.noun ?? '';
  const isOther = (id: string) => data.isSplitByKey && id === 'rest';
  const shownDays = days.filter(({ isFuture }) => !isFuture);
  const last = shownDays.at(-1)?.startMs ?? data.period.startMs;
  const unrecorded = sum(notRecorded);
  const bars = days.map(
    ({ startMs, values, isFuture, isToday }, index): ChartBar => ({
      id: String(startMs),
      name: dayName(startMs),
      values: values ?? undefined,
      isFuture,
      note: isToday ? 'so far' : undefined,
      tick: tickOf(startMs, index),
    }),
  );
  return (
    <BarChart
      title={<ChartTitle data={data} chart={chart} />}
      barName="Day"
      allName={daysName(data.period.startMs, last)}
      series={series.map(({ id, label }, index) => ({
        id,
        label: data.isSplitByKey ? label : (unitNamed(data.unit)?.label ?? ''),
        look: (isOther(id) ? 7 : index + 1) as Look,
      }))}
      bars={bars}
      emptyText={data.period.isCurrent ? 'Bars appear as soon as units are billed.' : 'Nothing was billed.'}
      furtherRows={
        unrecorded > 0
          ? [{ id: 'not-recorded', name: 'Not recorded by day', values: notRecorded, note: 'earlier in the month' }]
          : []
      }
      remark={
        unrecorded > 0 &&
        `${formatNumber(unrecorded)} ${noun} were counted before days were recorded. They are in the totals and in no bar.`
      }
    />
  );
}

/** The first day has the month. Narrow charts have room for every fifth day only. */
function tickOf(startMs: number, index: number): ChartBar['tick'] {
  if (index === 0) return { text: dayAndMonth(startMs), room: 'any' };
  // The label of the second day would touch the first label.
  if (index === 1) return undefined;
  return { text: String(index + 1), room: (index + 1) % 5 === 0 ? 'any' : 'wide' };
}

/** The title of the chart: the number of units, and the day or key with the most units. */
function ChartTitle({ data, chart: { series, days } }: { data: UsageData; chart: UsageChart }) {
  const total = sum(series.map((each) => each.total));
  const { noun = '', one = '' } = unitNamed(data.unit) ?? {};
  if (total === 0) return `No ${noun} in ${monthName(data.period.startMs)}${data.period.isCurrent ? ' so far' : ''}`;
  const amount = `${formatNumber(total)} ${total === 1 ? one : noun}`;
  const [first] = series;
  if (data.isSplitByKey && first && series.length > 1) {
    return `${amount}, most by ${isolated(first.label)} (${formatNumber(first.total)})`;
  }
  const sums = days.map(({ startMs, values }) => ({ startMs, units: sum(values ?? []) }));
  const most = sums.reduce((best, each) => (each.units > best.units ? each : best), { startMs: 0, units: 0 });
  return most.units > 0 ? `${amount}, most on ${dayAndMonth(most.startMs)} (${formatNumber(most.units)})` : amount;
}

const describing: Column<KeyUsageRow>[] = [
  {
    header: 'Prefix',
    cell: ({ prefix }) => prefix !== '' && <span className="code whitespace-nowrap">{prefix}</span>,
  },
  {
    header: 'State',
    cell: ({ state, expiresAtMs }) => state && <KeyState value={{ state, expiresAtMs }} />,
  },
  { header: 'Last used', wideOnly: true, cell: ({ lastUsed }) => lastUsed && <LastUsed value={lastUsed} /> },
];

function KeyTable({ data, base }: { data: UsageData; base: string }) {
  if (data.keys.length === 0) {
    if (data.missing.keys || data.missing.usage) return <Card className="text-quiet">Not available right now.</Card>;
    return (
      <EmptyState title="No usage yet" action={<ButtonLink to={`${base}/settings/keys`}>API keys</ButtonLink>}>
        Each key has a row here as soon as it exists. Units appear within seconds of a billed request.
      </EmptyState>
    );
  }
  const rows: KeyUsageRow[] = data.used
    ? [...data.keys, { id: 'total', label: 'Total', prefix: '', used: data.used }]
    : data.keys;
  const weight = ({ id }: KeyUsageRow) => (id === 'total' ? 'font-semibold' : '');
  // Many workspaces request no history and no explicit scans, so these columns are often empty.
  const shownUnits = units.filter(({ unit }, index) => index < 2 || (data.used?.[unit] ?? 0) > 0);
  const columns: Column<KeyUsageRow>[] = [
    {
      header: 'Key',
      cell: ({ id, label, state }) => {
        if (id === 'total') return <span className="font-semibold">{label}</span>;
        // If a key has no state, only its id is known.
        if (!state) return <span className="code">{label}</span>;
        return <KeyLink base={base} id={id} label={label} />;
      },
    },
    ...(data.missing.keys ? [] : describing),
    ...shownUnits.map(
      ({ unit, label }, index): Column<KeyUsageRow> => ({
        header: label,
        align: 'right',
        wideOnly: index > 1,
        cell: (row) =>
          row.used ? (
            <span className={`amount ${weight(row)} ${row.used[unit] === 0 ? 'text-quiet' : ''}`}>
              {formatNumber(row.used[unit])}
            </span>
          ) : (
            <span className="text-quiet">not known</span>
          ),
      }),
    ),
  ];
  return <Table label="Usage by key" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

/** For example "October 2026" for "2026-10". */
const monthOf = (name: string) => monthName(Date.parse(`${name}-01`));
