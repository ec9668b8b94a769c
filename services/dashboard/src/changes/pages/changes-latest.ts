import type { Route } from './+types/changes-latest';
import { loadLatest } from './load-changes.ts';

export const loader = async ({ context, request }: Route.LoaderArgs) =>
  Response.json(await loadLatest(context, request.url));
