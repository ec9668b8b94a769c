export type { components, operations, paths } from './api.gen.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { EnrichAllOptions, EnrichedBatch, EnrichedDomain, EnrichProgress } from './enrich-all.ts';
export { ApiError, ConnectionError, type ErrorCode, hasCode, ShopscopeError, TimeoutError } from './errors.ts';
export type { EnrichStoresRequest, ListEnrichRequest } from './operations.ts';
export type { Page, Paged } from './pages.ts';
export type { CallOptions, PostOptions, ResponseInfo } from './send.ts';
export { version } from './version.ts';
export type { Job, WaitForJobOptions } from './wait-for-job.ts';
