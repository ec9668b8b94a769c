import type { Deadline } from '@shopscope/async';
import { type CallOptions, callPeerForCaller } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';

/** The request whose call it is. */
export interface OfRequest {
  origin: Origin;
  deadline: Deadline;
  /** Cancels the call. */
  abort?: AbortSignal | undefined;
}

/** Makes the calls of an RPC. A refusal by the service has the text for the caller. */
export const forCaller =
  <Request, Response>(method: (request: Request, options?: CallOptions) => Promise<Response>) =>
  (request: Request, { origin, deadline }: OfRequest): Promise<Response> =>
    callPeerForCaller((options) => method(request, options), { origin, deadline });
