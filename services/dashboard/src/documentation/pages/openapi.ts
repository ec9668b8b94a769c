import type { Route } from './+types/openapi';
import { libraryOf } from './library.server.ts';

/** The contract, with the address of the API. */
export const loader = ({ context }: Route.LoaderArgs) => Response.json(libraryOf(context).openapi);
