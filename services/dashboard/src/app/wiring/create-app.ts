import { createReadClientAddress } from '@shopscope/client-address';
import type { Environment } from '@shopscope/environment';
import { newId, newTraceparent } from '@shopscope/ids';
import type { Origin } from '@shopscope/telemetry';
import express, { type Express } from 'express';
import {
  createRequestHandler as createRenderer,
  type RouterContext,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router';
import type { DashboardConfig } from '../../config.ts';
import { serveMcp } from '../../mcp/inbound/mcp.ts';
import { clientAddressHeader } from '../../people/outbound/auth.ts';
import { servePublicPages } from '../../public-site/inbound/public-pages.ts';
import { createPageCache } from '../../public-site/outbound/page-cache.ts';
import { createPageLimits } from '../domain/page-limits.ts';
import { allowMethods, methodLabel } from '../inbound/allow-methods.ts';
import { serveAssets } from '../inbound/assets.ts';
import { checkOrigin } from '../inbound/check-origin.ts';
import { sendFetchResponse, toFetchRequest } from '../inbound/fetch-api.ts';
import { handleErrors } from '../inbound/handle-errors.ts';
import { limitBody } from '../inbound/limit-body.ts';
import { limitPages, limitRequests, waitedMsOf } from '../inbound/limit-requests.ts';
import { requireDashboardHost, requireOwnHost } from '../inbound/own-host.ts';
import { pageOf, pagePath } from '../inbound/page-path.ts';
import { type Problem, toProblem } from '../inbound/problem.ts';
import { readForm } from '../inbound/read-form.ts';
import { createRefuse, type FailurePage, refusalOf } from '../inbound/refuse-request.ts';
import { renderPages } from '../inbound/render-pages.ts';
import type { RequestContext } from '../inbound/request-context.ts';
import { faultOf, recordFault } from '../inbound/response-fault.ts';
import { securityHeaders } from '../inbound/security-headers.ts';
import { createSendFailure } from '../inbound/send-failure.ts';
import { visitorOf } from '../operations/visitor-of.ts';
import type { Application } from './application.ts';
import type { Dependencies } from './dependencies.ts';

export interface AppOptions {
  config: DashboardConfig;
  application: Application;
  /** The folder of the built web application: gen/web. */
  webFolder: string;
  build: ServerBuild;
}

/** Paths that the web application does not answer. `assets` is a folder. */
export const edgePaths = { assets: '/assets', mcp: '/mcp', signInCallback: '/auth/callback/oidc' } as const;

/** The origin of a request in `response.locals`. What belongs to no workspace counts as live. */
type LocalOrigin = Origin & { environment: Environment };

/** The middleware of every request, in order. */
export function createApp(deps: Dependencies, { config, application, webFolder, build }: AppOptions): Express {
  const { auth, clock, logger, throttle, url, queues, metrics } = deps;
  const siteUrl = config.PUBLIC_SITE_URL;
  const pageLimits = createPageLimits(config);
  const addresses = { dashboardUrl: url, siteUrl };
  const { requestContext, createFailurePage } = build.entry.module as unknown as {
    requestContext: RouterContext<RequestContext>;
    createFailurePage(): FailurePage;
  };
  const failurePage = createFailurePage();
  const sendFailure = createSendFailure({ failurePage, logger });
  const refuse = createRefuse({
    failurePage,
    onRefused: (status) => metrics.refusedRequests.inc({ status: String(status) }),
  });
  const readAddress = createReadClientAddress(config.TRUSTED_PROXIES);
  const renderPublicPage = createRenderer(build, 'production');
  const contextOf = (
    request: Pick<RequestContext, 'origin' | 'path' | 'nonce' | 'address' | 'refusal'>,
    onProblem: (problem: Pick<Problem, 'fault' | 'retryAfterSeconds'>) => void,
    onEnvironment: (environment: Environment) => void = () => {},
  ) => {
    let { origin } = request;
    const provider = new RouterContextProvider();
    provider.set(requestContext, {
      ...request,
      application,
      url,
      siteUrl,
      logger,
      readForm,
      toProblem: (error) => {
        const problem = toProblem(error, { origin, logger });
        onProblem(problem);
        return problem;
      },
      onDefect: () => onProblem({ fault: 'service', retryAfterSeconds: undefined }),
      onEnvironment(environment) {
        origin = { ...origin, environment };
        onEnvironment(environment);
      },
    });
    return provider;
  };
  const app = express();
  app.disable('x-powered-by');

  app.use((request, response, next) => {
    const origin: LocalOrigin = { requestId: newId('req'), traceparent: newTraceparent(), environment: 'live' };
    response.locals.origin = origin;
    response.set('X-Request-Id', origin.requestId);
    const address = readAddress(request.socket.remoteAddress, request.get('x-forwarded-for')) ?? '';
    response.locals.address = address;
    request.headers[clientAddressHeader] = address;
    const startedAtMs = clock.monotonicMs();
    response.once('finish', () => {
      if (refusalOf(response)) return;
      const tookMs = clock.monotonicMs() - startedAtMs - waitedMsOf(response);
      const { environment } = (response.locals as { origin: LocalOrigin }).origin;
      const method = methodLabel(request.method);
      const labels = { environment, method, status: response.statusCode, fault: faultOf(response) };
      metrics.pageDuration.observe(labels, tookMs / 1_000);
    });
    next();
  });
  app.use(securityHeaders({ https: url.startsWith('https://') }));
  const onWaited = (seconds: number) => metrics.requestWait.observe(seconds);
  const waiting = { limits: pageLimits, refuse, clock, onWaited };
  app.use(limitRequests({ ...waiting, queue: queues.requests }));
  // This check comes before every handler that could give data to a page of another site.
  app.use(requireOwnHost(addresses, sendFailure));
  app.use(edgePaths.assets, serveAssets(webFolder));
  // This comes before the checks of forms, because its callers are programs with an API key and have no session.
  app.all(
    edgePaths.mcp,
    requireDashboardHost(addresses, sendFailure),
    serveMcp({ mcp: application.mcp, url, logger, clock, onAnswer: (labels) => metrics.mcpMessages.inc(labels) }),
  );
  app.use(allowMethods(sendFailure));
  app.use(
    servePublicPages({
      ...addresses,
      queue: queues.work,
      throttle,
      pageLimits,
      refuse,
      failurePage,
      sendFailure,
      cache: createPageCache({ nowMs: clock.monotonicMs }),
      render: (address, origin) =>
        renderPublicPage(
          new Request(siteUrl + address),
          // Several requests share one page, so its problems are not recorded for any of them.
          contextOf({ origin, path: address, nonce: undefined, address: '', refusal: undefined }, () => {}),
        ),
      logger,
      onResult: (result) => metrics.publicPages.inc({ result }),
    }),
  );
  app.use(checkOrigin(url));
  app.use(limitBody);
  app.use((_request, response, next) => {
    // Every page depends on the session. Assets set their own header.
    response.set('Cache-Control', 'private, no-store');
    next();
  });
  app.use(limitPages({ ...waiting, queue: queues.work, visitorOf: (request) => visitorOf(deps, pageOf(request)) }));
  // The only HTTP route of better-auth. Operations call everything else of better-auth.
  app.get(edgePaths.signInCallback, async (request, response) => {
    await sendFetchResponse(response, await auth.handler(toFetchRequest(request, response, url)));
  });
  app.use(
    renderPages({
      build,
      url,
      contextOf(request, response) {
        const { nonce, address, origin } = response.locals as { nonce: string; address: string; origin: LocalOrigin };
        const path = pagePath(request.originalUrl);
        const refusal = refusalOf(response);
        const onProblem = ({ fault, retryAfterSeconds }: Pick<Problem, 'fault' | 'retryAfterSeconds'>) => {
          recordFault(response, fault);
          if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
        };
        return contextOf({ origin, path, nonce, address, refusal }, onProblem, (environment) => {
          response.locals.origin = { ...origin, environment };
        });
      },
    }),
  );
  app.use(handleErrors(logger, sendFailure));
  return app;
}
