import { fileResponse, streamOf } from '../../app/pages/file-response.ts';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/job-csv';

export async function loader({ params, context }: Route.LoaderArgs) {
  const parts = await load(context, ({ jobExports }) => jobExports.csv(workspaceVisit(context), params.jobId));
  return fileResponse(streamOf(context, parts), { type: 'text/csv', name: `${params.jobId}.csv` });
}
