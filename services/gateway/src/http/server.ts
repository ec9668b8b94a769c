import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { OutcomeUnknownError } from '@shopscope/charging';
import { AppError } from '@shopscope/errors';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { AccessLog } from '../request-log/access-log.ts';
import { type ChainOptions, createChain } from './chain.ts';
import { handleParserErrors, type OnParserError } from './parser-errors.ts';
import { type ReceiveOptions, receiveRequest } from './receive-request.ts';
import { errorReply } from './reply/error-reply.ts';
import type { SendReply } from './reply/send-reply.ts';
import type { EndedRequest } from './request.ts';
import { headersTimeoutMs, requestTimeoutMs } from './timeouts.ts';

/**
 * An HTTP server of the contract: Node's server with short timeouts, and express to run the chain. The public listener and the
 * internal one differ in the keys that they accept, and in TLS.
 */
export interface HttpServerOptions extends ChainOptions, ReceiveOptions {
  /** By default, it creates a server without TLS. */
  createServer?(options: ServerOptions): Server;
  /** Called for every request when its response has ended. */
  accessLog: AccessLog;
  /** Called for input that the HTTP parser refused. */
  onParserError: OnParserError;
}

const timeoutCheckIntervalMs = 1_000;
/** Longer than the idle timeout of load balancers, so that the load balancer closes the connection first. */
const keepAliveTimeoutMs = 65_000;
/** A connection without traffic for this long is closed. */
const inactivityTimeoutMs = 30_000;

/** Node emits other events for a request with an Expect header. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

export function createHttpServer(options: HttpServerOptions): Server {
  const { accessLog, connections, send } = options;
  const chain = createChain(options);
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
  const serve = async (message: Request, response: Response) => {
    const request: EndedRequest = receiveRequest(message, response, message.originalUrl, options);
    parserErrors.add(message, response);
    connections?.carries(message.socket, request.address);
    response.once('close', () => {
      request.admission?.release();
      accessLog(request);
    });
    try {
      const reply = await chain(request);
      if (reply) await send(request, reply);
    } catch (thrown) {
      await sendError(send, request, thrown);
    }
  };
  // A Router without an application: an application replaces the prototypes of the request and the response, which costs 4 % of the CPU
  // of a GET (measured in `npm run bench`, alternating).
  const router = Router().use(serve as RequestHandler);
  for (const event of requestEvents) {
    server.on(event, (message: IncomingMessage, response: ServerResponse) => {
      // express treats some request targets specially. Only the chain decides about them.
      Object.assign(message, { originalUrl: message.url, url: '/' });
      // The chain sends every response. An error that escapes it gets no response: express would send a page with the stack.
      router(message as Request, response as Response, () => response.destroy());
    });
  }
  server.on('connection', (socket) => connections?.opened(socket));
  return server;
}

/** Turns an error into a response. Only the log line of the request contains the cause. */
async function sendError(send: SendReply, request: EndedRequest, thrown: unknown): Promise<void> {
  request.failure = thrown;
  if (thrown instanceof OutcomeUnknownError) {
    request.failureCode = 'withheld';
    request.response.destroy();
    return;
  }
  const error = AppError.from(thrown);
  request.failureCode = error.code;
  await send(request, errorReply(error, request.requestId));
}
