import { dayMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { deriveId } from '@shopscope/ids';
import {
  type GetHistoryRequest,
  type SearchSignalsRequest,
  type StoreSignal,
  type UsageRecorded,
  usageRecorded,
} from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyOptions } from './support/backends.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;

beforeAll(async () => {
  gateway = await startTestGateway();
  usage = await collectEvents(gateway.namespace, usageRecorded.live);
});
afterAll(async () => {
  await usage?.stop();
  await gateway?.stop();
});

const nowMs = Date.now();
const domain = 'shop.example';
const historyPath = `/v1/stores/${domain}/history`;

/** A signal of this many days ago. */
function signal(days: number, over: Partial<StoreSignal> = {}): StoreSignal {
  return {
    id: deriveId('evt', String(days)),
    type: 'technology_added',
    technology: 'klaviyo',
    from: undefined,
    to: 'active',
    confidence: 'high',
    effectiveAtMs: nowMs - days * dayMs,
    confirmedAtMs: nowMs - days * dayMs + 1_000,
    domain,
    storefrontId: deriveId('sf', domain),
    retractedAtMs: undefined,
    retractedReason: undefined,
    ...over,
  };
}

beforeEach(() => {
  const { backends } = gateway;
  backends.faults.clear();
  backends.forgetCalls();
  backends.addStore(domain);
  backends.addStore('quiet.example');
  const removal = { type: 'technology_removed', from: 'active', to: undefined };
  backends.signals.splice(
    0,
    Number.POSITIVE_INFINITY,
    ...[1, 2, 3].map((n) => signal(n)),
    signal(4, removal),
    signal(300),
  );
});

const addKey = (options: KeyOptions = {}) =>
  gateway.backends.addKey({ scopes: ['read:signals', 'read:stores'], ...options });
const eventsOf = (workspaceId: string) => usage.events.filter(({ event }) => event.workspaceId === workspaceId);
const isoOf = (ms: number) => new Date(ms).toISOString();

