import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { expect, it, vi } from 'vitest';
import type { Caller } from '../../keys/caller.ts';
import { storeExample } from '../get-store/examples.ts';
import { encodeData } from './encode-data.ts';
import { JsonOutput } from './json-output.ts';
import { connectionOf } from './page-sources.ts';
import { planDocument } from './plan-document.ts';
import { lookUpStores } from './store-sources.ts';
import { StoredJson } from './stored-json.ts';
import { stepCharacters, Work } from './work.ts';

const clock = new ManualClock();
const caller = {
  scopes: ['read:stores', 'read:jobs', 'read:signals'],
  plan: { slug: 'growth', enrichBatchMax: 1_000, freshnessDays: 5 },
} as unknown as Caller;
const domains = Array.from({ length: 100 }, (_, n) => `s${n}.example`);

const selectedIn = (query: string, variables = {}) =>
  planDocument({ query, variables }, caller).fields.map(({ selected }) => selected);

/** The field of a document with aliases of the store, and its value. */
async function readStores(aliases: number) {
  const inner = Array.from({ length: aliases }, (_, n) => `a${n}: store { name }`).join(' ');
  const fields = selectedIn(`query ($d: [String!]!) { stores(domains: $d) { ${inner} } }`, { d: domains });
  const body = Buffer.from(JSON.stringify(storeExample));
  const lookUpMany = async () => domains.map(() => ({ body, etag: '"e"', lastCompletedScanAtMs: clock.now() }));
  const request = { caller, origin: {}, deadline: createDeadline(1_000, { clock }) } as never;
  const { resultOf } = await lookUpStores({ profiles: { lookUpMany }, clock } as never, request, domains);
  return fields.map((selected) => ({ selected, value: domains.map(resultOf) }));
}

/** Runs all steps. Returns their number, and the text of the parts. */
function encode(fields: Parameters<typeof encodeData>[0]) {
  const steps = encodeData(fields);
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return { count, text: Buffer.concat(value).toString() };
  }
}

it('the body of a store is decoded once, however many aliases select it', async () => {
  const fields = await readStores(40);
  const decode = vi.spyOn(Buffer.prototype, 'toString');
  for (const steps = encodeData(fields); !steps.next().done; );
  expect(decode).toHaveBeenCalledTimes(domains.length);
  decode.mockRestore();
});

it('each store of a list and each row of a page is a step, so that other work can run between them', async () => {
  const store = '{ stores(domains: ["s1.example"]) { store { domain } } }';
  const page = '{ technologies(first: 200) { edges { cursor node { slug } } pageInfo { hasNextPage } } }';
  expect(encode(await readStores(1)).count).toBeGreaterThanOrEqual(domains.length);
  const rows = Array.from({ length: 200 }, (_, n) => ({ slug: `t${n}` }));
  const value = connectionOf({ data: rows, next_cursor: 'c', cursorAt: (index) => `c${index}` }, undefined);
  const [selected] = selectedIn(page) as [never];
  expect(encode([{ selected, value }]).count).toBeGreaterThanOrEqual(rows.length);
  expect(encode([{ selected: selectedIn(store)[0] as never, value: [] }]).text).toBe('{"stores":[]}');
});

/** Documents that multiply what they select: the members of one store with 500 technologies, by the aliases of several levels. */
const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');
const multiplying: Record<string, string> = {
  'aliases of three levels': `{ stores(domains: ["x"]) { ...e } } fragment e on EnrichResult { ${times(5, (n) => `s${n}: store { ...s }`)} }
    fragment s on Store { ${times(8, (n) => `t${n}: technologies { ...t }`)} } fragment t on StoreTechnology { ${times(10, (n) => `a${n}: slug`)} }`,
  'aliases that read much and write little': `{ stores(domains: ["x"]) { ${times(49, (n) => `s${n}: store { technologies { __typename } }`)} } }`,
  'long aliases': `{ store(domain: "x") { store { technologies { ${times(6, (n) => `${'x'.repeat(3_000)}${n}: slug`)} } } } }`,
  'long aliases of one object': `{ store(domain: "x") { ${times(5, (n) => `s${n}: store { ...s }`)} } }
    fragment s on Store { ${times(40, (n) => `${'x'.repeat(3_000)}${n}: name`)} }`,
};

