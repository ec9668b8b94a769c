import type { z } from 'zod';
import type { Scope } from './account.ts';
import type { ErrorName } from './errors.ts';
import type { HeaderName } from './headers.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One operation of the contract. openapi.json, routing, scopes, validation and the service index come from it. */
export interface Operation {
  id: string;
  method: Method;
  /** Template with placeholders in braces, e.g. /v1/stores/{domain}. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Public operations need no key; any valid key will do where scope is absent. */
  access: 'public' | 'key';
  scope?: Scope;
  /** Billing units and when they are spent, or free. */
  billing: string;
  served: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Takes an Idempotency-Key: may answer 409, and its success may be a repeated one. */
  idempotent?: boolean;
  success: Success;
  /** Errors beyond those that every operation of its access has. */
  errors?: readonly ErrorName[];
}

export interface Success {
  status: 200 | 201 | 202 | 204;
  description: string;
  /** Absent with 204. */
  schema?: z.ZodType;
  example?: unknown;
  requestExample?: unknown;
  headers?: readonly HeaderName[];
  /** Also answers 304 to a matching If-None-Match. */
  conditional?: boolean;
}

/** Every error an operation may answer, in the order of their checks. */
export function errorsOf(operation: Operation): ErrorName[] {
  const more = operation.errors ?? [];
  const list: ErrorName[] = ['invalid_request', 'body_too_large'];
  if (operation.access === 'key') list.push('unauthorized', 'rate_limited', 'concurrency_limited');
  if (!operation.served) list.push('not_implemented');
  if (operation.scope) list.push('forbidden_scope');
  if (operation.idempotent) list.push('conflict');
  list.push(...more, 'internal', 'unavailable');
  return [...new Set(list)];
}
