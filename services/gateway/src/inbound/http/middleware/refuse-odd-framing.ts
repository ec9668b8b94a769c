import { invalidField } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import { quoted } from '../../../domain/shown.ts';
import { countHeaderLines } from '../header-lines.ts';

/**
 * What the HTTP parser lets through and a gateway must not: a transfer coding other than chunked (a neighbour might read
 * the body's end elsewhere, so the connection ends with the answer), a request without a host or with two (of which a
 * neighbour might believe the other one), an expectation that nobody here fulfils, a compressed body.
 */
export const refuseOddFraming: RequestHandler = (request, response, next) => {
  const { headers } = request;
  const transferEncoding = headers['transfer-encoding'];
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') {
    response.shouldKeepAlive = false;
    throw invalidField('Transfer-Encoding', `must be chunked, not ${quoted(transferEncoding)}`);
  }
  if (headers.host === undefined && request.httpVersion !== '1.0') {
    throw invalidField('Host', 'is required and must be the name of this host');
  }
  const hosts = countHeaderLines(request, 'host');
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
  next();
};
