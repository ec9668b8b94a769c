import { invalidField } from '@shopscope/errors';
import { countHeaderLines } from '../header-lines.ts';
import { quoted } from '../input/sanitized-input.ts';
import type { ReceivedRequest } from '../request.ts';

/**
 * Rejects framing that the HTTP parser accepts and that another HTTP server could read differently (request smuggling):
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
