import { CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink, RefreshLink } from '../../app/components/button.tsx';
import { ForeignText } from '../../app/components/foreign-text.tsx';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { Card, Notice, Page } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { useLive } from '../../app/pages/live.ts';
import { load } from '../../app/pages/server.ts';
import type { ScanView } from '../operations/stores.ts';
import type { Route } from './+types/store-job';
import { hasEnded, readStoreJob, type StoreJob } from './load-store-job.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Scan · Shopscope' }];

export const loader = ({ params, context }: Route.LoaderArgs): Promise<StoreJob> =>
  load(context, () => readStoreJob(context, params.jobId));

export default function StoreJobPage({ loaderData, params }: Route.ComponentProps) {
  const base = `/workspaces/${params.workspaceId}/stores`;
  const { data, state } = useLive(loaderData, `${base}/scans/${params.jobId}/status`, {
    everyMs: 2_000,
    isDone: hasEnded,
  });
  const { scan } = data;
  const isOver = hasEnded(data);
  return (
    <Page
      title={`Scan of ${scan.domain}`}
      trail={[{ to: base, label: 'Stores' }]}
      action={!isOver && <LiveStatus state={state} nowMs={data.nowMs} />}
    >
      <div aria-live="polite">
        <Outcome scan={scan} base={base} />
      </div>
      <Card>
        <ol className="grid gap-3">
          <Step isDone label="Requested">
            <Time ms={scan.createdAtMs} as="clock" />
          </Step>
          <Step isDone={scan.startedAtMs !== undefined} label="Running">
            {scan.startedAtMs !== undefined && <Time ms={scan.startedAtMs} as="clock" />}
            {scan.attempts > 1 && ` attempt ${scan.attempts} of 3`}
          </Step>
          <Step isDone={isOver} hasFailed={isOver && scan.state !== 'succeeded'} label={endLabel(scan)}>
            {scan.finishedAtMs !== undefined && <Time ms={scan.finishedAtMs} as="clock" />}
          </Step>
        </ol>
        {!isOver && <RefreshLink />}
      </Card>
    </Page>
  );
}

const endLabel = ({ state }: ScanView) =>
  ({ failed: 'Failed', canceled: 'Canceled', succeeded: 'Succeeded', queued: 'Ended', running: 'Ended' })[state];

function Outcome({ scan, base }: { scan: ScanView; base: string }) {
  const lookUp = (
    <p className="mt-2">
      <ButtonLink kind="primary" to={`${base}?${new URLSearchParams({ domain: scan.domain })}`}>
        Look {scan.domain} up
      </ButtonLink>
    </p>
  );
  if (scan.state === 'succeeded') {
    return (
      <Notice kind="ok" title="The scan has succeeded">
        The profile has the results of the scan. A look-up bills 1 cached look-up.
        {lookUp}
      </Notice>
    );
  }
  if (scan.state === 'failed') {
    return (
      <Notice kind="danger" title="The scan has failed">
        <ForeignText text={scan.failure || 'The store could not be observed.'} max={300} /> The live look-up stays
        billed.
      </Notice>
    );
  }
  if (scan.state === 'canceled') return <Notice title="The scan was canceled">The profile has not changed.</Notice>;
  return (
    <Notice title={scan.state === 'running' ? 'The scan is running' : 'The scan waits for its turn'}>
      It usually ends within minutes. You can leave this page and come back.
    </Notice>
  );
}

function Step(props: { isDone?: boolean; hasFailed?: boolean; label: string; children: ReactNode }) {
  const { isDone = false, hasFailed = false, label, children } = props;
  const Icon: LucideIcon = hasFailed ? CircleX : isDone ? CircleCheck : CircleDashed;
  const tone = hasFailed ? 'text-danger' : isDone ? 'text-ok' : 'text-quiet';
  return (
    <li className="flex flex-wrap items-center gap-x-2">
      <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
      <span className={isDone ? 'font-medium' : 'text-quiet'}>
        {label}
        {!isDone && <span className="sr-only"> (not yet)</span>}
      </span>
      <span className="text-quiet">{children}</span>
    </li>
  );
}
