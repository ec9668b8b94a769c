import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Answer, json, type Received, startScriptedService } from '../test/scripted-service.ts';
import type { EnrichedBatch, EnrichProgress } from './enrich-all.ts';

/**
 * A fake service. It knows `*.known`, scans the domains of requests with `refresh`, and stores the response of each
 * Idempotency-Key.
 */
function enriching(options: { maxBatchSize?: number; concurrency?: number; jobs?: Record<string, string[]> } = {}) {
  const { maxBatchSize = 3, concurrency = 50, jobs = {} } = options;
  const observed = new Set<string>();
  const state = { open: 0, mostOpen: 0, keys: new Map<string, number>() };
  const enrich = (received: Received) => {
    const { domains, refresh } = received.body as { domains: string[]; refresh: boolean };
    const key = received.headers['idempotency-key'] as string;
    state.keys.set(key, (state.keys.get(key) ?? 0) + 1);
    const results = domains.map((input) => {
      const isKnown = input.endsWith('.known') || observed.has(input);
      const isScanned = refresh && !isKnown;
      return {
        input,
        match: isKnown ? 'matched' : 'no_match',
        reason: isKnown ? null : 'not_in_corpus',
        scan_requested: isScanned,
        scan_job_id: isScanned ? `job_${input}` : null,
        store: isKnown ? { domain: input } : null,
      };
    });
    const count = (isCounted: (result: (typeof results)[number]) => boolean) => results.filter(isCounted).length;
    const billed = {
      lookup_cached: count(({ store }) => store !== null),
      lookup_live: count(({ scan_requested }) => scan_requested),
    };
    return { request_id: 'req_1', billed, results };
  };
  const stateOf = (id: string) => {
    const states = jobs[id.replace('job_', '')] ?? ['succeeded'];
    return (states.length > 1 ? states.shift() : states[0]) ?? '';
  };
  const answer: Answer = async (received, response) => {
    const url = new URL(received.url, 'http://x');
    state.open += 1;
    state.mostOpen = Math.max(state.mostOpen, state.open);
    await new Promise(setImmediate);
    state.open -= 1;
    if (url.pathname === '/v1/account') {
      return json(200, { plan: { limits: { concurrency, enrich_batch_max: maxBatchSize } } })(received, response);
    }
    if (url.pathname === '/v1/stores/enrich') return json(200, enrich(received))(received, response);
    if (url.pathname === '/v1/jobs') return json(200, { data: [], next_cursor: null })(received, response);
    const id = url.pathname.split('/').at(-1) ?? '';
    const jobState = stateOf(id);
    if (jobState === 'succeeded') observed.add(id.replace('job_', ''));
    const error = jobState === 'failed' ? { code: 'dns_failure', message: 'The domain has no address.' } : null;
    return json(200, { id, state: jobState, error })(received, response);
  };
  return { answer, state };
}

const names = (count: number, end = 'known') => Array.from({ length: count }, (_, n) => `shop${n}.${end}`);
const batchesOf = (received: readonly Received[]) =>
  received.filter(({ url }) => url.endsWith('/enrich')).map(({ body }) => (body as { domains: string[] }).domains);

test('every domain of a run is answered once and in order, in batches of the plan', async () => {
  const { answer } = enriching();
  await using service = await startScriptedService([answer]);
  const results = await Array.fromAsync(service.client.enrichAll(names(10)));
  expect(results.map(({ input }) => input)).toEqual(names(10));
  expect(
    batchesOf(service.received)
      .map(({ length }) => length)
      .toSorted(),
  ).toEqual([1, 3, 3, 3]);
});

test('requests of a run at the same time stay within the plan and the option', async () => {
  const { answer, state } = enriching({ maxBatchSize: 1, concurrency: 2 });
  await using service = await startScriptedService([answer]);
  await Array.fromAsync(service.client.enrichAll(names(20), { concurrency: 8 }));
  expect(state.mostOpen).toBeLessThanOrEqual(2);
});

test('a source of domains is read only as far as there is room', async () => {
  const { answer } = enriching({ maxBatchSize: 2 });
  await using service = await startScriptedService([answer]);
  let taken = 0;
  function* endless() {
    for (;;) yield `shop${taken++}.known`;
  }
  const results = service.client.enrichAll(endless(), { concurrency: 2 });
  for (let n = 0; n < 4; n++) await results.next();
  await results.return();
  expect(taken).toBeLessThan(20);
});

