import { AppError } from '@shopscope/errors';
import { validate } from '@shopscope/text';
import { z } from 'zod';
import { errorAnswers } from '../../contract/errors.ts';
import { mayHaveBody } from '../../contract/operation.ts';
import type { Caller } from '../../keys/caller.ts';
import { requireScopes } from '../../keys/require-scopes.ts';
import { describeMissingRoute } from '../describe-missing-route.ts';
import { parseJsonBody, parsePathParams, parseQuery } from '../input/validation.ts';
import type { OperationIndex } from '../operation-index.ts';
import {
  isServed,
  type ReadRequest,
  type ReceivedRequest,
  type ServedOperation,
  type ValidatedRequest,
} from '../request.ts';

/** Throws 404 for an operation that the contract or the environment of the key does not have, and 501 for one that is announced and not served. */
export function requireServedOperation<Received extends ReceivedRequest & { caller?: Caller }>(
  index: OperationIndex,
  request: Received,
): Received & { operation: ServedOperation } {
  const { operation, method, path, caller } = request;
  if (operation?.environment && operation.environment !== caller?.keyEnvironment) {
    throw new AppError('not_found', errorAnswers.not_found_test.message);
  }
  if (!operation) throw new AppError('not_found', describeMissingRoute(index, method, path));
  if (!isServed(operation)) {
    throw new AppError('not_implemented', 'This operation is not served yet; GET /v1 lists those that are.');
  }
  return request as Received & { operation: ServedOperation };
}

/** The JSON of a body as it was sent, or the error of parsing it. Undefined if the operation reads no body. */
type ParsedBody = { value: unknown } | { error: unknown } | undefined;

export function parseBody({ operation, bytes, message }: ReadRequest & { operation: ServedOperation }): ParsedBody {
  const isSent = mayHaveBody(operation) && bytes !== undefined && bytes.length > 0;
  if (!operation.body && !isSent) return undefined;
  if (!isSent && operation.isBodyOptional) return { value: {} };
  try {
    return { value: parseJsonBody(bytes, message.headers['content-type']) };
  } catch (error) {
    return { error };
  }
}

/** Requires the scopes of the operation, including those that depend on the path, the query and the body, even if these are invalid. */
export function requireScope(
  { operation, pathParams, search }: Pick<ReceivedRequest, 'pathParams' | 'search'> & { operation: ServedOperation },
  caller: Pick<Caller, 'scopes'>,
  parsed: ParsedBody,
): void {
  const { scope, moreScopes = [], pathScope, bodyScopes, queryScopes } = operation;
  requireScopes(caller, [scope, ...moreScopes, pathScope?.(pathParams)]);
  const { scopes } = caller;
  const needs = [...(bodyScopes?.(membersOf(parsed)) ?? []), ...(queryScopes?.(new URLSearchParams(search)) ?? [])];
  const missing = needs.find((need) => !scopes.includes(need.scope));
  if (missing) {
    throw new AppError(
      'forbidden_scope',
      `${missing.reason} needs the scope ${missing.scope}, which this key does not have.`,
    );
  }
}

function membersOf(parsed: ParsedBody): Readonly<Record<string, unknown>> {
  const value = parsed && 'value' in parsed ? parsed.value : undefined;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The schema of an operation without query parameters, and of a POST whose body has no members. */
export const noMembers = z.strictObject({});

/** Validates path parameters, query and body with the schemas of the operation. Unknown members are refused. */
export function validateInput(
  request: ReadRequest & { operation: ServedOperation },
  parsed: ParsedBody,
): ValidatedRequest {
  const { operation, search } = request;
  const params = operation.params ? validate(operation.params, parsePathParams(request.pathParams), 'path') : {};
  const hasQuery = operation.query !== undefined || search !== '';
  const query = hasQuery ? validate(operation.query ?? noMembers, parseQuery(search), 'query') : {};
  if (parsed && 'error' in parsed) throw parsed.error;
  const body = parsed && validate(operation.body ?? noMembers, parsed.value, 'body');
  return Object.assign(request, { params, query, json: parsed?.value, body, begun: undefined });
}
