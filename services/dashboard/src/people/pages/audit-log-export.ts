import { redirect } from 'react-router';
import { act, contextOf, fileResponse } from '../../app/pages/server.ts';
import { workspaceVisit } from '../../app/pages/workspace-visit.ts';
import type { Route } from './+types/audit-log-export';

const pagePath = (workspaceId: string) => `/workspaces/${workspaceId}/settings/audit-log`;

/** The file is the response to a form, because the export is recorded. A link leads to the page. */
export const loader = ({ params }: Route.LoaderArgs) => redirect(pagePath(params.workspaceId));

export async function action({ params, context }: Route.ActionArgs) {
  const text = await act(context, () => contextOf(context).application.audit.exportLog(workspaceVisit(context)));
  const day = new Date().toISOString().slice(0, 10);
  return fileResponse(text, { type: 'text/csv', name: `audit-log-${params.workspaceId}-${day}.csv` });
}
