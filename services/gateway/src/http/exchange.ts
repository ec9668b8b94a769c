import type { Deadline } from '@shopscope/async';
import type { AppError } from '@shopscope/errors';
import type { Origin } from '@shopscope/telemetry';
import type { RequestBilling } from '../charging/request-billing.ts';
import type { Operation } from '../contract/operation.ts';
import type { Caller, CallerUse } from '../keys/caller.ts';
import type { AdmissionDecision } from '../limits/decision.ts';
import type { BodyShare } from './body/body-budget.ts';

/** One HTTP request and the state that the middleware chain collects for it. */
export interface Exchange {
  /** Made by this gateway and unique. */
  id: string;
  /** The same as `id`, unless the caller chose one. */
  requestId: string;
  origin: Origin;
  /** Wall time. */
  startedAtMs: number;
  deadline: Deadline;
  billing: RequestBilling;
  /** The uses of keys that the listener of this request accepts. */
  keyUses: readonly CallerUse[];
  /** The client's address: see @shopscope/client-address. */
  address(): string;
  /** HEAD: the response is that of GET without a body, and is never billed. */
  isHead: boolean;
  /** As sent, without the query. */
  path: string;
  /** Without the question mark; '' when there is none. */
  query: string;
  /** Undefined when no operation of the contract has this method and path. */
  operation: Operation | undefined;
  /** Still percent-encoded. */
  pathParams: Readonly<Record<string, string>>;
  /** The memory for the body. Undefined: the body is counted and dropped. */
  bodyShare: BodyShare | undefined;
  /** Undefined when the request has no body; empty when it was dropped. */
  body: Buffer | undefined;
  /** Duration of the look-up of the key before the body was read, in ms. 0 without one. */
  screeningMs: number;
  /** Why the key was not accepted before the body was read. */
  refusal: unknown;
  /** Why the body was dropped although the key was accepted. */
  overload: AppError | undefined;
  /** The parsed body or the error of parsing it; undefined before the first call of `jsonBodyOf`. */
  jsonBody: { value: unknown } | { fault: unknown } | undefined;
  caller: Caller | undefined;
  admission: AdmissionDecision | undefined;
  input: ValidatedInput;
  /** What the route waits for, of an operation with a Begin, from the validation of its input on. */
  begun: Promise<unknown> | undefined;
  /** The error of this request, for the log line. */
  failure: unknown;
  failureCode: string | undefined;
  /** Time until the answer was made, in ms. What follows is the time of its reader. Undefined: there is no answer yet. */
  answeredAfterMs: number | undefined;
  /** The connection was closed because the caller read the response too slowly. */
  isCut: boolean;
}

/** The input, validated by the schemas of the operation. */
export interface ValidatedInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

declare module 'express-serve-static-core' {
  interface Request {
    exchange: Exchange;
  }
}

/** The exchange of an operation that requires a key, after authentication. */
export type AuthenticatedExchange = Exchange & { caller: Caller };
