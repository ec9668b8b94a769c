import { invalidField } from '@shopscope/errors';
import type { Operation } from './reference.ts';
import type { SampleRequest } from './request-samples.ts';

const maxValueLength = 2_100;

/** The names of a form's fields for the parameters of an operation, and for its body. */
export const fieldNameOf = (parameter: string): string => `parameter_${parameter}`;
export const bodyField = 'body';

/**
 * The request that a person has typed. Values are sent as they are, so that the API says what is wrong with them; only what would change
 * the path is refused here.
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
