import { AppError } from '@shopscope/errors';
import { validate } from '@shopscope/text';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { queryDocumentation } from '../../contract/schemas.ts';
import { operations } from '../../endpoints/endpoints.ts';
import { noMembers } from '../steps/prepare.ts';
import { parseJsonBody, parsePathParams, parseQuery } from './validation.ts';

/**
 * Violates every constraint of every field of every request schema, served or announced. The schemas are read as JSON
 * Schema, so a new field needs no change here.
 */
interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  /** The range of an integer in a query parameter. */
  written?: { minimum: number; maximum: number };
  /** The values of a list in a query parameter. */
  list?: { items: JsonSchema; maxItems: number };
}

type Path = (string | number)[];

/** For example `stores[0].domain`. */
const nameOf = (path: Path) =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : (at === 0 ? '' : '.') + part)).join('');

interface Violation {
  operation: string;
  source: 'path' | 'query' | 'body';
  schema: z.ZodObject;
  value: unknown;
  field: string;
  kind: string;
  /** What the message must contain: the requirement and the received value. */
  names: string[];
}

const jsonSchemaOf = (schema: z.ZodObject): JsonSchema => {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  for (const [name, field] of Object.entries(schema.shape)) {
    const written = queryDocumentation.get(field as z.ZodType);
    if (!written) continue;
    const text = { type: 'string', ...(written.type === 'array' ? { list: written } : { written }) } as JsonSchema;
    described.properties = { ...described.properties, [name]: text };
  }
  return described;
};

/** A matching value of each pattern, and what a message calls it. Other patterns are prefixes. */
const patterns: Record<string, { sample: string; named: string }> = {
  '^https:': { sample: 'https://shop.example/', named: 'https:' },
  '^[A-Z]{2}$': { sample: 'GB', named: 'two capital letters' },
};

/** The least value of a schema that has the members on `path`. Members that need others, or one of them, are added by `fitting`. */
function sampleOf(schema: JsonSchema, path: Path = []): unknown {
  if (schema.anyOf) return sampleOf(branchOf(schema.anyOf, path), path);
  if (schema.enum) return schema.enum[0];
  if (schema.written) return String(schema.written.minimum);
  if (schema.list) return sampleOf(schema.list.items);
  if (schema.format === 'date-time') return '2026-01-15T12:00:00.000Z';
  if (schema.format === 'uri') return 'https://shop.example/';
  switch (schema.type) {
    case 'string':
      if (schema.pattern && patterns[schema.pattern]) return patterns[schema.pattern]?.sample;
      if (schema.pattern && alternative.test(schema.pattern)) return alternative.exec(schema.pattern)?.[1];
      return (schema.pattern?.replace(/^\^/, '') ?? '').padEnd(schema.minLength ?? 1, 'x');
    case 'integer':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [sampleOf(schema.items as JsonSchema, path.slice(1))];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => name === path[0] || schema.required?.includes(name))
          .map(([name, field]) => [name, sampleOf(field, name === path[0] ? path.slice(1) : [])]),
      );
    default:
      return 'x';
  }
}
/** A pattern of alternatives, of which the first one is a sample. */
const alternative = /^\^\(\?:(\w+)\|/;

/** The branch of a union that has the path, or has its type. */
function branchOf(branches: readonly JsonSchema[], [first]: Path): JsonSchema {
  const ofType = branches.filter(({ type }) => type === (typeof first === 'number' ? 'array' : 'object'));
  const having = ofType.find(({ properties = {} }) => first !== undefined && Object.hasOwn(properties, first));
  return (first === undefined ? branches[0] : (having ?? ofType[0] ?? branches[0])) as JsonSchema;
}

const schemaAt = (schema: JsonSchema, path: Path): JsonSchema =>
  path.reduce<JsonSchema>((at, part, n) => {
    const plain = at.anyOf ? branchOf(at.anyOf, path.slice(n)) : at;
    return (typeof part === 'number' ? plain.items : plain.properties?.[part]) ?? {};
  }, schema);

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, part) => (at as Record<string | number, unknown> | undefined)?.[part], value);

