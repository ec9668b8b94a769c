import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { addressGroup, type ReadClientAddress } from '@shopscope/client-address';
import type { Clock } from '@shopscope/clock';
import { newId, newTraceparent } from '@shopscope/ids';
import { parseTraceparent } from '@shopscope/telemetry';
import type { CallerUse } from '../keys/caller.ts';
import type { OperationIndex } from './operation-index.ts';
import type { ReceivedRequest } from './request.ts';

export interface ReceiveOptions {
  clock: Clock;
  index: OperationIndex;
  readAddress: ReadClientAddress;
  /** The uses of keys that the listener accepts. By default it accepts only keys of people's systems. */
  keyUses?: readonly CallerUse[];
}

/** The operation is found before the chain runs, because authentication depends on it. */
export function receiveRequest(
  message: IncomingMessage,
  response: ServerResponse,
  target: string,
  { index, clock, readAddress, keyUses = ['api'] }: ReceiveOptions,
): ReceivedRequest {
  const { method = 'GET', headers, socket } = message;
  const [path, search] = splitRequestTarget(target);
  const found = index.find(method, path);
  const requestId = newId('req');
  return {
    message,
    response,
    headers,
    id: requestId,
    requestId,
    origin: {
      requestId,
      traceparent: parseTraceparent(textOf(headers.traceparent)) ?? newTraceparent(),
      environment: null,
    },
    startedAtMs: clock.now(),
    deadline: createRequestDeadline(clock),
    billing: new RequestBilling(),
    keyUses,
    address: () => addressGroup(readAddress(socket.remoteAddress, textOf(headers['x-forwarded-for'])) ?? 'unknown'),
    method,
    isHead: method === 'HEAD',
    path,
    search,
    operation: found?.operation,
    pathParams: found?.params ?? {},
    failure: undefined,
    failureCode: undefined,
    answeredAfterMs: undefined,
    waitedMs: 0,
    isCut: false,
  };
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);

/** Returns the path and the query of a request target. The absolute form, which proxies send, begins with an origin. */
export function splitRequestTarget(target: string): [path: string, search: string] {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const cut = local.indexOf('?');
  const path = cut < 0 ? local : local.slice(0, cut);
  return [path === '' ? '/' : path, cut < 0 ? '' : local.slice(cut + 1)];
}
