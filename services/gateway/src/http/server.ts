import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { addressGroup, type ReadClientAddress } from '@shopscope/client-address';
import { AppError } from '@shopscope/errors';
import { newId, newTraceparent } from '@shopscope/ids';
import { parseTraceparent } from '@shopscope/telemetry';
import { type Request, type Response, Router } from 'express';
import { RequestBilling } from '../charging/request-billing.ts';
import type { CallerUse } from '../keys/caller.ts';
import type { AccessLog } from '../request-log/access-log.ts';
import { type ChainOptions, createChain } from './chain.ts';
import { compose } from './compose.ts';
import { handleParserErrors, type OnParserError } from './parser-errors.ts';
import { errorReply } from './reply/error-reply.ts';
import { createRequestDeadline } from './request-deadline.ts';
import { handleErrors } from './steps/handle-errors.ts';
import { headersTimeoutMs, requestTimeoutMs } from './timeouts.ts';

/**
 * An HTTP server of the contract: Node's server with short timeouts, and express to run the chain. The operation of a request
 * is found before the chain runs, because authentication depends on it. The public listener and the internal one differ in the
 * keys that they accept, and in TLS.
 */
export interface HttpServerOptions extends ChainOptions {
  /** The uses of keys that the listener accepts. By default those of people's systems only. */
  keyUses?: readonly CallerUse[];
  /** By default a server without TLS. */
  createServer?(options: ServerOptions): Server;
  readAddress: ReadClientAddress;
  /** Called for every request when its response has ended. */
  accessLog: AccessLog;
  /** Called for input that the HTTP parser refused. */
  onParserError: OnParserError;
}

const timeoutCheckIntervalMs = 1_000;
/** Longer than the idle timeout of load balancers, so that the balancer closes first. */
const keepAliveTimeoutMs = 65_000;
/** A connection without traffic for this long is closed. */
const inactivityTimeoutMs = 30_000;

/** Node emits another event for a request with an Expect header. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

export function createHttpServer(options: HttpServerOptions): Server {
  const { accessLog } = options;
  // Not an application, which gives each request and response another prototype for methods that no handler calls.
  const router = Router();
  router.use(compose(createChain(options)));
  router.use(handleErrors(options.send));

  const server = (options.createServer ?? createServer)({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: timeoutCheckIntervalMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // The chain responds to a missing Host with the error envelope.
    requireHostHeader: false,
  });
  server.timeout = inactivityTimeoutMs;
  const parserErrors = handleParserErrors(server, options.onParserError);
  const serve = (message: IncomingMessage, outgoing: ServerResponse) => {
    const request = message as Request;
    const response = outgoing as Response;
    beginExchange(request, options);
    parserErrors.add(message, outgoing);
    options.connections?.carries(request.socket, request.exchange.address);
    response.once('close', () => {
      request.exchange.admission?.release();
      accessLog(request.exchange, request.method, response);
    });
    // express treats some request targets specially. Only the chain decides about them.
    request.url = request.exchange.path;
    router(request, response, () => sendNotFound(request, response));
  };
  for (const event of requestEvents) server.on(event, serve);
  server.on('connection', (socket) => options.connections?.opened(socket));
  return server;
}

function beginExchange(request: Request, options: HttpServerOptions): void {
  const { index, clock, readAddress, keyUses = ['api'] } = options;
  const [path, query] = splitRequestTarget(request.url);
  const found = index.find(request.method, path);
  const requestId = newId('req');
  request.exchange = {
    id: requestId,
    requestId,
    origin: { requestId, traceparent: parseTraceparent(traceparentOf(request)) ?? newTraceparent() },
    startedAtMs: clock.now(),
    deadline: createRequestDeadline(clock),
    billing: new RequestBilling(),
    keyUses,
    address: () => addressGroup(readAddress(request.socket.remoteAddress, forwardedFor(request)) ?? 'unknown'),
    isHead: request.method === 'HEAD',
    path,
    query,
    operation: found?.operation,
    pathParams: found?.params ?? {},
    bodyShare: undefined,
    body: undefined,
    screeningMs: 0,
    refusal: undefined,
    overload: undefined,
    jsonBody: undefined,
    caller: undefined,
    admission: undefined,
    input: { params: {}, query: {}, body: undefined },
    begun: undefined,
    failure: undefined,
    failureCode: undefined,
    answeredAfterMs: undefined,
    isCut: false,
  };
}

const forwardedFor = ({ headers }: Request) =>
  typeof headers['x-forwarded-for'] === 'string' ? headers['x-forwarded-for'] : undefined;

const traceparentOf = ({ headers }: Request) =>
  typeof headers.traceparent === 'string' ? headers.traceparent : undefined;

/** Path and query of a request target. The absolute form, which proxies send, begins with an origin. */
export function splitRequestTarget(target: string): [path: string, query: string] {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const cut = local.indexOf('?');
  const path = cut < 0 ? local : local.slice(0, cut);
  return [path === '' ? '/' : path, cut < 0 ? '' : local.slice(cut + 1)];
}

/** The chain responds to every request. This is for requests that express itself does not pass to the chain. */
function sendNotFound(request: Request, response: Response): void {
  const { status, headers, body } = errorReply(
    new AppError('not_found', 'There is no such path; GET /v1 lists those that are served.'),
    request.exchange.requestId,
  );
  if (response.headersSent) return;
  response.writeHead(status, { ...headers, 'X-Request-Id': request.exchange.requestId });
  response.end(body);
}