/** The first fault. A schema may not report further ones. */
function faultOf(schema: z.ZodType, value: unknown): { path: Path; text: string } | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue && { path: issue.path as Path, text: `${nameOf(issue.path as Path)}: ${issue.message}` };
}
const maxAdded = 5;

/** A value that fits the schema, has the members on `path`, and as few others as possible. */
function fitting(schema: z.ZodObject, described: JsonSchema, path: Path): unknown {
  let values = [sampleOf(described, path)];
  for (let added = 0; added <= maxAdded; added++) {
    const fits = values.find((value) => !faultOf(schema, value));
    if (fits !== undefined) return fits;
    values = values.flatMap((value) => withOneMore(schema, described, value));
  }
  return values[0];
}

const propertiesOf = ({ properties, anyOf = [] }: JsonSchema) =>
  properties ?? anyOf.find(({ type }) => type === 'object')?.properties ?? {};

/** The values with one more member each, which ends the first fault. */
function withOneMore(schema: z.ZodObject, described: JsonSchema, value: unknown): unknown[] {
  const fault = faultOf(schema, value);
  if (!fault) return [value];
  return [fault.path, fault.path.slice(0, -1)]
    .filter((at) => typeof valueAt(value, at) === 'object')
    .flatMap((at) =>
      Object.entries(propertiesOf(schemaAt(described, at))).map(([name, field]) => ({ at: [...at, name], field })),
    )
    .filter(({ at }) => valueAt(value, at) === undefined)
    .map(({ at, field }) => changed(value, at, sampleOf(field)))
    .filter((candidate) => faultOf(schema, candidate)?.text !== fault.text);
}

function changed(value: unknown, path: Path, to: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return to;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (rest.length === 0 && to === undefined) delete copy[first];
  else copy[first] = changed(copy[first], rest, to);
  return copy;
}

const comma = (n: number) => n.toLocaleString('en-US');
const kinds: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};
const valuesByType: [type: string, value: unknown, shown: string][] = [
  ['string', 'some text', 'the string "some text"'],
  ['number', 5, 'the number 5'],
  ['boolean', true, 'true'],
  ['array', [1, 2], 'an array of 2'],
  ['array', [], 'an empty array'],
  ['object', { a: 1 }, 'an object'],
  ['object', {}, 'an empty object'],
  ['null', null, 'null'],
];

type Break = {
  kind: string;
  path: Path;
  to: unknown;
  names: string[];
  field?: string;
  /** The number of equal entries of a list, in place of `to`. */
  entries?: number;
};

/** Days and times that do not exist, and other texts. */
const invalidTimes = [
  ...['2027-02-31', '2027-13-01', '2026-02-29', '0000-01-01'].map((day) => `${day}T00:00:00Z`),
  ...['2026-01-15T24:00:00Z', '2026-01-15T12:60:00Z', '2026-01-15', 'yesterday'],
];

