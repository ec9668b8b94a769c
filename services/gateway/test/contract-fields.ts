import type { z } from 'zod';
import { errorEnvelope, errorExample } from '../src/contract/errors.ts';
import { account, usage } from '../src/endpoints/account/contract.ts';
import { health, hostDocument, serviceIndex } from '../src/endpoints/discovery/contract.ts';
import { endpoints } from '../src/endpoints/endpoints.ts';
import { enrichRequest, enrichResponse } from '../src/endpoints/enrich-stores/contract.ts';
import { storeResponse } from '../src/endpoints/get-store/contract.ts';
import { job, jobPage, jobResults } from '../src/endpoints/jobs/contract.ts';
import { history, signalPage } from '../src/endpoints/signals/contract.ts';
import { technologyPage } from '../src/endpoints/technologies/contract.ts';

/**
 * Every field of the contract by name: it is there in the example, the schema misses it when it is gone, refuses values
 * of another type, and takes null only where the contract says so. Written out rather than derived, so that a schema
 * that loses or loosens a field is noticed.
 */
export type Kind = 'string' | 'timestamp' | 'url' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
export type Row = [path: string, kind: Kind, nullable?: 'nullable' | 'optional'];

const counters = (path: string): Row[] =>
  ['history_query', 'lookup_cached', 'lookup_live', 'refresh_requested'].map((unit) => [`${path}.${unit}`, 'integer']);

const period = (path: string): Row[] => [
  [path, 'object'],
  [`${path}.starts_at`, 'timestamp'],
  [`${path}.ends_at`, 'timestamp'],
  [`${path}.included`, 'object'],
  ...counters(`${path}.included`),
  [`${path}.used`, 'object'],
  ...counters(`${path}.used`),
];

const authentication = (path: string): Row[] => [
  [path, 'object'],
  [`${path}.header`, 'string'],
  [`${path}.keys_url`, 'url'],
  [`${path}.scheme`, 'string'],
];

const store: Row[] = [
  ['match', 'string'],
  ['store', 'object'],
  ['store.brand_group_id', 'string'],
  ['store.domain', 'string'],
  ['store.storefront_host', 'string'],
  ['store.storefront_id', 'string'],
  ['store.name', 'string'],
  ['store.profile_url', 'url'],
  ['store.catalog', 'object'],
  ['store.catalog.as_of', 'timestamp'],
  ['store.catalog.product_count', 'integer'],
  ['store.catalog.available_count', 'integer', 'nullable'],
  ['store.catalog.coverage', 'string'],
  ['store.catalog.currency', 'string'],
  ['store.catalog.price_range', 'object'],
  ['store.catalog.price_range.median', 'number'],
  ['store.catalog.price_range.p25', 'number'],
  ['store.catalog.price_range.p75', 'number'],
  ['store.geography', 'object'],
  ['store.geography.basis', 'string'],
  ['store.geography.country', 'string'],
  ['store.industry', 'object'],
  ['store.industry.basis', 'string'],
  ['store.industry.slug', 'string'],
  ['store.observation', 'object'],
  ['store.observation.coverage_note', 'string', 'nullable'],
  ['store.observation.last_completed_scan_at', 'timestamp'],
  ['store.observation.scope', 'string'],
  ['store.platform', 'object'],
  ['store.platform.name', 'string'],
  ['store.platform.slug', 'string'],
  ['store.platform.confidence', 'string'],
  ['store.platform.first_observed_at', 'timestamp'],
  ['store.platform.last_confirmed_at', 'timestamp'],
  ['store.status', 'object'],
  ['store.status.state', 'string'],
  ['store.status.as_of', 'timestamp'],
  ['store.technologies', 'array'],
  ['store.technologies.0.category', 'string'],
  ['store.technologies.0.confidence', 'string'],
  ['store.technologies.0.first_observed_at', 'timestamp'],
  ['store.technologies.0.install_state', 'string'],
  ['store.technologies.0.last_confirmed_at', 'timestamp'],
  ['store.technologies.0.name', 'string'],
  ['store.technologies.0.slug', 'string'],
  ['store.recent_signals', 'array'],
  ['store.recent_signals.0.id', 'string'],
  ['store.recent_signals.0.type', 'string'],
  ['store.recent_signals.0.technology', 'string'],
  ['store.recent_signals.0.from', 'string', 'nullable'],
  ['store.recent_signals.0.to', 'string', 'nullable'],
  ['store.recent_signals.0.confidence', 'string'],
  ['store.recent_signals.0.effective_at', 'timestamp'],
  ['store.recent_signals.0.confirmed_at', 'timestamp'],
];

