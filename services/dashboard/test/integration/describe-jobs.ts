import type { Visitor } from '@shopscope/browser/visitor';
import { JobState } from '@shopscope/proto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from './support/gateway.ts';
import { hiddenIn, read, textOf } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeJobs(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('jobs', () => {
    let system: TestSystem;
    let gateway: TestGateway;

    const plan = { rpm: 600, concurrency: 5, enrichBatchMax: 100, freshnessDays: 30, historyDays: 30 };
    const dayMs = 86_400_000;

    beforeAll(async () => {
      system = shared();
      gateway = sharedGateway();
      gateway.addStore('fresh.example', { name: '=HYPERLINK("http://evil.example")' });
      gateway.addStore('stale.example', {}, Date.now() - 90 * dayMs);
      gateway.addStore('odd.example', { platform: { name: 7 } as never });
      const included = { lookupCached: 3, lookupLive: 1, historyQuery: 0, refreshRequested: 0 };
      await system.clients.keys.createPlan({
        actor: 'test',
        plan: { ...plan, slug: 'three_lookups', included, quotas: undefined },
      });
    });

    /** A workspace with a list of these stores, each with an id of its own. */
    async function startWorkspace(domains: readonly string[], planSlug?: string) {
      const { home: base, ...world } = await startStoresWorkspace(system, planSlug);
      const text = ['domain,id', ...domains.map((domain, n) => `${domain},crm-${n}`)].join('\n');
      const sent = await world.member.submit(`${base}/lists/new`, {
        token: crypto.randomUUID(),
        name: 'Shops',
        domains: text,
      });
      const path = sent.headers.get('location') ?? '';
      await world.member.submit(path, { domain_column: '0', id_column: '1' });
      const [, list = ''] = /href="([^"]*\/lists\/lst_\w+)"/.exec(await (await world.member.get(path)).text()) ?? [];
      return { ...world, base, list };
    }

    /** The fields of the form that starts a job, as its page has them. */
    async function formOf(browser: Visitor, list: string, mode = 'cached') {
      const html = await (await browser.get(`${list}/enrich`)).text();
      const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
      const [token, max_cached, max_refresh] = ['token', 'max_cached', 'max_refresh'].map(hidden) as [
        string,
        string,
        string,
      ];
      return { token, max_cached, max_refresh, mode };
    }

    async function start(browser: Visitor, list: string, mode?: string) {
      const response = await browser.submit(`${list}/enrich`, await formOf(browser, list, mode));
      return response.headers.get('location') ?? '';
    }

    const statusOf = async (browser: Visitor, job: string) =>
      (await (await browser.get(`${job}/status`)).json()) as {
        job: { state: string; progress: { done: number }; billed: Record<string, number> };
        results?: { rows: object[]; next?: string };
      };
    const expectState = (browser: Visitor, job: string, state: string) =>
      expect.poll(async () => (await statusOf(browser, job)).job.state).toBe(state);

    const usedOf = async (workspaceId: string) => {
      const { balance } = await system.clients.metering.getUsage({ workspaceId });
      return [balance?.used?.lookupCached, balance?.used?.lookupLive];
    };

    const five = ['fresh.example', 'odd.example', 'stale.example', 'unknown.example', 'other.example'];

    describe('enrichments of lists', () => {
      it('an enrichment shows its price before it starts, bills it once, and has results with the ids of the list', async () => {
        const { member, admin, list, base, workspaceId } = await startWorkspace(five);
        const priced = await read(await member.get(`${list}/enrich`));
        for (const text of [
          '2 fresh · 1 stale · 2 unknown',
          'Bills at most 3 cached look-ups .',
          'Bills at most 3 cached look-ups and 3 live look-ups .',
        ]) {
          expect(priced).toContain(text);
        }
        expect(await usedOf(workspaceId)).toEqual([0, 0]);
        const form = await formOf(member, list);
        const job = (await member.submit(`${list}/enrich`, form)).headers.get('location') ?? '';
        expect(job).toMatch(/\/jobs\/job_u\w+$/);
        // The same form, as a browser sends it when the response was lost.
        expect((await member.submit(`${list}/enrich`, form)).headers.get('location')).toBe(job);
        await expectState(member, job, 'succeeded');
        await expect.poll(() => usedOf(workspaceId)).toEqual([3, 0]);
        const page = await read(await admin.get(job));
        for (const text of [
          'Enrichment of 5 stores',
          '5 of 5 stores',
          'Billed 3 cached look-ups',
          'fresh.example Your id crm-0 Result Fresh',
          'stale.example Your id crm-2 Result Stale',
          'unknown.example Your id crm-3 Result Not in the corpus',
          'Answered, but this page cannot draw it',
        ]) {
          expect(page).toContain(text);
        }
        const jobs = await read(await member.get(`${base}/jobs`));
        expect(jobs).toContain('Enrichment of 5 stores State Succeeded');
      });

      it('an enrichment is exported as CSV whose cells are not formulas, and as NDJSON with the stores of the API', async () => {
        const { member, list } = await startWorkspace(five);
        const job = await start(member, list);
        await expectState(member, job, 'succeeded');
        const file = await member.get(`${job}/results.csv`);
        expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="job_u\w+\.csv"$/);
        const lines = (await file.text()).split('\r\n');
        expect(lines).toHaveLength(7);
        expect(lines[1]).toContain(
          `fresh.example,crm-0,matched,,"'=HYPERLINK(""http://evil.example"")",active_storefront,`,
        );
        expect(lines[2]).toMatch(/^odd\.example,crm-1,unreadable,/);
        expect(lines[5]).toMatch(/^unknown\.example,crm-3,no_match,not_in_corpus,/);
        const ndjson = await member.get(`${job}/results.ndjson`);
        expect(ndjson.headers.get('content-type')).toContain('application/x-ndjson');
        const rows = (await ndjson.text())
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect(rows.map(({ domain, external_id }) => [domain, external_id])).toEqual([
          ['fresh.example', 'crm-0'],
          ['odd.example', 'crm-1'],
          ['other.example', 'crm-4'],
          ['stale.example', 'crm-2'],
          ['unknown.example', 'crm-3'],
        ]);
        expect(rows[0].store.name).toBe('=HYPERLINK("http://evil.example")');
      });

      it('an enrichment with scans requests them for stale and unknown stores, by a member too', async () => {
        const { member, list, workspaceId } = await startWorkspace(five);
        const job = await start(member, list, 'refresh');
        await expectState(member, job, 'succeeded');
        await expect.poll(() => usedOf(workspaceId)).toEqual([3, 3]);
        const page = await read(await member.get(job));
        expect(page).toContain('Stale, scan requested');
        expect(page).toContain('Not in the corpus, scan requested');
      });

      it('an enrichment never bills more than the price that was shown', async () => {
        const { member, list, workspaceId } = await startWorkspace(['fresh.example']);
        const form = await formOf(member, list);
        await member.submit(list, { intent: 'add', domain: 'stale.example', external_id: '' });
        const refused = await member.submit(`${list}/enrich`, form);
        expect([refused.status, await read(refused)]).toEqual([400, expect.stringContaining('max_units')]);
        expect(await usedOf(workspaceId)).toEqual([0, 0]);
        await expectState(member, await start(member, list), 'succeeded');
      });

      it('an enrichment above the allowance is refused with the message of the API', async () => {
        const { member, list, workspaceId } = await startWorkspace(five, 'three_lookups');
        const refused = await member.submit(`${list}/enrich`, await formOf(member, list, 'refresh'));
        expect([refused.status, await read(refused)]).toEqual([402, expect.stringContaining('lookup_live')]);
        expect(await usedOf(workspaceId)).toEqual([0, 0]);
      });

      it('an enrichment is canceled, and keeps what is done', async () => {
        const domains = Array.from({ length: 101 }, (_, n) => `shop-${100 + n}.example`);
        const { member, list } = await startWorkspace(domains, 'three_lookups');
        // The plan has steps of 100 stores, so the second step waits.
        const release = gateway.holdLookUps('shop-200.example');
        const job = await start(member, list);
        await expect.poll(async () => (await statusOf(member, job)).job.progress.done).toBe(100);
        expect((await member.submit(job, {})).headers.get('location')).toBe(job);
        release();
        await expectState(member, job, 'canceled');
        const page = await read(await member.get(job));
        for (const text of ['The job was canceled', '100 of 101 stores', 'shop-100.example'])
          expect(page).toContain(text);
      });

      it('a reading of a job has its page of results also when that page has a next one', async () => {
        const { member, list } = await startWorkspace(Array.from({ length: 51 }, (_, n) => `shop-${n}.example`));
        const job = await start(member, list);
        await expectState(member, job, 'succeeded');
        const { results } = await statusOf(member, job);
        expect([results?.rows.length, results?.next]).toEqual([50, expect.stringMatching(/./)]);
      });

      it('an enrichment of another workspace is found by nobody', async () => {
        const own = await startWorkspace(['fresh.example']);
        const job = await start(own.member, own.list);
        await expectState(own.member, job, 'succeeded');
        const other = await startWorkspace(['fresh.example']);
        const id = job.split('/').at(-1);
        const listId = own.list.split('/').at(-1);
        for (const path of [job, `${other.base}/jobs/${id}`]) {
          for (const page of ['', '/status', '/results.csv', '/results.ndjson']) {
            expect([path + page, (await other.member.get(path + page)).status]).toEqual([path + page, 404]);
          }
          expect((await other.member.submit(path, {})).status).toBe(404);
        }
        const form = await formOf(other.member, other.list);
        for (const list of [own.list, `${other.base}/lists/${listId}`]) {
          expect((await other.member.get(`${list}/enrich`)).status).toBe(404);
          expect((await other.member.submit(`${list}/enrich`, form)).status).toBe(404);
        }
      });
    });

    describe('jobs', () => {
      it('jobs of all types are listed, the newest first, by type and by state', async () => {
        const { member, base, list, workspaceId } = await startWorkspace(['fresh.example']);
        gateway.addJob(workspaceId, 'job_0scan0of0a0test', 'scanned.example').state = JobState.FAILED;
        await expectState(member, await start(member, list), 'succeeded');
        const shown = async (query: string) => read(await member.get(`${base}/jobs${query}`));
        expect(await shown('')).toMatch(/Enrichment of 1 store .*Scan of scanned\.example /);
        expect(await shown('?type=scan')).not.toContain('Enrichment of 1 store');
        expect(await shown('?state=succeeded')).not.toContain('scanned.example');
        expect(await shown('?state=running&type=enrich')).toContain('No job has these filters');
        expect(await shown('?state=nonsense')).toContain('scanned.example');
        const scan = await member.get(`${base}/jobs/job_0scan0of0a0test`);
        expect(scan.headers.get('location')).toBe(`${base}/stores/scans/job_0scan0of0a0test`);
      });

      it('an enrichment while the gateway is unavailable shows its form again, and that form starts one job', async () => {
        const { member, list, workspaceId } = await startWorkspace(five);
        const form = await formOf(member, list, 'refresh');
        await gateway.refuse();
        expect(await read(await member.get(`${list}/enrich`))).not.toContain('Send the form again');
        const failed = await member.submit(`${list}/enrich`, form);
        const html = await failed.text();
        expect([failed.status, textOf(html)]).toEqual([503, expect.stringContaining('it bills nothing twice')]);
        const shown = Object.fromEntries(hiddenIn(html));
        expect(shown).toEqual(form);
        await gateway.accept();
        const send = async () => (await member.submit(`${list}/enrich`, shown)).headers.get('location');
        const job = (await send()) ?? '';
        expect(job).toMatch(/\/jobs\/job_u\w+$/);
        expect(await send()).toBe(job);
        await expectState(member, job, 'succeeded');
        await expect.poll(() => usedOf(workspaceId)).toEqual([3, 3]);
      });
    });
  });
}
