import type { Route } from './+types/usage-figures';
import { loadUsage } from './load-usage.ts';

/** The data of the usage page as JSON, which the page reads every few seconds. */
export const loader = async ({ request, context }: Route.LoaderArgs) =>
  Response.json(await loadUsage(context, new URL(request.url).searchParams));
