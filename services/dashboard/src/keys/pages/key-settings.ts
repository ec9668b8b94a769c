import { redirect } from 'react-router';
import { contextOf, load } from '../../app/pages/server.ts';
import { sessionContext } from '../../app/pages/session.ts';
import type { Route } from './+types/key-settings';

/** Leads to the API keys of the person's first workspace. The API names this address as `keys_url`. */
export async function loader({ context }: Route.LoaderArgs) {
  const { userId } = context.get(sessionContext);
  const [first] = await load(context, () => contextOf(context).application.workspaces.list(userId));
  return redirect(first ? `/workspaces/${first.workspaceId}/settings/keys` : '/workspaces');
}
