import { postmanCollectionOf } from '../../../../src/domain/documentation/postman.ts';
import { libraryOf } from '../../../docs/library.server.ts';
import { contextOf } from '../../../server.ts';
import type { Route } from './+types/collection';

export function loader({ context }: Route.LoaderArgs) {
  const { openapi, families, apiUrl } = libraryOf(contextOf(context).application);
  return Response.json(postmanCollectionOf(openapi, families, apiUrl));
}
