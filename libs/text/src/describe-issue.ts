import { AppError, invalidField } from '@shopscope/errors';
import type { z } from 'zod';
import { countNouns } from './requirement-of.ts';
import { describeValue, pluralized, sanitizedName } from './sanitized-input.ts';

/**
 * Turns a zod issue into a message for the caller. Every message has the form `field: must …, not …`: the field, the
 * requirement and the received value. The requirement comes from requirement-of.ts, which is zod's error map, or from the
 * schema. This file adds the field and the received value.
 */
type Issue = z.core.$ZodIssue;

/** The maximum number of unknown names that a message repeats. */
const maxNames = 5;

/** `source` names the whole input, for example `body`, `query` or `path`. `value` is the value that was validated. */
export function describeIssue(outer: Issue, value: unknown, source: string): AppError {
  const issue = innermost(outer);
  if (issue.code === 'unrecognized_keys') return unknownNames(issue, source);
  const field = issue.path.length === 0 ? source : fieldOf(issue.path);
  const received = valueAt(value, issue.path);
  if (received === undefined) return invalidField(field, `is required and ${issue.message}`);
  return invalidField(
    field,
    `${issue.message}, not ${receivedSize(issue, received) ?? receivedValue(issue, received)}`,
  );
}

/** Of a union, the issue within the only branch that has the type of the value. A set of values does not tell its type. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const firsts = issue.errors.flatMap(([first]) => first ?? []);
  const ofType = firsts.filter(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  const inside = ofType.filter(({ path }) => path.length > 0);
  const [fitting, ...others] = inside.length > 0 ? inside : ofType;
  if (!fitting || others.length > 0) return issue;
  return innermost({ ...fitting, path: [...issue.path, ...fitting.path] });
}

/** For example `stores[3].external_id`: a number is a place in a list. */
const fieldOf = (path: readonly PropertyKey[]) =>
  path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : (at === 0 ? '' : '.') + sanitizedName(String(part))))
    .join('');

function unknownNames({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys, source: string): AppError {
  const prefix = path.length === 0 ? '' : `${fieldOf(path)}.`;
  const names = keys.slice(0, maxNames).map((key) => prefix + sanitizedName(key));
  const more =
    keys.length > maxNames ? ` and ${pluralized(keys.length - maxNames, { one: 'other', many: 'others' })}` : '';
  const what = source === 'body' ? 'member' : 'parameter';
  const are = keys.length === 1 ? `is not a known ${what}` : `are not known ${what}s`;
  return new AppError('invalid_request', `${names.join(', ')}${more}: ${are}; ${message}`, {
    details: { field: names[0] ?? source },
  });
}

/** Reads only own members, so that `__proto__` is not followed. The text of a list in a query is its values. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at === 'string' && typeof part === 'number') return at.split(',')[part];
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}

/** Returns the received number of characters or entries if the size violates the schema. */
function receivedSize(issue: Issue, received: unknown): string | undefined {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined;
  if (typeof received !== 'string' && !Array.isArray(received)) return undefined;
  return countNouns[issue.origin] && received.length.toLocaleString('en-US');
}

/** A value of the wrong type is shown with its type, to distinguish "5" from 5. */
function receivedValue(issue: Issue, received: unknown): string {
  const shown = describeValue(received);
  if (issue.code !== 'invalid_type') return shown;
  if (typeof received === 'string') return `the string ${shown}`;
  return typeof received === 'number' ? `the number ${shown}` : shown;
}
