import { toFirstWorkspace } from '../../app/pages/server.ts';
import type { Route } from './+types/key-settings';

/** Redirects to the API keys of the person's first workspace. The API returns this address as `keys_url`. */
export const loader = ({ context }: Route.LoaderArgs) => toFirstWorkspace(context, '/settings/keys');
