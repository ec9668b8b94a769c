import { invalidField } from '@shopscope/errors';
import type { Operation } from './reference.ts';
import type { SampleRequest } from './request-samples.ts';

const maxValueLength = 2_100;

/** Returns the name of the form field for a parameter of an operation. */
export const fieldNameOf = (parameter: string): string => `parameter_${parameter}`;
export const bodyField = 'body';

/**
 * The request that a person has typed. Values are sent unchanged, so that the API reports their problems. Only values that would change the
 * path are refused here.
 */
export function typedRequestOf(operation: Operation, typed: (field: string) => string): SampleRequest {
  const typedValue = (name: string) => {
    const field = fieldNameOf(name);
    const value = typed(field).trim();
    if (value.length > maxValueLength) throw invalidField(field, `at most ${maxValueLength} characters`);
    return value;
  };
  let path = operation.path;
  const query = new URLSearchParams();
  for (const { in: place, name } of operation.parameters) {
    if (place === 'header') continue;
    const value = typedValue(name);
    if (place === 'query') {
      if (value !== '') query.set(name, value);
      continue;
    }
    if (value === '' || /^\.{1,2}$/.test(value)) throw invalidField(fieldNameOf(name), 'a value is needed');
    path = path.replace(`{${name}}`, () => encodeURIComponent(value.toWellFormed()));
  }
  return {
    method: operation.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    body: operation.body ? typed(bodyField) : undefined,
  };
}
