import { textResponse } from '../../app/pages/file-response.ts';
import { contextOf, found } from '../../app/pages/server.ts';
import type { Route } from './+types/guide-markdown';
import { libraryOf } from './library.server.ts';
import { guideMarkdown } from './markdown-pages.server.ts';

export function loader({ params, context }: Route.LoaderArgs) {
  const guide = found(libraryOf(context).guide(params.slug));
  return textResponse(guideMarkdown(guide, contextOf(context).siteUrl), 'text/markdown');
}
