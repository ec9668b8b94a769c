import { toFirstWorkspace } from '../../app/pages/server.ts';
import type { Route } from './+types/try-out-link';

/** Redirects from a page of the reference to the form in the person's first workspace. */
export const loader = ({ params, context }: Route.LoaderArgs) =>
  toFirstWorkspace(context, `/try/${encodeURIComponent(params.operationId)}`);
