import { load } from '../../app/pages/server.ts';
import type { Route } from './+types/store-list-status';
import { readStoreList } from './load-store-list.ts';

/** The stored state of a list as JSON. The page reads it again, so it shows the batches that other pages have run. */
export const loader = async (args: Route.LoaderArgs) =>
  Response.json((await load(args.context, () => readStoreList(args, args.params.listId))).status);
