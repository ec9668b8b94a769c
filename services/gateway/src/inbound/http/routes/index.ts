import type { IncomingHttpHeaders } from 'node:http';
import type { ServedOperationId } from '../../../contract/served.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from '../reply.ts';

/** Decodes the input, calls one operation and encodes its result. */
export type Route = (exchange: Exchange, headers: IncomingHttpHeaders) => Reply | Promise<Reply>;

export type Routes = Record<ServedOperationId, Route>;