function breaksOf(schema: JsonSchema, path: Path, isText: boolean): Break[] {
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false;
  const plain = isNullable ? (schema.anyOf?.find(({ type }) => type !== 'null') as JsonSchema) : schema;
  const breaks: Break[] = [];
  const add = (kind: string, to: unknown, ...names: string[]) => breaks.push({ kind, path, to, names });
  const { type = '' } = plain;

  if (!isText && kinds[type]) {
    for (const [other, value, shown] of valuesByType) {
      const isSame = other === type || (other === 'number' && type === 'integer');
      if (isSame || (other === 'null' && isNullable)) continue;
      const bound = plain.enum ? plain.enum : [kinds[type] as string];
      add(
        'wrong type',
        value,
        ...bound,
        plain.enum ? shown.replace('the string ', '').replace('the number ', '') : shown,
      );
    }
  }
  if (plain.enum) add('not in the set', 'something else', ...plain.enum, '"something else"');
  if (plain.written) {
    const { minimum, maximum } = plain.written;
    for (const text of ['abc', '', '1.5', '-1', String(minimum - 1), String(maximum + 1)]) {
      add('out of range', text, `a whole number from ${minimum} to ${maximum}`, `"${text}"`);
    }
  }
  if (plain.list) {
    const { items, maxItems } = plain.list;
    const tooMany = Array.from({ length: maxItems + 1 }, () => sampleOf(items)).join(',');
    add('too many', tooMany, `at most ${maxItems} values`, tooMany.slice(0, 20));
    breaks.push(...breaksOf(items, path, true).map((each) => ({ ...each, field: `${nameOf(path)}[0]` })));
  }
  if (type === 'string' && !plain.enum && !plain.written && !plain.list) {
    const { minLength, maxLength, pattern, format } = plain;
    if (minLength) add('too short', 'x'.repeat(minLength - 1), comma(minLength), comma(minLength - 1));
    if (maxLength !== undefined) add('too long', 'x'.repeat(maxLength + 1), comma(maxLength), comma(maxLength + 1));
    if (format === 'date-time') for (const text of invalidTimes) add('format', text, 'ISO 8601', JSON.stringify(text));
    else if (format === 'uri') add('format', 'not a url', 'a URL', '"not a url"');
    else if (pattern) {
      const [, first] = alternative.exec(pattern) ?? [];
      const named = patterns[pattern]?.named ?? first ?? pattern.replace('^', '');
      add('format', 'http://a.example/', named, '"http://a.example/"');
    }
  }
  // A value of the wrong type is of no branch.
  if (!isNullable)
    for (const branch of plain.anyOf ?? [])
      breaks.push(
        ...breaksOf(branch, path, isText).filter(({ kind, path: at }) => kind !== 'wrong type' || at !== path),
      );
  if (type === 'integer') {
    add('not whole', 1.5, 'a whole number', '1.5');
    if (plain.minimum !== undefined && plain.minimum > Number.MIN_SAFE_INTEGER)
      add('too small', plain.minimum - 1, comma(plain.minimum), String(plain.minimum - 1));
    if (plain.maximum !== undefined && plain.maximum < Number.MAX_SAFE_INTEGER)
      add('too big', plain.maximum + 1, comma(plain.maximum), String(plain.maximum + 1));
  }
  if (type === 'array') {
    const { minItems, maxItems, items = {} } = plain;
    const addEntries = (kind: string, bound: number, entries: number) =>
      breaks.push({ kind, path, to: undefined, entries, names: [comma(bound), comma(entries)] });
    if (minItems) addEntries('too few', minItems, minItems - 1);
    if (maxItems !== undefined) addEntries('too many', maxItems, maxItems + 1);
    breaks.push(...breaksOf(items, [...path, 0], false));
  }
  if (type === 'object' && plain.properties) {
    for (const [name, field] of Object.entries(plain.properties)) {
      const at = [...path, name];
      breaks.push(...breaksOf(field, at, isText));
      if (plain.required?.includes(name))
        breaks.push({ kind: 'missing', path: at, to: undefined, names: ['is required'] });
    }
    if (plain.additionalProperties === false) {
      for (const name of ['unheard_of', '__proto__', 'ünheard of\u001b[31m']) {
        const at = [...path, name];
        const known = Object.keys(plain.properties);
        const field = /^\w+$/.test(name) ? nameOf(at) : nameOf([...path, '"ünheard of\\u{1b}[31m"']);
        breaks.push({ kind: 'unknown', path: at, to: 'x', names: ['not a known', ...known], field });
      }
    }
  }
  return breaks;
}

function violationsOf(operation: Operation): Violation[] {
  const parts = [
    ['path', operation.params],
    ['query', operation.query ?? noMembers],
    ['body', operation.body],
  ] as const;
  return parts.flatMap(([source, schema]) => {
    if (!schema) return [];
    const described = jsonSchemaOf(schema);
    return breaksOf(described, [], source !== 'body')
      .filter(({ path }) => source !== 'path' || path.length > 0)
      .map(({ kind, path, to, names, field, entries }) => {
        const sample = fitting(schema, described, path);
        expect(schema.safeParse(sample).error, `${operation.id} ${source} ${nameOf(path)}`).toBeUndefined();
        const [entry] = entries === undefined ? [] : (valueAt(sample, path) as unknown[]);
        return {
          operation: operation.id,
          source,
          schema,
          value: withOwn(sample, path, entries === undefined ? to : Array.from({ length: entries }, () => entry)),
          field: field ?? (path.length === 0 ? source : nameOf(path)),
          kind,
          names,
        };
      });
  });
}

