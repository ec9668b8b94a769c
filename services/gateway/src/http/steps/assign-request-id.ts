import { invalidField } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import { requestIdPattern } from '../../contract/headers.ts';
import { quoted } from '../input/sanitized-input.ts';

/** Uses the caller's X-Request-Id. An invalid one is 400, under the generated id that the exchange already has. */
export const assignRequestId: RequestHandler = (request, _response, next) => {
  const sent = request.headers['x-request-id'];
  if (sent === undefined) return next();
  if (typeof sent !== 'string' || !requestIdPattern.test(sent)) {
    const received = typeof sent === 'string' ? quoted(sent) : 'several';
    throw invalidField('X-Request-Id', `must have 8 to 64 characters from A-Z a-z 0-9 _ -, not ${received}`);
  }
  const { exchange } = request;
  exchange.requestId = sent;
  exchange.origin = { ...exchange.origin, requestId: sent };
  next();
};
