import type { Request } from 'express';
import { parseTarget } from '../domain/public-path.ts';

/** The path and query of the page that a request concerns. The client's router requests `PATH.data` and `_root.data`. */
export function pagePath(originalUrl: string): string {
  const url = parseTarget(originalUrl);
  if (!url) return '/';
  const query = new URLSearchParams(url.search);
  query.delete('_routes');
  if (query.get('index') === '') query.delete('index');
  const path = url.pathname.replace(/\/_root\.data$/, '/').replace(/\.data$/, '');
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The data that identifies the page, the visitor and the theme of a request. */
export const pageOf = (request: Request): { path: string; cookies: string } => ({
  path: pagePath(request.originalUrl),
  cookies: request.get('cookie') ?? '',
});
