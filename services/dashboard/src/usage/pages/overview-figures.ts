import type { Route } from './+types/overview-figures';
import { loadOverview } from './load-overview.ts';

export const loader = async ({ context }: Route.LoaderArgs) => Response.json(await loadOverview(context));
