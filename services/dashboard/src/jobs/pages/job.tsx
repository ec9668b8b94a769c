import { Download } from 'lucide-react';
import { redirect } from 'react-router';
import { Button, ButtonLink, RefreshLink } from '../../app/components/button.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { Meter } from '../../app/components/meter.tsx';
import { Card, Notice, Page, Section } from '../../app/components/page.tsx';
import { apiCursorOf, plainWords, TrailPaging, trailCursorOf, trailOf } from '../../app/components/paging.tsx';
import { Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { useLive } from '../../app/pages/live.ts';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { billedText } from '../../usage/pages.ts';
import type { Job } from '../operations/jobs.ts';
import type { Route } from './+types/job';
import { hasEnded, JobState, jobPath, jobTitle, progressText } from './job-labels.tsx';
import { readJob } from './load-job.ts';
import { resultColumns } from './result-columns.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Job · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const trail = trailOf(new URL(request.url).searchParams, 'page');
  const status = await load(context, () => readJob(context, params.jobId, apiCursorOf(trail.at(-1))));
  const base = `/workspaces/${params.workspaceId}`;
  // Scans have a page of their own.
  if (status.job.type === 'scan') throw redirect(base + jobPath(status.job));
  return { status, trail, base };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (_form, { jobs }) => {
    const { workspaceId, jobId } = args.params;
    await jobs.cancel(workspaceVisit(args.context), jobId);
    throw redirect(`/workspaces/${workspaceId}/jobs/${jobId}`);
  });

export default function JobPage({ loaderData, actionData }: Route.ComponentProps) {
  const { status, trail, base } = loaderData;
  const path = `${base}/jobs/${status.job.id}`;
  const after = trail.at(-1);
  const query = new URLSearchParams(after === undefined ? {} : { after });
  const live = useLive(status, `${path}/status?${query}`, { isDone: ({ job }) => hasEnded(job) });
  const { job, results } = live.data;
  const isOver = hasEnded(job);
  return (
    <Page
      title={jobTitle(job)}
      trail={[{ to: `${base}/jobs`, label: 'Jobs' }]}
      action={
        job.progress.done > 0 && (
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={`${path}/results.ndjson`} reloadDocument>
              NDJSON
            </ButtonLink>
            <ButtonLink kind={isOver ? 'primary' : 'secondary'} to={`${path}/results.csv`} reloadDocument>
              <Download aria-hidden className="size-4" />
              Download CSV
            </ButtonLink>
          </div>
        )
      }
    >
      <Card className="grid gap-4">
        <Progress job={job} />
        {!isOver && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <LiveStatus state={live.state} nowMs={live.data.nowMs} />
            <RefreshLink />
            <PostForm failed={actionData} fields={[]}>
              <Button>Cancel the job</Button>
            </PostForm>
          </div>
        )}
        <JobFacts job={job} />
      </Card>
      {job.error && (
        <Notice kind="danger" title="The job could not continue">
          The results that exist stay, and what they billed stays billed.
        </Notice>
      )}
      {job.state === 'canceled' && (
        <Notice title="The job was canceled">Its results stay, and what they billed stays billed.</Notice>
      )}
      <Section
        title="Results"
        note={
          isOver
            ? 'By domain. Reading them bills nothing'
            : 'By domain. Each page can get more results until the job ends'
        }
      >
        {!results || results.rows.length === 0 ? (
          <p className="text-quiet">{isOver ? 'The job has no results.' : 'There are no results yet.'}</p>
        ) : (
          <Table
            label="Results"
            columns={resultColumns(`${base}/stores`)}
            rows={results.rows}
            keyOf={({ domain }) => domain}
          />
        )}
        <TrailPaging
          label="Pages of results"
          name="page"
          trail={trail}
          older={results?.next && trailCursorOf(results.next)}
          words={plainWords}
        />
      </Section>
    </Page>
  );
}

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
  const { created_at, finished_at, expires_at } = job;
  return (
    <Facts
      facts={{
        [hasEnded(job) ? 'Billed' : 'Billed so far']: billedText(job.billed),
        Requested: <Time ms={Date.parse(created_at)} as="exact" />,
        Ended: finished_at !== null && <Time ms={Date.parse(finished_at)} as="exact" />,
        'Results are kept until': expires_at !== null && <Time ms={Date.parse(expires_at)} as="date" />,
      }}
    />
  );
}
