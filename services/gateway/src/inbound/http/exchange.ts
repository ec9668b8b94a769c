import type { Deadline } from '@shopscope/async';
import type { Origin } from '@shopscope/telemetry';
import type { Operation } from '../../contract/operation.ts';
import type { AdmissionDecision } from '../../domain/admission.ts';
import type { Billing } from '../../domain/billing.ts';
import type { Caller } from '../../domain/caller.ts';

/** What the chain learns of one request on its way. */
export interface Exchange {
  requestId: string;
  origin: Origin;
  deadline: Deadline;
  billing: Billing;
  /** Of the client, as far as it can be believed. */
  address(): string;
  /** Answered as GET without a body, and never billed. */
  isHead: boolean;
  /** As sent, without the query. */
  path: string;
  /** Without the question mark; '' when there is none. */
  query: string;
  /** Undefined when no operation of the contract has this method and path. */
  operation: Operation | undefined;
  /** Still percent-encoded. */
  pathParams: Readonly<Record<string, string>>;
  /** Undefined when the request had none. */
  body: Buffer | undefined;
  /** The body as JSON, or what is wrong with it; undefined before somebody asked (see `jsonBodyOf`). */
  jsonBody: { value: unknown } | { fault: unknown } | undefined;
  caller: Caller | undefined;
  admission: AdmissionDecision | undefined;
  input: Input;
  /** What went wrong, for the log line. */
  failure: unknown;
  failureCode: string | undefined;
}

/** Validated by the operation's schemas. */
export interface Input {
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** Parsed and validated. */
  body: unknown;
}

declare module 'express-serve-static-core' {
  interface Request {
    exchange: Exchange;
  }
}

/** Behind authentication: what routes of keyed operations get. */
export type KeyedExchange = Exchange & { caller: Caller };
