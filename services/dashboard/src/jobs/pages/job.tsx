import { Download } from 'lucide-react';
import { redirect } from 'react-router';
import { Button, ButtonLink, RefreshLink, TextLink } from '../../app/components/button.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { Meter } from '../../app/components/meter.tsx';
import { Card, Notice, Page } from '../../app/components/page.tsx';
import { apiCursorOf, trailOf } from '../../app/components/paging.tsx';
import { Time } from '../../app/components/time.tsx';
import { useLive } from '../../app/pages/live.ts';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { billedText } from '../../usage/pages.ts';
import type { Job } from '../operations/jobs.ts';
import type { Route } from './+types/job';
import { ExportParts, SaveAsList } from './export-parts.tsx';
import { hasEnded, JobState, jobPath, jobTitle, progressText } from './job-labels.tsx';
import { JobResults } from './job-results.tsx';
import { readJob } from './load-job.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Job · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const trail = trailOf(new URL(request.url).searchParams, 'page');
  const status = await load(context, () => readJob(context, params.jobId, apiCursorOf(trail.at(-1))));
  const base = `/workspaces/${params.workspaceId}`;
  // Scans have a page of their own.
  if (status.job.type === 'scan') throw redirect(base + jobPath(status.job));
  const { membership } = workspaceVisit(context);
  // A form that is sent again makes no second import.
  return { status, trail, base, isAdmin: membership.role === 'admin', token: crypto.randomUUID() };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { jobs, exportFiles, listImports }) => {
    const { workspaceId, jobId } = args.params;
    const visit = workspaceVisit(args.context);
    if (form.text('intent') === 'save') {
      const bytes = await exportFiles.domains(visit, jobId);
      const target = { name: form.text('name') };
      const id = await listImports.begin(visit, { target, bytes, token: form.text('token') });
      throw redirect(`/workspaces/${workspaceId}/lists/imports/${id}`);
    }
    await jobs.cancel(visit, jobId);
    throw redirect(`/workspaces/${workspaceId}/jobs/${jobId}`);
  });

export default function JobPage({ loaderData, actionData }: Route.ComponentProps) {
  const { status, trail, base, isAdmin, token } = loaderData;
  const path = `${base}/jobs/${status.job.id}`;
  const after = trail.at(-1);
  const query = new URLSearchParams(after === undefined ? {} : { after });
  const live = useLive(status, `${path}/status?${query}`, { isDone: ({ job }) => hasEnded(job) });
  const { job } = live.data;
  const isOver = hasEnded(job);
  const isReplay = job.type === 'replay';
  const isExport = job.type === 'export';
  return (
    <Page
      title={jobTitle(job)}
      trail={[{ to: `${base}/jobs`, label: 'Jobs' }]}
      action={job.progress.done > 0 && <Downloads job={job} path={path} />}
    >
      <Card className="grid gap-4">
        <Progress job={job} />
        {!isOver && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <LiveStatus state={live.state} nowMs={live.data.nowMs} />
            <RefreshLink />
            {(isAdmin || !isReplay) && (
              <PostForm failed={actionData} fields={[]} intent="cancel">
                <Button>Cancel the job</Button>
              </PostForm>
            )}
          </div>
        )}
        <JobFacts job={job} />
      </Card>
      {job.error && (
        <Notice kind="danger" title="The job could not continue">
          {isReplay
            ? 'What it had queued is delivered.'
            : 'The results that exist stay, and what they billed stays billed.'}
        </Notice>
      )}
      {job.state === 'canceled' && (
        <Notice title="The job was canceled">
          {isReplay
            ? 'Deliveries that were not tried are withdrawn.'
            : 'Its results stay, and what they billed stays billed.'}
        </Notice>
      )}
      {isExport && <ExportParts status={live.data} trail={trail} path={path} />}
      {isExport && isOver && job.progress.done > 0 && <SaveAsList token={token} failed={actionData} />}
      {job.type === 'enrich' && <JobResults status={live.data} trail={trail} base={base} />}
      {isReplay && (
        <p className="max-w-[68ch] text-quiet">
          A replay has no results of its own. What your server answered is with{' '}
          <TextLink to={`${base}/webhooks/deliveries`}>the deliveries</TextLink>.
        </p>
      )}
    </Page>
  );
}

/** The file of an export is complete when it has ended. */
function Downloads({ job, path }: { job: Job; path: string }) {
  const isOver = hasEnded(job);
  const kind = isOver ? 'primary' : 'secondary';
  if (job.type === 'export')
    return isOver && <DownloadLink kind={kind} to={`${path}/export`} label="Download the file" />;
  if (job.type !== 'enrich') return null;
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to={`${path}/results.ndjson`} reloadDocument>
        NDJSON
      </ButtonLink>
      <DownloadLink kind={kind} to={`${path}/results.csv`} label="Download CSV" />
    </div>
  );
}

const DownloadLink = ({ kind, to, label }: { kind: 'primary' | 'secondary'; to: string; label: string }) => (
  <ButtonLink kind={kind} to={to} reloadDocument>
    <Download aria-hidden className="size-4" />
    {label}
  </ButtonLink>
);

function Progress({ job }: { job: Job }) {
  const { done, total, failed } = job.progress;
  const text = progressText(job);
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-4" role="status">
        <span className="tabular-nums">
          {text}
          {failed > 0 && `, ${formatNumber(failed)} with an error`}
        </span>
        <JobState state={job.state} />
      </p>
      <Meter
        label={text}
        parts={[{ share: total === 0 ? 1 : done / total, fill: 'fill-accent forced-colors:fill-[Highlight]' }]}
      />
    </div>
  );
}

function JobFacts({ job }: { job: Job }) {
  const { type, created_at, finished_at, expires_at } = job;
  return (
    <Facts
      facts={{
        [hasEnded(job) ? 'Billed' : 'Billed so far']: billedText(job.billed),
        Requested: <Time ms={Date.parse(created_at)} as="exact" />,
        Ended: finished_at !== null && <Time ms={Date.parse(finished_at)} as="exact" />,
        [type === 'replay' ? 'Kept until' : 'Results are kept until']: expires_at !== null && (
          <Time ms={Date.parse(expires_at)} as="date" />
        ),
      }}
    />
  );
}
