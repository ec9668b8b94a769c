import { textResponse } from '../../app/pages/file-response.ts';
import { found } from '../../app/pages/server.ts';
import { markdownOf } from '../domain/reference-markdown.ts';
import type { Route } from './+types/operation-markdown';
import { libraryOf } from './library.server.ts';

export function loader({ params, context }: Route.LoaderArgs) {
  const { operation, apiUrl } = libraryOf(context);
  return textResponse(markdownOf(found(operation(params.operationId)), apiUrl), 'text/markdown');
}
