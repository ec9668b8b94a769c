import { data } from 'react-router';
import { markdownOf } from '../../../../src/domain/documentation/reference-markdown.ts';
import { libraryOf } from '../../../docs/library.server.ts';
import { markdownResponse } from '../../../docs/markdown-pages.server.ts';
import { contextOf } from '../../../server.ts';
import type { Route } from './+types/operation-markdown';

export function loader({ params, context }: Route.LoaderArgs) {
  const { operation: find, apiUrl } = libraryOf(contextOf(context).application);
  const operation = find(params.operationId);
  if (!operation) throw data({}, { status: 404 });
  return markdownResponse(markdownOf(operation, apiUrl));
}
