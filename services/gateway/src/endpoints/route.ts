import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply/reply.ts';
import type { ServedOperationId } from './served.ts';

/** Decodes the input, calls one operation and encodes its result. */
export type Route = (exchange: Exchange, headers: IncomingHttpHeaders) => Reply | Promise<Reply>;

export type Routes = Record<ServedOperationId, Route>;

/**
 * Begins to read for an authenticated request whose input is valid, perhaps before its admission. It only reads, so nothing is lost
 * when the request is refused afterwards. The deadline is cancelled before a call starts -> nothing is read.
 */
export type Begin = (exchange: Exchange) => Promise<unknown>;

/** Of the operations whose reading begins early. Their routes find the promise in `exchange.begun`. */
export type Begins = Record<'getStore' | 'getStoreHistory', Begin>;
