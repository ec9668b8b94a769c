import { loadOverview } from '../../loaders/overview.ts';
import type { Route } from './+types/overview-figures';

/** The data of the overview as JSON, which the page reads every few seconds. */
export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await loadOverview(context));
}
