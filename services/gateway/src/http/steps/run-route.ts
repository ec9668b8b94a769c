import type { RequestHandler } from 'express';
import type { Routes } from '../../endpoints/route.ts';
import type { ServedOperationId } from '../../endpoints/served.ts';
import type { SendReply } from '../reply/send-reply.ts';

/** Runs the route of the operation and sends its reply. */
export function runRoute(routes: Routes, send: SendReply): RequestHandler {
  return async (request, response) => {
    const { exchange } = request;
    const route = routes[exchange.operation?.id as ServedOperationId];
    await send(request, response, await route(exchange, request.headers));
  };
}
