import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '@shopscope/errors';
import { newId, newTraceparent } from '@shopscope/ids';
import { parseTraceparent } from '@shopscope/telemetry';
import express, { type Request, type Response } from 'express';
import { Billing } from '../../domain/billing.ts';
import type { ReadClientAddress } from '../../domain/client-address.ts';
import { createRequestDeadline } from '../../domain/request-deadline.ts';
import { type ChainOptions, createChain } from './chain.ts';
import { compose } from './compose.ts';
import { errorReply } from './error-reply.ts';
import { answerErrors } from './middleware/answer-errors.ts';
import { answerParserErrors } from './parser-errors.ts';
import type { ReportExchange } from './report-exchange.ts';
import { headersTimeoutMs, requestTimeoutMs } from './time-outs.ts';

/**
 * The public HTTP server: Node's own with tight timeouts, express as the runner of the chain. A request is matched with
 * its operation before the chain, because authentication depends on it; what that means is decided further down.
 */
export interface HttpServerOptions extends ChainOptions {
  readAddress: ReadClientAddress;
  /** Told of every request when its response has ended. */
  report: ReportExchange;
  /** Told of every request that the parser refused, with the request id of the answer. */
  onParserError(code: string, requestId: string): void;
}

const sweepIntervalMs = 1_000;
/** Longer than load balancers keep idle connections, so that the balancer closes first. */
const keepAliveTimeoutMs = 65_000;
/** A caller who does not read its answer for this long has left. */
const stalledMs = 30_000;

/** A request with an expectation is told of by an event of its own. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

export function createHttpServer(options: HttpServerOptions): Server {
  const { report } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(compose(createChain(options)));
  app.use(answerErrors(options.send));

  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: sweepIntervalMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // A missing Host is answered in the envelope by the chain.
    requireHostHeader: false,
  });
  server.timeout = stalledMs;
  const serve = (message: IncomingMessage, outgoing: ServerResponse) => {
    const request = message as Request;
    const response = outgoing as Response;
    beginExchange(request, options);
    response.once('close', () => {
      request.exchange.admission?.release();
      report(request.exchange, request.method, response);
    });
    // express itself has a view on odd targets; only the chain is to have one.
    request.url = request.exchange.path;
    app(request, response, () => answerUnmatched(request, response));
  };
  for (const event of requestEvents) server.on(event, serve);
  answerParserErrors(server, options.onParserError);
  return server;
}

function beginExchange(request: Request, { index, clock, readAddress }: HttpServerOptions): void {
  const [path, query] = splitTarget(request.url);
  const found = index.find(request.method, path);
  const requestId = newId('req');
  request.exchange = {
    requestId,
    origin: { requestId, traceparent: parseTraceparent(traceparentOf(request)) ?? newTraceparent() },
    deadline: createRequestDeadline(clock),
    billing: new Billing(),
    address: () => readAddress(request.socket.remoteAddress, forwardedFor(request)),
    isHead: request.method === 'HEAD',
    path,
    query,
    operation: found?.operation,
    pathParams: found?.params ?? {},
    body: undefined,
    jsonBody: undefined,
    caller: undefined,
    admission: undefined,
    input: { params: {}, query: {}, body: undefined },
    failure: undefined,
    failureCode: undefined,
  };
}

const forwardedFor = ({ headers }: Request) =>
  typeof headers['x-forwarded-for'] === 'string' ? headers['x-forwarded-for'] : undefined;

const traceparentOf = ({ headers }: Request) =>
  typeof headers.traceparent === 'string' ? headers.traceparent : undefined;

/** Path and query of a request target; a proxy's absolute form has an origin in front. */
export function splitTarget(target: string): [path: string, query: string] {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const cut = local.indexOf('?');
  const path = cut < 0 ? local : local.slice(0, cut);
  return [path === '' ? '/' : path, cut < 0 ? '' : local.slice(cut + 1)];
}

/** The chain answers everything; this is for what express itself might refuse. */
function answerUnmatched(request: Request, response: Response): void {
  const { status, headers, body } = errorReply(
    new AppError('not_found', 'There is no such path; GET /v1 lists those that are served.'),
    request.exchange.requestId,
  );
  if (response.headersSent) return;
  response.writeHead(status, { ...headers, 'X-Request-Id': request.exchange.requestId });
  response.end(body);
}
