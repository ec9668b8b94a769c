import { data } from 'react-router';
import { contextOf } from '../../app/pages/server.ts';
import type { Route } from './+types/guide-markdown';
import { libraryOf } from './library.server.ts';
import { guideMarkdown, markdownResponse } from './markdown-pages.server.ts';

export function loader({ params, context }: Route.LoaderArgs) {
  const { application, siteUrl } = contextOf(context);
  const guide = libraryOf(application).guide(params.slug);
  if (!guide) throw data({}, { status: 404 });
  return markdownResponse(guideMarkdown(guide, siteUrl));
}
