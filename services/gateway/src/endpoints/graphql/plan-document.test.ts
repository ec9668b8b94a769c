import { AppError } from '@shopscope/errors';
import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Caller } from '../../keys/caller.ts';
import { introspect } from './introspect.ts';
import { planDocument } from './plan-document.ts';
import { Work } from './work.ts';

const { numRuns } = runsOf({ byDay: 1_000, atNight: 10_000 });
const scopes = ['read:stores', 'read:signals', 'read:jobs', 'read:watchlists'];
const caller = { scopes, plan: { slug: 'growth', enrichBatchMax: 100 } } as unknown as Caller;

/** Plans a document, and answers its introspection. */
function run(query: string, variables: Record<string, unknown> = {}): string {
  try {
    const plan = planDocument({ query, variables }, caller);
    for (const steps = introspect(plan, new Work()); !steps.next().done; );
    return 'accepted';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect([error.code, error.publicMessage.length < 600]).toEqual(['invalid_request', true]);
    return error.publicMessage;
  }
}

const times = (count: number, text: string | ((n: number) => string)) =>
  Array.from({ length: count }, (_, n) => (typeof text === 'string' ? text : text(n))).join(' ');
const store = (inner: string) => `{ store(domain: "a.example") { store { ${inner} } } }`;
const chain = (count: number, type: string, inner: string) =>
  times(count, (n) => `fragment f${n} on ${type} { ${n + 1 < count ? `...f${n + 1} ...f${n + 1}` : inner} }`);
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

it.each<[what: string, query: string, refusal: string]>([
  ['deep brackets', nested(3_000, '{a', '}'), 'nested at most 64 deep'],
  ['deep lists', `{ stores(domains: ${nested(2_000, '[', ']')}) { match } }`, 'nested at most 64 deep'],
  ['10^5 tokens', `{ ${times(100_000, 'a')} }`, 'at most 5,000 tokens'],
  ['10^5 comments', `${'#\n'.repeat(100_000)}{ __typename }`, 'at most 1,000 comments'],
  ['aliases', `{ ${times(51, (n) => `a${n}: __typename`)} }`, 'at most 50 aliases'],
  ['many operations', times(400, (n) => `query q${n} { __typename }`), 'at most 20 operations'],
  ['many fragments', `{ ...f0 } ${chain(300, 'Query', '__typename')}`, 'at most 100 fragments'],
  [
    'fragments in circles',
    '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
    'Cannot spread fragment "a" within itself',
  ],
  ['10^5 lines', `{ store(domain: """${'\n'.repeat(100_000)}""") { match } }`, 'at most 5,000 lines'],
  ['many fields', store(times(2_000, 'name')), 'at most 1,000 fields and spreads'],
  ['conflicting fields', `{ ${times(2_000, (n) => `store(domain: "${n}") { match }`)} }`, 'at most 5,000 tokens'],
  [
    'two fields of one name',
    '{ a: store(domain: "a") { match } ... on Query { a: store(domain: "b") { match } } }',
    'conflict',
  ],
  [
    'a conflict that a directive skips',
    '{ a: store(domain: "a") { match } a: usage @skip(if: true) { by_key { label } } }',
    'conflict',
  ],
  ['directives in masses', `{ __typename ${times(700, '@skip(if: true)')} }`, 'can only be used once'],
  [
    'too many nodes',
    `{ ${times(6, (n) => `a${n}: technologies(first: 200) { edges { cursor } }`)} }`,
    'at most 1,000 nodes, not 1,200 (line 1, column ',
  ],
  [
    'an argument that REST refuses',
    '{ account { key { label } } signals(first: 201) { edges { cursor } } }',
    'signals.first: must be a whole number from 1 to 200, not "201" (line 1, column 29)',
  ],
  [
    'an empty list of values, which is no filter',
    '{ signals(first: 1, technology: []) { edges { cursor } } }',
    'signals.technology: must have a value (line 1, column 3)',
  ],
  [
    'an introspection in a loop',
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    'Maximum introspection depth',
  ],
  [
    'a wide introspection',
    `{ ${times(50, (n) => `a${n}: __schema { types { fields { name type { name fields { name } } } } }`)} }`,
    'must return at most 9,000 fields',
  ],
])('a document with %s is refused', (_, query, refusal) => {
  expect(run(query)).toContain(refusal);
});

