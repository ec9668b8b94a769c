import type { Origin } from '@shopscope/telemetry';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import { type PublicPath, publicPathOf } from '../../domain/public-path.ts';
import { limits } from '../../domain/throttle-limits.ts';
import { type PageCache, pageTtlMs, type StoredPage } from '../../outbound/memory/page-cache.ts';
import type { Throttle } from '../../outbound/redis/throttle.ts';
import { publicPolicy } from './security-headers.ts';

/** How a request for a public page was answered. */
export type PublicPageResult = 'stored' | 'rendered' | 'failed' | 'limited' | 'moved';

export interface PublicPagesOptions {
  /** Public base of the pages, and that of the dashboard. They may be the same. */
  siteUrl: string;
  dashboardUrl: string;
  cache: PageCache;
  throttle: Pick<Throttle, 'allows'>;
  /** Renders the page of an address for anybody: it gets nothing else of the request. */
  render(address: string, origin: Origin): Promise<Response>;
  onResult(result: PublicPageResult): void;
}

const sessionCookie = /(?:^|;\s*)__Host-shopscope\.session_token=/;
const cacheControl = `public, max-age=${pageTtlMs / 1_000}`;

/**
 * Answers the public pages: the same bytes for everybody, from memory where they are stored.
 *
 * - One page has one address, at the public base. Every other way to write it is redirected there for good.
 * - `/` leads people with a session to their workspaces.
 * - Limited per network address. A limit never depends on who is signed in.
 * - With a public base of its own, every other path of it leads to the dashboard.
 */
export function servePublicPages(options: PublicPagesOptions): RequestHandler {
  const { siteUrl, dashboardUrl, cache, throttle, render, onResult } = options;
  const site = new URL(siteUrl);
  const hasOwnHost = site.host !== new URL(dashboardUrl).host;
  const setPublicHeaders = publicPolicy({ https: site.protocol === 'https:' });

  const answer = async (request: ExpressRequest, response: ExpressResponse, { address, isMoved }: PublicPath) => {
    const { address: client, origin } = response.locals as { address: string; origin: Origin };
    if (address === '/' && sessionCookie.test(request.get('cookie') ?? '')) {
      response.set('Cache-Control', 'private, no-store').redirect(302, `${dashboardUrl}/workspaces`);
      return;
    }
    if (isMoved || request.get('host') !== site.host) {
      onResult('moved');
      response.set('Cache-Control', cacheControl).redirect(301, siteUrl + address);
      return;
    }
    if (!(await throttle.allows([limits.publicPageOfAddress, client]))) {
      onResult('limited');
      response.status(429).set({ 'Cache-Control': 'no-store', 'Retry-After': '60' });
      response.type('text/plain').send('There were too many requests from your network. Try again in a minute.\n');
      return;
    }
    const { page, isHit } = await cache.get(address, () => render(address, origin));
    onResult(isHit ? 'stored' : page.status >= 500 ? 'failed' : 'rendered');
    setPublicHeaders(response);
    send(request, response, page);
  };

  return (request, response, next) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const path = isReading ? publicPathOf(request.originalUrl) : undefined;
    if (path) return void answer(request, response, path).catch(next);
    if (isReading && hasOwnHost && request.get('host') === site.host) {
      return response.set('Cache-Control', 'no-store').redirect(302, dashboardUrl + request.originalUrl);
    }
    next();
  };
}

function send(request: ExpressRequest, response: ExpressResponse, page: StoredPage): void {
  response.status(page.status).vary('Accept-Encoding');
  response.set('Cache-Control', page.status < 500 ? cacheControl : 'no-store');
  if (page.location !== undefined) {
    response.set('Location', page.location).end();
    return;
  }
  response.set({ 'Content-Type': page.type, ETag: page.etag });
  // Express compares the entity tag with If-None-Match for successful statuses only.
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const isGzipped = request.acceptsEncodings('gzip') !== false;
  if (isGzipped) response.set('Content-Encoding', 'gzip');
  const bytes = isGzipped ? page.gzipped : page.body;
  response.set('Content-Length', String(bytes.length));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
