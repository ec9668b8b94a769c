import { AppError, invalidField } from '@shopscope/errors';
import type { RequestHandler } from 'express';
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
    throw invalidField('Transfer-Encoding', 'must be chunked');
  }
  if (headers.host === undefined && request.httpVersion !== '1.0') {
    throw new AppError('invalid_request', 'Host: is required', { details: { field: 'Host' } });
  }
  if (countHeaderLines(request, 'host') > 1) {
    response.shouldKeepAlive = false;
    throw invalidField('Host', 'must be sent once');
  }
  const contentEncoding = headers['content-encoding'];
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw invalidField('Content-Encoding', 'is not supported; send the body as it is');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw invalidField('Expect', 'is not supported');
  }
  next();
};
