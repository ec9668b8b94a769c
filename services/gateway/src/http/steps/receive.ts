import { AppError, invalidField } from '@shopscope/errors';
import { quoted } from '@shopscope/text';
import { requestIdPattern } from '../../contract/headers.ts';
import { countHeaderLines } from '../header-lines.ts';
import type { ReceivedRequest } from '../request.ts';

/** Uses the caller's X-Request-Id. An invalid one causes 400, with the generated id that the request already has. */
export function assignRequestId(request: ReceivedRequest): void {
  const sent = request.message.headers['x-request-id'];
  if (sent === undefined) return;
  if (typeof sent !== 'string' || !requestIdPattern.test(sent)) {
    const received = typeof sent === 'string' ? quoted(sent) : 'several';
    throw invalidField('X-Request-Id', `must have 8 to 64 characters from A-Z a-z 0-9 _ -, not ${received}`);
  }
  request.requestId = sent;
  request.origin = { ...request.origin, requestId: sent };
}

/** Rejects new requests of a stopping instance with 503. Requests in progress continue. */
export function rejectWhileStopping(isStopping: () => boolean): void {
  if (!isStopping()) return;
  throw new AppError('unavailable', 'This instance is stopping; retry at once.', { details: { retry_after: 1 } });
}

/**
 * Rejects framing that the HTTP parser accepts but another HTTP server could read differently (request smuggling):
 *
 * - A transfer coding other than chunked -> 400, and the connection closes.
 * - No Host header -> 400. Several Host headers -> 400, and the connection closes.
 * - A compressed body, or an expectation other than 100-continue -> 400.
 */
export function rejectInvalidFraming({ message, response }: ReceivedRequest): void {
  const { headers } = message;
  const transferEncoding = headers['transfer-encoding'];
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') {
    response.shouldKeepAlive = false;
    throw invalidField('Transfer-Encoding', `must be chunked, not ${quoted(transferEncoding)}`);
  }
  if (headers.host === undefined && message.httpVersion !== '1.0') {
    throw invalidField('Host', 'is required and must be the name of this host');
  }
  const hosts = countHeaderLines(message, 'host');
  if (hosts > 1) {
    response.shouldKeepAlive = false;
    throw invalidField('Host', `must be given once, not ${hosts} times`);
  }
  const contentEncoding = headers['content-encoding'];
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw invalidField('Content-Encoding', `must be identity, not ${quoted(contentEncoding)}`);
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw invalidField('Expect', `must be 100-continue, not ${quoted(headers.expect)}`);
  }
}