it.each(Object.entries(multiplying))('a step reads and writes no more than its bound: %s', (_, query) => {
  const [technology] = storeExample.technologies;
  const technologies = Array.from({ length: 500 }, (_each, n) => Object.assign({}, technology, { slug: `t${n}` }));
  const body = JSON.stringify(Object.assign({}, storeExample, { technologies }));
  const result = { input: 'x', match: 'matched', reason: null, store: new StoredJson(body) };
  const fields = selectedIn(query).map((selected) => ({
    selected,
    value: selected.field.name === 'store' ? result : [result],
  }));
  let written = 0;
  const output = new (class extends JsonOutput {
    override add(text: string) {
      written += text.length;
      super.add(text);
    }
  })();
  const work = new Work();
  const steps = encodeData(fields, work, output);
  const most = { written: 0, done: 0 };
  let done: boolean | undefined;
  do {
    const before = { written, done: work.done };
    done = steps.next().done;
    most.written = Math.max(most.written, written - before.written);
    most.done = Math.max(most.done, work.done - before.done);
  } while (!done);
  expect(written).toBeGreaterThan(10 * most.written);
  expect(most.written).toBeLessThanOrEqual(stepCharacters);
  // The attempt that exceeds the bound ends with the value that exceeds it, or with the names of one object.
  expect(most.done).toBeLessThanOrEqual(stepCharacters + body.length + 40 * 3_010);
});

it('the parts together are the JSON of the selected members, in the order of the document', () => {
  const document = `{
    b: store(domain: "shop.example") { reason __proto__: match again: match store { technologies { slug } d: domain catalog { currency } } }
    a: stores(domains: ["x"]) { input store { domain } __typename }
    none: job(id: "job_1") { id }
    __typename
    page: technologies(first: 2) { pageInfo { endCursor } edges { node { slug } cursor } }
  }`;
  const result = { input: 'x', match: 'matched', reason: null, store: new StoredJson(JSON.stringify(storeExample)) };
  const rows = { data: [{ slug: 'a' }, { slug: 'b' }], next_cursor: null, cursorAt: String };
  const values = [result, [result, { ...result, store: null }], null, 'Query', connectionOf(rows, undefined)];
  const fields = selectedIn(document).map((selected, index) => ({ selected, value: values[index] }));
  expect(encode(fields).text).toBe(
    '{"b":{"reason":null,"__proto__":"matched","again":"matched","store":{"technologies":[{"slug":"klaviyo"}],"d":"shop.example",' +
      '"catalog":{"currency":"EUR"}}},"a":[{"input":"x","store":{"domain":"shop.example"},"__typename":"EnrichResult"},' +
      '{"input":"x","store":null,"__typename":"EnrichResult"}],"none":null,"__typename":"Query",' +
      '"page":{"pageInfo":{"endCursor":"1"},"edges":[{"node":{"slug":"a"},"cursor":"0"},{"node":{"slug":"b"},"cursor":"1"}]}}',
  );
  expect(encode([]).text).toBe('{}');
});

it('a member that is missing although the schema requires it fails the document', () => {
  const [store, technologies, page] = [
    selectedIn('{ store(domain: "x") { store { domain } } }')[0],
    selectedIn('{ store(domain: "x") { store { technologies { slug name } } } }')[0],
    selectedIn('{ technologies(first: 1) { edges { cursor } pageInfo { hasNextPage } } }')[0],
  ] as [never, never, never];
  const result = (body: object) => ({ store: new StoredJson(JSON.stringify(body)) });
  for (const body of [{}, { domain: null }, { name: 'x' }]) {
    expect(() => encode([{ selected: store, value: result(body) }])).toThrow('Store.domain is missing');
  }
  const value = result({
    technologies: [
      { slug: 'a', name: 'A' },
      { slug: null, name: 'B' },
    ],
  });
  expect(() => encode([{ selected: technologies, value }])).toThrow('slug is missing');
  expect(() => encode([{ selected: page, value: { edges: [{}], pageInfo: {} } }])).toThrow('TechnologyEdge.cursor');
  expect(() => encode([{ selected: page, value: { edges: [] } }])).toThrow('TechnologyConnection.pageInfo');
});
