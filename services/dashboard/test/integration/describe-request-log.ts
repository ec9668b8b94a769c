import { readFileSync } from 'node:fs';
import { dayMs, minuteMs } from '@shopscope/clock';
import { type Environment, environments } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import { createKafka, createProducer, type EventProducer, type Kafka, readDeadLetters } from '@shopscope/kafka';
import { CompletedRequest, type RequestsCompleted, requestsCompleted } from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Openapi } from '../../src/documentation/domain/openapi.ts';
import { createRequestStore } from '../../src/requests/outbound/request-batches.ts';
import type { RequestDocument } from '../../src/requests/outbound/requests.ts';
import { textOf as pageTextOf } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { createKey } from './support/usage.ts';

export function describeRequestLog(shared: () => TestSystem): void {
  describe('request log', () => {
    const contract = JSON.parse(
      readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
    ) as Openapi;

    let system: TestSystem;
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

    const textOf = (html: string) => pageTextOf(html).replaceAll('&quot;', '"').replaceAll('&#x27;', "'");

    let people = 0;
    async function setUp() {
      const mia = await system.person(`Mia ${++people}`);
      const { workspaceId } = await system.workspace('Acme', [{ id: mia.id, role: 'member' }]);
      const browser = await system.signIn(mia);
      const base = `/workspaces/${workspaceId}/requests`;
      const page = async (path = '') => {
        const response = await browser.get(`${base}${path}`);
        return { status: response.status, location: response.headers.get('location'), html: await response.text() };
      };
      return { workspaceId, browser, base, page, text: async (path = '') => textOf((await page(path)).html) };
    }

    const requestOf = (over: Partial<CompletedRequest> = {}): CompletedRequest =>
      CompletedRequest.fromPartial({
        requestId: newId('req'),
        keyId: 'key_a',
        keyPrefix: 'svc_live_aaaa',
        startedAtMs: Date.now(),
        operation: 'getStore',
        method: 'GET',
        pathTemplate: '/v1/stores/{domain}',
        path: '/v1/stores/shop.example',
        status: 200,
        durationUs: 3_210,
        domains: 1,
        environment: 'live',
        ...over,
      });

    const publish = (events: RequestsCompleted[], environment: Environment = 'live') =>
      producer.publishMany(
        requestsCompleted[environment],
        events,
        { requestId: '', traceparent: '', environment: null },
        { timeoutMs: 10_000 },
      );
    /** Reads as the dashboard does, so a batch that a test has seen is on the pages. */
    const batches = () =>
      system.db.collection<{ ids: string[]; lastAt: Date }>('request_batches', { readConcern: { level: 'majority' } });
    const pageOptions = { filter: { fromMs: 0 }, from: undefined, limit: 1_000 };
    const stored = (workspaceId: string, environment: Environment = 'live') =>
      createRequestStore(system.db, environment).page({ workspaceId, ...pageOptions }, 5_000);

    /** Publishes requests and waits until the dashboard has stored them. */
    async function log(workspaceId: string, requests: CompletedRequest[]): Promise<CompletedRequest[]> {
      await publish([{ workspaceId, requests }]);
      const ids = requests.map(({ id, requestId }) => id || requestId);
      await waitUntil('the requests', async () => {
        const found = await batches().distinct('ids', { ids: { $in: ids } });
        return ids.every((id) => found.includes(id));
      });
      return requests;
    }

    const sumOf = (reads: readonly Record<string, unknown>[], name: string) =>
      reads.reduce((sum, read) => sum + Number(read[name] ?? 0), 0);

    /** The ids of the requests on a page, in order. */
    const idsIn = (html: string) =>
      [...html.matchAll(/<tr[^>]*>.*?<a [^>]*href="[^"]*\/requests\/([^"]+)"/gs)].map((m) => m[1]);
    const linkIn = (html: string, name: string) =>
      [...html.matchAll(/<a [^>]*href="[^"]*\/requests(\?[^"]*)"[^>]*>([^<]+)</g)]
        .find(([, , text]) => text === name)?.[1]
        ?.replaceAll('&amp;', '&');

    describe('consumer of requests.v1', () => {
      it('the consumer of requests.v1 stores every request once, however often its event comes', async () => {
        const { workspaceId } = await setUp();
        const requests = [requestOf(), requestOf()];
        await publish([{ workspaceId, requests }]);
        await publish([
          { workspaceId, requests },
          { workspaceId, requests: [...requests, requestOf()] },
        ]);
        await log(workspaceId, [requestOf()]);
        expect(await stored(workspaceId)).toHaveLength(4);
      });

      it('the consumer of requests.v1 stores requests with the same X-Request-Id each, also those of another workspace', async () => {
        const [one, two] = [await setUp(), await setUp()];
        const chosen = () => requestOf({ id: newId('req'), requestId: 'nightly-import-1' });
        await log(one.workspaceId, [chosen(), chosen()]);
        await log(two.workspaceId, [chosen()]);
        expect([await stored(one.workspaceId), await stored(two.workspaceId)].map(({ length }) => length)).toEqual([
          2, 1,
        ]);
        expect((await one.page('/nightly-import-1')).html).toContain('Other requests have the same');
        const alone = (await two.page('/nightly-import-1')).html;
        expect(alone).not.toMatch(/Other requests have the same|The caller chose/);
      });

      it('the consumer of requests.v1 keeps requests for seven days, and stores none that are older', async () => {
        const expiry = (await batches().indexes()).find(({ name }) => name === 'expiry');
        expect(expiry).toMatchObject({ key: { lastAt: 1 }, expireAfterSeconds: 7 * 24 * 3_600 });
        const { workspaceId, page } = await setUp();
        const old = requestOf({ startedAtMs: Date.now() - 7 * dayMs - minuteMs });
        await publish([{ workspaceId, requests: [old] }]);
        await log(workspaceId, [requestOf()]);
        expect(await stored(workspaceId)).toHaveLength(1);
        // The database deletes old requests late, so the pages also leave them out.
        const [kept] = await stored(workspaceId);
        const expired = { ...(kept as RequestDocument), _id: old.requestId, at: new Date(old.startedAtMs) };
        // A batch whose last request is kept.
        await createRequestStore(system.db, 'live').add([[expired]]);
        const lastAt = new Date();
        await batches().updateOne({ lastAt: expired.at }, { $set: { lastAt } });
        expect(idsIn((await page()).html)).toEqual([kept?._id]);
        expect((await page(`/${old.requestId}`)).status).toBe(404);
      });

      it('the consumer of requests.v1 moves an event that it cannot store to the dead letters, and stores those after it', async () => {
        const { workspaceId } = await setUp();
        await publish([
          { workspaceId, requests: [requestOf({ requestId: 'short' })] },
          { workspaceId, requests: [requestOf({ startedAtMs: -1 })] },
          { workspaceId, requests: [requestOf({ environment: 'staging' })] },
          { workspaceId, requests: [requestOf({ environment: 'test' })] },
        ]);
        await log(workspaceId, [requestOf()]);
        const letters = await waitUntil('the dead letters', async () => {
          const found = await readDeadLetters(kafka, { topic: requestsCompleted.live.topic, maxEvents: 100 });
          return found.length >= 4 && found;
        });
        expect(letters.map(({ reason }) => reason).toSorted()).toEqual([
          'PoisonError: a request is of another environment',
          'PoisonError: a request is of another environment',
          'PoisonError: a request_id is invalid',
          'PoisonError: a started_at_ms is invalid',
        ]);
        expect(await stored(workspaceId)).toHaveLength(1);
      });

      it('the request log keeps the requests of each environment in a collection of its own', async () => {
        const { workspaceId } = await setUp();
        for (const environment of environments) {
          const request = requestOf({ environment });
          await publish([{ workspaceId, requests: [request] }], environment);
          const found = await waitUntil(`the request of ${environment}`, async () => {
            const all = await stored(workspaceId, environment);
            return all.length > 0 && all;
          });
          expect(found).toMatchObject([{ _id: request.requestId, environment }]);
        }
        const names = ['request_batches', 'test_request_batches'];
        const counts = names.map((name) => system.db.collection(name).countDocuments({ workspaceId }));
        expect(await Promise.all(counts)).toEqual([1, 1]);
      });
    });

    describe('requests page', () => {
      it('the requests page says what will be there, with a command to copy, while there is none', async () => {
        const { text } = await setUp();
        const page = await text();
        expect(page).toContain('No requests in the last 7 days');
        expect(page).toContain('curl -H "Authorization: Bearer $SHOPSCOPE_API_KEY" http://127.0.0.1:8080/v1/account');
      });

      it('the requests page shows time, operation, key, status, error code, latency, billed units and domains', async () => {
        const { workspaceId, page } = await setUp();
        const key = await createKey(system, workspaceId, 'Production');
        await log(workspaceId, [
          requestOf({
            keyId: key.keyId,
            units: { lookupCached: 7, lookupLive: 2, historyQuery: 0, refreshRequested: 0 },
          }),
        ]);
        await log(workspaceId, [
          requestOf({ status: 429, errorCode: 'rate_limited', operation: 'enrichStores', domains: 40 }),
        ]);
        const { html } = await page();
        const rows = html
          .split('<tr')
          .slice(2)
          .map((row) => textOf(`<tr${row}`));
        expect(rows[0]).toMatch(/enrichStores .* svc_live_aaaa .*Refused 429.* rate_limited .*3\.2 ms.* 0 .* 40/);
        expect(rows[1]).toMatch(/getStore .* svc_live_aaaa .*OK 200.*3\.2 ms.* 9 .* 1/);
        expect(html).toContain(`/settings/keys/${key.keyId}"`);
      });

      it('the requests page has requests of its own workspace only', async () => {
        const [one, two] = [await setUp(), await setUp()];
        const [request] = await log(one.workspaceId, [requestOf()]);
        expect(idsIn((await one.page()).html)).toEqual([request?.requestId]);
        expect(idsIn((await two.page()).html)).toEqual([]);
        for (const path of [`/${request?.requestId}`, `?id=${request?.requestId}`]) {
          const { status, html } = await two.page(path);
          expect([status, html.includes('shop.example')]).toEqual([path.startsWith('?') ? 200 : 404, false]);
        }
      });

      it('the requests page filters by status, operation, key, error code and time, and combines filters', async () => {
        const { workspaceId, page } = await setUp();
        const nowMs = Date.now();
        const named: Record<string, CompletedRequest> = {
          ok: requestOf(),
          unchanged: requestOf({ status: 304, startedAtMs: nowMs - 30 * minuteMs }),
          limited: requestOf({
            status: 429,
            errorCode: 'rate_limited',
            keyId: 'key_b',
            startedAtMs: nowMs - 2 * dayMs,
          }),
          broken: requestOf({ status: 500, errorCode: 'internal', operation: 'enrichStores' }),
          busy: requestOf({ status: 503, errorCode: 'concurrency_limited', keyId: 'key_b' }),
          left: requestOf({ status: 499, startedAtMs: nowMs - 5 * dayMs }),
          lost: requestOf({ status: 404, errorCode: 'not_found', operation: '', path: '/v1/nothing', domains: 0 }),
        };
        await log(workspaceId, Object.values(named));
        const shown = async (query: string) => {
          const ids = idsIn((await page(`?${query}`)).html);
          return Object.keys(named)
            .filter((name) => ids.includes(named[name]?.requestId))
            .join(' ');
        };
        expect(await shown('')).toBe(Object.keys(named).join(' '));
        expect(await shown('result=succeeded')).toBe('ok unchanged');
        expect(await shown('result=refused')).toBe('limited lost');
        expect(await shown('result=failed')).toBe('broken busy');
        expect(await shown('result=no_response')).toBe('left');
        expect(await shown('operation=enrichStores')).toBe('broken');
        expect(await shown('operation=none')).toBe('lost');
        expect(await shown('key=key_b')).toBe('limited busy');
        expect(await shown('code=internal')).toBe('broken');
        expect(await shown('time=15m')).toBe('ok broken busy lost');
        expect(await shown('time=1h&result=succeeded')).toBe('ok unchanged');
        expect(await shown(`time=${new Date(nowMs - 2 * dayMs).toISOString().slice(0, 10)}`)).toBe('limited');
        expect(await shown('key=key_b&result=failed')).toBe('busy');
        expect(await shown('code=internal&result=refused')).toBe('');
        expect(await shown('time=never&before=x&after=%27')).toBe(Object.keys(named).join(' '));
        expect(await shown('result=nothing')).toBe(Object.keys(named).join(' '));
      });

      it('the requests page offers a filter for every served operation that needs a key, and for no other', async () => {
        const { workspaceId, page } = await setUp();
        await log(workspaceId, [requestOf()]);
        const { html } = await page();
        const select = /<select[^>]*name="operation"[^>]*>(.*?)<\/select>/s.exec(html)?.[1] ?? '';
        const offered = [...select.matchAll(/value="(\w+)"/g)].map(([, id]) => id);
        const served = Object.values(contract.paths)
          .flatMap((methods) => Object.values(methods))
          .filter((operation) => operation['x-served'] && operation.security.length > 0)
          .map(({ operationId }) => operationId);
        expect(offered.toSorted()).toEqual([...served, 'none'].toSorted());
        expect(offered).toEqual(expect.arrayContaining(['getStoreHistory', 'searchSignals', 'getTechnology']));
      });

      it('the requests page leads to older requests and back, without gaps and repetitions, while new ones come', async () => {
        const { workspaceId, page } = await setUp();
        const startMs = Date.now() - minuteMs;
        // Three requests share each millisecond.
        const requests = Array.from({ length: 120 }, (_, n) => requestOf({ startedAtMs: startMs + Math.floor(n / 3) }));
        await log(workspaceId, requests);
        const all = (await stored(workspaceId)).map(({ _id }) => _id);
        const first = await page();
        const second = await page(linkIn(first.html, 'Older'));
        await log(workspaceId, [requestOf()]);
        const third = await page(linkIn(second.html, 'Older'));
        expect([first, second, third].flatMap(({ html }) => idsIn(html))).toEqual(all);
        expect([linkIn(first.html, 'Newer'), linkIn(third.html, 'Older')]).toEqual([undefined, undefined]);
        const back = await page(linkIn(third.html, 'Newer'));
        expect(idsIn(back.html)).toEqual(idsIn(second.html));
        const before = await page(linkIn(back.html, 'Newer'));
        expect(idsIn(before.html)).toEqual(idsIn(first.html));
        // The newest request alone would be a page of one, so it begins a full page.
        const top = await page(linkIn(before.html, 'Newer'));
        expect([idsIn(top.html).length, idsIn(top.html)[1], linkIn(top.html, 'Newer')]).toEqual([
          50,
          all[0],
          undefined,
        ]);
      });

      it('the requests page finds a request by its id, and says when there is none', async () => {
        const { workspaceId, page, text, base } = await setUp();
        const [request] = await log(workspaceId, [requestOf()]);
        expect(await page(`?id=${request?.requestId}`)).toMatchObject({
          status: 302,
          location: `${base}/${request?.requestId}`,
        });
        // A caller sends the id of an earlier response again.
        await log(workspaceId, [requestOf({ id: newId('req'), requestId: request?.requestId ?? '' })]);
        expect(idsIn((await page(`?id=${request?.requestId}`)).html)).toHaveLength(2);
        expect((await page(`/${request?.requestId}`)).html).toContain('Other requests have the same');
        const twice = () => requestOf({ id: newId('req'), requestId: 'nightly-import-2' });
        await log(workspaceId, [twice(), twice()]);
        expect(idsIn((await page('?id=nightly-import-2')).html)).toHaveLength(2);
        expect(await text('?id=req_unknown1')).toContain('No request with this id');
      });

      it('the requests page leads through all requests with an id, 50 at a time, and shows first the request whose own id it is', async () => {
        const { workspaceId, page } = await setUp();
        const own = requestOf();
        const again = Array.from({ length: 100 }, (_, n) =>
          requestOf({
            id: newId('req'),
            requestId: own.requestId,
            startedAtMs: Date.now() - minuteMs + Math.floor(n / 3),
          }),
        );
        await log(workspaceId, [own, ...again]);
        const others = (await stored(workspaceId)).map(({ _id }) => _id).filter((id) => id !== own.requestId);
        const first = await page(`?id=${own.requestId}`);
        const second = await page(linkIn(first.html, 'Older'));
        const third = await page(linkIn(second.html, 'Older'));
        // The last page has one request, and is not a page of that request.
        expect([first, second, third].map(({ status, html }) => [status, idsIn(html).length])).toEqual([
          [200, 50],
          [200, 50],
          [200, 1],
        ]);
        expect([first, second, third].flatMap(({ html }) => idsIn(html))).toEqual([own.requestId, ...others]);
        expect(linkIn(third.html, 'Older')).toBeUndefined();
        const back = await page(linkIn(second.html, 'Newer'));
        expect([idsIn(back.html), linkIn(back.html, 'Newer')]).toEqual([idsIn(first.html), undefined]);
      });

      it('the requests page reads hardly more than a page, whatever filter is chosen and however deep the page is', async () => {
        const { workspaceId } = await setUp();
        const startMs = Date.now() - 10 * minuteMs;
        const others = ['ok', 'not_found', 'rate_limited', 'internal', 'unavailable'];
        const documents = Array.from({ length: 1_000 }, (_, n): RequestDocument => {
          const isRare = n % 10 === 0;
          return {
            _id: newId('req'),
            workspaceId,
            keyId: isRare ? 'key_rare' : 'key_a',
            keyPrefix: '',
            at: new Date(startMs + 400 * n),
            operation: isRare ? 'getUsage' : 'getStore',
            method: 'GET',
            pathTemplate: '',
            path: '/',
            query: '',
            status: 200,
            durationMs: 1,
            outcome: others[isRare ? 3 + ((n / 10) % 2) : n % 3] ?? '',
            domains: 0,
            hasIdempotencyKey: false,
            replayed: false,
            billedBefore: false,
            environment: 'live',
            ...(isRare && { requestId: 'nightly-import-3' }),
          };
        });
        const store = createRequestStore(system.db, 'live');
        // Two requests of a batch match only the first filter.
        await store.add(Array.from({ length: 500 }, (_, n) => documents.slice(2 * n, 2 * n + 2)));
        const filters = [
          {},
          { keyId: 'key_rare' },
          { operation: 'getUsage' },
          { outcomes: ['internal', 'unavailable'] },
          { outcomes: ['internal'] },
          { requestId: 'nightly-import-3' },
        ];
        const limit = 20;
        const place = { atMs: startMs + 400 * 500, id: documents[500]?._id ?? '' };
        for (const filter of filters) {
          const all = documents.filter(
            ({ keyId, operation, outcome, requestId }) =>
              (filter.keyId ?? keyId) === keyId &&
              (filter.operation ?? operation) === operation &&
              (filter.outcomes ?? [outcome]).includes(outcome) &&
              (filter.requestId ?? requestId) === requestId,
          );
          const expected = {
            none: all.slice(-limit).reverse(),
            older: all
              .filter(({ at }) => at.getTime() < place.atMs)
              .slice(-limit)
              .reverse(),
            newer: all.filter(({ at }) => at.getTime() > place.atMs).slice(0, limit),
          };
          for (const direction of [undefined, 'older', 'newer'] as const) {
            const page = () =>
              store.page(
                { workspaceId, filter: { ...filter, fromMs: 0 }, from: direction && { direction, place }, limit },
                2_000,
              );
            // The plan is chosen before the read that counts.
            await page();
            const startedAt = new Date();
            await system.db.command({ profile: 2 });
            const found = await page();
            await system.db.command({ profile: 0 });
            expect(found.map(({ _id }) => _id)).toEqual(expected[direction ?? 'none'].map(({ _id }) => _id));
            const reads = await system.db
              .collection('system.profile')
              .find({ 'command.aggregate': 'request_batches', ts: { $gte: startedAt } })
              .toArray();
            expect([filter, direction, reads.some(({ hasSortStage }) => hasSortStage)]).toEqual([
              filter,
              direction,
              false,
            ]);
            // At most two reads, and the batches whose requests are partly after the position. These are the batches of 13
            // s, one per 0.8 s.
            const plans = JSON.stringify([filter, direction, reads.map(({ planSummary }) => planSummary)]);
            expect(sumOf(reads, 'docsExamined'), plans).toBeLessThanOrEqual(3 + 60 + 17);
          }
        }
      });

      it('the requests page shows each request in its place when batches of gateways overlap or span minutes', async () => {
        const { workspaceId } = await setUp();
        const store = createRequestStore(system.db, 'live');
        const startMs = Date.now() - 10 * minuteMs;
        const at = (ms: number): RequestDocument => ({
          _id: newId('req'),
          workspaceId,
          keyId: 'key_a',
          keyPrefix: '',
          at: new Date(startMs + ms),
          operation: 'getStore',
          method: 'GET',
          pathTemplate: '',
          path: '/',
          query: '',
          status: 200,
          outcome: 'ok',
          durationMs: 1,
          domains: 1,
          hasIdempotencyKey: false,
          replayed: false,
          billedBefore: false,
          environment: 'live',
        });
        // Three gateways, and a fourth one that could not publish for minutes.
        const gateways = [0, 1, 2].map((gateway) =>
          Array.from({ length: 40 }, (_, n) => [at(2_000 * n + 700 * gateway), at(2_000 * n + 700 * gateway + 1_900)]),
        );
        const late = Array.from({ length: 50 }, (_, n) => at(1_600 * n));
        await store.add([...gateways.flat(), late]);
        const all = [...gateways.flat(2), ...late].toSorted(
          (a, b) => a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1),
        );
        const ids = (requests: readonly RequestDocument[]) => requests.map(({ _id }) => _id);
        const walk = async (direction: 'older' | 'newer') => {
          const seen: RequestDocument[] = [];
          for (let last = direction === 'older' ? undefined : all[0]; ; last = seen.at(-1)) {
            const from = last && { direction, place: { atMs: last.at.getTime(), id: last._id } };
            const found = await store.page({ workspaceId, filter: { fromMs: 0 }, from, limit: 7 }, 5_000);
            seen.push(...found);
            if (found.length < 7) return ids(seen);
          }
        };
        expect(await walk('older')).toEqual(ids(all).reverse());
        expect(await walk('newer')).toEqual(ids(all).slice(1));
      });
    });

    describe('page of a request', () => {
      it('the page of a request shows what was called and answered, what it means and billed, and how to repeat it', async () => {
        const { workspaceId, text } = await setUp();
        const key = await createKey(system, workspaceId, 'Production');
        const enrich = {
          keyId: key.keyId,
          operation: 'enrichStores',
          method: 'POST',
          domains: 2,
          path: '/v1/stores/enrich',
          pathTemplate: '/v1/stores/enrich',
        };
        const [refused, billed] = await log(workspaceId, [
          requestOf({ ...enrich, status: 402, errorCode: 'payment_required' }),
          requestOf({
            ...enrich,
            hasIdempotencyKey: true,
            units: { lookupCached: 1, lookupLive: 1, historyQuery: 0, refreshRequested: 0 },
          }),
        ]);
        const story = await text(`/${refused?.requestId}`);
        for (const words of [
          'POST /v1/stores/enrich',
          'Refused 402',
          'What payment_required means',
          "The request needs more units than the period's allowance has left.",
          'Wait until the period ends',
          'Responses with an error are never billed.',
          'Production',
          `curl -X POST 'http://127.0.0.1:8080/v1/stores/enrich' -H "Authorization: Bearer $SHOPSCOPE_API_KEY"`,
          `-d '{"domains":["DOMAIN_1","DOMAIN_2"]}'`,
        ])
          expect(story).toContain(words);
        const paid = await text(`/${billed?.requestId}`);
        expect(paid).toContain('1 cached look-up and 1 live look-up');
        expect(paid).not.toContain('What to do');
      });

      it('the page of a request says that a free operation is free, even when it got no response', async () => {
        const { workspaceId, text } = await setUp();
        const free = { operation: 'getAccount', path: '/v1/account', pathTemplate: '/v1/account', domains: 0 };
        const requests = await log(workspaceId, [
          requestOf(free),
          requestOf({ ...free, status: 0 }),
          requestOf({ ...free, operation: 'getUsage', path: '/v1/usage', status: 499 }),
        ]);
        for (const { requestId } of requests) {
          const story = await text(`/${requestId}`);
          expect(story).toContain('This operation is free.');
          expect(story).not.toMatch(/withheld|not certain|At most/);
        }
      });

      it('the page of a request has its time to the second', async () => {
        const { workspaceId, page } = await setUp();
        const [request] = await log(workspaceId, [requestOf()]);
        expect((await page(`/${request?.requestId}`)).html).toMatch(/data-exact="[^"]*, \d\d:\d\d:\d\d \(UTC\)"/);
      });

      it('the page of a request reads few batches, however many requests have the same X-Request-Id', async () => {
        const { workspaceId, page } = await setUp();
        const chosen = Array.from({ length: 60 }, () => requestOf({ id: newId('req'), requestId: 'nightly-import-4' }));
        await publish(chosen.map((request) => ({ workspaceId, requests: [request] })));
        await log(workspaceId, [requestOf()]);
        for (const [id, words] of [
          ['nightly-import-4', 'Other requests have the same X-Request-Id.'],
          [chosen[0]?.id, 'The caller chose the X-Request-Id.'],
        ]) {
          const startedAt = new Date();
          await system.db.command({ profile: 2 });
          const { html } = await page(`/${id}`);
          await system.db.command({ profile: 0 });
          expect(html).toContain(words);
          const reads = await system.db
            .collection('system.profile')
            .find({ ns: batches().namespace, op: { $in: ['query', 'command'] }, ts: { $gte: startedAt } })
            .toArray();
          expect(reads.length).toBeLessThanOrEqual(3);
          expect(sumOf(reads, 'docsExamined')).toBeLessThanOrEqual(1 + 3 + 60);
        }
      });

      it('the page of a request is shown while the keys service is unavailable', async () => {
        const { workspaceId, page } = await setUp();
        const [request] = await log(workspaceId, [requestOf()]);
        await system.proxies.keys.refuse();
        const shown = await page(`/${request?.requestId}`).finally(() => system.proxies.keys.accept());
        expect([shown.status, shown.html.includes('svc_live_aaaa')]).toEqual([200, true]);
      });

      it('the page of a request is 404 for an invalid id', async () => {
        const { page } = await setUp();
        for (const id of ['req_unknown1', '%00', `${'a'.repeat(200)}`]) expect((await page(`/${id}`)).status).toBe(404);
      });
    });

    it('a request is shown once, however often its batch is stored and however many batches have it', async () => {
      const store = createRequestStore(system.db, 'live');
      const { workspaceId } = await setUp();
      const document = {
        _id: newId('req'),
        workspaceId,
        keyId: 'key_a',
        keyPrefix: '',
        at: new Date(),
        operation: '',
        method: 'GET',
        pathTemplate: '',
        path: '/',
        query: '',
        status: 404,
        outcome: 'not_found',
        durationMs: 1,
        domains: 0,
        hasIdempotencyKey: false,
        replayed: false,
        billedBefore: false,
        environment: 'live',
      };
      await store.add([[document, document]]);
      await store.add([[document], [document, { ...document, _id: newId('req') }], []]);
      expect(await stored(workspaceId)).toHaveLength(2);
      expect(await batches().countDocuments({ ids: document._id })).toBe(2);
    });
  });
}
