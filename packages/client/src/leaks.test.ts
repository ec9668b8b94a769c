import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { json, startScriptedService } from '../test/scripted-service.ts';
import type { EnrichedDomain } from './enrich-all.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const maxCollections = 50;

/**
 * Counts the objects that a run still holds. It collects garbage until at most `bound` objects are left, because a busy machine ends
 * requests late, and a collection that is in progress keeps objects that became unreachable after its start. Only a leak keeps more
 * objects after all collections.
 */
async function countAlive(references: readonly WeakRef<object>[], bound: number): Promise<number> {
  let alive = references.length;
  for (let turn = 0; turn < maxCollections && alive > bound; turn++) {
    await new Promise(setImmediate);
    collectGarbage();
    alive = references.filter((reference) => reference.deref()).length;
  }
  return alive;
}

/** Every domain is unknown. */
const unknownTo = (maxBatchSize: number) => [
  json(200, { plan: { limits: { concurrency: 4, enrich_batch_max: maxBatchSize } } }),
  ((received, response) => {
    const { domains } = received.body as { domains: string[] };
    const results = domains.map((input) => ({ input, match: 'no_match', scan_job_id: null, store: null }));
    received.body = undefined;
    return json(200, { billed: { lookup_cached: 0, lookup_live: 0 }, results })(received, response);
  }) satisfies ReturnType<typeof json>,
];

function* domains(count: number, onEnd?: () => void) {
  try {
    for (let n = 0; n < count; n++) yield `shop${n}.example`;
  } finally {
    onEnd?.();
  }
}

test('a run of 20,000 domains holds no result that was taken, and no signal of a request that has ended', async () => {
  const signals: WeakRef<AbortSignal>[] = [];
  await using service = await startScriptedService(unknownTo(100), {
    fetch: (input, init) => {
      if (init?.signal) signals.push(new WeakRef(init.signal));
      return fetch(input, init);
    },
  });
  const taken: WeakRef<EnrichedDomain>[] = [];
  // A window of 4 batches, and those of the last turn.
  const bound = 19;
  const abort = new AbortController();
  let [results, alive] = [0, { taken: -1, signals: -1, listeners: -1 }];
  for await (const result of service.client.enrichAll(domains(20_000), { signal: abort.signal })) {
    results += 1;
    if (results % 100 === 0) taken.push(new WeakRef(result));
    if (results < 19_000 || alive.taken >= 0) continue;
    const listeners = getEventListeners(abort.signal, 'abort').length;
    alive = { taken: await countAlive(taken, bound), signals: await countAlive(signals, bound), listeners };
  }
  expect(results).toBe(20_000);
  expect(taken).toHaveLength(200);
  expect(alive.taken).toBeLessThanOrEqual(bound);
  expect(alive.signals).toBeLessThanOrEqual(bound);
  expect(alive.listeners).toBeLessThan(10);
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});

test.each([
  ['after a result', async (results: AsyncGenerator) => results.next()],
  ['before the first one', async () => undefined],
])('a consumer that leaves a run %s leaves nothing behind', async (_, take) => {
  await using service = await startScriptedService(unknownTo(2));
  const abort = new AbortController();
  let isEnded = false;
  const results = service.client.enrichAll(
    domains(10_000, () => (isEnded = true)),
    { signal: abort.signal },
  );
  await take(results);
  const began = service.received.length > 0;
  await results.return();
  // A generator that was not started has opened nothing.
  await expect.poll(() => isEnded).toBe(began);
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});

test('a run that cannot begin ends its source of domains', async () => {
  await using service = await startScriptedService([json(401, { error: { code: 'unauthorized' } })]);
  let isEnded = false;
  const lines = (async function* () {
    yield* domains(3, () => (isEnded = true));
  })();
  await lines.next();
  await expect(Array.fromAsync(service.client.enrichAll(lines))).rejects.toMatchObject({ code: 'unauthorized' });
  await expect.poll(() => isEnded).toBe(true);
});
