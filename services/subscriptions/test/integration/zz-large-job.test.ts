import { afterAll, beforeAll, it } from 'vitest';
import { quoteListEnrich } from '../../src/operations/jobs/quote-list-enrich.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { context, domainsOf, type JobSystem, startJobSystem, tenantOf } from './job-system.ts';

let system: JobSystem;
beforeAll(async () => {
  system = await startJobSystem('large-job');
}, 60_000);
afterAll(() => system?.stop());
it('figures', async () => {
  await system.createPlan('huge', { lookupCached: 1_000_000, lookupLive: 1_000_000 });
  for (const count of [10_000, 100_000]) {
    const domains = domainsOf(count, `n${count}`);
    const known = domains.filter((_, n) => n % 10 < 8);
    for (let s = 0; s < known.length; s += 5_000) await system.addToCorpus(known.slice(s, s + 5_000), 0, 3_000);
    const payer = await system.createWorkspace({ plan: 'huge' });
    let t = Date.now();
    const listId = await system.createList(payer.workspaceId, domains);
    console.log(count, 'list', Date.now() - t);
    t = Date.now();
    await quoteListEnrich(system.deps, tenantOf(payer), { listId, keyId: payer.keyId, refresh: false }, context());
    console.log(count, 'quote', Date.now() - t);
    t = Date.now();
    const job = await system.start(payer, listId);
    console.log(count, 'start', Date.now() - t);
    t = Date.now();
    let steps = 0;
    let max = 0;
    const lane = async () => {
      while (steps < 300 && (await runNextStep(system.deps))) {
        steps++;
        max = Math.max(max, process.memoryUsage().rss);
        if (steps % 50 === 0)
          console.log(
            steps,
            Math.round(process.memoryUsage().rss / 1e6),
            Math.round(process.memoryUsage().heapUsed / 1e6),
            Date.now() - t,
          );
      }
    };
    await Promise.all([lane(), lane()]);
    console.log(count, 'steps', steps, Date.now() - t, 'rss', max / 1e6);
    t = Date.now();
    const r = await system.results(job);
    console.log(count, 'results', r.length, Date.now() - t);
  }
}, 500_000);
