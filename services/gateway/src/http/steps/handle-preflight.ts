import type { RequestHandler } from 'express';
import { preflightHeaders } from '../cors.ts';
import type { OperationIndex } from '../operation-index.ts';
import type { SendReply } from '../reply/send-reply.ts';

/** Responds to CORS preflights of public documents without a key. On other paths OPTIONS is an unknown method. */
export function handlePreflight(index: OperationIndex, send: SendReply): RequestHandler {
  return (request, response, next) => {
    const isPreflight =
      request.method === 'OPTIONS' && index.find('GET', request.exchange.path)?.operation.access === 'public';
    if (!isPreflight) return next();
    return send(request, response, { status: 204, headers: { ...preflightHeaders }, body: undefined });
  };
}
