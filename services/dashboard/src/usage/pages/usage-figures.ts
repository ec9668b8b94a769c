import type { Route } from './+types/usage-figures';
import { loadUsage } from './load-usage.ts';

export const loader = async ({ request, context }: Route.LoaderArgs) =>
  Response.json(await loadUsage(context, new URL(request.url).searchParams));
