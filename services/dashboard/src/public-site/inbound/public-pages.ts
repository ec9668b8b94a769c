import { AppError } from '@shopscope/errors';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import { LimitError } from '../../app/domain/limit-error.ts';
import type { PageLimits } from '../../app/domain/page-limits.ts';
import { type PublicPath, parseTarget, publicPathOf } from '../../app/domain/public-path.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import { groupOf } from '../../app/inbound/limit-requests.ts';
import { type OwnAddresses, sendMisdirected } from '../../app/inbound/own-host.ts';
import { pagePath } from '../../app/inbound/page-path.ts';
import { toProblem } from '../../app/inbound/problem.ts';
import type { FailurePage, Refuse } from '../../app/inbound/refuse-request.ts';
import { recordFault } from '../../app/inbound/response-fault.ts';
import { publicPolicy } from '../../app/inbound/security-headers.ts';
import type { SendFailure } from '../../app/inbound/send-failure.ts';
import type { RequestQueue } from '../../app/outbound/request-queue.ts';
import type { Throttle } from '../../app/outbound/throttle.ts';
import { type PageCache, pageTtlMs, type StoredPage } from '../outbound/page-cache.ts';

export type PublicPageResult = 'stored' | 'rendered' | 'failed' | 'limited' | 'moved';

export interface PublicPagesOptions extends OwnAddresses {
  cache: PageCache;
  throttle: Pick<Throttle, 'allows'>;
  queue: RequestQueue;
  pageLimits: Pick<PageLimits, 'publicPage'>;
  refuse: Refuse;
  failurePage: FailurePage;
  sendFailure: SendFailure;
  /** Renders the page of an address. It gets no other data of the request, because the page is the same for everybody. */
  render(address: string, origin: Origin): Promise<Response>;
  logger: Logger;
  onResult(result: PublicPageResult): void;
}

const sessionCookie = /(?:^|;\s*)__Host-shopscope\.session_token=/;
/** Pages that need a call of the profiles service. */
const ofCorpus = /^\/(?:stores\/|technologies|sitemap)/;
const cacheControl = `public, max-age=${pageTtlMs / 1_000}`;
/** `/` depends on whether there is a session, so browsers must revalidate it each time. */
const cacheControlOf = (address: string) => (address === '/' ? 'private, no-cache' : cacheControl);

/**
 * Answers the public pages. Everybody gets the same bytes, from the cache if they are stored there.
 *
 * - Each page has one address, at the public base. Other ways to write it, and the dashboard's host, are redirected to it permanently.
 * - `/` redirects people with a session to their workspaces.
 * - Requests are limited per network address. The limit does not depend on whether somebody is signed in.
 * - If there is a separate public base, every other path of it leads to the dashboard. Forms are not accepted there: 421.
 */
export function servePublicPages(options: PublicPagesOptions): RequestHandler {
  const { siteUrl, dashboardUrl, cache, throttle, queue, pageLimits, failurePage, render, logger, onResult } = options;
  const site = new URL(siteUrl);
  const hasOwnHost = site.host !== new URL(dashboardUrl).host;
  const isAtSite = ({ locals }: ExpressResponse) => locals.host === site.host;
  const setPublicHeaders = publicPolicy({ https: site.protocol === 'https:' });

  const answer = async (request: ExpressRequest, response: ExpressResponse, { address, isMoved }: PublicPath) => {
    const { origin } = response.locals as { origin: Origin };
    if (address === '/' && sessionCookie.test(request.get('cookie') ?? '')) {
      response.set('Cache-Control', 'private, no-store').redirect(302, `${dashboardUrl}/workspaces`);
      return;
    }
    if (isMoved || !isAtSite(response)) {
      onResult('moved');
      response.set('Cache-Control', cacheControlOf(address)).redirect(301, siteUrl + address);
      return;
    }
    const group = groupOf(response);
    if (!(await throttle.allows([limits.publicPageOfAddress, group]))) throw tooManyPages();
    const { page, isHit } = await cache.get(address, {
      enter() {
        const place = queue.enter(pageLimits.publicPage(group, { isOfCorpus: ofCorpus.test(address) }));
        response.once('close', place.leave);
        return place;
      },
      render: () => render(address, origin),
    });
    onResult(isHit ? 'stored' : page.status >= 500 ? 'failed' : 'rendered');
    setPublicHeaders(response);
    send(request, response, page, address);
  };

  const fail = (request: ExpressRequest, response: ExpressResponse, thrown: unknown) => {
    if (thrown instanceof LimitError) {
      onResult('limited');
      return options.refuse(thrown, request, response, () => {});
    }
    if (response.destroyed) return;
    onResult('failed');
    const { origin } = response.locals as { origin: Origin };
    const failed = new AppError('unavailable', 'The page failed.', { cause: thrown });
    const problem = { ...toProblem(failed, { origin, logger }), retryAfterSeconds: 1, isReading: true };
    recordFault(response, problem.fault);
    response.status(problem.status).set({ 'Cache-Control': 'no-store', 'Retry-After': '1' }).type('html');
    response.send(failurePage(problem, { path: pagePath(request.originalUrl), cookies: '' }));
  };

  return (request, response, next) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const path = isReading ? publicPathOf(request.originalUrl) : undefined;
    if (path) return void answer(request, response, path).catch((error: unknown) => fail(request, response, error));
    if (!hasOwnHost || !isAtSite(response)) return next();
    if (!isReading) return sendMisdirected(request, response, { addresses: options, sendFailure: options.sendFailure });
    const { pathname, search } = parseTarget(request.originalUrl) ?? { pathname: '/', search: '' };
    response.set('Cache-Control', 'no-store').redirect(302, dashboardUrl + pathname + search);
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
  // Each encoding has its own strong entity tag (RFC 9110, 8.8.3.3).
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

const tooManyPages = () => new LimitError('rate_limited', 'There were too many requests from your network.', 60);