describe('GET /v1/stores/{domain}/history', () => {
  it('a page of history has the confirmed signals as profiles has them, and bills one history_query with a durable event', async () => {
    const { secret, workspaceId, keyId } = addKey();
    const answer = await call(gateway, `/v1/stores/www.SHOP.example/history?type=technology_removed`, { key: secret });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'getStoreHistory');
    expect(answer.body).toMatchObject({
      domain,
      observation: { coverage_note: null, scope: 'full' },
      data: [
        {
          id: signal(4).id,
          type: 'technology_removed',
          technology: 'klaviyo',
          from: 'active',
          to: null,
          confidence: 'high',
          effective_at: isoOf(signal(4).effectiveAtMs),
          confirmed_at: isoOf(signal(4).confirmedAtMs),
        },
      ],
      next_cursor: null,
    });
    await gateway.backends.metering.counted(workspaceId, { historyQuery: 1 });
    await expect.poll(() => eventsOf(workspaceId).length).toBe(1);
    expect(eventsOf(workspaceId)[0]?.event).toMatchObject({
      keyId,
      attempt: 1,
      operation: 'getStoreHistory',
      units: { lookupCached: 0, lookupLive: 0, historyQuery: 1, refreshRequested: 0 },
    });
    // The header is absent when metering takes longer than 150 ms.
    expect(answer.headers.get('x-usage-remaining') ?? '250000').toBe('250000');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('a page of history says which window the plan reaches, and whether the request asked for more', async () => {
    const { secret } = addKey({ plan: { historyDays: 30 } });
    const windowOf = async (query: string) => {
      const { body } = await call(gateway, `${historyPath}${query}`, { key: secret });
      return { ...body.window, ids: body.data.map(({ id }: { id: string }) => id) };
    };
    const all = await windowOf('');
    expect(all.truncated_by_plan).toBe(true);
    expect(Date.parse(all.to) - Date.parse(all.from)).toBe(30 * dayMs);
    expect(all.ids).toEqual([1, 2, 3, 4].map((n) => signal(n).id));
    const [request] = gateway.backends.calls<GetHistoryRequest>('getHistory');
    expect(request?.filters?.effectiveFromMs).toBe(Date.parse(all.from));

    const [from, to] = [isoOf(nowMs - 20 * dayMs), isoOf(nowMs - dayMs)];
    expect(await windowOf(`?from=${from}&to=${to}`)).toMatchObject({ from, to, truncated_by_plan: false });
    const early = await windowOf(`?from=2000-01-01T00:00:00Z&to=${to}`);
    expect(early).toMatchObject({ to, truncated_by_plan: true });
    expect(Date.parse(early.from)).toBeGreaterThan(nowMs - 30 * dayMs - 1_000);
  });

  it('a page of history reaches the whole past of the test tenant with a test key, however few days its plan has', async () => {
    gateway.backends.addStore('changes.test');
    const { secret } = addKey({ plan: { historyDays: 30 }, environment: 'test' });
    const { window } = (await call(gateway, '/v1/stores/changes.test/history', { key: secret })).body;
    expect(Date.parse(window.to) - Date.parse(window.from)).toBeGreaterThan(365 * dayMs);
  });

  it.each([
    ['begins in the future', `from=${isoOf(nowMs + 400 * dayMs)}`, false],
    ['ends before the plan reaches', `to=${isoOf(nowMs - 200 * dayMs)}`, true],
    ['ends before 1970', 'to=0001-01-01T00:00:00Z', true],
  ])('a history window that %s is answered with an empty page, free', async (_, query, isTruncated) => {
    const { secret } = addKey({ plan: { historyDays: 30 } });
    const answer = await call(gateway, `${historyPath}?${query}`, { key: secret });
    expect([answer.status, answer.body.data, answer.body.next_cursor]).toEqual([200, [], null]);
    fitsContract(answer, 'getStoreHistory');
    const { from, to, truncated_by_plan } = answer.body.window;
    expect([from, truncated_by_plan]).toEqual([to, isTruncated]);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
  });

  it('next_cursor of a history keeps the window of the first page to the end, and each page is billed', async () => {
    const { secret, workspaceId } = addKey();
    const windows = new Set<string>();
    const ids: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body, status } = await call(gateway, `${historyPath}?limit=2${after}`, { key: secret });
      expect(status).toBe(200);
      windows.add(JSON.stringify(body.window));
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    expect(ids).toEqual(gateway.backends.signals.map(({ id }) => id));
    expect([windows.size, pages]).toEqual([1, 3]);
    await gateway.backends.metering.used(workspaceId, { historyQuery: 3 });
  });

  it('the history of an unknown domain is 404 not_found, and that of an invalid one 400', async () => {
    const { secret } = addKey();
    const unknown = await call(gateway, '/v1/stores/unknown.example/history', { key: secret });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
    fitsContract(unknown, 'getStoreHistory');
    const invalid = await call(gateway, '/v1/stores/localhost/history', { key: secret });
    expect([invalid.status, invalid.body.error.message]).toEqual([400, expect.stringContaining('domain')]);
  });
});

