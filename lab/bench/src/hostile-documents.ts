/**
 * GraphQL documents that are refused. Each class takes the work of the gateway as far as it can: up to the largest body, or up to the bound
 * that refuses it. A body has at most 262,144 bytes.
 */
const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
const fragments = (count: number, spreads: (n: number) => string) =>
  times(count, (n) => `fragment f${n} on Query { ${spreads(n)} }`);
const request = (query: string, variables: object = {}) => JSON.stringify({ query, variables });
const domainsQuery = 'query ($d: [String!]!) { stores(domains: $d) { match } }';

/** Class → the body of a request. */
export const hostileDocuments: Readonly<Record<string, string>> = {
  'one unknown field, for comparison': request('{ nothing }'),
  'deep: brackets': request(nested(85_000, '{a', '}')),
  'deep: brackets of arguments': request(`{ stores(domains: ${nested(2_000, '[', ']')}) { match } }`),
  'wide: 4,900 fields': request(`{ ${times(4_900, () => 'account')} }`),
  'aliases: 1,600': request(`{ ${times(1_600, (n) => `a${n}: __typename`)} }`),
  'fragments in a circle of 100': request(`{ ...f0 } ${fragments(100, (n) => `...f${(n + 1) % 100}`)}`),
  'fragments that spread all others': request(
    `{ ...f0 } ${fragments(30, (n) => times(30, (m) => (m === n ? '' : `...f${m}`)))}`,
  ),
  'fragments that expand too far': request(
    `{ ${times(50, (n) => `a${n}: store(domain: "a.example") { ...s }`)} } fragment s on EnrichResult { ${times(700, () => 'match')} }`,
  ),
  // The other documents are refused before anything is read. This one is refused when its answer is too large.
  'long aliases, which rows multiply': request(
    `{ technologies(first: 200) { edges { node { ${times(45, (n) => `${'x'.repeat(5_000)}${n}: slug`)} } } } }`,
  ),
  '10^5 tokens': request(`{ ${times(100_000, () => 'a')} }`),
  'comments in masses': request('#\n'.repeat(80_000)),
  'one text of 130,000 characters': request(`{ store(domain: "${'ü'.repeat(130_000)}") { match } }`),
  'variables: 60,000 values': request(domainsQuery, { d: Array.from({ length: 60_000 }, () => 'a') }),
  'variables: 20,000 names': request(
    domainsQuery,
    Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`v${n}`, 1])),
  ),
  'variables: nested 60,000 deep': `{"query":${JSON.stringify(domainsQuery)},"variables":{"d":${nested(60_000, '[', ']')}}}`,
  'introspection in a loop': request(
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  ),
  'introspection, 50 times': request(
    `{ ${times(50, (n) => `a${n}: __schema { types { fields { name type { name fields { name } } } } }`)} }`,
  ),
  'keys: 500 equal fields, the last one differs': request(
    `{ ${times(499, () => 'store(domain: "a") { match }')} store(domain: "b") { match } }`,
  ),
  'keys: 12,000 equal members of the body': `{${Array(12_000).fill('"variables":{"d":1}').join(',')},"query":"{ nothing }"}`,
  'directives: 700 on one field': request(`{ __typename ${times(700, () => '@skip(if: true)')} }`),
  'directives: unknown ones on 900 fields': request(`{ ${times(900, () => 'account @a @b')} }`),
};