function jobRows(at: string): Row[] {
  const rows: Row[] = [
    ['id', 'string'],
    ['type', 'string'],
    ['state', 'string'],
    ['domain', 'string', 'nullable'],
    ['progress', 'object'],
    ['progress.total', 'integer'],
    ['progress.done', 'integer'],
    ['progress.failed', 'integer'],
    ['attempts', 'integer'],
    ['billed', 'object'],
    ...counters('billed'),
    ['error', 'object', 'nullable'],
    ['error.code', 'string'],
    ['error.message', 'string'],
    ['created_at', 'timestamp'],
    ['started_at', 'timestamp', 'nullable'],
    ['finished_at', 'timestamp', 'nullable'],
  ];
  return rows.map(([path, ...rest]) => [`${at}${path}`, ...rest]);
}

const signal: Row[] = [
  ['data', 'array'],
  ['data.0.id', 'string'],
  ['data.0.type', 'string'],
  ['data.0.technology', 'string'],
  ['data.0.from', 'string', 'nullable'],
  ['data.0.to', 'string', 'nullable'],
  ['data.0.confidence', 'string'],
  ['data.0.effective_at', 'timestamp'],
  ['data.0.confirmed_at', 'timestamp'],
  ['data.0.retracted_at', 'timestamp', 'nullable'],
  ['data.0.retracted_reason', 'string', 'nullable'],
];

