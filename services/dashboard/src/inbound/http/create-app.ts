import { createRequestHandler } from '@react-router/express';
import { createReadClientAddress } from '@shopscope/client-address';
import type { Clock } from '@shopscope/clock';
import { newId, newTraceparent } from '@shopscope/ids';
import type { Logger, Origin } from '@shopscope/telemetry';
import { toNodeHandler } from 'better-auth/node';
import express, { type Express } from 'express';
import {
  createRequestHandler as createRenderer,
  type RouterContext,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router';
import type { PageLimits } from '../../domain/page-limits.ts';
import type { Application } from '../../operations/application.ts';
import type { Mcp } from '../../operations/mcp.ts';
import type { VisitorOf } from '../../operations/visitor-of.ts';
import { type Auth, clientAddressHeader } from '../../outbound/auth.ts';
import type { FairQueue } from '../../outbound/memory/fair-queue.ts';
import { createPageCache } from '../../outbound/memory/page-cache.ts';
import type { Throttle } from '../../outbound/redis/throttle.ts';
import { serveAssets } from './assets.ts';
import { checkOrigin } from './check-origin.ts';
import { limitBody } from './limit-body.ts';
import { limitPages, limitRequests, waitedMsOf } from './limit-requests.ts';
import { serveMcp } from './mcp.ts';
import { pagePath } from './page-path.ts';
import { toProblem } from './problem.ts';
import { type PublicPageResult, servePublicPages } from './public-pages.ts';
import { createRefuse, type FailurePage, refusalOf } from './refuse-request.ts';
import type { RequestContext } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';

export interface AppOptions {
  application: Application;
  mcp: Mcp;
  auth: Auth;
  /** The built web application: gen/web. */
  webFolder: string;
  build: ServerBuild;
  url: string;
  /** Public base of the pages for everybody. */
  siteUrl: string;
  throttle: Throttle;
  /** Of all requests, at the rate of their address; and of the work for pages. */
  queues: { requests: FairQueue; work: FairQueue };
  pageLimits: PageLimits;
  visitorOf: VisitorOf;
  trustedProxies: readonly string[];
  logger: Logger;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  onResponse(route: string, status: number, seconds: number): void;
  onPublicPage(result: PublicPageResult): void;
  onMcpAnswer(status: number): void;
  /** A request has waited for its place. */
  onWaited(seconds: number): void;
  /** A limit has refused a request. */
  onRefused(status: number): void;
}

/** The middleware of every request, in their order. */
export function createApp(options: AppOptions): Express {
  const { application, logger, url, build, clock, queues, pageLimits } = options;
  const { requestContext, createFailurePage } = build.entry.module as unknown as {
    requestContext: RouterContext<RequestContext>;
    createFailurePage(): FailurePage;
  };
  const failurePage = createFailurePage();
  const refuse = createRefuse({ failurePage, onRefused: options.onRefused });
  const readAddress = createReadClientAddress(options.trustedProxies);
  const renderPublicPage = createRenderer(build, 'production');
  const contextOf = (
    request: Pick<RequestContext, 'origin' | 'path' | 'nonce' | 'address' | 'refusal'>,
    onRetryAfter?: (seconds: number) => void,
  ) => {
    const provider = new RouterContextProvider();
    provider.set(requestContext, {
      ...request,
      application,
      url,
      siteUrl: options.siteUrl,
      logger,
      toProblem: (error) => {
        const problem = toProblem(error, { requestId: request.origin.requestId, logger });
        if (problem.retryAfterSeconds !== undefined) onRetryAfter?.(problem.retryAfterSeconds);
        return problem;
      },
    });
    return provider;
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', options.trustedProxies.length > 0 ? [...options.trustedProxies] : false);

  app.use((request, response, next) => {
    const origin: Origin = { requestId: newId('req'), traceparent: newTraceparent() };
    response.locals.origin = origin;
    response.set('X-Request-Id', origin.requestId);
    const address = readAddress(request.socket.remoteAddress, request.get('x-forwarded-for')) ?? '';
    response.locals.address = address;
    request.headers[clientAddressHeader] = address;
    const startedAtMs = clock.monotonicMs();
    response.once('finish', () => {
      if (refusalOf(response)) return;
      const tookMs = clock.monotonicMs() - startedAtMs - waitedMsOf(response);
      options.onResponse(request.method, response.statusCode, tookMs / 1_000);
    });
    next();
  });
  app.use(securityHeaders({ https: url.startsWith('https://') }));
  const waiting = { limits: pageLimits, refuse, clock, onWaited: options.onWaited };
  app.use(limitRequests({ ...waiting, queue: queues.requests }));
  app.use('/assets', serveAssets(options.webFolder));
  // Before the checks of forms: its callers are programs with an API key, and have no session.
  app.all('/mcp', serveMcp({ mcp: options.mcp, url, logger, clock, onAnswer: options.onMcpAnswer }));
  app.use(
    servePublicPages({
      siteUrl: options.siteUrl,
      dashboardUrl: url,
      throttle: options.throttle,
      queue: queues.work,
      ...{ pageLimits, refuse, failurePage },
      cache: createPageCache({ nowMs: clock.monotonicMs }),
      render: (address, origin) =>
        renderPublicPage(
          new Request(options.siteUrl + address),
          contextOf({ origin, path: address, nonce: undefined, address: '', refusal: undefined }),
        ),
      logger,
      onResult: options.onPublicPage,
    }),
  );
  app.use(checkOrigin(url));
  app.use(limitBody);
  app.use((_request, response, next) => {
    // Every page depends on the session. An asset has its own header.
    response.set('Cache-Control', 'private, no-store');
    next();
  });
  const visitorOf = (request: express.Request) =>
    options.visitorOf({ cookies: request.get('cookie') ?? '', path: pagePath(request.originalUrl) });
  app.use(limitPages({ ...waiting, queue: queues.work, visitorOf }));
  // The only route of better-auth over HTTP. Everything else is called by operations.
  app.get('/auth/callback/oidc', toNodeHandler(options.auth));
  app.all(
    '/{*path}',
    createRequestHandler({
      build,
      mode: 'production',
      getLoadContext: (request, response) => {
        const { nonce, address, origin } = response.locals as { nonce: string; address: string; origin: Origin };
        const path = pagePath(request.originalUrl);
        const refusal = refusalOf(response);
        return contextOf({ origin, path, nonce, address, refusal }, (seconds) =>
          response.set('Retry-After', String(seconds)),
        );
      },
    }),
  );
  return app;
}
