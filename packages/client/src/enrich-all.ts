import type { components } from './api.gen.ts';
import { type Batch, createBatches } from './batches.ts';
import { createJobWatcher } from './job-watcher.ts';
import { mapInOrder } from './map-in-order.ts';
import type { Operations } from './operations.ts';
import type { Platform } from './platform.ts';
import type { Job } from './wait-for-job.ts';

type EnrichResult = components['schemas']['EnrichResult'];

export interface EnrichAllOptions {
  /** true: asks for scans of unknown and stale domains, one lookup_live each. Needs the scope write:scans. */
  refresh?: boolean | undefined;
  /**
   * true: waits for the scans that were asked for, and looks up again what they observed, one more lookup_cached each. Needs the
   * scope read:jobs. A domain whose scan failed keeps its result, and its `job` says why.
   */
  wait?: boolean | undefined;
  /** Requests at the same time. Default 4, and never more than the plan allows. */
  concurrency?: number | undefined;
  /** Domains per request. Default and maximum: that of the plan. */
  batchSize?: number | undefined;
  /**
   * The Idempotency-Key of a batch, 8 to 120 characters. Default: random. Give keys that depend on your input alone, and a run that
   * starts again within 24 hours bills nothing twice. `index`: of the first domain of the batch in the input.
   */
  idempotencyKey?: ((batch: { index: number; domains: readonly string[] }) => string | Promise<string>) | undefined;
  signal?: AbortSignal | undefined;
  /** Called before the results of a batch come, in the order of the batches. Keep its end to continue a run there. */
  onBatch?: ((batch: EnrichedBatch) => void) | undefined;
  /** Called after each batch, in the order in which they end. */
  onProgress?: ((progress: EnrichProgress) => void) | undefined;
}

export interface EnrichedBatch {
  /** Of its first domain in the input. */
  index: number;
  size: number;
  /** Units that its responses reported. */
  billed: { lookup_cached: number; lookup_live: number };
}

export interface EnrichProgress {
  /** Domains whose result is final. */
  done: number;
  /** Domains whose scan has not ended. */
  waiting: number;
  /** Units that the responses of this run reported. A repeated response counts again and is billed once. */
  billed: { lookup_cached: number; lookup_live: number };
}

export interface EnrichedDomain extends EnrichResult {
  /** The scan of this domain, ended; null without `wait` or without a scan. */
  job: Job | null;
}

const defaultConcurrency = 4;
/** Batches of a run with `wait` that may wait for their scans at the same time, per request at the same time. */
const waitingPerRequest = 4;

/**
 * Enriches any number of domains.
 *
 * - Results come in the order of the domains, one for each.
 * - Domains are taken when there is room for them: at most `concurrency` batches (with `wait`: four times as many) are in memory.
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
    // Its consumer ends it too, but for a run that could not begin.
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

/** At least 1, also of NaN. */
const bounded = (wanted: number, max: number): number => Math.max(1, Math.min(wanted, max)) || 1;

function iteratorOf<T>(items: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : undefined;
  return iterator
    ? { [Symbol.asyncIterator]: () => iterator }
    : (async function* () {
        yield* items as Iterable<T>;
      })();
}

/** Runs at most `max` calls at the same time; the others wait in their order. */
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
