import type { Environment } from '@shopscope/environment';
import type { Scope } from '@shopscope/proto';
import type { z } from 'zod';
import type { BillingUnit } from '../endpoints/account/contract.ts';
import type { ErrorName } from './errors.ts';
import type { HeaderName } from './headers.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Whether the service reads the body of a request. A body of another method has no meaning in HTTP, and is counted and dropped. */
export const mayHaveBody = ({ method }: { method: Method }): boolean => method === 'POST' || method === 'PATCH';

/** One operation of the contract: the source of openapi.json, routing, scopes, validation and the service index. */
export interface Operation {
  id: string;
  method: Method;
  /** Template with placeholders in braces, for example /v1/stores/{domain}. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** `public` needs no key. `key` without a scope accepts every valid key. */
  access: 'public' | 'key';
  scope?: Scope;
  /** If it is present, only keys of this environment have the operation. It is not found for others. */
  environment?: Environment;
  /** Scopes that it needs beside `scope`. */
  moreScopes?: readonly Scope[];
  /** Returns further scopes that the members of the body need. The members are not validated yet. */
  bodyScopes?(body: Readonly<Record<string, unknown>>): readonly ScopeNeed[];
  /** Returns a scope that depends on the path. The parameters are not validated yet. The handler may need further scopes. */
  pathScope?(params: Readonly<Record<string, string>>): Scope | undefined;
  /** Returns further scopes that the parameters of the query need. They are not validated yet. */
  queryScopes?(query: URLSearchParams): readonly ScopeNeed[];
  billing: Billing;
  served: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Whether the body may be absent. It then has no members. */
  isBodyOptional?: boolean;
  /** Whether an Idempotency-Key is accepted. The operation may then respond 409, and its success may be a replayed response. */
  idempotent?: boolean;
  /** The domains that a request looks up, as its caller sent them. With a test key, some of them stand for an error of the request. */
  lookedUp?(input: LookUpInput): readonly string[];
  success: Success;
  /** The success of requests that the description names, with another status. */
  otherSuccess?: Success;
  /** Errors in addition to those of every operation with this access. */
  errors?: readonly ErrorName[];
}

/** A scope, and the part of the request that needs it. */
export interface ScopeNeed {
  scope: Scope;
  reason: string;
}

/** The validated input of a request. */
export interface LookUpInput {
  params: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

export interface Billing {
  /** The units that a response may bill. If there are none, the operation is free. */
  units: readonly BillingUnit[];
  /** Describes when the units are billed. */
  when: string;
}

export const free = { units: [], when: 'free' } as const satisfies Billing;

export interface Success {
  status: 200 | 201 | 202 | 204;
  description: string;
  /** Undefined for the status 204. */
  schema?: z.ZodType;
  /** Default: application/json. */
  mediaType?: string;
  example?: unknown;
  requestExample?: unknown;
  headers?: readonly HeaderName[];
  /** A further type that the body may have. */
  otherMediaType?: string;
  /** Whether a Range of bytes gets 206. */
  ranged?: boolean;
  /** Whether a matching If-None-Match gets 304. */
  conditional?: boolean;
  /** The schema of a line, if `Accept: application/x-ndjson` gets one line per row. */
  line?: z.ZodType;
}

/** Whether an operation bills. HEAD of such an operation reveals nothing about its rows, which GET bills. */
export const isBilled = ({ billing }: Pick<Operation, 'billing'>): boolean => billing.units.length > 0;

/** Returns every error of an operation, in the order of the checks. */
export function errorsOf(operation: Operation): ErrorName[] {
  const more = operation.errors ?? [];
  const list: ErrorName[] = ['invalid_request', 'body_too_large'];
  if (operation.access === 'key') list.push('unauthorized', 'rate_limited', 'concurrency_limited');
  else list.push('public_rate_limited');
  if (!operation.served) list.push('not_implemented');
  if (operation.scope || operation.pathScope) list.push('forbidden_scope');
  if (operation.idempotent) list.push('conflict');
  list.push(...more, 'internal', 'unavailable');
  return [...new Set(list)];
}