describe('GET /v1/signals', () => {
  it('GET /v1/signals returns the signals of all stores with domain and storefront, and bills one history_query', async () => {
    const { secret, workspaceId } = addKey();
    gateway.backends.signals.push(signal(9, { domain: 'other.example' }));
    const answer = await call(gateway, '/v1/signals', { key: secret });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'searchSignals');
    expect(answer.body.data.map((row: { domain: string }) => row.domain)).toEqual([
      ...Array(5).fill(domain),
      'other.example',
    ]);
    expect(answer.body.data[0]).toMatchObject({ id: signal(1).id, storefront_id: deriveId('sf', domain) });
    await gateway.backends.metering.counted(workspaceId, { historyQuery: 1 });
    await expect.poll(() => eventsOf(workspaceId).map(({ event }) => event.operation)).toEqual(['searchSignals']);
  });

  it('GET /v1/signals asks profiles for every filter, within the reach of the plan', async () => {
    const { secret } = addKey({ plan: { historyDays: 10 } });
    const filters = {
      type: 'technology_added',
      technology: 'klaviyo',
      kind: 'app',
      category: 'reviews',
      platform: 'shopify',
      country: 'DE',
      industry: 'beauty',
      confidence: 'high',
      from_value: 'configured',
      to_value: 'active',
    };
    const times = { to: isoOf(nowMs), confirmed_from: isoOf(nowMs - dayMs), confirmed_to: isoOf(nowMs) };
    const query = new URLSearchParams({ ...filters, ...times, limit: '7' });
    expect((await call(gateway, `/v1/signals?${query}`, { key: secret })).status).toBe(200);
    const [request] = gateway.backends.calls<SearchSignalsRequest>('searchSignals');
    expect(request?.ascending).toBe(false);
    expect(request?.filters).toMatchObject({
      types: ['technology_added'],
      technologies: ['klaviyo'],
      kind: 'app',
      category: 'reviews',
      platforms: ['shopify'],
      countries: ['DE'],
      industries: ['beauty'],
      confidence: 'high',
      fromValues: ['configured'],
      toValues: ['active'],
      effectiveFromMs: undefined,
      effectiveToMs: nowMs,
      confirmedFromMs: nowMs - dayMs,
      confirmedToMs: nowMs,
    });
    expect(request?.limit).toBe(7);
  });

  it('GET /v1/signals reaches back to confirmations, so it has a change that was confirmed long after it was seen', async () => {
    const { secret } = addKey({ plan: { historyDays: 10 } });
    const old = isoOf(nowMs - 100 * dayMs);
    await call(gateway, `/v1/signals?from=${old}&confirmed_from=${old}`, { key: secret });
    await call(gateway, '/v1/signals', { key: secret });
    const [first, second] = gateway.backends.calls<GetHistoryRequest>('searchSignals').map(({ filters }) => filters);
    expect([first?.effectiveFromMs, second?.effectiveFromMs]).toEqual([Date.parse(old), undefined]);
    for (const filters of [first, second]) {
      expect(filters?.confirmedFromMs).toBeGreaterThan(nowMs - 10 * dayMs - 1);
      expect(filters?.confirmedFromMs).toBeLessThan(Date.now());
    }
  });

  it('next_cursor of a search leads to the end, and is refused with other filters, changed, or for the other operation', async () => {
    const { secret } = addKey();
    const first = await call(gateway, '/v1/signals?limit=2', { key: secret });
    const cursor = encodeURIComponent(first.body.next_cursor);
    // The size of the page may change.
    const second = await call(gateway, `/v1/signals?limit=200&cursor=${cursor}`, { key: secret });
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(
      gateway.backends.signals.map(({ id }) => id),
    );
    expect(second.body.next_cursor).toBeNull();
    for (const path of [
      `/v1/signals?type=technology_added&cursor=${cursor}`,
      `/v1/signals?country=DE&cursor=${cursor}`,
      `/v1/signals?confirmed_from=2026-01-01T00:00:00Z&cursor=${cursor}`,
      `/v1/signals?cursor=${cursor}x`,
      `${historyPath}?cursor=${cursor}`,
      `/v1/technologies?cursor=${cursor}`,
    ]) {
      const answer = await call(gateway, path, { key: secret });
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.body.error.message).toContain('cursor');
    }
  });

  it('a cursor of a history or a search belongs to its workspace, whichever key of the workspace sends it', async () => {
    const { secret, workspaceId } = addKey();
    for (const path of [historyPath, '/v1/signals']) {
      const first = await call(gateway, `${path}?limit=2`, { key: secret });
      const next = `${path}?limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`;
      expect((await call(gateway, next, { key: addKey({ workspaceId }).secret })).status).toBe(200);
      const foreign = await call(gateway, next, { key: addKey().secret });
      expect([foreign.status, foreign.body.error.message]).toEqual([400, expect.stringMatching(/^cursor: /)]);
    }
  });
});

