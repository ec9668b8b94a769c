import { readStoreList } from '../../loaders/store-list.ts';
import { load } from '../../server.ts';
import type { Route } from './+types/store-list-status';

/** The stored state of a list as JSON. The page reads it again, so it shows what other pages have run. */
export const loader = async (args: Route.LoaderArgs) =>
  Response.json((await load(args.context, () => readStoreList(args, args.params.listId))).status);
