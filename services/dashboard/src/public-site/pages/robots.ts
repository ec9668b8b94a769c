import { textResponse } from '../../app/pages/file-response.ts';
import { contextOf } from '../../app/pages/server.ts';
import type { Route } from './+types/robots';

const disallowed = [
  '/account',
  '/auth/',
  '/confirm',
  '/invitations/',
  '/settings/',
  '/sign-',
  '/stores?',
  '/try/',
  '/workspaces',
];

export function loader({ context }: Route.LoaderArgs) {
  const rules = disallowed.map((path) => `Disallow: ${path}\n`).join('');
  return textResponse(`User-agent: *\n${rules}\nSitemap: ${contextOf(context).siteUrl}/sitemap.xml\n`, 'text/plain');
}