describe('GET /v1/signals with lists', () => {
  it('a list has its values in the order of the caller, and a page of it bills one history_query', async () => {
    const { secret, workspaceId } = addKey();
    const tools = Array.from({ length: 10 }, (_, n) => `tool-${n}`);
    const query = `type=technology_added,technology_removed&technology=${tools.join()}&country=DE%2CFR,NL,ZZ`;
    const answer = await call(gateway, `/v1/signals?${query}`, { key: secret });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'searchSignals');
    const [request] = gateway.backends.calls<SearchSignalsRequest>('searchSignals');
    expect(request?.filters).toMatchObject({
      types: ['technology_added', 'technology_removed'],
      technologies: tools,
      countries: ['DE', 'FR', 'NL', 'ZZ'],
      platforms: [],
    });
    await gateway.backends.metering.counted(workspaceId, { historyQuery: 1 });
  });

  it('a cursor continues with the values of a list in another order, and is refused with other values', async () => {
    const { secret } = addKey();
    const first = await call(gateway, '/v1/signals?country=DE,FR&limit=2', { key: secret });
    const cursor = encodeURIComponent(first.body.next_cursor);
    expect(first.body.has_more).toBe(true);
    const statusOf = async (query: string) =>
      (await call(gateway, `/v1/signals?${query}&cursor=${cursor}`, { key: secret })).status;
    expect(await statusOf('country=FR,DE')).toBe(200);
    for (const other of ['country=DE', 'country=DE,FR,NL', 'industry=DE,FR', 'country=DE,FR&from_value=DE']) {
      expect([other, await statusOf(other)]).toEqual([other, 400]);
    }
  });

  it.each([
    ['type[1]', 'type=technology_added,app_added', '"app_added"'],
    ['technology[1]', 'technology=klaviyo,,yotpo', '1 character'],
    ['country[0]', 'country=de,FR', '"de"'],
    ['technology', `technology=${Array.from({ length: 21 }, (_, n) => `t${n}`).join()}`, 'at most 20 values'],
  ])('a list with an invalid value is 400 and names %s for %s', async (field, query, shown) => {
    const answer = await call(gateway, `/v1/signals?${query}`, { key: addKey().secret });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message.startsWith(`${field}: `)).toBe(true);
    expect(answer.body.error.message).toContain(shown);
  });

  it('a value that profiles does not know is 400 with the message of profiles, and bills nothing', async () => {
    const { secret } = addKey();
    const message = 'technology[1]: must be a value that exists, not "klavio"; near ones: klaviyo';
    gateway.backends.faults.set('searchSignals', () => {
      throw new AppError('invalid_request', message);
    });
    const answer = await call(gateway, '/v1/signals?technology=yotpo,klavio', { key: secret });
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
      400,
      'invalid_request',
      message,
    ]);
    const head = await call(gateway, '/v1/signals?technology=yotpo,klavio', { key: secret, method: 'HEAD' });
    expect(head.status).toBe(400);
    const onlyChecked = gateway.backends.calls<SearchSignalsRequest>('searchSignals').map(({ onlyCheck }) => onlyCheck);
    expect(onlyChecked).toEqual([false, true]);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
  });
});

describe('GET /v1/signals in ascending order', () => {
  const from = isoOf(nowMs - 20 * dayMs);
  const path = `/v1/signals?order=asc&confirmed_from=${from}`;

  it('an ascending search always has a next_cursor, which keeps the position, and has_more says whether to ask now', async () => {
    const { secret } = addKey();
    const after = { atMs: nowMs, id: 'evt_last', recordedUntilMs: nowMs + 5 };
    gateway.backends.faults.set('searchSignals', () => ({ signals: [], next: after, hasMore: false }));
    const first = await call(gateway, path, { key: secret });
    fitsContract(first, 'searchSignals');
    expect(first.body).toMatchObject({ data: [], has_more: false, next_cursor: expect.any(String) });
    const cursor = encodeURIComponent(first.body.next_cursor);
    expect((await call(gateway, `${path}&cursor=${cursor}`, { key: secret })).status).toBe(200);
    const [asked, resumed] = gateway.backends.calls<SearchSignalsRequest>('searchSignals');
    expect([asked?.ascending, asked?.after]).toEqual([true, undefined]);
    expect(asked?.filters?.confirmedFromMs).toBe(Date.parse(from));
    expect([resumed?.ascending, resumed?.after]).toEqual([true, after]);
    const descending = await call(gateway, `${path.replace('asc', 'desc')}&cursor=${cursor}`, { key: secret });
    expect([descending.status, descending.body.error.message]).toEqual([400, expect.stringContaining('cursor')]);
  });

  it.each([
    ['confirmed_from', 'order=asc'],
    ['order', `order=asc&confirmed_from=${from}&retracted_from=${from}`],
    ['order', `order=asc&confirmed_from=${from}&retracted_to=${from}`],
    ['order', 'order=up'],
  ])('an ascending search is 400 and names %s for %s', async (field, query) => {
    const answer = await call(gateway, `/v1/signals?${query}`, { key: addKey().secret });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message.startsWith(`${field}: `)).toBe(true);
  });
});