/** Sets a member. `__proto__` becomes an own member, as JSON.parse creates it. */
function withOwn(sample: unknown, path: Path, to: unknown): unknown {
  if (path.at(-1) !== '__proto__') return changed(sample, path, to);
  const parent = path.slice(0, -1).reduce((at, part) => (at as Record<string | number, unknown>)[part], sample);
  const own = Object.defineProperty({ ...(parent as object) }, '__proto__', { value: to, enumerable: true });
  return path.length === 1 ? own : changed(sample, path.slice(0, -1), own);
}

const violations = operations.flatMap(violationsOf);

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid_request');
    return error.publicMessage;
  }
  throw new Error('nothing was refused');
}

const english = z.locales.en().localeError;

/** The messages that zod itself would write. */
function defaultMessages(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => {
    const text = english(issue as z.core.$ZodRawIssue);
    return [issue.message, typeof text === 'string' ? text : (text?.message ?? '')];
  });
}

const zodWords =
  /Invalid (input|option|string|UUID|URL)|expected|received|Too (big|small)|Unrecognized|[<>]=|nullish|NaN/;
/** The form of every message: the field, the requirement, the received value. */
const messageForm =
  /^[^:\n]{1,300}: (must (be|have|begin with|match) .+, not .+|is required and must be .+|(is not a known|are not known) (member|parameter)s?; there are .+)$/s;

