import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import { domainOf } from './corpus.ts';
import type { Random } from './random.ts';
import type { BenchSettings } from './settings.ts';

const domainsPerBatch = 100;
const batchesPerConnection = 4;

/** Returns a look-up of each store of the corpus. */
export const lookUps = ({ stores }: BenchSettings): Request[] =>
  Array.from({ length: stores }, (_, n) => ({ method: 'GET' as const, path: `/v1/stores/${domainOf(n)}` }));

/** Returns batches of a hundred stores from all parts of the corpus. */
export const enrichBatches = (
  { stores, enrichConnections }: BenchSettings,
  headers: Record<string, string>,
): Request[] =>
  Array.from({ length: batchesPerConnection * enrichConnections }, (_, n) => ({
    method: 'POST' as const,
    path: '/v1/stores/enrich',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      domains: Array.from({ length: domainsPerBatch }, (_, i) => domainOf((n * 97 + i * 19) % stores)),
    }),
  }));

/** Selections of a store: five members, and all of them. */
export const graphqlSelections = {
  'five members': 'domain name platform { slug } geography { country } status { state }',
  'all members': `brand_group_id domain storefront_host storefront_id name profile_url
    catalog { as_of product_count available_count coverage currency price_range { median p25 p75 } }
    geography { basis country } industry { basis slug } observation { coverage_note last_completed_scan_at scope }
    platform { name slug confidence first_observed_at last_confirmed_at } status { state as_of }
    technologies { category confidence first_observed_at install_state last_confirmed_at name slug }
    recent_signals { id type technology from to confidence effective_at confirmed_at }`,
} as const;

/** Returns GraphQL documents that read the stores of batches. */
export const graphqlBatches = (batches: readonly Request[], selection: string): Request[] =>
  batches.map((batch) => ({
    ...batch,
    path: '/v1/graphql',
    body: JSON.stringify({
      query: `query ($domains: [String!]!) { stores(domains: $domains) { input match reason store { ${selection} } } }`,
      variables: JSON.parse(batch.body as string) as object,
    }),
  }));

const lookUp = (store: number, secret: string): Request => ({
  method: 'GET',
  path: `/v1/stores/${domainOf(store)}`,
  headers: { authorization: `Bearer ${secret}` },
});

/** Returns a function that makes an endless series of look-ups. Each looks up a random store of the first `stores`, by a random key. */
export const randomLookUps =
  (random: Random, stores: number, secretOf: (random: Random) => string): (() => Request) =>
  () =>
    lookUp(random(stores), secretOf(random));

/** Returns a function that makes a look-up by each key in turn, and then begins again with the first key. */
export function lookUpsByEach(secrets: readonly string[], stores: number): () => Request {
  let n = 0;
  return () => {
    const request = lookUp(n % stores, secrets[n % secrets.length] as string);
    n += 1;
    return request;
  };
}

/** Returns a function that makes an endless series of batches. Each has a hundred different random stores of the first `stores` stores. */
export const randomEnriches =
  (random: Random, stores: number, secretOf: (random: Random) => string): (() => Request) =>
  () => {
    const domains = new Set<string>();
    while (domains.size < Math.min(domainsPerBatch, stores)) domains.add(domainOf(random(stores)));
    return {
      method: 'POST',
      path: '/v1/stores/enrich',
      headers: { authorization: `Bearer ${secretOf(random)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domains: [...domains] }),
    };
  };

/** Returns the look-ups of the list, sent by the keys in turn. Look-ups or keys are repeated until all of both are used. */
export const lookUpsInTurn = (gets: readonly Request[], secrets: readonly string[]): Request[] =>
  Array.from({ length: Math.max(gets.length, secrets.length) }, (_, n) => ({
    ...gets[n % gets.length],
    headers: { authorization: `Bearer ${secrets[n % secrets.length]}` },
  }));

/** Saves the response to a request in a file, for references that send the same bytes. Resolves to the path of the file. */
export async function saveResponse(
  name: string,
  { path = '', method, body }: Request,
  to: { url: string; headers: Record<string, string>; folder: string },
): Promise<string> {
  const headers = { ...to.headers, 'content-type': 'application/json' };
  const response = await fetch(to.url + path, { method: method ?? 'GET', headers, body: (body as string) ?? null });
  if (response.status !== 200) throw new Error(`${name}: ${await response.text()}`);
  const file = join(to.folder, name);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return file;
}
