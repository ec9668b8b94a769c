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
 * The types of a request in the order of the chain (chain.ts): received, read, authenticated and admitted. A validated request has
 * its typed input. A request may be validated before it is admitted. A step adds members and returns the next type.
 */
export interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: IncomingHttpHeaders;
  /** This gateway creates the id. It is unique. */
  readonly id: string;
  /** Equals `id`, unless the caller chose a request id. */
  requestId: string;
  /** Its environment is null until the key is authenticated. */
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
  /** Whether the method is HEAD. The response is that of GET without its body, and it is never billed. */
  readonly isHead: boolean;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The query without the question mark, or '' if there is no query. */
  readonly search: string;
  /** Undefined when no operation of the contract has this method and path. */
  readonly operation: Operation | undefined;
  /** The values are still percent-encoded. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** The error of this request, for the log line. */
  failure: unknown;
  failureCode: string | undefined;
  /** Time until the response was ready, in ms. It excludes the time in which the caller reads it. Undefined until it is ready. */
  answeredAfterMs: number | undefined;
  /** Time in which the request waited because its caller asked it to, in ms. It is not a latency of the service. */
  waitedMs: number;
  /** Whether the connection was closed because the caller read the response too slowly. */
  isCut: boolean;
}

/** A request whose body has arrived. */
export interface ReadRequest extends ReceivedRequest {
  /** The body. It is undefined when the request has no body, and empty when the body was dropped. */
  bytes: Buffer | undefined;
  /** The error of the key look-up that runs before the body is read. */
  refusal: unknown;
  /** The reason why the body was dropped although the key is accepted. */
  overload: AppError | undefined;
}

export interface AuthenticatedRequest extends ReadRequest {
  caller: Caller;
}

export interface AdmittedRequest extends AuthenticatedRequest {
  admission: AdmissionDecision;
}

/** A request for a served operation whose input is valid. The operation defines the types of the members: see define-endpoint.ts. */
export interface ValidatedRequest extends ReadRequest {
  readonly operation: ServedOperation;
  /** Undefined for an operation that needs no key. */
  caller?: Caller;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The JSON of the body as it was sent. Undefined if there is no body. */
  json: unknown;
  /** The promise that the operation's `begin` returned. */
  begun: Promise<unknown> | undefined;
}

/** A request that has ended, after any step of the chain. */
export interface EndedRequest extends ReceivedRequest {
  bytes?: Buffer | undefined;
  caller?: Caller | undefined;
  admission?: AdmissionDecision | undefined;
  body?: unknown;
}

/** An operation that this build serves, bound to its dependencies. */
export interface ServedOperation extends Operation {
  /**
   * Begins to read, perhaps before the admission. It only reads. Nothing is therefore lost when the request is refused afterwards. It
   * reads nothing if the deadline is cancelled before the call starts.
   */
  begin?(request: ValidatedRequest): Promise<unknown>;
  handle(request: ValidatedRequest): Reply | Promise<Reply>;
}

export const isServed = (operation: Operation): operation is ServedOperation => operation.served;