describe('validation messages', () => {
  it('validation messages are tested for every operation with input and for every kind of violation', () => {
    const covered = new Set(violations.map(({ operation }) => operation));
    expect([...covered]).toEqual(operations.map(({ id }) => id));
    expect(new Set(violations.map(({ kind }) => kind))).toEqual(
      new Set([
        'wrong type',
        'missing',
        'unknown',
        'not in the set',
        'out of range',
        'too short',
        'too long',
        'too few',
        'too many',
        'too small',
        'too big',
        'not whole',
        'format',
      ]),
    );
    const fields = new Set(violations.map(({ operation, source, field }) => `${operation} ${source} ${field}`));
    for (const field of ['body domains', 'body domains[0]', 'body refresh'])
      expect(fields).toContain(`enrichStores ${field}`);
    for (const name of ['kind', 'category', 'q', 'cursor', 'limit']) {
      expect(fields).toContain(`listTechnologies query ${name}`);
    }
    for (const name of ['type[0]', 'technology', 'technology[0]', 'country[0]']) {
      expect(fields).toContain(`searchSignals query ${name}`);
    }
    expect(fields).toContain('getStore path domain');
  });

  it.each(operations)(
    'the validation message of $id begins with the field, names requirement and value, and is not from zod',
    ({ id }) => {
      for (const { schema, value, source, field, kind, names } of violations.filter(
        ({ operation }) => operation === id,
      )) {
        const message = messageOf(() => validate(schema, value, source));
        const what = `${id} ${source} ${field} ${kind}: ${message}`;
        expect(message.startsWith(`${field}: `), what).toBe(true);
        for (const name of names) expect(message.slice(field.length), what).toContain(name);
        expect(message, what).toMatch(messageForm);
        expect(message, what).not.toMatch(zodWords);
        for (const text of defaultMessages(schema, value)) {
          // A schema of the contract may have its own message.
          if (!text.startsWith('must be ')) expect(message, what).not.toContain(text);
        }
        expect(message, what).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(message.length, what).toBeLessThan(1_000);
      }
    },
  );

  it('a validation message is short and sanitized for every input', () => {
    const schema = z.strictObject({ kind: z.enum(['a', 'b']), list: z.array(z.string()).optional() });
    const hostile = `\u0000\u202e\r\n"${'<script>'.repeat(50_000)}`;
    const value = { kind: hostile, list: [] };
    const cut = `${'<script>'.repeat(6)}<script…`;
    expect(messageOf(() => validate(schema, value, 'body'))).toBe(
      `kind: must be one of a, b, not "\\u{0}\\u{202e}\\u{d}\\u{a}\\"${cut}"`,
    );
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`${i}\u202e`, 1]));
    const message = messageOf(() => validate(schema, { kind: 'a', ...many }, 'body'));
    expect(message).toContain('and 29,995 others: are not known members; there are kind, list');
    expect(message.length).toBeLessThan(1_500);
  });

  it('a validation message names each alternative of a union', () => {
    const schema = z.object({ at: z.union([z.string(), z.int()]) });
    expect(messageOf(() => validate(schema, { at: true }, 'body'))).toBe(
      'at: must be a string, or must be a whole number, not true',
    );
  });

  it('a validation message names the fault within the alternative that has the type of the value', () => {
    const group = z.strictObject({ category: z.string() });
    const schema = z.object({ where: z.array(z.union([z.array(z.string()).max(2), group])) });
    const of = (any: unknown) => messageOf(() => validate(schema, { where: [any] }, 'body'));
    expect(of(['a', 5])).toBe('where[0][1]: must be a string, not the number 5');
    expect(of(['a', 'b', 'c'])).toBe('where[0]: must have at most 2 entries, not 3');
    expect(of({ category: null })).toBe('where[0].category: must be a string, not null');
    expect(of({ kind: 'app' })).toBe('where[0].category: is required and must be a string');
    expect(of({ category: 'a', kind: 'app' })).toBe('where[0].kind: is not a known member; there are category');
    expect(of(true)).toBe('where[0]: must be an array, or must be an object, not true');
  });

  it('a validation message names the fault of a body: missing, not JSON, not UTF-8 or of another content type', () => {
    const json = 'application/json';
    const ofBody = (text: string, type: string | undefined = json) =>
      messageOf(() => parseJsonBody(Buffer.from(text, 'latin1'), type));
    expect(ofBody('')).toBe('body: is required and must be an object');
    expect(ofBody('{"domains":')).toBe('body: must be valid JSON; it ends too early');
    expect(ofBody(`{"domains": ["${'x'.repeat(100)}"],}`)).toBe(
      'body: must be valid JSON; the fault is at line 1, column 118',
    );
    expect(ofBody('{"domains":\n  ["shop.example" 1]\n}')).toBe(
      'body: must be valid JSON; the fault is at line 2, column 19',
    );
    expect(ofBody('hello')).toBe('body: must be valid JSON; it has an unexpected token');
    // A position in the caller's text is not reported.
    expect(ofBody('x (line 1 column 7)')).toBe('body: must be valid JSON; it has an unexpected token');
    expect(ofBody('\xef\xbb\xbf{}')).toBe(
      'body: must be UTF-8 without a byte order mark (U+FEFF), which it begins with',
    );
    expect(ofBody('{"\xff"')).toBe('body: must be UTF-8, not other bytes');
    expect(ofBody('{}', 'text/plain\u0007')).toBe('Content-Type: must be application/json, not "text/plain\\u{7}"');
    expect(ofBody('{}', '')).toBe('Content-Type: is required and must be application/json');
    expect(messageOf(() => validate(z.object({}), [1], 'body'))).toBe('body: must be an object, not an array of 1');
  });

  it('a validation message names a query parameter that is repeated or wrongly encoded', () => {
    expect(messageOf(() => parseQuery('q=ab&limit=5&q=cd&q=ef'))).toBe('q: must be given once, not 3 times');
    expect(messageOf(() => parseQuery('q=%ZZ'))).toBe('q: must be percent-encoded UTF-8, not "%ZZ"');
    expect(messageOf(() => parseQuery('%FF=1'))).toBe('query: must be percent-encoded UTF-8, not "%FF"');
    expect(messageOf(() => parsePathParams({ domain: '%E0%A4%A' }))).toBe(
      'domain: must be percent-encoded UTF-8, not "%E0%A4%A"',
    );
  });
});
