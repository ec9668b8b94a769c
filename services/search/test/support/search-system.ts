import { ManualClock } from '@shopscope/clock';
import { createVocabulary, type StoreFacts } from '@shopscope/store-search';
import { Registry } from '@shopscope/telemetry';
import { createMetrics } from '../../src/metrics.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { createSearchTurns } from '../../src/operations/search-turns.ts';
import { createMemoryEngine } from './memory-engine.ts';

/** Several instances of the service on one engine in memory, and the stores of profiles. */
export function createSearchSystem(pause: () => Promise<void> = async () => {}) {
  const clock = new ManualClock(Date.UTC(2026, 10, 30));
  const engine = createMemoryEngine({ pause, now: () => clock.now() });
  /** The sequence of each store, by domain. */
  const profiles = new Map<string, number>();
  const facts = {
    async ofAll(domains: readonly string[]) {
      await pause();
      return domains.flatMap((domain) => factsOf(domain, profiles.get(domain)) ?? []);
    },
    async list(afterDomain: string, limit: number) {
      await pause();
      const domains = [...profiles.keys()].filter((domain) => domain > afterDomain).sort();
      const stores = domains.slice(0, limit).flatMap((domain) => factsOf(domain, profiles.get(domain)) ?? []);
      return { stores, hasMore: domains.length > limit, corpusStores: profiles.size };
    },
    ofFirst: async () => ({ stores: [], domainsCovered: 0 }),
  };
  const logger = { info: () => {}, warn: () => {}, error: () => {} } as unknown as Dependencies['logger'];
  const vocabulary = createVocabulary({ technologies: [], countries: [], industries: [], presentSlug: (slug) => slug });
  const instance = (instanceId: string, over: Partial<Dependencies> = {}): Dependencies => ({
    instanceId,
    clock,
    logger,
    metrics: createMetrics(new Registry(), clock),
    vocabulary,
    facts,
    states: engine.states,
    indexes: engine.indexes,
    pointsInTime: engine.pointsInTime as Dependencies['pointsInTime'],
    turns: createSearchTurns({ maxPerWorkspace: 2 }),
    testTenantOf: () => instance(instanceId),
    ...over,
  });
  return { clock, engine, profiles, facts, instance };
}

function factsOf(domain: string, sequence: number | undefined): StoreFacts | undefined {
  if (sequence === undefined) return undefined;
  return {
    domain,
    storefrontId: `sf_${domain}`,
    sequence,
    firstScanAtMs: 0,
    removed: [],
    moved: [],
    body: {
      platform: { slug: 'shopify' },
      geography: { country: 'DE' },
      industry: { slug: 'beauty' },
      status: { state: 'active_storefront' },
      observation: { scope: 'full', last_completed_scan_at: '2026-01-01T00:00:00.000Z' },
      catalog: { product_count: 10, coverage: 'full' },
      technologies: [],
    },
  };
}
