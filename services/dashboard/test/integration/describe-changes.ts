import type { Visitor } from '@shopscope/browser/visitor';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import {
  allowanceThresholdReached,
  EventOrder,
  ScanJobEnded,
  ScanJobEndState,
  SubscriptionsServiceService,
  scanJobEnded,
} from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from './support/gateway.ts';
import { read, tokenIn } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { createKey, reserve } from './support/usage.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeChanges(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('changes', () => {
    const origin = { requestId: 'req_test', traceparent: '', environment: 'live' } as const;

    describe('changes', () => {
      let system: TestSystem;
      let gateway: TestGateway;
      let kafka: ReturnType<typeof createKafka>;
      let producer: EventProducer;
      let subscriptions: GrpcClient<typeof SubscriptionsServiceService>;
      beforeAll(() => {
        system = shared();
        gateway = sharedGateway();
        kafka = createKafka(kafkaOptions(system.namespace));
        producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
        const address = gateway.subscriptions?.grpcAddress ?? '';
        subscriptions = createGrpcClient({ definition: SubscriptionsServiceService, address });
      });
      afterAll(async () => {
        subscriptions?.close();
        await producer?.close();
        await kafka?.close();
      });

      async function startWorkspace(planSlug?: string) {
        const world = await startStoresWorkspace(system, planSlug);
        return { ...world, base: `${world.home}/changes` };
      }

      /** Publishes the end of a scan, as scan-scheduler does. */
      const endScan = (workspaceId: string, domain: string, more: Partial<ScanJobEnded> = {}) => {
        const end = { workspaceId, jobId: `job_${domain.replace('.', '')}`, domain, endedAtMs: Date.now() };
        const event = ScanJobEnded.fromPartial({ ...end, state: ScanJobEndState.SUCCEEDED, ...more });
        return producer.publish(scanJobEnded.live, event, origin, { timeoutMs: 60_000 });
      };
      const failed = {
        state: ScanJobEndState.FAILED,
        errorCode: 'dns_failure',
        errorMessage: 'The domain does not resolve.',
      };
      /** Resolves when subscriptions has this number of events. */
      const recorded = (workspaceId: string, count: number) =>
        waitUntil(`${count} events`, async () => {
          const query = {
            workspaceId,
            types: [],
            watchlistId: '',
            limit: 50,
            order: EventOrder.DESCENDING,
            waitMs: 0,
            afterSequence: undefined,
          };
          return (await subscriptions.listEvents(query, { origin })).events.length === count;
        });

      it('a workspace without events sees what starts them', async () => {
        const { member, base } = await startWorkspace();
        const page = await read(await member.get(base));
        for (const text of ['No changes yet', 'Create a watchlist']) expect(page).toContain(text);
        expect(await read(await member.get(`${base}?type=jobs`))).toContain('No matching changes');
      });

      it('the events of a workspace are a timeline with the latest first, which can be filtered by type, for members and admins', async () => {
        const { member, admin, base, workspaceId } = await startWorkspace();
        await endScan(workspaceId, 'a.example');
        await recorded(workspaceId, 1);
        await endScan(workspaceId, 'b.example', failed);
        await recorded(workspaceId, 2);
        const threshold = { workspaceId, unit: 'lookup_live', percent: 80, included: 500, used: 400, generation: 0 };
        const period = { periodStartMs: Date.UTC(2026, 0, 1), atMs: Date.UTC(2026, 0, 15) };
        await producer.publish(allowanceThresholdReached.live, { ...threshold, ...period }, origin, {
          timeoutMs: 60_000,
        });
        await recorded(workspaceId, 3);
        for (const browser of [member, admin]) {
          const text = await read(await browser.get(base));
          expect(text).toMatch(
            /Live look-ups\S* 80 % of the allowance is used .*b\.example\S* Scan failed\s*\. The domain does not resolve\. .*a\.example\S* Scan completed/,
          );
        }
        const html = await (await member.get(base)).text();
        const workspace = base.replace('/changes', '');
        for (const link of [
          `${workspace}/stores/scans/job_bexample`,
          `${workspace}/stores?domain=b.example`,
          `${base}?store=b.example#history`,
          `${workspace}/usage`,
        ]) {
          expect(html).toContain(`href="${link}"`);
        }
        const filtered = await read(await member.get(`${base}?type=failed_scans`));
        expect([filtered.includes('b.example'), filtered.includes('a.example')]).toEqual([true, false]);
        expect(await read(await member.get(`${base}?type=no_such_type`))).toContain('a.example');
      });

      it('the readings of an open page have events that came after it was opened, and the same filter', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        await endScan(workspaceId, 'a.example');
        await recorded(workspaceId, 1);
        await member.get(base);
        await endScan(workspaceId, 'b.example', failed);
        const latest = async (query = '') => {
          const { changes } = (await (await member.get(`${base}/latest${query}`)).json()) as {
            changes: { domain: string }[];
          };
          return changes.map(({ domain }) => domain);
        };
        await waitUntil('the new event', async () => (await latest()).length === 2);
        expect(await latest()).toEqual(['b.example', 'a.example']);
        expect(await latest('?type=failed_scans')).toEqual(['b.example']);
      });

      it('the end of an enrichment leads to its job', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        const workspace = base.replace('/changes', '');
        const create = { token: crypto.randomUUID(), name: 'Shops', domains: '' };
        const list = (await member.submit(`${workspace}/lists/new`, create)).headers.get('location') ?? '';
        await member.submit(list, { intent: 'add', domain: 'unknown.example', external_id: '' });
        const enrich = { token: crypto.randomUUID(), mode: 'cached', max_cached: '0', max_refresh: '0' };
        const job = (await member.submit(`${list}/enrich`, enrich)).headers.get('location') ?? '';
        expect(job).toMatch(/\/jobs\/job_u\w+$/);
        await recorded(workspaceId, 1);
        expect(await (await member.get(base)).text()).toContain(`href="${job}"`);
      });

      it('a workspace sees no event of another one', async () => {
        const [one, two] = [await startWorkspace(), await startWorkspace()];
        await endScan(one.workspaceId, 'secret.example');
        await recorded(one.workspaceId, 1);
        expect(await read(await two.member.get(two.base))).toContain('No changes yet');
        for (const path of [one.base, `${one.base}/latest`]) expect((await two.member.get(path)).status).toBe(404);
      });

      it('the watchlists of the workspace are a filter', async () => {
        const { member, base, workspaceId } = await startWorkspace();
        await endScan(workspaceId, 'a.example');
        await recorded(workspaceId, 1);
        const members = { name: 'Competitors', signalTypes: [], technologies: [], keyId: '' };
        const request = { workspaceId, ...members, quota: 10, requestToken: '' };
        const { watchlist } = await subscriptions.createWatchlist(
          { ...request, rescanInterval: undefined, budget: undefined },
          { origin },
        );
        expect(await read(await member.get(base))).toContain('Competitors');
        const filtered = await read(await member.get(`${base}?watchlist=${watchlist?.id}`));
        expect([filtered.includes('No matching changes'), filtered.includes('Competitors')]).toEqual([true, true]);
        const watchlistId = watchlist?.id ?? '';
        await subscriptions.deleteWatchlist({ workspaceId, watchlistId }, { origin });
        // The page of another filter is not in memory yet.
        const kept = await member.get(`${base}?watchlist=${watchlistId}&type=scans`);
        const text = await read(kept);
        expect([kept.status, text.includes('a.example')]).toEqual([200, true]);
        expect(text).toContain('The watchlist of this filter does not exist any more');
      });

      describe('the history of a store', () => {
        /** Sends the form of the page. Returns the response and, if it has one, the place that it leads to. */
        async function readHistory(browser: Visitor, path: string, more: Record<string, string> = {}) {
          const token = more.token ?? tokenIn(await (await browser.get(path)).text());
          const domain = new URL(path, system.url).searchParams.get('store') ?? '';
          const response = await browser.submit(path, { domain, newer: '', ...more, token });
          return { response, place: (response.headers.get('location') ?? '').replace('#history', '') };
        }
        const usedOf = async (workspaceId: string) => {
          const { balance } = await system.clients.metering.getUsage({ workspaceId });
          return balance?.used?.historyQuery;
        };

        it('a member reads the history of a store beside the changes for one history_query, and everybody opens it again free', async () => {
          const { member, admin, base, workspaceId } = await startWorkspace();
          gateway.addHistory('shop.example', ['klaviyo', 'yotpo']);
          await endScan(workspaceId, 'shop.example');
          await recorded(workspaceId, 1);
          const before = gateway.historyReads();
          const path = `${base}?type=scans&store=shop.example`;
          const asked = await read(await member.get(path));
          for (const text of ['Scan completed', 'costs 1 history query', '25,000 of 25,000 history queries are left']) {
            expect(asked).toContain(text);
          }
          expect([asked.includes('klaviyo'), gateway.historyReads() - before]).toEqual([false, 0]);
          const { place } = await readHistory(member, path);
          expect(place).toMatch(/\/changes\?type=scans&store=shop\.example&history=[\w-]{22}$/);
          for (const [browser, address] of [
            [member, place],
            [admin, path],
          ] as const) {
            const shown = await read(await browser.get(address));
            for (const text of ['Scan completed', 'Klaviyo', 'Yotpo', 'Opening it again bills nothing']) {
              expect(shown).toContain(text);
            }
          }
          await waitUntil('the ledger', async () => (await usedOf(workspaceId)) === 1);
          expect(gateway.historyReads() - before).toBe(1);
        });

        it('a form that comes again, even at the same time, reads the history once', async () => {
          const { member, base } = await startWorkspace();
          gateway.addHistory('shop.example', ['klaviyo']);
          const before = gateway.historyReads();
          const path = `${base}?store=shop.example`;
          const token = crypto.randomUUID();
          await Promise.all(Array.from({ length: 3 }, () => readHistory(member, path, { token })));
          const [again, last] = [
            await readHistory(member, path, { token }),
            await readHistory(member, path, { token }),
          ];
          expect([again.response.status, last.place]).toEqual([302, again.place]);
          expect(gateway.historyReads() - before).toBe(1);
        });

        it('a form whose history was billed and is not stored is shown again with its token, and reads nothing more', async () => {
          const { member, base, workspaceId } = await startWorkspace();
          gateway.addHistory('shop.example', ['klaviyo']);
          const path = `${base}?store=shop.example`;
          const token = crypto.randomUUID();
          await readHistory(member, path, { token });
          await system.db.collection('store_histories').updateOne({ workspaceId }, { $set: { page: null } });
          const before = gateway.historyReads();
          const { response } = await readHistory(member, path, { token });
          const html = await response.text();
          expect([response.status, html]).toEqual([409, expect.stringContaining('the log of requests says whether')]);
          expect([tokenIn(html), gateway.historyReads() - before]).toEqual([token, 0]);
        });

        it('a long history has a form for its older changes, which leads back to the newer ones', async () => {
          const { member, base } = await startWorkspace();
          gateway.addHistory('long.example', [...Array.from({ length: 200 }, () => 'klaviyo'), 'yotpo']);
          const { place } = await readHistory(member, `${base}?store=long.example`);
          const newest = await read(await member.get(place));
          expect([newest.includes('Read older changes'), newest.includes('Yotpo')]).toEqual([true, false]);
          const newer = new URL(place, system.url).searchParams.get('history') ?? '';
          const older = await readHistory(member, place, { newer });
          const html = await (await member.get(older.place)).text();
          expect(html).toContain('Yotpo');
          expect(html).toContain(`history=${newer}#history`);
          expect(html).not.toContain('Read older changes');
        });

        it('a spent allowance is named before and after the form, and a refusal of the API stores nothing', async () => {
          const { member, base, workspaceId } = await startWorkspace('free');
          gateway.addHistory('shop.example', ['klaviyo']);
          const path = `${base}?store=shop.example`;
          const token = tokenIn(await (await member.get(path)).text());
          await reserve(system, await createKey(system, workspaceId, 'Other'), { historyQuery: 50 });
          expect(await read(await member.get(path))).toContain('The history queries of this period are used up');
          const { response } = await readHistory(member, path, { token });
          expect([response.status, await read(response)]).toEqual([
            402,
            expect.stringContaining('The history queries of this period are used up'),
          ]);
          const unknown = await readHistory(member, `${base}?store=unknown.example`, { token });
          expect([unknown.response.status, await read(unknown.response)]).toEqual([
            404,
            expect.stringContaining('The corpus has no such store'),
          ]);
          expect(await system.db.collection('store_histories').countDocuments({ workspaceId })).toBe(0);
        });

        it('a workspace sees no history of another one, and the text of a link is no domain', async () => {
          const [one, two] = [await startWorkspace(), await startWorkspace()];
          gateway.addHistory('shop.example', ['klaviyo']);
          const { place } = await readHistory(one.member, `${one.base}?store=shop.example`);
          const foreign = await read(await two.member.get(place.replace(one.base, two.base)));
          expect([foreign.includes('Read the history'), foreign.includes('Klaviyo')]).toEqual([true, false]);
          expect(await read(await two.member.get(`${two.base}?store=no domain`))).not.toContain('history');
        });
      });

      it('a workspace whose Dashboard key was revoked is told so in place of its changes', async () => {
        const { ann, member, base, workspaceId } = await startWorkspace();
        await member.get(base);
        const { keys } = await system.clients.keys.listKeys({ workspaceId, includeInactive: false });
        const keyId = keys.find(({ label }) => label === 'Dashboard')?.id ?? '';
        await system.clients.keys.revokeKey({ workspaceId, keyId, actor: ann.id, actorAddress: '' });
        expect(await read(await member.get(base))).toContain('Stores is switched off for this workspace');
      });
    });
  });
}
