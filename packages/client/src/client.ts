import type { components } from './api.gen.ts';
import { type EnrichAllOptions, type EnrichedDomain, enrichAll } from './enrich-all.ts';
import { type Event, type EventsOptions, readEvents } from './events.ts';
import { type ExportedPart, type ExportOptions, exportParts, exportStores } from './export-stores.ts';
import { createOperations, type Operations, type StoreWhere } from './operations.ts';
import { type Platform, platform } from './platform.ts';
import { createRatePacer } from './rate-pacer.ts';
import { type CountOptions, type SearchOptions, type StoreRow, search } from './search.ts';
import { checkedApiKey, checkedBaseUrl, createSend } from './send.ts';
import { type Job, type WaitForJobOptions, waitForJob } from './wait-for-job.ts';

export interface ClientOptions {
  /** The API key, or a function that is called before each attempt, so that a key can be rotated while the client is in use. */
  apiKey: string | (() => string | Promise<string>);
  /** The address of the service, for example https://api.example.com. A /v1 at its end is ignored. */
  baseUrl: string;
  /** Time limit of one attempt in milliseconds. Default 15,000: the service answers within 10 seconds of database time. */
  timeoutMs?: number | undefined;
  /** The maximum number of attempts after the first one. Default 4. */
  maxRetries?: number | undefined;
  /** A text before the name of this package in the header User-Agent. */
  userAgent?: string | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The operations of the API, and methods that combine them. */
export interface Client extends Operations {
  /** Yields the profiles of any number of domains, in their order. See {@link EnrichAllOptions}. */
  enrichAll(
    domains: Iterable<string> | AsyncIterable<string>,
    options?: EnrichAllOptions,
  ): AsyncGenerator<EnrichedDomain, void, undefined>;
  /** The events of the workspace, in the order of their sequence. They continue at a stored cursor: see {@link EventsOptions}. Free. */
  events(options?: EventsOptions): AsyncGenerator<Event, void, undefined>;
  /** Yields the stores that match, each once. See {@link SearchOptions}. */
  search(where: StoreWhere, options?: SearchOptions): AsyncGenerator<StoreRow, void, undefined>;
  /** Yields all matching stores, which a job writes. One iteration has at most 100,000. See {@link ExportOptions}. */
  export(where: StoreWhere, options?: ExportOptions): AsyncGenerator<StoreRow, void, undefined>;
  /** Yields the parts of an export, and compares each with its sha256. Free. */
  exportParts(
    jobId: string,
    options?: { signal?: AbortSignal | undefined },
  ): AsyncGenerator<ExportedPart, void, undefined>;
  /** How many stores match, what their rows would bill, and facets. One history_query with `dropped` or `moved`, otherwise free. */
  count(where: StoreWhere, options?: CountOptions): Promise<components['schemas']['StoreCount']>;
  /** Reads a job until it has ended. Throws TimeoutError. */
  waitForJob(jobId: string, options?: WaitForJobOptions): Promise<Job>;
}

export const defaults = { timeoutMs: 15_000, maxRetries: 4 } as const;

export const createClient = (options: ClientOptions): Client => createClientOn(platform, options);

/** Like {@link createClient}, with the time and the random numbers of `platform`. */
export function createClientOn(platform: Platform, options: ClientOptions): Client {
  const operations = createOperations(
    createSend({
      apiKey: typeof options.apiKey === 'string' ? checkedApiKey(options.apiKey) : options.apiKey,
      baseUrl: checkedBaseUrl(options.baseUrl),
      fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
      timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
      maxRetries: options.maxRetries ?? defaults.maxRetries,
      userAgent: options.userAgent,
      pacer: createRatePacer(platform),
      platform,
    }),
  );
  return {
    ...operations,
    enrichAll: (domains, options) => enrichAll(operations, domains, options, platform),
    events: (options = {}) => readEvents(operations, options, platform),
    search: (where, options = {}) => search(operations, where, options),
    export: (where, options = {}) => exportStores(operations, where, options, platform),
    exportParts: (jobId, { signal } = {}) => exportParts(operations, jobId, signal),
    count: async (where, { facets, facetSize, ...options } = {}) =>
      operations.countStores({ where, facets, facet_size: facetSize }, options),
    waitForJob: (jobId, options = {}) =>
      waitForJob((signal) => operations.getJob(jobId, { signal }), options, platform),
  };
}
