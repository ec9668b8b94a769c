import { AppError, invalidField } from '@shopscope/errors';
import type { z } from 'zod';
import { counted, quoted, shownName, shownValue } from '../../domain/shown.ts';

/**
 * The only place that turns an issue of zod into a sentence for the caller. Every sentence has one form:
 * `field: must …, not …`, which names the field, the bound and what came. {@link requirementOf} gives the middle as zod's
 * error map; a schema may replace it with its own `must …`. {@link describeIssue} adds the field and what came.
 */
type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const units: Readonly<Record<string, { one: string; many: string }>> = {
  string: { one: 'character', many: 'characters' },
  array: { one: 'entry', many: 'entries' },
  set: { one: 'entry', many: 'entries' },
  map: { one: 'member', many: 'members' },
  object: { one: 'member', many: 'members' },
};

const types: Readonly<Record<string, string>> = {
  array: 'an array',
  bigint: 'a whole number',
  boolean: 'true or false',
  int: 'a whole number',
  nan: 'a number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

const formats: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-15',
  datetime: 'an ISO 8601 time in UTC such as 2026-01-15T12:00:00.000Z',
  email: 'an e-mail address',
  url: 'a URL',
};

const namesMax = 5;

/** What the value must be, without field and value. */
export function requirementOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[isWholeNumber(issue.inst) ? 'int' : issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return sizeOf(issue.origin, 'at least', Number(issue.minimum), issue.inclusive, issue.exact);
    case 'too_big':
      return sizeOf(issue.origin, 'at most', Number(issue.maximum), issue.inclusive, issue.exact);
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${shownValue(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return formatOf(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return memberNamesOf(issue.inst);
    case 'invalid_union':
      return unionOf(issue.errors);
    default:
      return 'must fit its description in openapi.json';
  }
}

const defOf = (schema: unknown) =>
  ((schema as z.ZodType | undefined)?._zod?.def ?? {}) as { format?: string; shape?: object };

const isWholeNumber = (schema: unknown) => defOf(schema).format === 'safeint';

function sizeOf(origin: string, bound: string, size: number, inclusive = true, exact = false): string {
  const unit = units[origin];
  if (unit) return `must have ${exact ? 'exactly' : bound} ${counted(size, unit)}`;
  const than = bound === 'at least' ? 'more than' : 'less than';
  return `must be ${inclusive || exact ? (exact ? '' : `${bound} `) : `${than} `}${size.toLocaleString('en-US')}`;
}

function formatOf({ format, pattern, prefix }: Extract<RawIssue, { code: 'invalid_format' }>): string {
  if (typeof prefix === 'string') return `must begin with ${prefix}`;
  const known = formats[format];
  if (known) return `must be ${known}`;
  const begins = /^\/\^([\w:]+)\/$/.exec(String(pattern))?.[1];
  if (begins) return `must begin with ${begins}`;
  return pattern === undefined ? `must be a valid ${format}` : `must match ${pattern}`;
}

/** Names that the object has; they are ours, so their number is bounded. */
function memberNamesOf(inst: unknown): string {
  const names = Object.keys(defOf(inst).shape ?? {});
  return names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
}

function unionOf(branches: readonly (readonly Issue[])[]): string {
  const alternatives = new Set(branches.flatMap(([first]) => (first?.path.length === 0 ? [first.message] : [])));
  return alternatives.size === 0 ? 'must fit its description in openapi.json' : [...alternatives].join(', or ');
}

/** `whole` names the value itself (`body`, `query`, `path`); `value` is what was validated. */
export function describeIssue(issue: Issue, value: unknown, whole: string): AppError {
  if (issue.code === 'unrecognized_keys') return unknownNames(issue, whole);
  const field = issue.path.length === 0 ? whole : fieldOf(issue.path);
  const came = valueAt(value, issue.path);
  if (came === undefined) return invalidField(field, `is required and ${issue.message}`);
  return invalidField(field, `${issue.message}, not ${sizeThatCame(issue, came) ?? kindAndValue(issue, came)}`);
}

const fieldOf = (path: readonly PropertyKey[]) => path.map((part) => shownName(String(part))).join('.');

function unknownNames({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys, whole: string): AppError {
  const prefix = path.length === 0 ? '' : `${fieldOf(path)}.`;
  const names = keys.slice(0, namesMax).map((key) => prefix + shownName(key));
  const more =
    keys.length > namesMax ? ` and ${counted(keys.length - namesMax, { one: 'other', many: 'others' })}` : '';
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
  const shown = shownValue(came);
  if (issue.code !== 'invalid_type') return shown;
  if (typeof came === 'string') return `the string ${shown}`;
  return typeof came === 'number' ? `the number ${shown}` : shown;
}

/** Where a text stops being JSON, without the parser's own words. `text` is what came, `error` what the parser threw. */
export function jsonFaultOf(text: string, error: unknown): string {
  const { message } = error as Error;
  const position = /position (\d{1,9})/.exec(message)?.[1];
  if (position !== undefined) return `must be valid JSON; the fault is at character ${Number(position) + 1}`;
  // The parser gives no position for a short text.
  return message.startsWith('Unexpected end')
    ? 'must be valid JSON; it ends too early'
    : `must be valid JSON, not ${quoted(text)}`;
}
