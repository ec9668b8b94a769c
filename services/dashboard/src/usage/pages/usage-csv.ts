import { redirect } from 'react-router';
import { fileResponse } from '../../app/pages/file-response.ts';
import { act, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/usage-csv';

/** The file is the response to a form, because the export is recorded. A GET redirects to the page. */
export function loader({ request, params }: Route.LoaderArgs) {
  return redirect(`/workspaces/${params.workspaceId}/usage${new URL(request.url).search}`);
}

/** Exports the usage of a period by day and key. It needs a recent sign-in. */
export async function action({ request, context }: Route.ActionArgs) {
  const { period, csv } = await act(context, async ({ usage }) => {
    const period = usage.period(new URL(request.url).searchParams.get('period'));
    return { period, csv: await usage.exportCsv(workspaceVisit(context), period) };
  });
  return fileResponse(csv, { type: 'text/csv', name: `usage-${period.name}.csv` });
}
