import { contextOf, load } from '../../server.ts';
import { sessionContext } from '../../session.ts';
import type { Route } from './+types/export';

/** The person's own data as a file. */
export async function loader({ context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const json = await load(context, () => contextOf(context).application.account.export(person));
  return new Response(json, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': 'attachment; filename="shopscope-account.json"',
      'Cache-Control': 'no-store',
    },
  });
}
