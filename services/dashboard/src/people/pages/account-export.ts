import { contextOf, fileResponse, load } from '../../app/pages/server.ts';
import { sessionContext } from '../../app/pages/session.ts';
import type { Route } from './+types/account-export';

/** The person's own data as a file. */
export async function loader({ context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const json = await load(context, () => contextOf(context).application.account.exportAccount(person));
  return fileResponse(json, { type: 'application/json', name: 'shopscope-account.json' });
}
