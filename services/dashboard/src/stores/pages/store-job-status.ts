import { load } from '../../app/pages/server.ts';
import type { Route } from './+types/store-job-status';
import { readStoreJob } from './load-store-job.ts';

export async function loader({ params, context }: Route.LoaderArgs) {
  return Response.json(await load(context, () => readStoreJob(context, params.jobId)));
}
