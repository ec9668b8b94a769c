import { fileResponse } from '../../app/pages/file-response.ts';
import { load, sessionContext } from '../../app/pages/server.ts';
import type { Route } from './+types/account-export';

/** The data of the signed-in person, as a file. */
export async function loader({ context }: Route.LoaderArgs) {
  const json = await load(context, ({ account }) => account.exportAccount(context.get(sessionContext)));
  return fileResponse(json, { type: 'application/json', name: 'shopscope-account.json' });
}
