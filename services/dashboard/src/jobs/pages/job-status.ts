import { apiCursorOf } from '../../app/components/paging.tsx';
import { load } from '../../app/pages/server.ts';
import type { Route } from './+types/job-status';
import { readJob } from './load-job.ts';

/** The job as JSON, with the page of results behind `after`. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const cursor = apiCursorOf(new URL(request.url).searchParams.get('after') ?? undefined);
  return Response.json(await load(context, () => readJob(context, params.jobId, cursor)));
}
