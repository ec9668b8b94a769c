import { invalidField } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import { requestIdPattern } from '../../../contract/headers.ts';
import { quoted } from '../../../domain/sanitized-input.ts';

/** A caller's id is repeated as sent; one that does not fit is refused under the generated id that the exchange has. */
export const assignRequestId: RequestHandler = (request, _response, next) => {
  const sent = request.headers['x-request-id'];
  if (sent === undefined) return next();
  if (typeof sent !== 'string' || !requestIdPattern.test(sent)) {
    const came = typeof sent === 'string' ? quoted(sent) : 'several';
    throw invalidField('X-Request-Id', `must have 8 to 64 characters from A-Z a-z 0-9 _ -, not ${came}`);
  }
  const { exchange } = request;
  exchange.requestId = sent;
  exchange.origin = { ...exchange.origin, requestId: sent };
  next();
};
