import type { IncomingMessage, ServerResponse } from 'node:http';
import { responseTimeoutMs } from '@shopscope/charging';
import type { Origin } from '@shopscope/telemetry';
import { publicCorsHeaders } from '../../contract/cors.ts';
import { isBilled } from '../../contract/operation.ts';
import type { Caller } from '../../keys/caller.ts';
import type { AdmissionDecision } from '../../limits/decision.ts';
import { announcesBody } from '../header-lines.ts';
import type { EndedRequest } from '../request.ts';
import type { Reply } from './reply.ts';
import type { WriteBody } from './write-body.ts';
import type { WriteStream } from './write-stream.ts';

/**
 * Sends a reply with the headers that every response has.
 *
 * Failures:
 * - The deadline was cancelled, or 10.5 s have passed (the process was suspended) -> the connection closes instead of a 2xx.
 * - The charge may be billed -> no error is sent, because errors state that nothing was billed. The connection closes.
 */
export type SendReply = (request: EndedRequest, reply: Reply) => Promise<void>;

/** How long the rest of a refused body is read and dropped, so that a caller that is still sending gets the response. */
const lingerMs = 500;
/** The maximum number of chunks of this rest, because each chunk costs the same, whatever its size. */
const maxLingerChunks = 256;

export interface SendReplyOptions {
  /** The number of lookup_cached units left, for replies without `usageRemaining`. Undefined if metering does not respond in time. */
  balances: { remaining(caller: Caller, origin: Origin): number | undefined | Promise<number | undefined> };
  isDraining: () => boolean;
  writeBody: WriteBody;
  writeStream: WriteStream;
}

export function createSendReply(options: SendReplyOptions): SendReply {
  return async (request, reply) => {
    const { message, response, billing } = request;
    const remaining = await usageRemaining(request, reply, options.balances);
    if (response.headersSent || response.destroyed) return;
    const { deadline } = request;
    const shown = hidesRows(request) ? withoutRows(reply) : reply;
    const isLate = reply.status < 300 && (deadline.cancelled || deadline.elapsedMs > responseTimeoutMs);
    if (isLate || (reply.status >= 400 && billing.mayBeBilled)) {
      request.failureCode = 'withheld';
      response.destroy();
      return;
    }
    deadline.cancel();
    const unread = !message.complete && announcesBody(message);
    const headers: string[] = ['X-Request-Id', request.requestId, 'X-Content-Type-Options', 'nosniff'];
    pushAll(headers, shown.headers);
    if (request.operation?.access === 'public') pushAll(headers, publicCorsHeaders);
    if (request.caller?.keyEnvironment === 'test') headers.push('X-Shopscope-Environment', 'test');
    if (request.admission && request.caller)
      pushLimits(headers, request.caller.plan.rpm, shownLimits(request.admission, reply));
    if (remaining !== undefined) headers.push('X-Usage-Remaining', String(remaining));
    if (unread || options.isDraining()) headers.push('Connection', 'close');
    if (shown.body) headers.push('Content-Length', String(shown.body.length));
    request.answeredAfterMs = deadline.elapsedMs;
    response.writeHead(shown.status, headers);
    if (unread) lingeringClose(message, response, shown.body);
    else if (shown.stream && !request.isHead) void options.writeStream(request, shown.stream);
    else options.writeBody(request, shown.body);
  };
}

/** Whether the response hides its rows. HEAD is free. If GET bills, a length or a tag would reveal something about the rows. */
const hidesRows = ({ isHead, operation }: EndedRequest) => isHead && operation !== undefined && isBilled(operation);

/** Headers that depend only on the status and on the limits of the key. */
const rowlessHeaders = ['Retry-After', 'WWW-Authenticate'];

function withoutRows({ status, headers }: Reply): Reply {
  const kept = rowlessHeaders.filter((name) => headers[name] !== undefined);
  return { status, headers: Object.fromEntries(kept.map((name) => [name, headers[name] as string])), body: undefined };
}

function pushAll(headers: string[], more: Readonly<Record<string, string>>): void {
  for (const name in more) headers.push(name, more[name] as string);
}

function usageRemaining({ caller, origin }: EndedRequest, reply: Reply, balances: SendReplyOptions['balances']) {
  if (!caller || reply.headers['X-Usage-Remaining'] !== undefined) return undefined;
  return reply.usageRemaining ?? balances.remaining(caller, origin);
}

/** A response 429 shows a spent minute, also when a store of the test tenant stands for it. */
const shownLimits = (admission: AdmissionDecision, { status, headers }: Reply) =>
  status === 429 ? { remaining: 0, resetSeconds: Number(headers['Retry-After']) } : admission;

function pushLimits(
  headers: string[],
  rpm: number,
  { remaining, resetSeconds }: Pick<AdmissionDecision, 'remaining' | 'resetSeconds'>,
) {
  const left = String(remaining);
  const reset = String(resetSeconds);
  headers.push('X-RateLimit-Limit', String(rpm), 'X-RateLimit-Remaining', left, 'X-RateLimit-Reset', reset);
  headers.push('RateLimit-Policy', `"minute";q=${rpm};w=60`, 'RateLimit', `"minute";r=${left};t=${reset}`);
}

/** If the connection closed while the caller still sends, it would be reset before the caller reads the response. */
function lingeringClose(message: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
  response.write(body ?? '');
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  let chunks = 0;
  message.on('data', () => {
    if (++chunks === maxLingerChunks) end();
  });
  message.once('end', end);
  message.once('close', end);
  message.resume();
}