describe('retracted signals', () => {
  const retractedAtMs = nowMs - 2 * dayMs;
  const retracted = signal(6, { type: 'technology_removed', retractedAtMs, retractedReason: 'technology_seen_again' });
  const [before, at, after] = [-1, 0, 1].map((ms) => isoOf(retractedAtMs + ms)) as [string, string, string];
  const paths = [historyPath, '/v1/signals'];
  beforeEach(() => {
    gateway.backends.signals.splice(4, 0, retracted);
  });

  it.each(paths)(
    'retracted signals are shown with time and reason only when they are asked for, for %s',
    async (path) => {
      const { secret } = addKey();
      const idsOf = async (query: string) => {
        const answer = await call(gateway, `${path}?${query}`, { key: secret });
        fitsContract(answer, path === historyPath ? 'getStoreHistory' : 'searchSignals');
        return answer.body.data as { id: string; retracted_at: string | null; retracted_reason: string | null }[];
      };
      const confirmed = await idsOf('');
      expect(confirmed.map(({ id }) => id)).not.toContain(retracted.id);
      expect(confirmed.every((row) => row.retracted_at === null && row.retracted_reason === null)).toBe(true);
      const all = await idsOf('include=retracted');
      expect(all).toHaveLength(confirmed.length + 1);
      expect(all.find(({ id }) => id === retracted.id)).toMatchObject({
        retracted_at: at,
        retracted_reason: 'technology_seen_again',
        effective_at: isoOf(retracted.effectiveAtMs),
        confirmed_at: isoOf(retracted.confirmedAtMs),
      });
    },
  );

  it.each(paths)(
    'a retracted signal is selected by the time of its retraction, both ends inclusive, with and without include, for %s',
    async (path) => {
      const { secret } = addKey();
      for (const [query, count] of [
        [`retracted_from=${at}`, 1],
        [`retracted_to=${at}&include=retracted`, 1],
        [`retracted_from=${at}&retracted_to=${at}`, 1],
        [`retracted_from=${after}&include=retracted`, 0],
        [`retracted_to=${before}`, 0],
      ] as const) {
        const { body } = await call(gateway, `${path}?${query}`, { key: secret });
        expect([query, body.data.length]).toEqual([query, count]);
      }
    },
  );

  it.each(paths)('a page on which a retracted signal is the only row bills one history_query, for %s', async (path) => {
    const { secret, workspaceId } = addKey();
    await call(gateway, `${path}?retracted_from=${at}`, { key: secret });
    await gateway.backends.metering.counted(workspaceId, { historyQuery: 1 });
  });

  it.each(paths)('a cursor is bound to include, retracted_from and retracted_to, for %s', async (path) => {
    const { secret } = addKey();
    const { body } = await call(gateway, `${path}?limit=2`, { key: secret });
    const cursor = encodeURIComponent(body.next_cursor);
    for (const query of ['include=retracted', `retracted_from=${at}`, `retracted_to=${at}`]) {
      const answer = await call(gateway, `${path}?${query}&cursor=${cursor}`, { key: secret });
      expect([query, answer.status]).toEqual([query, 400]);
      expect(answer.body.error.message).toContain('cursor');
    }
  });
});