it.each<[what: string, variables: Record<string, unknown>, refusal: string]>([
  ['10^5 values', { d: Array.from({ length: 100_000 }, () => 'a') }, 'at most 2,000 values'],
  ['unknown names', Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`x${n}`, n])), 'is not a variable'],
  ['a wrong type', { d: [5] }, 'String cannot represent a non string value: 5 (line 1, column 8)'],
  ['a long text of a wrong type', { d: [{ a: 'x'.repeat(200_000) }] }, 'variables: '],
  [
    'more domains than the plan has in a batch',
    { d: Array.from({ length: 101 }, () => 'a.example') },
    'stores.domains: must have at most 100 entries',
  ],
])('variables with %s are refused', (_, variables, refusal) => {
  expect(run('query ($d: [String!]!) { stores(domains: $d) { match } }', variables)).toContain(refusal);
});

it.each([
  ['a directive', 'query ($x: Boolean = true) { __typename @include(if: $x) }'],
  ['an introspection', 'query ($x: Boolean = false) { __schema { types { fields(includeDeprecated: $x) { name } } } }'],
])('a variable of %s that is null where null is not allowed is refused with its place', (_, query) => {
  expect(run(query, { x: null })).toMatch(/not to be null \(line 1, column \d+\)$/);
});

it('a document reads as many pages as it has aliases for', () => {
  const plan = planDocument(
    {
      query: `{ ${times(50, (n) => `a${n}: signals(first: 1) { edges { cursor } }`)} jobs(first: 1) { edges { cursor } } }`,
    },
    caller,
  );
  expect([plan.pages, plan.nodes, plan.requested.history_query]).toEqual([51, 51, 50]);
});

it('fields that come again merge, and fragments that double do not multiply the work', () => {
  expect(run(store(times(900, 'name')))).toBe('accepted');
  expect(run(`{ ...f0 } ${chain(100, 'Query', '__typename')}`)).toBe('accepted');
  const fragment = `fragment s on EnrichResult { ${times(900, 'match')} }`;
  expect(run(`{ ${times(50, (n) => `a${n}: store(domain: "a.example") { ...s }`)} } ${fragment}`)).toContain(
    'too many fields',
  );
});

it('fields are nested at most 8 deep, except in an introspection', () => {
  const deep =
    '{ __schema { types { ofType { ofType { ofType { ofType { ofType { ofType { ofType { name } } } } } } } } } }';
  expect(run(deep)).toBe('accepted');
  expect(run(store('catalog { price_range { median } }'))).toBe('accepted');
});

it('a message repeats at most a short part of the document', () => {
  expect(run(`{ ${'x'.repeat(100_000)} }`).length).toBeLessThan(400);
});

it('a document of random tokens is planned or refused, whatever it is', () => {
  const words = [
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ':',
    '$',
    '@',
    '...',
    'on',
    'query',
    'fragment',
    'f',
    'Query',
    'store',
    'stores',
    'domain',
    'domains',
    'match',
    '"a"',
    '"""b"""',
    '5',
    '-1e999',
    'null',
    'true',
    '__typename',
    '__schema',
    'types',
    'name',
    '__proto__',
    'constructor',
    '@skip(if: true)',
    '#',
    '\n',
    '\uFEFF',
    '\\u{110000}',
    '&',
    '=',
    '!',
    '|',
    '\0',
  ];
  const sound = [
    '{ store(domain: "a.example") { match } }',
    'query a($d: [String!]! = ["a"]) { x: stores(domains: $d) { ...f } } fragment f on EnrichResult { match store { name } }',
    '{ __type(name: "Store") { fields { name args { name } } } }',
    'query ($d: Boolean = true) { __typename @skip(if: $d) __schema { types { fields(includeDeprecated: $d) { name } } } }',
  ];
  const mutated = fc
    .tuple(fc.constantFrom(...sound), fc.array(fc.tuple(fc.nat(150), fc.constantFrom(...words)), { maxLength: 4 }))
    .map(([text, edits]) =>
      edits.reduce(
        (before, [at, word]) => `${before.slice(0, at)}${word}${before.slice(at + (word.length % 3))}`,
        text,
      ),
    );
  const random = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((each) => each.join(' '));
  const values = fc.oneof(
    fc.constant({}),
    fc.dictionary(fc.constantFrom('d', '__proto__', 'x'), fc.jsonValue()),
    fc.constantFrom({ d: null }, { d: true }),
  );
  fc.assert(
    fc.property(fc.oneof(random, mutated), values, (query, variables) => {
      run(query, variables as Record<string, unknown>);
    }),
    { numRuns },
  );
}, 600_000);
