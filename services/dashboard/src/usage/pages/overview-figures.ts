import type { Route } from './+types/overview-figures';
import { loadOverview } from './load-overview.ts';

/** The data of the overview as JSON, which the page reads every few seconds. */
export const loader = async ({ context }: Route.LoaderArgs) => Response.json(await loadOverview(context));
