import { data } from 'react-router';
import { contextOf } from '../../app/pages/server.ts';
import { markdownOf } from '../domain/reference-markdown.ts';
import type { Route } from './+types/operation-markdown';
import { libraryOf } from './library.server.ts';
import { markdownResponse } from './markdown-pages.server.ts';

export function loader({ params, context }: Route.LoaderArgs) {
  const { operation: find, apiUrl } = libraryOf(contextOf(context).application);
  const operation = find(params.operationId);
  if (!operation) throw data({}, { status: 404 });
  return markdownResponse(markdownOf(operation, apiUrl));
}
