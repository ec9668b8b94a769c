import { data } from 'react-router';
import { libraryOf } from '../../../docs/library.server.ts';
import { guideMarkdown, markdownResponse } from '../../../docs/markdown-pages.server.ts';
import { contextOf } from '../../../server.ts';
import type { Route } from './+types/guide-markdown';

export function loader({ params, context }: Route.LoaderArgs) {
  const { application, siteUrl } = contextOf(context);
  const guide = libraryOf(application).guide(params.slug);
  if (!guide) throw data({}, { status: 404 });
  return markdownResponse(guideMarkdown(guide, siteUrl));
}
