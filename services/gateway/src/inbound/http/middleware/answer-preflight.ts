import type { RequestHandler } from 'express';
import { preflightHeaders } from '../../../contract/cors.ts';
import type { OperationIndex } from '../operation-index.ts';
import type { SendReply } from '../send-reply.ts';

/** OPTIONS on a public document: a browser's preflight needs no key. On any other path OPTIONS is a wrong method. */
export function answerPreflight(index: OperationIndex, send: SendReply): RequestHandler {
  return (request, response, next) => {
    const isPreflight =
      request.method === 'OPTIONS' && index.find('GET', request.exchange.path)?.operation.access === 'public';
    if (!isPreflight) return next();
    return send(request, response, { status: 204, headers: { ...preflightHeaders }, body: undefined });
  };
}
