import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/key-status';
import { keyStatus } from './load-key-status.ts';

export async function loader({ params, context }: Route.LoaderArgs) {
  const key = await load(context, ({ keys }) => keys.get(workspaceVisit(context), params.keyId));
  return Response.json(keyStatus(context, key));
}
