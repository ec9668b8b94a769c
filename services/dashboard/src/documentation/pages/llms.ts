import { textResponse } from '../../app/pages/file-response.ts';
import { contextOf } from '../../app/pages/server.ts';
import type { Route } from './+types/llms';
import { libraryOf } from './library.server.ts';
import { llmsTxt } from './markdown-pages.server.ts';

export const loader = ({ context }: Route.LoaderArgs) =>
  textResponse(llmsTxt(libraryOf(context), contextOf(context).siteUrl), 'text/plain');
