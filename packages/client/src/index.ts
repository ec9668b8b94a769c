export type { components, operations, paths } from './api.gen.ts';
export { type Batch, batchFrom, createBatches, maxStoresPerCall } from './batches.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { EnrichAllOptions, EnrichedBatch, EnrichedDomain, EnrichProgress } from './enrich-all.ts';
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  hasCode,
  ShopscopeError,
  TimeoutError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './errors.ts';
export type { Event, EventsOptions } from './events.ts';
export type { ExportedPart, ExportOptions } from './export-stores.ts';
export { type FlatStoreQuery, whereOf } from './flat-where.ts';
export type { GraphqlAnswer, GraphqlCost, GraphqlOptions } from './graphql-operations.ts';
export type {
  EnrichStoresRequest,
  ListEnrichRequest,
  StoreCountRequest,
  StoreExportRequest,
  StoreSearchRequest,
  StoreWhere,
} from './operations.ts';
export type { Page, Paged } from './pages.ts';
export type { CountOptions, SearchOptions, SearchUnits, StoreRow } from './search.ts';
export type { CallOptions, PostOptions, ResponseInfo } from './send.ts';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './verify-webhook.ts';
export { version } from './version.ts';
export type { Job, WaitForJobOptions } from './wait-for-job.ts';
export type { WebhookReplay } from './webhook-operations.ts';
export { signWebhook, type WebhookBody, type WebhookOptions } from './webhook-signature.ts';
