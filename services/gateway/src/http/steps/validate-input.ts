import { z } from 'zod';
import { parsePathParams, parseQuery, validate } from '../input/validation.ts';
import type { ReadRequest, ServedOperation, ValidatedRequest } from '../request.ts';
import type { ParsedBody } from './parse-body.ts';

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
