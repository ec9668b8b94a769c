import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/export-part';
import { exportedFile } from './exported-file.ts';

export async function loader({ params, context }: Route.LoaderArgs) {
  const { jobId, part } = params;
  const file = await load(context, ({ exportFiles }) => exportFiles.part(workspaceVisit(context), jobId, part));
  return exportedFile(context, file, `${jobId}-${part}`);
}
