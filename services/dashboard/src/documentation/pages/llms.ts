import { contextOf } from '../../app/pages/server.ts';
import type { Route } from './+types/llms';
import { libraryOf } from './library.server.ts';
import { llmsTxt } from './markdown-pages.server.ts';

export function loader({ context }: Route.LoaderArgs) {
  const { application, siteUrl } = contextOf(context);
  return new Response(llmsTxt(libraryOf(application), siteUrl), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
