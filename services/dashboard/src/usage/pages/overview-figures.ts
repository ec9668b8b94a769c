import type { Route } from './+types/overview-figures';
import { loadOverview } from './load-overview.ts';

/** The data of the overview as JSON, which the page reads every few seconds. */
export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await loadOverview(context));
}
