import type { ReactNode } from 'react';
import { CopyField } from '../../app/components/copy-field.tsx';
import { formatNumber, resetTime } from '../../app/components/formats.ts';
import { Card, Notice, Page, Section } from '../../app/components/page.tsx';
import { contextOf, loadPart, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/plan';
import { loadUnits } from './load-units.ts';
import { PaceHelp, UnitAllowances, UsageMissing } from './unit-allowances.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Plan · Shopscope' }];

export async function loader({ context }: Route.LoaderArgs) {
  const { usage, activity } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const { workspaceId } = visit.membership;
  const [{ plan, period, counts }, week] = await Promise.all([
    loadUnits(context),
    loadPart(context, activity.lastWeek(visit)),
  ]);
  const busiest = week.value?.busiest;
  const keys = await loadPart(context, usage.keysOf(visit, busiest ? [busiest.keyId] : []));
  return {
    workspaceId,
    plan,
    counts,
    endMs: period.endMs,
    traffic: week.value && {
      limited: week.value.counts.limited,
      busiest: busiest && { requests: busiest.requests, key: keys.value?.[0]?.label ?? busiest.keyId },
    },
  };
}

type Data = Route.ComponentProps['loaderData'];

export default function PlanPage({ loaderData }: Route.ComponentProps) {
  const { plan, counts, endMs, workspaceId } = loaderData;
  return (
    <Page
      title="Plan"
      lead={
        plan ? (
          <>
            This workspace has the plan <span className="code font-medium text-text">{plan.slug}</span>.
          </>
        ) : (
          'The limits and included units of this workspace.'
        )
      }
    >
      {!plan && (
        <Notice kind="warning" title="The plan is not available right now">
          Its limits apply as before.
        </Notice>
      )}
      {!counts.used && <UsageMissing />}
      <Section title="Included each month" note={`Resets ${resetTime(endMs)}`}>
        <UnitAllowances {...counts} endMs={endMs} />
        <p className="max-w-[68ch] text-sm text-quiet">
          A request that needs more than is left gets <span className="code">402 payment_required</span> until the month
          ends. It is refused as a whole, and nothing is billed.
        </p>
        <PaceHelp />
      </Section>
      {plan && (
        <Section title="Limits">
          <Limits limits={limitsOf(plan, loaderData)} />
        </Section>
      )}
      {plan && (
        <Section title="Quotas">
          <Limits limits={quotasOf(plan)} />
        </Section>
      )}
      <Section title="Change the plan">
        <Card className="grid gap-3">
          <p className="max-w-[68ch]">
            Shopscope support changes plans. Tell them the id of this workspace and the plan you need. A new plan
            applies within a minute, also to the current month: what was used stays counted.
          </p>
          <CopyField value={workspaceId} label="the id of the workspace" />
        </Card>
      </Section>
    </Page>
  );
}

interface Limit {
  name: string;
  value: string;
  meaning?: ReactNode;
}

function Limits({ limits }: { limits: Limit[] }) {
  return (
    <dl className="divide-y rounded-[6px] border bg-raised">
      {limits.map(({ name, value, meaning }) => (
        <div key={name} className="grid gap-x-6 gap-y-1 p-4 lg:grid-cols-[360px_minmax(0,1fr)]">
          <dt className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{name}</span>
            <span className="lg:min-w-[120px]">{value}</span>
          </dt>
          {meaning && <dd className="max-w-[68ch] text-quiet">{meaning}</dd>}
        </div>
      ))}
    </dl>
  );
}

const days = (count: number) => `${formatNumber(count)} ${count === 1 ? 'day' : 'days'}`;

function limitsOf(plan: NonNullable<Data['plan']>, { traffic }: Data): Limit[] {
  const code = (text: string) => <span className="code">{text}</span>;
  return [
    {
      name: 'Requests per minute',
      value: `${formatNumber(plan.rpm)} for each key`,
      meaning: (
        <>
          The next request in the same minute gets {code('429 rate_limited')} and the seconds to wait.{' '}
          <Traffic traffic={traffic} rpm={plan.rpm} />
        </>
      ),
    },
    {
      name: 'Simultaneous requests',
      value: `${formatNumber(plan.concurrency)} for each key`,
      meaning: <>One more gets {code('503 concurrency_limited')}. It can be sent again after a second.</>,
    },
    {
      name: 'Domains in one enrich request',
      value: formatNumber(plan.enrichBatchMax),
      meaning: <>A larger batch gets {code('400 invalid_request')} and bills nothing.</>,
    },
    {
      name: 'Freshness',
      value: plan.freshnessDays === 0 ? 'every profile is stale' : days(plan.freshnessDays),
      meaning:
        plan.freshnessDays === 0
          ? 'Enrich reports every profile as stale, and with refresh it queues a scan of each.'
          : 'A profile whose last scan is older counts as stale. Enrich still returns it, and with refresh it queues a scan.',
    },
    {
      name: 'History',
      value: days(plan.historyDays),
      meaning: 'How far back the history of a store reaches. History is not served yet.',
    },
  ];
}

const quotasOf = ({ quotas }: NonNullable<Data['plan']>): Limit[] => [
  { name: 'Lists', value: formatNumber(quotas.lists) },
  { name: 'Stores in all lists', value: formatNumber(quotas.listStores) },
  { name: 'Watchlists', value: formatNumber(quotas.watchlists) },
  { name: 'Stores in all watchlists', value: formatNumber(quotas.watchedStores) },
  { name: 'Webhooks', value: formatNumber(quotas.webhooks) },
];

function Traffic({ traffic, rpm }: { traffic: Data['traffic']; rpm: number }) {
  if (!traffic) return null;
  const { busiest, limited } = traffic;
  if (!busiest) return <>There were no requests in the last 7 days.</>;
  const perMinute = Math.ceil(busiest.requests / 60);
  return (
    <>
      The busiest hour of the last 7 days had {formatNumber(busiest.requests)} requests with the key {busiest.key},
      about {formatNumber(perMinute)} of {formatNumber(rpm)} a minute.{' '}
      {limited > 0
        ? `${formatNumber(limited)} requests of these days were refused by a limit or an allowance.`
        : 'No request of these days was refused by a limit or an allowance.'}
    </>
  );
}
