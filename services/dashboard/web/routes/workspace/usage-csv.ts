import { redirect } from 'react-router';
import { contextOf, load } from '../../server.ts';
import { workspaceVisit } from '../../workspace-visit.ts';
import type { Route } from './+types/usage-csv';

/** The usage of a period by day and key, as a file. It needs a recent sign-in. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { usage } = contextOf(context).application;
  const { pathname, searchParams, search } = new URL(request.url);
  return load(context, async () => {
    const period = usage.period(searchParams.get('period'));
    const csv = await usage
      .exportCsv(workspaceVisit(context), period)
      .catch((error: { details?: { confirm?: string } }) => {
        if (error.details?.confirm !== 'true') throw error;
        throw redirect(`/confirm?next=${encodeURIComponent(pathname + search)}`);
      });
    return new Response(csv, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="usage-${period.name}.csv"`,
        'Cache-Control': 'private, no-store',
      },
    });
  });
}
