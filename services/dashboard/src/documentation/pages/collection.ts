import { contextOf } from '../../app/pages/server.ts';
import { postmanCollectionOf } from '../domain/postman.ts';
import type { Route } from './+types/collection';
import { libraryOf } from './library.server.ts';

export function loader({ context }: Route.LoaderArgs) {
  const { openapi, families, apiUrl } = libraryOf(contextOf(context).application);
  return Response.json(postmanCollectionOf(openapi, families, apiUrl));
}
