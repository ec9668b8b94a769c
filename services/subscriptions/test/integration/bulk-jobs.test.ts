import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainsOf, type JobSystem, startJobSystem } from './job-system.ts';

describe('jobs over lists', () => {
  let system: JobSystem;
  const known = domainsOf(150, 'known');
  const stale = domainsOf(30, 'stale');
  const unknown = domainsOf(70, 'unknown');

  beforeAll(async () => {
    system = await startJobSystem('bulk-jobs');
    await system.addToCorpus(known);
    await system.addToCorpus(stale, 100);
  });
  afterAll(() => system?.stop());

  it('a job answers each store once, by domain, with the bytes of the store, and bills what it answers', async () => {
    const payer = await system.createWorkspace();
    const domains = [...known, ...stale, ...unknown];
    const started = await system.start(payer, await system.createList(payer.workspaceId, domains));
    expect(started).toMatchObject({ state: 'queued', total: 250, done: 0 });
    await system.runSteps();
    const job = await system.find(started);
    expect(job).toMatchObject({
      state: 'succeeded',
      done: 250,
      failed: 0,
      billed: { lookupCached: 180, lookupLive: 0 },
    });
    const results = await system.results(started, 7);
    expect(results.map(({ domain }) => domain)).toEqual([...domains].sort());
    for (const { domain, externalId, match, store } of results) {
      expect(externalId).toBe(`ext-${domain}`);
      expect(match).toBe(domain.startsWith('known') ? 'matched' : domain.startsWith('stale') ? 'stale' : 'no_match');
      expect(store?.toString()).toBe(match === 'no_match' ? undefined : `{"domain":"${domain}","name":"Ä"}`);
    }
    expect(await system.ledger(payer.workspaceId)).toMatchObject({ lookupCached: 180, lookupLive: 0 });
  });
});
