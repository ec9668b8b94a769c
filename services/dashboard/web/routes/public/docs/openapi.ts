import { libraryOf } from '../../../docs/library.server.ts';
import { contextOf } from '../../../server.ts';
import type { Route } from './+types/openapi';

/** The contract, with the address of the API. */
export const loader = ({ context }: Route.LoaderArgs) =>
  Response.json(libraryOf(contextOf(context).application).openapi);
