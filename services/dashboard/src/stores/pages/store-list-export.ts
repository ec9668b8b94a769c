import { fileResponse, streamOf } from '../../app/pages/file-response.ts';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/store-list-export';

/** The results of a list as CSV. Reading them is not billed. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const parts = await load(context, ({ storeLists }) => storeLists.exportCsv(workspaceVisit(context), params.listId));
  return fileResponse(streamOf(context, parts), { type: 'text/csv', name: `stores-${params.listId}.csv` });
}
