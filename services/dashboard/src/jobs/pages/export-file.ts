import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/export-file';
import { exportedFile } from './exported-file.ts';

export async function loader({ params, context }: Route.LoaderArgs) {
  const file = await load(context, ({ exportFiles }) => exportFiles.whole(workspaceVisit(context), params.jobId));
  return exportedFile(context, file, params.jobId);
}
