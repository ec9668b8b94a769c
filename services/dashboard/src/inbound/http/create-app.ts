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
import type { Application } from '../../operations/application.ts';
import type { Mcp } from '../../operations/mcp.ts';
import { type Auth, clientAddressHeader } from '../../outbound/auth.ts';
import { createPageCache } from '../../outbound/memory/page-cache.ts';
import type { Throttle } from '../../outbound/redis/throttle.ts';
import { serveAssets } from './assets.ts';
import { checkOrigin } from './check-origin.ts';
import { limitBody } from './limit-body.ts';
import { serveMcp } from './mcp.ts';
import { pagePath } from './page-path.ts';
import { toProblem } from './problem.ts';
import { type PublicPageResult, servePublicPages } from './public-pages.ts';
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
  trustedProxies: readonly string[];
  logger: Logger;
  clock: Pick<Clock, 'monotonicMs'>;
  onResponse(route: string, status: number, seconds: number): void;
  onPublicPage(result: PublicPageResult): void;
  onMcpAnswer(status: number): void;
}

/** The middleware of every request, in their order. */
export function createApp(options: AppOptions): Express {
  const { application, logger, url, build, clock } = options;
  const requestContext = (build.entry.module as unknown as { requestContext: RouterContext<RequestContext> })
    .requestContext;
  const readAddress = createReadClientAddress(options.trustedProxies);
  const renderPublicPage = createRenderer(build, 'production');
  const contextOf = (
    request: Pick<RequestContext, 'origin' | 'path' | 'nonce' | 'address'>,
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
    response.once('finish', () =>
      options.onResponse(request.method, response.statusCode, (clock.monotonicMs() - startedAtMs) / 1_000),
    );
    next();
  });
  app.use(securityHeaders({ https: url.startsWith('https://') }));
  app.use('/assets', serveAssets(options.webFolder));
  // Before the checks of forms: its callers are programs with an API key, and have no session.
  app.all('/mcp', serveMcp({ mcp: options.mcp, url, logger, onAnswer: options.onMcpAnswer }));
  app.use(
    servePublicPages({
      siteUrl: options.siteUrl,
      dashboardUrl: url,
      throttle: options.throttle,
      cache: createPageCache({ nowMs: clock.monotonicMs }),
      render: (address, origin) =>
        renderPublicPage(
          new Request(options.siteUrl + address),
          contextOf({ origin, path: address, nonce: undefined, address: '' }),
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
        return contextOf({ origin, path, nonce, address }, (seconds) => response.set('Retry-After', String(seconds)));
      },
    }),
  );
  return app;
}
