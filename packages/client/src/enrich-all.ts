import type { components } from './api.gen.ts';
import { type Batch, createBatches } from './batches.ts';
import { createJobWatcher } from './job-watcher.ts';
import { mapInOrder } from './map-in-order.ts';
import type { Operations } from './operations.ts';
import type { Platform } from './platform.ts';
import type { Job } from './wait-for-job.ts';

type EnrichResult = components['schemas']['EnrichResult'];

export interface EnrichAllOptions {
  /**
   * Whether to ask for scans of unknown and stale domains. Each scan bills one lookup_live. Needs the scope
   * write:scans.
   */
  refresh?: boolean | undefined;
  /**
   * Whether to wait for these scans, and to look their domains up again. Each second look-up bills one lookup_cached.
   * Needs the scope read:jobs. If a scan fails, its domain keeps its result, and `job` has the reason.
   */
  wait?: boolean | undefined;
  /** The number of concurrent requests. Default 4, and never more than the plan allows. */
  concurrency?: number | undefined;
  /** The number of domains per request. Default and maximum: the limit of the plan. */
  batchSize?: number | undefined;
  /**
   * Returns the Idempotency-Key of a batch, with 8 to 120 characters. Default: a random key. If keys depend only on
   * your input, a run that starts again within 24 hours bills nothing twice. `index` is the index of the batch's first
   * domain in the input.
   */
  idempotencyKey?: ((batch: { index: number; domains: readonly string[] }) => string | Promise<string>) | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Called before the results of a batch are yielded, in the order of the batches. Store the end of the batch to
   * continue a run there.
   */
  onBatch?: ((batch: EnrichedBatch) => void) | undefined;
  /** Called after each batch, in the order in which they end. */
  onProgress?: ((progress: EnrichProgress) => void) | undefined;
}

export interface EnrichedBatch {
  /** The index of its first domain in the input. */
  index: number;
  size: number;
  /** The units that its responses reported. */
  billed: { lookup_cached: number; lookup_live: number };
}

export interface EnrichProgress {
  /** The number of domains whose result is final. */
  done: number;
  /** The number of domains whose scan has not ended. */
  waiting: number;
  /** The units that the responses of this run reported. A repeated response counts again, but is billed once. */
  billed: { lookup_cached: number; lookup_live: number };
}

export interface EnrichedDomain extends EnrichResult {
  /** The ended scan of this domain. Null without `wait` or without a scan. */
  job: Job | null;
}

const defaultConcurrency = 4;
/** With `wait`, this many batches per concurrent request may wait for their scans. */
const waitingPerRequest = 4;

/**
 * Enriches any number of domains.
 *
 * - Results come in the order of the domains, one for each.
 * - A domain is read only when there is room for it: at most `concurrency` batches are in memory, with `wait` four
 *   times as many.
 * - An error that remains after all attempts (retry.ts) ends the iteration, after the results before it.
 * - The consumer ends the iteration -> requests under way are cancelled.
 */
export async function* enrichAll(
  client: Operations,
  domains: Iterable<string> | AsyncIterable<string>,
  options: EnrichAllOptions = {},
  platform: Platform,
): AsyncGenerator<EnrichedDomain, void, undefined> {
  // Taken before the first wait: a readline interface loses the lines that come before its iterator is taken.
  const source = iteratorOf(domains);
  const ending = new AbortController();
  const abort = () => ending.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', abort);
  if (options.signal?.aborted) abort();
  try {
    yield* enrichFrom(client, source, { ...options, signal: ending.signal }, platform);
  } finally {
    ending.abort();
    options.signal?.removeEventListener('abort', abort);
    // The consumer also ends it, except in a run that could not begin.
    void Promise.resolve(source[Symbol.asyncIterator]().return?.()).catch(() => undefined);
  }
}

async function* enrichFrom(
  client: Operations,
  source: AsyncIterable<string>,
  options: EnrichAllOptions & { signal: AbortSignal },
  platform: Platform,
): AsyncGenerator<EnrichedDomain, void, undefined> {
  const { signal } = options;
  const { limits } = (await client.getAccount({ signal })).plan;
  const concurrency = bounded(options.concurrency ?? defaultConcurrency, limits.concurrency);
  const batchSize = bounded(options.batchSize ?? limits.enrich_batch_max, limits.enrich_batch_max);
  const run = crypto.randomUUID();
  const keyOf = options.idempotencyKey ?? (({ index }) => `${run}-${index}`);
  const turns = createTurns(concurrency);
  const watcher = createJobWatcher(client, platform, signal, turns);
  const progress: EnrichProgress = { done: 0, waiting: 0, billed: { lookup_cached: 0, lookup_live: 0 } };

  const report = () => options.onProgress?.({ ...progress, billed: { ...progress.billed } });
  const enrich = async (
    inputs: readonly string[],
    { key, refresh, billed }: { key: string; refresh: boolean; billed: EnrichedBatch['billed'] },
  ) => {
    if (inputs.length === 0) return [];
    const response = await turns(() =>
      client.enrichStores({ domains: inputs, refresh }, { idempotencyKey: key, signal }),
    );
    for (const sum of [billed, progress.billed]) {
      sum.lookup_cached += response.billed.lookup_cached;
      sum.lookup_live += response.billed.lookup_live;
    }
    return response.results;
  };

  const enrichBatch = async ({ index, items: domains }: Batch<string>) => {
    const key = await keyOf({ index, domains });
    const billed = { lookup_cached: 0, lookup_live: 0 };
    const found = await enrich(domains, { key, refresh: options.refresh ?? false, billed });
    const results: EnrichedDomain[] = found.map((result) => ({ ...result, job: null }));
    const scanned = options.wait ? results.filter(({ scan_job_id: id }) => id !== null) : [];
    if (scanned.length > 0) {
      progress.waiting += scanned.length;
      report();
      await Promise.all(
        scanned.map(async (result) => (result.job = await watcher.ended(result.scan_job_id as string))),
      );
      const observed = scanned.filter(({ job }) => job?.state === 'succeeded');
      const later = await enrich(
        observed.map(({ input }) => input),
        { key: `${key}-scanned`, refresh: false, billed },
      );
      for (const [at, { match, reason, store }] of later.entries()) {
        Object.assign(observed[at] as EnrichedDomain, { match, reason, store });
      }
      progress.waiting -= scanned.length;
    }
    progress.done += results.length;
    report();
    return { index, results, billed };
  };

  const window = options.wait ? concurrency * waitingPerRequest : concurrency;
  const batches = mapInOrder(createBatches(source, batchSize), window, enrichBatch, signal);
  for await (const { index, results, billed } of batches) {
    options.onBatch?.({ index, size: results.length, billed });
    yield* results;
  }
}

/** Returns `wanted` within 1 and `max`. NaN gives 1. */
const bounded = (wanted: number, max: number): number => Math.max(1, Math.min(wanted, max)) || 1;

function iteratorOf<T>(items: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : undefined;
  return iterator
    ? { [Symbol.asyncIterator]: () => iterator }
    : (async function* () {
        yield* items as Iterable<T>;
      })();
}

/** Runs at most `max` calls at the same time. The others wait in order. */
function createTurns(max: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
