import { ButtonLink, RefreshLink, RowLink } from '../../app/components/button.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { EmptyState, Page } from '../../app/components/page.tsx';
import { apiCursorOf, TrailPaging, trailCursorOf, trailOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import { loadStoresAccess, StoresOff } from '../../keys/pages.ts';
import { billedText } from '../../usage/pages.ts';
import type { Job } from '../operations/jobs.ts';
import type { Route } from './+types/jobs';
import { JobFilterForm } from './job-filter-form.tsx';
import { JobState, jobPath, jobStates, jobTitle, jobTypes, progressText } from './job-labels.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Jobs · Shopscope' }];

/** A filter with any other value filters nothing. */
const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const search = new URL(request.url).searchParams;
  const trail = trailOf(search, 'before');
  const type = oneOf(jobTypes, search.get('type'));
  const state = oneOf(jobStates, search.get('state'));
  const filters = { ...(type && { type }), ...(state && { state }) };
  const access = await loadStoresAccess(context);
  const page = access.isOff
    ? { jobs: [], next: undefined }
    : await load(context, ({ jobs }) => jobs.page(visit, filters, apiCursorOf(trail.at(-1))));
  return { ...page, ...access, type, state, trail, base: `/workspaces/${params.workspaceId}` };
}

export default function JobsPage({ loaderData }: Route.ComponentProps) {
  const { jobs, next, type, state, trail, base, isOff, isAdmin } = loaderData;
  const isFiltered = type !== undefined || state !== undefined;
  return (
    <Page title="Jobs" lead="Scans, enrichments, exports and replays of this workspace, of people and of API keys.">
      {isOff && <StoresOff action={`${base}/stores`} isAdmin={isAdmin} />}
      {!isOff && (jobs.length > 0 || isFiltered || trail.length > 0) && <JobFilterForm type={type} state={state} />}
      {!isOff && jobs.length === 0 && (
        <EmptyState
          title={isFiltered ? 'No job has these filters' : 'No jobs yet'}
          action={
            isFiltered ? (
              <ButtonLink to="?">Show all jobs</ButtonLink>
            ) : (
              <ButtonLink to={`${base}/lists`}>Open your lists</ButtonLink>
            )
          }
        >
          {isFiltered
            ? 'None of the jobs matches the filters.'
            : 'Scans, enrichments of lists, exports of stores and replays to webhooks appear here with their progress.'}
        </EmptyState>
      )}
      {jobs.length > 0 && <Table label="Jobs" columns={columns(base)} rows={jobs} keyOf={({ id }) => id} />}
      <TrailPaging label="Pages of jobs" name="before" trail={trail} older={next && trailCursorOf(next)} />
      <RefreshLink />
    </Page>
  );
}

const columns = (base: string): Column<Job>[] => [
  {
    header: 'Job',
    className: 'md:w-[40%]',
    cell: (job) => <RowLink to={base + jobPath(job)}>{jobTitle(job)}</RowLink>,
  },
  {
    header: 'State',
    cell: (job) => (
      <>
        <JobState state={job.state} />
        {job.state === 'running' && job.progress.total > 1 && (
          <span className="block text-quiet tabular-nums">{progressText(job)}</span>
        )}
      </>
    ),
  },
  {
    header: 'Failed',
    align: 'right',
    wideOnly: true,
    cell: ({ progress: { failed } }) => <span className="amount">{formatNumber(failed)}</span>,
  },
  { header: 'Billed', cell: ({ billed }) => billedText(billed) },
  { header: 'Requested', cell: ({ created_at }) => <Time ms={Date.parse(created_at)} /> },
];
