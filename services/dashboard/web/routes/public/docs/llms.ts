import { libraryOf } from '../../../docs/library.server.ts';
import { llmsTxt } from '../../../docs/markdown-pages.server.ts';
import { contextOf } from '../../../server.ts';
import type { Route } from './+types/llms';

export function loader({ context }: Route.LoaderArgs) {
  const { application, siteUrl } = contextOf(context);
  return new Response(llmsTxt(libraryOf(application), siteUrl), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
