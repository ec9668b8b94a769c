import { storeStates } from '@shopscope/proto';
import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import type { Ask, Asker } from '../isolation/asker.ts';

/** A request of every operation that looks a store up, except a scan. */
export const lookUpsOf = (domain: string) => ({
  alone: { path: '/v1/stores/enrich', body: { domains: [domain], refresh: false } },
  batch: { path: '/v1/stores/enrich', body: { domains: ['store-0001.test', domain], refresh: false } },
  getStore: { path: `/v1/stores/${domain}` },
  history: { path: `/v1/stores/${domain}/history` },
  graphql: {
    path: '/v1/graphql',
    body: {
      query:
        'query ($domain: String!) { store(domain: $domain) { match } history(domain: $domain, first: 5) { edges { node { type technology } } } }',
      variables: { domain },
    },
  },
});
export const scanOf = (domain: string): Ask => ({ path: `/v1/stores/${domain}/scans`, method: 'POST' });

export interface LookUps {
  domain: string;
  answers: Record<keyof ReturnType<typeof lookUpsOf>, Answer>;
}

/** Sends one request after another, because the plan bounds those of a key at one time. */
export async function lookUp(asker: Asker, domain: string): Promise<LookUps> {
  const answers: Partial<LookUps['answers']> = {};
  for (const [name, ask] of Object.entries(lookUpsOf(domain))) {
    answers[name as keyof LookUps['answers']] = await asker.send(ask);
  }
  return { domain, answers: answers as LookUps['answers'] };
}

/** Returns what each operation says about the domain. */
export const shownBy = ({ domain, answers: { alone, batch, getStore, history, graphql } }: LookUps) => ({
  domain,
  matches: [alone.body.results?.[0].match, batch.body.results?.[1].match, graphql.body.data?.store.match],
  statuses: [getStore.status, history.status],
  hasHistory: graphql.body.data?.history !== null,
});

/** Returns the same for a domain whose look-ups have this match. */
export const shownWith = (domain: string, match: string) => {
  const status = match === 'no_match' ? 404 : 200;
  return shownAs({ domain, enrich: match, get: status, history: status, graphql: match });
};

/** Returns the same for a domain that answers as a row of the table. */
export const shownAs = ({ domain, enrich, get, history, graphql }: ShownRow) => ({
  domain,
  matches: [enrich, enrich, graphql],
  statuses: [get, history],
  hasHistory: history === 200,
});

interface ShownRow {
  domain: string;
  enrich: string | undefined;
  get: number;
  history: number;
  graphql: string | undefined;
}

/**
 * Returns the status of each of the domains that a search finds. A search names no domain, so it searches in a list of them. Without a status it
 * finds the active storefronts.
 */
export async function search(asker: Asker, domains: readonly string[]): Promise<Map<string, string>> {
  const list = (await asker.send({ path: '/v1/lists', body: { name: 'Searched' } })).body.id;
  await asker.send({ path: `/v1/lists/${list}/stores`, body: { domains } });
  const find = async (status?: object) => {
    const where = { list: { any: [list] }, ...(status && { status }) };
    const { status: code, body } = await asker.send({ path: '/v1/stores/search', body: { where, limit: 50 } });
    expect(code, JSON.stringify(body)).toBe(200);
    return body.data.map((row: Answer['body']) => [row.domain, row.store.status.state]) as [string, string][];
  };
  const found = new Map(await find({ any: storeStates }));
  expect(await find()).toEqual([...found].filter(([, state]) => state === 'active_storefront'));
  expect((await asker.send({ path: `/v1/lists/${list}`, method: 'DELETE' })).status).toBe(204);
  return found;
}

/** A simulated scan ends within seconds, and that of slow.test after a minute. */
const endsWithinMs = 120_000;

/** Scans the domains, and returns their jobs after the end of all. */
export async function scan(asker: Asker, domains: readonly string[]): Promise<Answer['body'][]> {
  const asked = await Promise.all(domains.map((domain) => asker.send(scanOf(domain))));
  expect(asked.map(({ status }) => status)).toEqual(domains.map(() => 202));
  const jobOf = (jobs: Answer['body'][], { body }: Answer) => jobs.find(({ id }) => id === body.id);
  let jobs: Answer['body'][] = [];
  const isEnded = async () => {
    const { data } = (await asker.send({ path: '/v1/jobs?limit=100' })).body;
    jobs = asked.map((each) => jobOf(data, each));
    return jobs.every((job) => ['succeeded', 'failed'].includes(job?.state));
  };
  await expect.poll(isEnded, { timeout: endsWithinMs, interval: 100 }).toBe(true);
  return jobs;
}

/** Returns the JSON text of a value without what differs between two equal runs. */
export const withoutIdsAndTimes = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/\b(evt|job|req|scan)_[0-9a-z]{26}\b/g, '$1_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
