import { redirect } from 'react-router';
import { contextOf, load } from '../../app/pages/server.ts';
import { sessionContext } from '../../app/pages/session.ts';
import type { Route } from './+types/try-out-link';

/** Leads from a page of the reference to the form in the person's first workspace. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { userId } = context.get(sessionContext);
  const [first] = await load(context, () => contextOf(context).application.workspaces.list(userId));
  const operationId = encodeURIComponent(params.operationId);
  return redirect(first ? `/workspaces/${first.workspaceId}/try/${operationId}` : '/workspaces');
}