describe('queries of signals', () => {
  it('a query of signals bills nothing for an empty page, an unknown domain or HEAD', async () => {
    const { secret, workspaceId } = addKey();
    const empty = await call(gateway, '/v1/stores/quiet.example/history', { key: secret });
    expect([empty.status, empty.body.data]).toEqual([200, []]);
    expect((await call(gateway, '/v1/signals?type=status_changed', { key: secret })).body.data).toEqual([]);
    expect((await call(gateway, '/v1/stores/unknown.example/history', { key: secret })).status).toBe(404);
    for (const path of [historyPath, '/v1/signals']) {
      const head = await call(gateway, path, { key: secret, method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
    }
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    expect((await gateway.backends.metering.balanceOf(workspaceId)).taken.historyQuery).toBe(0);
    expect(eventsOf(workspaceId)).toHaveLength(0);
  });

  it('a query of signals is not billed when profiles does not answer', async () => {
    const { secret, workspaceId } = addKey();
    for (const [method, path] of [
      ['getHistory', historyPath],
      ['searchSignals', '/v1/signals'],
    ] as const) {
      gateway.backends.faults.set(method, () => {
        throw new Error('profiles fails');
      });
      const answer = await call(gateway, path, { key: secret });
      expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    }
    expect(eventsOf(workspaceId)).toHaveLength(0);
  });

  it('a query of signals is 403 without read:signals, and 402 with reset_at and unit when the allowance is spent', async () => {
    const included = { lookupCached: 10, lookupLive: 0, historyQuery: 1, refreshRequested: 0 };
    const { secret, workspaceId } = addKey({ plan: { included } });
    const { secret: bare } = addKey({ scopes: ['read:stores'] });
    for (const path of [historyPath, '/v1/signals']) {
      const refused = await call(gateway, path, { key: bare });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden_scope']);
    }
    expect((await call(gateway, historyPath, { key: secret })).status).toBe(200);
    for (const [path, operation] of [
      [historyPath, 'getStoreHistory'],
      ['/v1/signals', 'searchSignals'],
    ] as const) {
      const spent = await call(gateway, path, { key: secret });
      expect([spent.status, spent.body.error.code, spent.body.error.unit]).toEqual([
        402,
        'payment_required',
        'history_query',
      ]);
      expect(Date.parse(spent.body.error.reset_at)).toBeGreaterThan(Date.now());
      fitsContract(spent, operation);
    }
    await gateway.backends.metering.counted(workspaceId, { historyQuery: 1 });
  });

  it('a page without rows is answered as one with rows while the allowance is spent, so that 402 does not show whether there are rows', async () => {
    const included = { lookupCached: 10, lookupLive: 0, historyQuery: 1, refreshRequested: 0 };
    const { secret, workspaceId } = addKey({ plan: { included } });
    const errorsOf = (paths: string[]) =>
      Promise.all(
        paths.map(async (path) => {
          const { status, body } = await call(gateway, path, { key: secret });
          return [status, { ...body.error, request_id: '' }];
        }),
      );
    const quiet = ['/v1/stores/quiet.example/history', `${historyPath}?to=2020-01-01T00:00:00Z`];
    const empty = [...quiet, '/v1/signals?type=status_changed'];
    for (const path of empty) expect((await call(gateway, path, { key: secret })).status).toBe(200);
    expect((await gateway.backends.metering.balanceOf(workspaceId)).taken.historyQuery).toBe(0);
    expect((await call(gateway, historyPath, { key: secret })).status).toBe(200);

    const [withRows, ...withoutRows] = await errorsOf([historyPath, '/v1/signals', ...empty]);
    expect(withRows).toEqual([402, expect.objectContaining({ code: 'payment_required', unit: 'history_query' })]);
    for (const one of withoutRows) expect(one).toEqual(withRows);
    expect((await call(gateway, '/v1/stores/unknown.example/history', { key: secret })).status).toBe(404);
    await gateway.backends.metering.counted(workspaceId, { historyQuery: 1 });
  });

  it('a page without rows is answered as one with rows while metering does not answer', async () => {
    const { secret } = addKey();
    for (const method of ['reserve', 'getBalance', 'leaseAllowance']) {
      gateway.backends.faults.set(method, () => {
        throw new Error('metering fails');
      });
    }
    for (const path of [historyPath, '/v1/stores/quiet.example/history', '/v1/signals?type=status_changed']) {
      const { status, body } = await call(gateway, path, { key: secret });
      expect([path, status, body.error?.code]).toEqual([path, 500, 'internal']);
    }
  });

  it('a free page shows nothing of the latest scan: neither its time nor its scope, and no header that depends on it', async () => {
    const { secret } = addKey();
    gateway.backends.addStore('older.example', { lastCompletedScanAtMs: 1_600_000_000_000, etag: '"older"' });
    const [from, to] = [isoOf(nowMs - 200 * dayMs), isoOf(nowMs - 190 * dayMs)];
    const pageOf = async (name: string) => {
      const path = `/v1/stores/${name}/history?from=${from}&to=${to}`;
      const { body, headers } = await call(gateway, path, { key: secret });
      const lasting = [...headers].filter(([name]) => !/^(x-request-id|date|.*ratelimit.*)$/.test(name));
      return { body, headers: lasting };
    };
    const { body, headers } = await pageOf('quiet.example');
    expect(body).toMatchObject({ domain: 'quiet.example', observation: null, data: [], next_cursor: null });
    expect(headers.map(([name]) => name)).not.toContain('etag');
    for (const name of ['older.example', domain]) {
      const other = await pageOf(name);
      expect(other.body).toEqual({ ...body, domain: name });
      expect(other.headers.filter(([header]) => header !== 'content-length')).toEqual(
        headers.filter(([header]) => header !== 'content-length'),
      );
    }
  });

  it('a query of signals is counted by /v1/account and /v1/usage', async () => {
    const { secret, workspaceId, keyId } = addKey({
      scopes: ['read:signals'],
    });
    await Promise.all(Array.from({ length: 5 }, () => call(gateway, historyPath, { key: secret })));
    await call(gateway, '/v1/signals', { key: secret });
    await gateway.backends.metering.counted(workspaceId, { historyQuery: 6 });
    const used = { history_query: 6, lookup_cached: 0, lookup_live: 0, refresh_requested: 0 };
    expect((await call(gateway, '/v1/account', { key: secret })).body.period.used).toEqual(used);
    const { body } = await call(gateway, '/v1/usage', { key: secret });
    expect([body.period.used, body.by_key]).toEqual([used, [expect.objectContaining({ key_id: keyId, used })]]);
  });

  it.each([
    ['from', `${historyPath}?from=yesterday`],
    ['to', `${historyPath}?to=2026-01-01`],
    ['from', `${historyPath}?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`],
    ['type', `${historyPath}?type=app_added`],
    ['technology', `${historyPath}?technology=`],
    ['limit', `${historyPath}?limit=201`],
    ['cursor', `${historyPath}?cursor=abc`],
    ['kind', `${historyPath}?kind=app`],
    ['kind', '/v1/signals?kind=plugin'],
    ['country', '/v1/signals?country=Germany'],
    ['country', '/v1/signals?country=de'],
    ['confidence', '/v1/signals?confidence=certain'],
    ['confirmed_from', '/v1/signals?confirmed_from=2026-01-02T00:00:00Z&confirmed_to=2026-01-01T00:00:00Z'],
    ['confirmed_to', '/v1/signals?confirmed_to=tomorrow'],
    ['include', `${historyPath}?include=discarded`],
    ['include', '/v1/signals?include='],
    ['retracted_from', `${historyPath}?retracted_from=yesterday`],
    ['retracted_from', '/v1/signals?retracted_from=2026-01-02T00:00:00Z&retracted_to=2026-01-01T00:00:00Z'],
    ['retracted_to', '/v1/signals?retracted_to=2026-01-01'],
    ['limit', '/v1/signals?limit=0'],
    ['domain', '/v1/signals?domain=shop.example'],
  ])('a query of signals is 400 and names %s for %s', async (field, path) => {
    const { secret } = addKey();
    const answer = await call(gateway, path, { key: secret });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(field);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
  });
});
