import { AppError, invalidField } from '@shopscope/errors';
import type { z } from 'zod';
import { describeValue, pluralized, sanitizedName } from '../../domain/sanitized-input.ts';
import { units } from './requirement-of.ts';

/**
 * Turns an issue of zod into a sentence for the caller. Every sentence has one form, `field: must …, not …`, which names
 * the field, the bound and what came. requirement-of.ts gives the middle as zod's error map; a schema may replace it with
 * its own `must …`. Field and what came are added here.
 */
type Issue = z.core.$ZodIssue;

/** Unknown names that are repeated. */
const namesMax = 5;

/** `whole` names the value itself (`body`, `query`, `path`); `value` is what was validated. */
export function describeIssue(issue: Issue, value: unknown, whole: string): AppError {
  if (issue.code === 'unrecognized_keys') return unknownNames(issue, whole);
  const field = issue.path.length === 0 ? whole : fieldOf(issue.path);
  const came = valueAt(value, issue.path);
  if (came === undefined) return invalidField(field, `is required and ${issue.message}`);
  return invalidField(field, `${issue.message}, not ${sizeThatCame(issue, came) ?? kindAndValue(issue, came)}`);
}

const fieldOf = (path: readonly PropertyKey[]) => path.map((part) => sanitizedName(String(part))).join('.');

function unknownNames({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys, whole: string): AppError {
  const prefix = path.length === 0 ? '' : `${fieldOf(path)}.`;
  const names = keys.slice(0, namesMax).map((key) => prefix + sanitizedName(key));
  const more =
    keys.length > namesMax ? ` and ${pluralized(keys.length - namesMax, { one: 'other', many: 'others' })}` : '';
  const what = whole === 'body' ? 'member' : 'parameter';
  const are = keys.length === 1 ? `is not a known ${what}` : `are not known ${what}s`;
  return new AppError('invalid_request', `${names.join(', ')}${more}: ${are}; ${message}`, {
    details: { field: names[0] ?? whole },
  });
}

/** Own members only: a path such as `__proto__` leads nowhere. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}

/** The number of characters or entries, where that is what does not fit. */
function sizeThatCame(issue: Issue, came: unknown): string | undefined {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined;
  if (typeof came !== 'string' && !Array.isArray(came)) return undefined;
  return units[issue.origin] && came.length.toLocaleString('en-US');
}

/** A value of the wrong type is told with its type, so that "5" and 5 can be told apart. */
function kindAndValue(issue: Issue, came: unknown): string {
  const shown = describeValue(came);
  if (issue.code !== 'invalid_type') return shown;
  if (typeof came === 'string') return `the string ${shown}`;
  return typeof came === 'number' ? `the number ${shown}` : shown;
}

/**
 * What is wrong with a text that is no JSON, with line and column where the parser tells them. The parser's own words are left
 * out: they may repeat the text. Its position counts only at the end of the message: elsewhere it may be the caller's text.
 */
export function jsonFaultOf(error: unknown): string {
  const { message } = error as Error;
  if (message.startsWith('Unexpected end')) return 'must be valid JSON; it ends too early';
  const [, line, column] = / \(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  if (line === undefined) return 'must be valid JSON; it has an unexpected token';
  return `must be valid JSON; the fault is at line ${line}, column ${column}`;
}
