import { fileResponse, streamOf } from '../../app/pages/file-response.ts';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/job-ndjson';

export async function loader({ params, context }: Route.LoaderArgs) {
  const parts = await load(context, ({ jobExports }) => jobExports.ndjson(workspaceVisit(context), params.jobId));
  return fileResponse(streamOf(context, parts), { type: 'application/x-ndjson', name: `${params.jobId}.ndjson` });
}
