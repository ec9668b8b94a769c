import type { KeyView, Revocation } from '../../../src/operations/keys.ts';
import { contextOf, load } from '../../server.ts';
import { workspaceVisit } from '../../workspace-visit.ts';
import type { Route } from './+types/key-status';

/** What changes while somebody looks at the pages of a key. */
export interface KeyStatus {
  revocation: Revocation | undefined;
  lastUsed: KeyView['lastUsed'];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const { keys } = contextOf(context).application;
  const key = await load(context, () => keys.get(visit, params.keyId));
  const status: KeyStatus = { revocation: keys.revocation(visit, key), lastUsed: key.lastUsed };
  return Response.json(status);
}
