import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Deadline } from '@shopscope/async';
import type { RequestBilling } from '@shopscope/charging';
import type { AppError } from '@shopscope/errors';
import type { Origin } from '@shopscope/telemetry';
import type { Operation } from '../contract/operation.ts';
import type { Caller, CallerUse } from '../keys/caller.ts';
import type { AdmissionDecision } from '../limits/decision.ts';
import type { Reply } from './reply/reply.ts';

/**
 * The types of a request on its way through the chain (chain.ts): received, read, authenticated and admitted. A validated one has
 * its typed input; validation may precede the admission. A step adds members and returns the next type.
 */
export interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: IncomingHttpHeaders;
  /** Made by this gateway and unique. */
  readonly id: string;
  /** The same as `id`, unless the caller chose one. */
  requestId: string;
  origin: Origin;
  /** Wall time. */
  readonly startedAtMs: number;
  deadline: Deadline;
  readonly billing: RequestBilling;
  /** The uses of keys that the listener of this request accepts. */
  readonly keyUses: readonly CallerUse[];
  /** The client's address: see @shopscope/client-address. */
  address(): string;
  readonly method: string;
  /** HEAD: the response is that of GET without a body, and is never billed. */
  readonly isHead: boolean;
  /** As sent, without the query. */
  readonly path: string;
  /** The query without the question mark; '' when there is none. */
  readonly search: string;
  /** Undefined when no operation of the contract has this method and path. */
  readonly operation: Operation | undefined;
  /** Still percent-encoded. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** The error of this request, for the log line. */
  failure: unknown;
  failureCode: string | undefined;
  /** Time until the response was ready, in ms, without the time in which the caller reads it. Undefined: it is not ready yet. */
  answeredAfterMs: number | undefined;
  /** The connection was closed because the caller read the response too slowly. */
  isCut: boolean;
}

/** A request whose body has arrived. */
export interface ReadRequest extends ReceivedRequest {
  /** The body. It is undefined when the request has none, and empty when it was dropped. */
  bytes: Buffer | undefined;
  /** The error of the look-up of the key that precedes the body. */
  refusal: unknown;
  /** The reason for which the body was dropped although the key is accepted. */
  overload: AppError | undefined;
}

export interface AuthenticatedRequest extends ReadRequest {
  caller: Caller;
}

export interface AdmittedRequest extends AuthenticatedRequest {
  admission: AdmissionDecision;
}

/** A request for a served operation whose input is valid. The operation types its members: see define-endpoint.ts. */
export interface ValidatedRequest extends ReadRequest {
  readonly operation: ServedOperation;
  /** Undefined for an operation without a key. */
  caller?: Caller;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The JSON of the body as it was sent. Undefined without one. */
  json: unknown;
  /** The promise of `begin` of the operation. */
  begun: Promise<unknown> | undefined;
}

/** A request that has ended, however far it came. */
export interface EndedRequest extends ReceivedRequest {
  bytes?: Buffer | undefined;
  caller?: Caller | undefined;
  admission?: AdmissionDecision | undefined;
  body?: unknown;
}

/** An operation that this build serves, bound to what it uses. */
export interface ServedOperation extends Operation {
  /**
   * Begins to read, perhaps before the admission. It only reads, so nothing is lost when the request is refused afterwards. Nothing
   * is read when the deadline is cancelled before the call starts.
   */
  begin?(request: ValidatedRequest): Promise<unknown>;
  handle(request: ValidatedRequest): Reply | Promise<Reply>;
}

export const isServed = (operation: Operation): operation is ServedOperation => operation.served;
