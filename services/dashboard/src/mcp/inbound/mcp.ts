import { createDeadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { AppError, isServerFault } from '@shopscope/errors';
import { parseApiKey } from '@shopscope/ids';
import { type Logger, type Origin, originFields } from '@shopscope/telemetry';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import { faultOf, type ResponseFault, recordFault } from '../../app/inbound/response-fault.ts';
import { closeWithUnreadBody } from '../../app/inbound/unread-body.ts';
import type { McpCaller, McpRequest } from '../operations/mcp.ts';

/** The operations, with their dependencies. */
export interface Mcp {
  admit(token: string | undefined, request: McpRequest): Promise<McpCaller>;
  answer(caller: McpCaller, exchange: { request: Request; message: unknown }): Promise<Response>;
}

export interface ServeMcpOptions {
  mcp: Mcp;
  url: string;
  logger: Logger;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  onAnswer(answer: { environment: Environment; status: number; fault: ResponseFault }): void;
}

/** The messages of the tools have at most a few thousand bytes. */
const maxBodyBytes = 64 * 1024;
/** A message that is not yet complete occupies a place of its workspace. */
const bodyMs = 5_000;

/**
 * Answers messages of the Model Context Protocol at `/mcp`: streamable HTTP without sessions and streams.
 *
 * - The Host was checked before. Origin is checked first, because a page of another site could reach a server in a private network.
 * - Cookies are not read. The API key identifies the caller, so a page of another site has nothing to misuse.
 * - The body is read after the key was accepted. It must be one message of at most 64 KiB and arrive within {@link bodyMs}.
 * - The caller is at a limit -> 429. There are too many messages in all -> 503. Both have Retry-After.
 * - The caller disconnects -> running tools end.
 */
export function serveMcp({ mcp, url, logger, clock, onAnswer }: ServeMcpOptions): RequestHandler {
  const own = new URL(url);

  const answer = async (request: ExpressRequest, response: ExpressResponse): Promise<Response> => {
    const { origin, address } = response.locals as { origin: McpCaller['origin']; address: string };
    const from = request.get('origin');
    if (from !== undefined && from !== own.origin) throw refusal(403, 'Pages of other sites may not call this server.');
    if (request.method !== 'POST') throw refusal(405, 'This server answers POST.');
    const token = tokenOf(request);
    const gone = new AbortController();
    response.once('close', () => gone.abort(new AppError('unavailable', 'The caller has disconnected.')));
    const caller = await mcp.admit(token, { origin, address, signal: gone.signal });
    try {
      const message = await createDeadline(bodyMs, { clock, error: tooSlow }).race(readMessage(request));
      return await mcp.answer(caller, { request: headersOnly(request, url), message });
    } finally {
      caller.end();
    }
  };

  const fail = (response: ExpressResponse, thrown: unknown) => {
    const error = AppError.from(thrown);
    const { origin } = response.locals as { origin: Origin };
    const isFault = isServerFault(error);
    const level = isFault ? 'error' : 'info';
    const { code, status, fault, details } = error;
    recordFault(response, fault);
    logger[level]({ ...originFields(origin), code, status, err: isFault ? error : undefined }, 'an MCP message failed');
    if (details.retry_after !== undefined) response.set('Retry-After', String(details.retry_after));
    if (status === 401) response.set('WWW-Authenticate', 'Bearer');
    if (status === 405) response.set('Allow', 'POST');
    closeWithUnreadBody(response.req, response);
    // A protocol error without an id, because the message was not read.
    const data = { code, request_id: origin.requestId, ...details };
    response
      .status(status)
      .json({ jsonrpc: '2.0', error: { code: -32_000, message: error.publicMessage, data }, id: null });
  };

  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    // The key decides the environment. A message without a well-formed key counts as live.
    const environment = parseApiKey(tokenOf(request) ?? '')?.environment ?? 'live';
    response.locals.origin = { ...response.locals.origin, environment };
    response.once('close', () => onAnswer({ environment, status: response.statusCode, fault: faultOf(response) }));
    try {
      const answered = await answer(request, response);
      response.status(answered.status);
      for (const [name, value] of answered.headers) response.set(name, value);
      response.end(Buffer.from(await answered.arrayBuffer()));
    } catch (error) {
      if (!response.headersSent && !response.destroyed) fail(response, error);
    }
  };
}

const tokenOf = (request: ExpressRequest): string | undefined =>
  /^Bearer +(\S{1,200})$/i.exec(request.get('authorization') ?? '')?.[1];

const tooLarge = () => refusal(413, `A message has at most ${maxBodyBytes} bytes.`);
const tooSlow = () => refusal(408, 'The message did not come in time.');
const refusal = (status: number, message: string) => new AppError('invalid_request', message, { status });

/** The parts of a request that the transport of the SDK reads. */
const headersOnly = ({ headers }: ExpressRequest, url: string) => {
  const { accept, 'content-type': type, 'mcp-protocol-version': version } = headers;
  const read = { accept, 'content-type': type, 'mcp-protocol-version': version };
  const given = Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Request(url, { method: 'POST', headers: given });
};

async function readMessage(request: ExpressRequest): Promise<unknown> {
  if (Number(request.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  let message: unknown;
  try {
    message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw refusal(400, 'The body is not JSON.');
  }
  // The limits would count a list of calls as one request.
  if (Array.isArray(message)) throw refusal(400, 'Send one message in a request, not a list.');
  return message;
}
