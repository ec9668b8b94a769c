import type { Visitor } from '@shopscope/browser/visitor';
import { dayMs, hourMs } from '@shopscope/clock';
import { createKafka, createProducer, type EventProducer, type Kafka } from '@shopscope/kafka';
import { type KeyActivity, keyActivity } from '@shopscope/proto';
import { kafkaOptions } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OverviewData } from '../../src/usage/pages/load-overview.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createKey, spend } from './support/usage.ts';

export function describeOverview(shared: () => TestSystem): void {
  describe('overview', () => {
    let system: TestSystem;
    let people = 0;
    let kafka: Kafka;
    let producer: EventProducer;
    beforeAll(async () => {
      system = shared();
      kafka = createKafka(kafkaOptions(system.namespace));
      producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
    });
    afterAll(async () => {
      await producer.close();
      await kafka.close();
    });

    const thisHour = () => Math.floor(Date.now() / hourMs) * hourMs;

    async function setUp() {
      const ann = await system.person(`Ann ${++people}`);
      const { workspaceId } = await system.workspace('Acme', [{ id: ann.id, role: 'admin' }]);
      const browser = await system.signIn(ann);
      const base = `/workspaces/${workspaceId}`;
      const figures = async () => (await (await browser.get(`${base}/figures`)).json()) as OverviewData;
      return { workspaceId, browser, base, figures };
    }

    /** Publishes reports of a gateway, in their order. */
    const publish = (workspaceId: string, reports: Partial<KeyActivity>[]) =>
      producer.publishMany(
        keyActivity,
        reports.map((report) => ({
          workspaceId,
          keyId: 'key_a',
          instanceId: 'gateway-1.a',
          sequence: 1,
          lastUsedAtMs: Date.now(),
          hourStartMs: thisHour(),
          succeeded: 0,
          clientErrors: 0,
          serverErrors: 0,
          limited: 0,
          ...report,
        })),
        { requestId: 'req_test', traceparent: '', environment: 'live' },
      );

    const total = (hours: OverviewData['hours']) =>
      (hours ?? []).reduce(
        (sum, { succeeded, clientErrors, limited, serverErrors }) => [
          (sum[0] ?? 0) + succeeded,
          (sum[1] ?? 0) + clientErrors,
          (sum[2] ?? 0) + limited,
          (sum[3] ?? 0) + serverErrors,
        ],
        [0, 0, 0, 0],
      );

    describe('requests of the last day', () => {
      it('the requests of the last day are the sum of all gateways and keys by hour, and a repeated report counts once', async () => {
        const { workspaceId, figures } = await setUp();
        const hour = thisHour();
        const reports = [
          { sequence: 1, succeeded: 10, clientErrors: 3, limited: 1 },
          { sequence: 2, succeeded: 5, serverErrors: 2 },
          { sequence: 3, keyId: 'key_b', succeeded: 100 },
          { sequence: 1, instanceId: 'gateway-2.b', succeeded: 1_000 },
          { sequence: 4, hourStartMs: hour - 2 * hourMs, succeeded: 20, clientErrors: 1 },
          { sequence: 5, hourStartMs: hour - 30 * hourMs, succeeded: 7 },
        ];
        await publish(workspaceId, reports);
        await publish(workspaceId, [...reports, ...reports.slice(0, 2)]);
        await publish(workspaceId, [{ sequence: 6, succeeded: 1 }]);
        await expect.poll(async () => total((await figures()).hours)).toEqual([1_136, 4, 1, 2]);
        const { hours = [] } = await figures();
        expect(hours).toHaveLength(24);
        expect(hours.at(-1)).toMatchObject({ hourStartMs: hour, succeeded: 1_116, clientErrors: 3, limited: 1 });
        expect(hours.at(-3)).toMatchObject({ hourStartMs: hour - 2 * hourMs, succeeded: 20, clientErrors: 1 });
        expect(hours.at(-2)).toMatchObject({ succeeded: 0, clientErrors: 0 });
      });

      it('the requests of the last day belong to one workspace', async () => {
        const [one, two] = [await setUp(), await setUp()];
        await publish(one.workspaceId, [{ succeeded: 3 }]);
        await expect.poll(async () => total((await one.figures()).hours)[0]).toBe(3);
        expect(total((await two.figures()).hours)).toEqual([0, 0, 0, 0]);
      });

      it('the requests of an hour are kept for eight days after it', async () => {
        const indexes = await system.db.collection('key_activity').indexes();
        expect(indexes.find(({ name }) => name === 'expiry')).toMatchObject({
          key: { hourStart: 1 },
          expireAfterSeconds: 8 * 24 * 3_600,
        });
      });

      it('the plan page says how close the busiest hour of a key came to the limit', async () => {
        const { workspaceId, browser, base, figures } = await setUp();
        const key = await createKey(system, workspaceId, 'Production');
        await publish(workspaceId, [
          {
            keyId: key.keyId,
            sequence: 1,
            hourStartMs: thisHour() - 50 * hourMs,
            succeeded: 5_995,
            clientErrors: 5,
            limited: 5,
          },
          { keyId: key.keyId, sequence: 2, succeeded: 60 },
        ]);
        await expect.poll(async () => total((await figures()).hours)[0]).toBe(60);
        const text = textOf(await browser.get(`${base}/settings/plan`));
        expect(await text).toContain('had 6,000 requests with the key Production, about 100 of 600 a minute');
        expect(await text).toContain('5 requests of these days were refused');
      });

      it('the plan page shows the quotas of the plan', async () => {
        const { workspaceId, browser, base } = await setUp();
        const { plan } = await system.clients.keys.getWorkspace({ workspaceId });
        const quotas = { lists: 41, listStores: 4_200, watchlists: 43, watchedStores: 44, webhooks: 45 };
        const changed = { ...(plan as NonNullable<typeof plan>), slug: 'with_quotas', quotas };
        await system.clients.keys.createPlan({ plan: changed, actor: 'test' });
        await system.clients.keys.setWorkspacePlan({ workspaceId, planSlug: changed.slug, actor: 'test' });
        const text = await textOf(await browser.get(`${base}/settings/plan`));
        for (const shown of [
          'Lists41',
          'Stores in all lists4,200',
          'Watchlists43',
          'Stores in all watchlists44',
          'Webhooks45',
        ]) {
          expect(text).toContain(shown);
        }
      });
    });

    /** The text of a page, without elements and comments. */
    const textOf = async (response: Response) => (await response.text()).replaceAll(/<!--.*?-->|<[^>]+>/g, '');

    describe('overview', () => {
      it('the overview checks the first steps off by what happened, and drops them when all are done', async () => {
        const { workspaceId, figures, browser, base } = await setUp();
        expect((await figures()).firstSteps).toEqual({ hasKey: false, hasCalled: false, hasUsage: false });
        const page = await textOf(await browser.get(base));
        expect(page).toContain('Create an API key');
        expect(page).toContain('curl http://127.0.0.1:8080/v1/account');
        const key = await createKey(system, workspaceId, 'Production');
        expect((await figures()).firstSteps).toEqual({ hasKey: true, hasCalled: false, hasUsage: false });
        await publish(workspaceId, [{ keyId: key.keyId, succeeded: 1 }]);
        await expect
          .poll(async () => (await figures()).firstSteps)
          .toEqual({ hasKey: true, hasCalled: true, hasUsage: false });
        await spend(system, key, { lookupCached: 1 });
        expect((await figures()).firstSteps).toBeUndefined();
      });

      it('the overview shows the keys that expire within 14 days, the first one first', async () => {
        const { workspaceId, figures, browser, base } = await setUp();
        const now = Date.now();
        await createKey(system, workspaceId, 'In 13 days', now + 13 * dayMs);
        await createKey(system, workspaceId, 'In 2 days', now + 2 * dayMs);
        await createKey(system, workspaceId, 'In 15 days', now + 15 * dayMs);
        await createKey(system, workspaceId, 'Never');
        expect((await figures()).expiring.map(({ label }) => label)).toEqual(['In 2 days', 'In 13 days']);
        expect(await textOf(await browser.get(base))).toContain('Keys that expire');
      });

      it('the overview shows the keys that have expired, and no revoked ones', async () => {
        const { workspaceId, figures } = await setUp();
        const expired = await createKey(system, workspaceId, 'Expired', Date.now() + dayMs);
        const revoked = await createKey(system, workspaceId, 'Revoked', Date.now() + dayMs);
        await system.clients.keys.revokeKey({ ...revoked, actor: 'test', actorAddress: '' });
        await system.db.client
          .db(system.namespace.databaseName('keys'))
          .collection<{ _id: string }>('keys')
          .updateOne({ _id: expired.keyId }, { $set: { expiresAt: new Date(Date.now() - dayMs) } });
        const { expired: shown, expiring } = await figures();
        expect([shown.map(({ label }) => label), expiring]).toEqual([['Expired'], []]);
      });
    });

    it('a dashboard starts and shows its pages while Kafka is unavailable', async () => {
      const other = await startTestSystem({ KAFKA_BROKERS: '127.0.0.1:1' }, system.services);
      try {
        const ann = await other.person('Ann');
        const { workspaceId } = await other.workspace('Acme', [{ id: ann.id, role: 'admin' }]);
        const browser: Visitor = await other.signIn(ann);
        const page = await browser.get(`/workspaces/${workspaceId}`);
        expect([page.status, (await page.text()).includes('No requests in the last 24 hours')]).toEqual([200, true]);
      } finally {
        await other.stop();
      }
    });
  });
}
