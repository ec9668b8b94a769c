import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRouteLoaderData } from 'react-router';
import { ButtonLink, TextLink } from '../../app/components/button.tsx';
import { CopyField } from '../../app/components/copy-field.tsx';
import { resetTime } from '../../app/components/formats.ts';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { Card, Notice, Page, Section } from '../../app/components/page.tsx';
import { Table } from '../../app/components/table.tsx';
import { useLive } from '../../app/pages/live.ts';
import type { loader as layoutLoader } from '../../app/pages/workspace-layout.tsx';
import type { KeySummary } from '../../keys/domain.ts';
import { KeyLink, KeyState, LastUsed } from '../../keys/pages.ts';
import type { Route } from './+types/overview';
import { loadOverview, type OverviewData } from './load-overview.ts';
import { RequestChart } from './request-chart.tsx';
import { UnitAllowances, UsageMissing } from './unit-allowances.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Overview · Shopscope' }];

export const loader = ({ context }: Route.LoaderArgs) => loadOverview(context);

export default function Overview({ loaderData, params }: Route.ComponentProps) {
  const base = `/workspaces/${params.workspaceId}`;
  const { data, state } = useLive(loaderData, `${base}/figures`);
  const { missing } = data;
  return (
    <Page title="Overview" action={<LiveStatus state={state} nowMs={data.nowMs} />}>
      {missing.usage && <UsageMissing />}
      {missing.keys && (
        <Notice kind="warning" title="Keys and the plan are not available right now">
          Keys continue to work. This page cannot tell which of them expire soon.
        </Notice>
      )}
      {data.firstSteps && <FirstSteps base={base} steps={data.firstSteps} apiUrl={data.publicApiUrl} />}
      <KeyWarnings base={base} expiring={data.expiring} expired={data.expired} />
      <Section
        title="Usage this month"
        note={
          <>
            Resets {resetTime(data.period.endMs)} · <TextLink to={`${base}/usage`}>By day and key</TextLink>
          </>
        }
      >
        <UnitAllowances {...data} endMs={data.period.endMs} />
      </Section>
      <Section
        title="Requests"
        note={
          <>
            Counts arrive within half a minute · <TextLink to={`${base}/requests`}>Each request</TextLink>
          </>
        }
      >
        <Card>
          {data.hours ? (
            <RequestChart hours={data.hours} />
          ) : (
            <p className="py-8 text-center text-quiet">The requests of the last day are not available right now.</p>
          )}
        </Card>
      </Section>
    </Page>
  );
}

/** A step is done when the action happened, not when a page was visited. */
function FirstSteps(props: { base: string; steps: NonNullable<OverviewData['firstSteps']>; apiUrl: string }) {
  const { base, steps, apiUrl } = props;
  const { role, environment } = useRouteLoaderData<typeof layoutLoader>('app/pages/workspace-layout')?.workspace ?? {};
  const domain = environment === 'test' ? 'matched.test' : 'DOMAIN';
  return (
    <Section title="First steps">
      <div className="rounded-[6px] border bg-raised">
        <ol className="divide-y">
          <Step
            title="Create an API key"
            isDone={steps.hasKey}
            action={
              role === 'admin' && (
                <ButtonLink to={`${base}/settings/keys/new`} kind="primary">
                  Create key
                </ButtonLink>
              )
            }
          >
            {role === 'admin'
              ? 'Your programs show it with every request. It is shown once.'
              : 'An admin of this workspace creates it and gives it to you.'}
          </Step>
          <Step title="Call the API" isDone={steps.hasCalled}>
            <p>
              This call is free. It returns your key, the plan and the current month. Put the key into the variable{' '}
              <span className="code">SHOPSCOPE_API_KEY</span> before.
            </p>
            <Command value={`curl ${apiUrl}/v1/account -H "Authorization: Bearer $SHOPSCOPE_API_KEY"`} />
          </Step>
          <Step title="Look up a store and see the usage" isDone={steps.hasUsage}>
            <p>
              A store that is known bills one cached look-up, which appears on this page within seconds. An unknown one
              bills nothing.
            </p>
            <Command value={`curl ${apiUrl}/v1/stores/${domain} -H "Authorization: Bearer $SHOPSCOPE_API_KEY"`} />
          </Step>
        </ol>
      </div>
    </Section>
  );
}

function Step(props: { title: string; isDone: boolean; action?: ReactNode; children: ReactNode }) {
  const { title, isDone, action, children } = props;
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className="flex gap-3 p-4">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isDone ? 'text-ok' : 'text-quiet'}`} />
      <div className="grid min-w-0 grow gap-2">
        <h3 className="font-medium">
          {title}
          {isDone && <span className="font-normal text-ok"> · done</span>}
        </h3>
        {!isDone && <div className="grid gap-2 text-quiet">{children}</div>}
        {!isDone && action && <div>{action}</div>}
      </div>
    </li>
  );
}

const Command = ({ value }: { value: string }) => <CopyField value={value} label="the command" />;

function KeyWarnings(props: { base: string; expiring: KeySummary[]; expired: KeySummary[] }) {
  const { base, expiring, expired } = props;
  const keys = [...expiring, ...expired];
  if (keys.length === 0) return null;
  return (
    <Section title="Keys that expire" note={<TextLink to={`${base}/settings/keys`}>All keys</TextLink>}>
      <Table
        label="Keys that expire within 14 days or have expired"
        keyOf={({ id }) => id}
        rows={keys}
        columns={[
          { header: 'Key', cell: ({ id, label }) => <KeyLink base={base} id={id} label={label} /> },
          { header: 'Prefix', cell: ({ prefix }) => <span className="code whitespace-nowrap">{prefix}</span> },
          { header: 'State', cell: (key) => <KeyState value={key} withEnd /> },
          { header: 'Last used', cell: ({ lastUsed }) => <LastUsed value={lastUsed} /> },
        ]}
      />
    </Section>
  );
}
