import type { Route } from './+types/graphql-schema';
import { libraryOf } from './library.server.ts';

/** The GraphQL schema, as text that a browser shows. */
export const loader = ({ context }: Route.LoaderArgs) =>
  new Response(libraryOf(context).schema.text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
