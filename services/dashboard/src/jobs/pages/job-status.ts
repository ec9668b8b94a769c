import { apiCursorOf } from '../../app/components/paging.tsx';
import { load } from '../../app/pages/server.ts';
import type { Route } from './+types/job-status';
import { readJob } from './load-job.ts';

/** The job as JSON, with the page of results behind `after`. With `full`, the reader has that page, and it does not change any more. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const asked = { cursor: apiCursorOf(search.get('after') ?? undefined), withResults: !search.has('full') };
  return Response.json(await load(context, () => readJob(context, params.jobId, asked)));
}
