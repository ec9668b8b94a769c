import { redirect } from 'react-router';
import { fileResponse } from '../../app/pages/file-response.ts';
import { act, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/audit-log-export';

/** The file is the response to a form, because the export is recorded. A GET redirects to the page. */
export const loader = ({ params }: Route.LoaderArgs) =>
  redirect(`/workspaces/${params.workspaceId}/settings/audit-log`);

export async function action({ params, context }: Route.ActionArgs) {
  const text = await act(context, ({ audit }) => audit.exportLog(workspaceVisit(context)));
  const day = new Date().toISOString().slice(0, 10);
  return fileResponse(text, { type: 'text/csv', name: `audit-log-${params.workspaceId}-${day}.csv` });
}