export const documents: Record<string, { schema: z.ZodType; example: unknown; rows: Row[] }> = {
  getStore: { schema: storeResponse, example: exampleOf('getStore'), rows: store },
  'enrichStores request': {
    schema: enrichRequest,
    example: { domains: ['shop.example'], refresh: true },
    rows: [
      ['domains', 'array'],
      ['refresh', 'boolean', 'optional'],
    ],
  },
  enrichStores: {
    schema: enrichResponse,
    example: exampleOf('enrichStores'),
    rows: [
      ['request_id', 'string'],
      ['billed', 'object'],
      ['billed.lookup_cached', 'integer'],
      ['billed.lookup_live', 'integer'],
      ['results', 'array'],
      ['results.0.input', 'string'],
      ['results.0.match', 'string'],
      ['results.0.reason', 'string', 'nullable'],
      ['results.0.scan_requested', 'boolean'],
      ['results.0.scan_job_id', 'string', 'nullable'],
      ['results.0.store', 'object', 'nullable'],
    ],
  },
  getAccount: {
    schema: account,
    example: exampleOf('getAccount'),
    rows: [
      ['key', 'object'],
      ['key.id', 'string'],
      ['key.label', 'string'],
      ['key.prefix', 'string'],
      ['key.environment', 'string'],
      ['key.scopes', 'array'],
      ['key.expires_at', 'timestamp', 'nullable'],
      ['workspace', 'object'],
      ['workspace.id', 'string'],
      ['workspace.name', 'string'],
      ['plan', 'object'],
      ['plan.slug', 'string'],
      ['plan.limits', 'object'],
      ['plan.limits.concurrency', 'integer'],
      ['plan.limits.enrich_batch_max', 'integer'],
      ['plan.limits.freshness_days', 'integer'],
      ['plan.limits.history_days', 'integer'],
      ['plan.limits.live_refreshes_per_period', 'integer'],
      ['plan.limits.rpm', 'integer'],
      ...period('period'),
    ],
  },
  getUsage: {
    schema: usage,
    example: exampleOf('getUsage'),
    rows: [
      ...period('period'),
      ['by_key', 'array'],
      ['by_key.0.key_id', 'string'],
      ['by_key.0.label', 'string'],
      ['by_key.0.used', 'object'],
      ...counters('by_key.0.used'),
    ],
  },
  listTechnologies: {
    schema: technologyPage,
    example: exampleOf('listTechnologies'),
    rows: [
      ['data', 'array'],
      ['data.0.slug', 'string'],
      ['data.0.name', 'string'],
      ['data.0.kind', 'string'],
      ['data.0.category', 'string'],
      ['data.0.vendor', 'string'],
      ['data.0.website', 'url'],
      ['data.0.listing_url', 'url'],
      ['next_cursor', 'string', 'nullable'],
    ],
  },
  getJob: { schema: job, example: exampleOf('getJob'), rows: jobRows('') },
  listJobs: {
    schema: jobPage,
    example: { data: [exampleOf('getJob')], next_cursor: 'am9i.uQ3k5WQ2J0o8Zb1rT7xNfA' },
    rows: [['data', 'array'], ...jobRows('data.0.'), ['next_cursor', 'string', 'nullable']],
  },
  getJobResults: {
    schema: jobResults,
    example: exampleOf('getJobResults'),
    rows: [
      ['data', 'array'],
      ['data.0.domain', 'string'],
      ['data.0.state', 'string'],
      ['data.0.error', 'object', 'nullable'],
      ['data.0.error.code', 'string'],
      ['data.0.error.message', 'string'],
      ['next_cursor', 'string', 'nullable'],
    ],
  },
  getStoreHistory: {
    schema: history,
    example: exampleOf('getStoreHistory'),
    rows: [
      ['domain', 'string'],
      ['observation', 'object', 'nullable'],
      ['observation.coverage_note', 'string', 'nullable'],
      ['observation.last_completed_scan_at', 'timestamp'],
      ['observation.scope', 'string'],
      ['window', 'object'],
      ['window.from', 'timestamp'],
      ['window.to', 'timestamp'],
      ['window.truncated_by_plan', 'boolean'],
      ...signal,
      ['next_cursor', 'string', 'nullable'],
    ],
  },
  searchSignals: {
    schema: signalPage,
    example: exampleOf('searchSignals'),
    rows: [
      ...signal,
      ['data.0.domain', 'string'],
      ['data.0.storefront_id', 'string'],
      ['next_cursor', 'string', 'nullable'],
    ],
  },
  getIndex: {
    schema: serviceIndex,
    example: exampleOf('getIndex'),
    rows: [
      ...authentication('authentication'),
      ['documentation_url', 'url'],
      ['endpoints', 'object'],
      ['openapi_url', 'url'],
      ['version', 'string'],
    ],
  },
  getHost: {
    schema: hostDocument,
    example: exampleOf('getHost'),
    rows: [
      ['name', 'string'],
      ['description', 'string'],
      ['documentation_url', 'url'],
      ['graphql', 'object'],
      ['graphql.url', 'url'],
      ['graphql.access', 'string'],
      ['rest', 'object'],
      ['rest.base_url', 'url'],
      ['rest.openapi_url', 'url'],
      ['rest.version', 'string'],
      ...authentication('rest.authentication'),
    ],
  },
  getHealth: {
    schema: health,
    example: exampleOf('getHealth'),
    rows: [
      ['status', 'string'],
      ['version', 'string'],
    ],
  },
  error: {
    schema: errorEnvelope,
    example: errorExample('payment_required'),
    rows: [
      ['error', 'object'],
      ['error.code', 'string'],
      ['error.message', 'string'],
      ['error.request_id', 'string'],
      ['error.reset_at', 'timestamp', 'optional'],
      ['error.unit', 'string', 'optional'],
    ],
  },
};

export function exampleOf(id: string): unknown {
  return endpoints.find((operation) => operation.id === id)?.success.example;
}
