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

export const loader = ({ context }: Route.LoaderArgs) =>
  new Response(
    [
      'User-agent: *',
      ...disallowed.map((path) => `Disallow: ${path}`),
      '',
      `Sitemap: ${contextOf(context).siteUrl}/sitemap.xml`,
      '',
    ].join('\n'),
    { headers: { 'Content-Type': 'text/plain; charset=utf-8' } },
  );
