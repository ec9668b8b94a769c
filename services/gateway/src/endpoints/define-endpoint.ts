import type { IncomingHttpHeaders } from 'node:http';
import type { Deadline } from '@shopscope/async';
import type { RequestBilling } from '@shopscope/charging';
import type { Origin } from '@shopscope/telemetry';
import type { z } from 'zod';
import type { Operation } from '../contract/operation.ts';
import type { Reply } from '../http/reply/reply.ts';
import type { ServedOperation, ValidatedRequest } from '../http/request.ts';
import type { Caller } from '../keys/caller.ts';
import type { Dependencies } from './dependencies.ts';
import type { RequestEnd } from './events/waiting-requests.ts';

type Access = Operation['access'];
type NoMembers = z.ZodObject<Record<never, never>>;

/** A request as the handler of an endpoint gets it: typed by the schemas of the endpoint. */
export interface EndpointRequest<
  A extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
> {
  /** Undefined if the endpoint needs no key. */
  caller: A extends 'key' ? Caller : undefined;
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  /** The JSON of the body as it was sent. */
  json: unknown;
  headers: IncomingHttpHeaders;
  isHead: boolean;
  /** Tells when the caller disconnects. */
  response: RequestEnd;
  /** The handler adds the time of its waits. */
  waitedMs: number;
  origin: Origin;
  deadline: Deadline;
  billing: RequestBilling;
  operation: Pick<Operation, 'id'>;
}

interface Schemas<Params, Query, Body> {
  params?: Params;
  query?: Query;
  body?: Body;
}

interface Handlers<Request, Begun> {
  /** Begins to read, perhaps before the admission. It only reads: see {@link ServedOperation.begin}. */
  begin?(request: Request, deps: Dependencies): Promise<Begun>;
  /** Makes the reply. `begun` is the promise that `begin` returned. */
  handle(request: Request, deps: Dependencies, begun: Promise<Begun>): Reply | Promise<Reply>;
}

/** The definition of a served operation. `bind` gives the handler its dependencies. */
export interface Endpoint extends Operation {
  served: true;
  bind(deps: Dependencies): ServedOperation;
}

/** Defines a served operation by its contract and the handler of its requests. */
export function defineEndpoint<
  const A extends Access,
  Params extends z.ZodObject = NoMembers,
  Query extends z.ZodObject = NoMembers,
  Body extends z.ZodObject = NoMembers,
  Begun = never,
>({
  begin,
  handle,
  ...contract
}: Omit<Operation, 'access' | 'served' | 'params' | 'query' | 'body'> & { access: A } & Schemas<Params, Query, Body> &
  Handlers<EndpointRequest<A, Params, Query, Body>, Begun>): Endpoint {
  const operation = { ...contract, served: true } as const;
  // The cast is safe: the schemas of this operation have validated the input, and `access` decides whether there is a caller.
  const typed = (request: ValidatedRequest) => request as unknown as EndpointRequest<A, Params, Query, Body>;
  return {
    ...operation,
    bind: (deps) => ({
      ...operation,
      ...(begin && { begin: (request: ValidatedRequest) => begin(typed(request), deps) }),
      handle: (request) => handle(typed(request), deps, request.begun as Promise<Begun>),
    }),
  };
}
