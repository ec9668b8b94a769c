import { addressGroup } from '@shopscope/client-address';
import { AppError } from '@shopscope/errors';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import { type PublicPath, parseTarget, publicPathOf } from '../../domain/public-path.ts';
import { limits } from '../../domain/throttle-limits.ts';
import { type PageCache, pageTtlMs, type StoredPage } from '../../outbound/memory/page-cache.ts';
import type { Throttle } from '../../outbound/redis/throttle.ts';
import { failurePage } from './failure-page.ts';
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
  logger: Logger;
  onResult(result: PublicPageResult): void;
}

const sessionCookie = /(?:^|;\s*)__Host-shopscope\.session_token=/;
/** Pages that profiles is asked for. */
const ofCorpus = /^\/(?:stores\/|technologies|sitemap)/;
const cacheControl = `public, max-age=${pageTtlMs / 1_000}`;
/** `/` depends on whether there is a session, so browsers ask each time. */
const cacheControlOf = (address: string) => (address === '/' ? 'private, no-cache' : cacheControl);

/**
 * Answers the public pages: the same bytes for everybody, from memory where they are stored.
 *
 * - One page has one address, at the public base. Every other way to write it is redirected there for good.
 * - `/` leads people with a session to their workspaces.
 * - Limited per network address. A limit never depends on who is signed in.
 * - With a public base of its own, every other path of it leads to the dashboard.
 */
export function servePublicPages(options: PublicPagesOptions): RequestHandler {
  const { siteUrl, dashboardUrl, cache, throttle, render, logger, onResult } = options;
  const site = new URL(siteUrl);
  const hasOwnHost = site.host !== new URL(dashboardUrl).host;
  // A Host header may name the default port.
  const isAtSite = (request: ExpressRequest) => {
    const own = `${site.protocol}//${request.get('host')}`;
    return URL.canParse(own) && new URL(own).host === site.host;
  };
  const setPublicHeaders = publicPolicy({ https: site.protocol === 'https:' });

  const answer = async (request: ExpressRequest, response: ExpressResponse, { address, isMoved }: PublicPath) => {
    const { address: client, origin } = response.locals as { address: string; origin: Origin };
    if (address === '/' && sessionCookie.test(request.get('cookie') ?? '')) {
      response.set('Cache-Control', 'private, no-store').redirect(302, `${dashboardUrl}/workspaces`);
      return;
    }
    if (isMoved || !isAtSite(request)) {
      onResult('moved');
      response.set('Cache-Control', cacheControlOf(address)).redirect(301, siteUrl + address);
      return;
    }
    if (!(await throttle.allows([limits.publicPageOfAddress, addressGroup(client)]))) {
      onResult('limited');
      response.status(429).set({ 'Cache-Control': 'no-store', 'Retry-After': '60' });
      response.send(
        failurePage(429, 'There were too many requests from your network. Open the page again in a minute.'),
      );
      return;
    }
    const { page, isHit } = await cache.get(address, {
      isOfCorpus: ofCorpus.test(address),
      render: () => render(address, origin),
    });
    onResult(isHit ? 'stored' : page.status >= 500 ? 'failed' : 'rendered');
    setPublicHeaders(response);
    send(request, response, page, address);
  };

  const fail = (response: ExpressResponse, thrown: unknown) => {
    const error = AppError.from(thrown);
    const { requestId } = (response.locals as { origin: Origin }).origin;
    logger.warn({ requestId, code: error.code, err: error }, 'a public page failed');
    onResult('failed');
    response.status(503).set({ 'Cache-Control': 'no-store', 'Retry-After': '1' });
    response.send(failurePage(503, 'Open the page again in a moment.'));
  };

  return (request, response, next) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const path = isReading ? publicPathOf(request.originalUrl) : undefined;
    if (path) return void answer(request, response, path).catch((error: unknown) => fail(response, error));
    if (isReading && hasOwnHost && isAtSite(request)) {
      const { pathname, search } = parseTarget(request.originalUrl) ?? { pathname: '/', search: '' };
      return response.set('Cache-Control', 'no-store').redirect(302, dashboardUrl + pathname + search);
    }
    next();
  };
}

function send(request: ExpressRequest, response: ExpressResponse, page: StoredPage, address: string): void {
  response.status(page.status).vary('Accept-Encoding');
  response.set('Cache-Control', page.status < 500 ? cacheControlOf(address) : 'no-store');
  if (page.location !== undefined) {
    response.set('Location', page.location).end();
    return;
  }
  const isGzipped = request.acceptsEncodings('gzip') !== false;
  // Each encoding has a strong tag of its own (RFC 9110, 8.8.3.3).
  response.set({ 'Content-Type': page.type, ETag: isGzipped ? page.etag.replace(/"$/, '-gz"') : page.etag });
  // Express compares the entity tag with If-None-Match for successful statuses only.
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  if (isGzipped) response.set('Content-Encoding', 'gzip');
  const bytes = isGzipped ? page.gzipped : page.body;
  response.set('Content-Length', String(bytes.length));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