test('a source of domains whose return is not a promise ends, and a concurrency that is not a number is 1', async () => {
  const { answer, state } = enriching({ maxBatchSize: 1 });
  await using service = await startScriptedService([answer]);
  let isEnded = false;
  const source = {
    next: async () => ({ done: false, value: 'shop.known' }) as const,
    return: () => {
      isEnded = true;
      return { done: true };
    },
    [Symbol.asyncIterator]: () => source,
  };
  for await (const _ of service.client.enrichAll(source as never, { concurrency: Number.NaN })) break;
  expect(isEnded).toBe(true);
  expect(state.mostOpen).toBe(1);
});

test('a batch of a run fits one request, however long its inputs are', async () => {
  const { answer } = enriching({ maxBatchSize: 100 });
  await using service = await startScriptedService([answer]);
  const inputs = Array.from({ length: 250 }, (_, n) => `shop${n}.known/${'é'.repeat(1_000)}`);
  const results = await Array.fromAsync(service.client.enrichAll(inputs));
  expect(results).toHaveLength(250);
  const sizes = batchesOf(service.received).map((domains) =>
    Buffer.byteLength(JSON.stringify({ domains, refresh: false })),
  );
  expect(Math.max(...sizes)).toBeLessThan(262_144);
});

test('a run with wait waits for scans and looks up what they observed', async () => {
  const jobs = { 'a.new': ['queued', 'running', 'succeeded'], 'b.new': ['failed'] };
  const { answer } = enriching({ jobs });
  await using service = await startScriptedService([answer]);
  const progress: EnrichProgress[] = [];
  const results = await Array.fromAsync(
    service.client.enrichAll(['a.new', 'x.known', 'b.new'], {
      refresh: true,
      wait: true,
      onProgress: (each) => progress.push(structuredClone(each)),
    }),
  );
  expect(results.map(({ match }) => match)).toEqual(['matched', 'matched', 'no_match']);
  expect(results.map(({ job }) => job?.error?.code ?? job?.state ?? null)).toEqual(['succeeded', null, 'dns_failure']);
  expect(results[0]).toMatchObject({ scan_requested: true, scan_job_id: 'job_a.new', store: { domain: 'a.new' } });
  expect(progress.at(-1)).toEqual({ done: 3, waiting: 0, billed: { lookup_cached: 2, lookup_live: 2 } });
  expect(progress[0]).toMatchObject({ waiting: 2 });
});

test('each batch of a run is announced before its results, with its place and its units', async () => {
  const { answer } = enriching();
  await using service = await startScriptedService([answer]);
  const seen: unknown[] = [];
  const onBatch = (batch: EnrichedBatch) => seen.push(batch);
  const domains = [...names(4), 'unknown.example'];
  for await (const { input } of service.client.enrichAll(domains, { onBatch })) seen.push(input);
  expect(seen).toEqual([
    { index: 0, size: 3, billed: { lookup_cached: 3, lookup_live: 0 } },
    ...names(3),
    { index: 3, size: 2, billed: { lookup_cached: 1, lookup_live: 0 } },
    'shop3.known',
    'unknown.example',
  ]);
});

test('a run with Idempotency-Keys of the caller sends the same keys again', async () => {
  const { answer, state } = enriching();
  await using service = await startScriptedService([answer]);
  const options = { idempotencyKey: ({ index }: { index: number }) => `list-7-${index}` };
  await Array.fromAsync(service.client.enrichAll(names(5), options));
  await Array.fromAsync(service.client.enrichAll(names(5), options));
  expect([...state.keys]).toEqual([
    ['list-7-0', 2],
    ['list-7-3', 2],
  ]);
});

test('an error that remains ends a run after the results before it', async () => {
  const { answer } = enriching({ maxBatchSize: 1 });
  await using service = await startScriptedService([
    (received, response) => {
      const spent = (received.body as { domains?: string[] } | undefined)?.domains?.includes('shop3.known');
      const error = { code: 'payment_required', message: 'Spent.', request_id: 'req_1', unit: 'lookup_cached' };
      return spent ? json(402, { error })(received, response) : answer(received, response);
    },
  ]);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { input } of service.client.enrichAll(names(9))) seen.push(input);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'payment_required', unit: 'lookup_cached' });
  expect(seen).toEqual(names(3));
});

test('lines that come before the first response of a run are not lost', async () => {
  const { answer } = enriching();
  await using service = await startScriptedService([answer]);
  const lines = createInterface({ input: Readable.from(names(7).map((name) => `${name}\n`)) });
  const results = await Array.fromAsync(service.client.enrichAll(lines));
  expect(results.map(({ input }) => input)).toEqual(names(7));
});

test('a run of no domains sends no batch', async () => {
  const { answer } = enriching();
  await using service = await startScriptedService([answer]);
  await expect(Array.fromAsync(service.client.enrichAll([]))).resolves.toEqual([]);
  expect(batchesOf(service.received)).toEqual([]);
});
