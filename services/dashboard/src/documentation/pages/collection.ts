import { postmanCollectionOf } from '../domain/postman.ts';
import type { Route } from './+types/collection';
import { libraryOf } from './library.server.ts';

export function loader({ context }: Route.LoaderArgs) {
  const { openapi, families, apiUrl } = libraryOf(context);
  return Response.json(postmanCollectionOf(openapi, families, apiUrl));
}
