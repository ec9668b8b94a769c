import type { z } from 'zod';
import { describeValue, pluralized } from './sanitized-input.ts';

/** The requirement in a validation message, by the kind of zod's issue: see describe-issue.ts. */
type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

/** The nouns for the size of each type. */
export const countNouns: Readonly<Record<string, { one: string; many: string }>> = {
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

/** Returns for example `must be a whole number`, without the field and the received value. */
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
        ? `must be ${describeValue(issue.values[0])}`
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
  const noun = countNouns[origin];
  if (noun) return `must have ${exact ? 'exactly' : bound} ${pluralized(size, noun)}`;
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

/** Returns the member names of the schema. They come from the contract, so their number is bounded. */
function memberNamesOf(inst: unknown): string {
  const names = Object.keys(defOf(inst).shape ?? {});
  return names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
}

function unionOf(branches: readonly (readonly Issue[])[]): string {
  const alternatives = new Set(branches.flatMap(([first]) => (first?.path.length === 0 ? [first.message] : [])));
  return alternatives.size === 0 ? 'must fit its description in openapi.json' : [...alternatives].join(', or ');
}
