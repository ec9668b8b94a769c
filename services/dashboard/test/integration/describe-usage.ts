import type { GetUsageResponse } from '@shopscope/proto';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UsageData } from '../../src/usage/pages/load-usage.ts';
import type { TestSystem } from './support/system.ts';
import { createKey, reserve, spend } from './support/usage.ts';

export function describeUsage(shared: () => TestSystem): void {
  describe('usage', () => {
    let system: TestSystem;
    let people = 0;
    beforeAll(() => {
      system = shared();
    });

    /** A workspace with an admin who is signed in. */
    async function setUp() {
      const ann = await system.person(`Ann ${++people}`);
      const { workspaceId } = await system.workspace('Acme', [{ id: ann.id, role: 'admin' }]);
      return { ann, workspaceId, browser: await system.signIn(ann), base: `/workspaces/${workspaceId}` };
    }

    const unitsOf = (units: GetUsageResponse['keys'][number]['used']) => ({
      lookup_cached: units?.lookupCached,
      lookup_live: units?.lookupLive,
      history_query: units?.historyQuery,
      refresh_requested: units?.refreshRequested,
    });

    /** Two keys with units on several days of this month, and a revoked one. */
    async function withUsage(workspaceId: string) {
      const production = await createKey(system, workspaceId, 'Production');
      const staging = await createKey(system, workspaceId, 'Staging');
      const revoked = await createKey(system, workspaceId, 'Old laptop');
      const now = Date.now();
      await spend(system, production, { lookupCached: 1_201, lookupLive: 3 });
      await spend(system, production, { lookupCached: 7 }, now - 24 * 3_600_000);
      await spend(system, staging, { lookupCached: 100 }, now - 48 * 3_600_000);
      await spend(system, revoked, { lookupLive: 9, historyQuery: 2, refreshRequested: 1 });
      await system.clients.keys.revokeKey({ workspaceId, keyId: revoked.keyId, actor: 'test', actorAddress: '' });
      return { production, staging, revoked };
    }

    const figures = async (browser: { get(path: string): Promise<Response> }, path: string) =>
      (await (await browser.get(path)).json()) as UsageData;

    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

    describe('usage page', () => {
      it('the usage page shows exactly the units of metering, in total, by key and by day', async () => {
        const { workspaceId, browser, base } = await setUp();
        const { revoked } = await withUsage(workspaceId);
        await reserve(system, revoked, { lookupCached: 4 });
        const metered = await system.clients.metering.getUsage({ workspaceId });

        const data = await figures(browser, `${base}/usage/figures?split=keys`);
        expect(data.used).toEqual(unitsOf(metered.balance?.used));
        expect(data.used).toEqual({ lookup_cached: 1_308, lookup_live: 12, history_query: 2, refresh_requested: 1 });
        expect(data.reserved?.lookup_cached).toBe(4);
        expect(data.included?.lookup_cached).toBe(250_000);
        expect(data.keys.map(({ id, used }) => [id, used]).sort()).toEqual(
          metered.keys.map(({ keyId, used }) => [keyId, unitsOf(used)]).sort(),
        );
        expect(data.keys.map(({ label, state }) => [label, state])).toEqual([
          ['Production', 'active'],
          ['Staging', 'active'],
          ['Old laptop', 'revoked'],
        ]);
        expect(data.chart?.series.map(({ label, total }) => [label, total])).toEqual([
          ['Production', 1_208],
          ['Staging', 100],
        ]);
        for (const [unit, used] of Object.entries(data.used ?? {})) {
          const { chart } = await figures(browser, `${base}/usage/figures?unit=${unit}`);
          expect([unit, sum(chart?.days.flatMap(({ values }) => values ?? []) ?? [])]).toEqual([unit, used]);
        }

        const html = await (await browser.get(`${base}/usage`)).text();
        for (const text of ['1,308', '250,000', 'Production', 'Old laptop', 'revoked']) expect(html).toContain(text);
        expect(html).toMatch(/resets 1 \w+, 00:00 UTC/);
      });

      it('the usage page reads the active keys and the inactive ones with units, whatever number of keys was revoked', async () => {
        const { workspaceId, browser, base } = await setUp();
        await withUsage(workspaceId);
        for (let n = 0; n < 20; n++) {
          const { keyId } = await createKey(system, workspaceId, `Unused ${n}`);
          await system.clients.keys.revokeKey({ workspaceId, keyId, actor: 'test', actorAddress: '' });
        }
        const mongo = await MongoClient.connect(system.namespace.mongoUrl);
        const db = mongo.db(system.namespace.databaseName('keys'));
        await db.command({ profile: 2 });
        const data = await figures(browser, `${base}/usage/figures?split=keys`);
        const csv = await (await browser.submit(`${base}/usage.csv`, {})).text();
        await db.command({ profile: 0 });
        const ofKeys = { ns: `${db.databaseName}.keys`, op: 'query' };
        const reads = await db.collection('system.profile').find(ofKeys).sort({ ts: 1 }).toArray();
        await mongo.close();

        const labels = ['Old laptop', 'Production', 'Staging'];
        expect(data.keys.map(({ label }) => label).sort()).toEqual(labels);
        expect(data.chart?.series.map(({ label }) => label)).toEqual(['Production', 'Staging']);
        for (const label of labels) expect(csv).toContain(label);
        // The page: the active keys, then the revoked one. The export: all three.
        expect(reads.map(({ nreturned }) => nreturned)).toEqual([2, 1, 3]);
      });

      it('the usage page shows new units at the next reading', async () => {
        const { workspaceId, browser, base } = await setUp();
        const key = await createKey(system, workspaceId, 'Production');
        expect((await figures(browser, `${base}/usage/figures`)).used?.lookup_cached).toBe(0);
        await spend(system, key, { lookupCached: 25 });
        expect((await figures(browser, `${base}/usage/figures`)).used?.lookup_cached).toBe(25);
      });

      it('the usage page shows this month and the twelve before it, without the allowance of an earlier plan', async () => {
        const { browser, base, workspaceId } = await setUp();
        await system.db.client
          .db(system.namespace.databaseName('keys'))
          .collection<{ _id: string }>('workspaces')
          .updateOne({ _id: workspaceId }, { $set: { createdAt: new Date(0) } });
        const now = new Date();
        const name = (monthsAgo: number) =>
          new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 7);
        const current = await figures(browser, `${base}/usage/figures`);
        expect(current.period).toMatchObject({ name: name(0), isCurrent: true, older: name(1) });
        const earlier = await figures(browser, `${base}/usage/figures?period=${name(1)}`);
        expect(earlier.period).toMatchObject({ name: name(1), isCurrent: false, older: name(2), newer: name(0) });
        expect([earlier.included, earlier.used?.lookup_cached, earlier.paces]).toEqual([undefined, 0, {}]);
        expect((await figures(browser, `${base}/usage/figures?period=${name(12)}`)).period.older).toBeUndefined();
        for (const period of [name(13), name(-1), '2026-13', 'x']) {
          const page = await browser.get(`${base}/usage?period=${period}`);
          const hasNavigation = (await page.text()).includes(`href="${base}/settings/keys"`);
          expect([period, page.status, hasNavigation]).toEqual([period, 404, true]);
        }
      });

      it('the usage page is shown to members, and is 404 for people of another workspace', async () => {
        const { workspaceId, base } = await setUp();
        const [member, stranger] = [await system.person('Mia'), await system.person('Sam')];
        await system.db.collection('member').insertOne({
          _id: 'a member' as never,
          organizationId: (await system.db.collection('organization').findOne({ slug: workspaceId }))?._id,
          userId: member.id,
          role: 'member',
          createdAt: new Date(),
        });
        await system.workspace('Other', [{ id: stranger.id, role: 'admin' }]);
        const [mia, sam] = [await system.signIn(member), await system.signIn(stranger)];
        for (const path of ['', '/figures', '/usage', '/usage/figures', '/settings/plan']) {
          expect([path, (await mia.get(base + path)).status, (await sam.get(base + path)).status]).toEqual([
            path,
            200,
            404,
          ]);
        }
        expect((await sam.submit(`${base}/usage.csv`, {})).status).toBe(404);
        const anonymous = await system.anonymous().submit(`${base}/usage.csv`, {});
        expect([anonymous.status, anonymous.headers.get('location')?.startsWith('/sign-in')]).toEqual([302, true]);
      });
    });

    describe('export of usage', () => {
      const lines = async (response: Response) => (await response.text()).trimEnd().split('\r\n');

      it('the export of usage has a row for each day and key, with exactly the units of metering', async () => {
        const { workspaceId, browser, base } = await setUp();
        const { production } = await withUsage(workspaceId);
        const response = await browser.submit(`${base}/usage.csv`, {});
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
        expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="usage-\d{4}-\d{2}\.csv"$/);
        expect(response.headers.get('cache-control')).toContain('no-store');
        const [head, ...rows] = await lines(response);
        expect(head).toBe('day,key_id,prefix,label,lookup_cached,lookup_live,history_query,refresh_requested');
        const today = rows.find((row) =>
          row.startsWith(`${new Date().toISOString().slice(0, 10)},${production.keyId},`),
        );
        // On the first of a month, the units of the day before are bounded into it.
        expect(today).toMatch(/,svc_live_\w{4},Production,(1201|1208),3,0,0$/);
        const { balance } = await system.clients.metering.getUsage({ workspaceId });
        const sums = [4, 5, 6, 7].map((column) => sum(rows.map((row) => Number(row.split(',')[column]))));
        expect(sums).toEqual(Object.values(unitsOf(balance?.used)));
      });

      it.each([
        ['=HYPERLINK("https://evil.example")', '"\'=HYPERLINK(""https://evil.example"")"'],
        ['+1', "'+1"],
        ['-2+3', "'-2+3"],
        ['@SUM(A1)', "'@SUM(A1)"],
        ['a, b', '"a, b"'],
      ])('the export of usage writes the label %j as %j, so that no spreadsheet runs it', async (label, written) => {
        const { workspaceId, browser, base } = await setUp();
        await spend(system, await createKey(system, workspaceId, label), { lookupCached: 1 });
        const [, row] = await lines(await browser.submit(`${base}/usage.csv`, {}));
        expect(row).toMatch(/^\d{4}-\d{2}-\d{2},key_\w+,svc_live_\w{4},/);
        expect(row?.split(/,svc_live_\w{4},/)[1]).toBe(`${written},1,0,0,0`);
      });

      it('the export of usage asks for the password again when the sign-in is more than 15 minutes ago', async () => {
        const { ann, browser, base } = await setUp();
        await system.db
          .collection('session')
          .updateMany({ userId: ann.id }, { $set: { createdAt: new Date(Date.now() - 15 * 60_000 - 1_000) } });
        const response = await browser.submit(`${base}/usage.csv`, {});
        expect([response.status, response.headers.get('location')]).toEqual([
          302,
          `/confirm?next=${encodeURIComponent(`${base}/usage.csv`)}`,
        ]);
      });

      it('the export of usage is in the audit log', async () => {
        const { ann, workspaceId, browser, base } = await setUp();
        expect((await browser.submit(`${base}/usage.csv`, {})).status).toBe(200);
        const { entries } = await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 10 });
        expect(entries).toContainEqual(expect.objectContaining({ action: 'usage.exported', actor: ann.id }));
      });
    });

    /** Runs the work while a service refuses connections, and waits until it can be reached again. */
    async function whileAway(name: 'keys' | 'metering', probe: () => Promise<UsageData>, work: () => Promise<void>) {
      await system.proxies[name].refuse();
      try {
        await work();
      } finally {
        await system.proxies[name].accept();
        await expect.poll(async () => Object.values((await probe()).missing)).not.toContain(true);
      }
    }

    describe('usage without another service', () => {
      it('the usage pages show everything that does not need metering while metering is unavailable', async () => {
        const { workspaceId, browser, base } = await setUp();
        await createKey(system, workspaceId, 'Production');
        const probe = () => figures(browser, `${base}/usage/figures`);
        await whileAway('metering', probe, async () => {
          for (const path of ['', '/usage', '/settings/plan']) {
            const page = await browser.get(base + path);
            expect([path, page.status]).toEqual([path, 200]);
            const text = await page.text();
            for (const shown of ['Usage is not available right now', '250,000', 'not known'])
              expect(text).toContain(shown);
          }
          expect(await (await browser.get(`${base}/usage`)).text()).toContain('Production');
          expect((await browser.submit(`${base}/usage.csv`, {})).status).toBe(503);
        });
      });

      it('the usage pages show usage by the ids of keys while keys is unavailable', async () => {
        const { workspaceId, browser, base } = await setUp();
        const key = await createKey(system, workspaceId, 'Production');
        await spend(system, key, { lookupCached: 321 });
        const probe = () => figures(browser, `${base}/usage/figures`);
        await whileAway('keys', probe, async () => {
          const usage = await browser.get(`${base}/usage`);
          const text = await usage.text();
          expect(usage.status).toBe(200);
          for (const shown of ['Keys and the plan are not available right now', key.keyId, '321']) {
            expect(text).toContain(shown);
          }
          expect(text).not.toContain('Production');
          const plan = await browser.get(`${base}/settings/plan`);
          expect([plan.status, (await plan.text()).includes('The plan is not available right now')]).toEqual([
            200,
            true,
          ]);
          const overview = await browser.get(base);
          expect([overview.status, (await overview.text()).includes('321')]).toEqual([200, true]);
        });
      });
    });
  });
}
