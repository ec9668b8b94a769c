import { createKafka, createProducer } from '@shopscope/kafka';
import { ObservationCompleted, ObservationOutcome, observationCompleted } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import type { RunningSystem } from './system.ts';

export const domainOf = (n: number) => `bench-${n}.example`;

/** Maximum number of observations per call of the producer, whose queue is bounded. */
const storesPerPublish = 5_000;
const publishTimeoutMs = 30_000;
/** Maximum wait for one store. The whole load takes as long as the number of stores needs. */
const stalledAfterMs = 240_000;
const technologies = [
  'klaviyo',
  'google-analytics',
  'stripe',
  'paypal',
  'cloudflare',
  'facebook-pixel',
  'hotjar',
  'jquery',
];

/**
 * Fills the corpus through the observations topic, as scanners do. Resolves when the last store can be read.
 * No progress for `stalledAfterMs` -> rejects.
 */
export async function loadCorpus(system: RunningSystem, secret: string, stores: number): Promise<void> {
  if (await isReadable(system, secret, domainOf(stores - 1))) return;
  const logger = createLogger({ service: 'bench', instance: 'bench', level: 'silent' });
  const registry = createRegistry({ service: 'bench' });
  const options = {
    brokers: system.brokers,
    clientId: 'bench',
    topicPrefix: '',
    replicationFactor: 1,
    logger,
    registry,
  };
  const kafka = createKafka(options);
  const producer = createProducer(kafka, { sendTimeoutMs: publishTimeoutMs });
  const meta = { requestId: 'req_bench', traceparent: '' };
  for (let first = 0; first < stores; first += storesPerPublish) {
    const length = Math.min(storesPerPublish, stores - first);
    const observations = Array.from({ length }, (_, n) => observationOf(first + n));
    await producer.publishMany(observationCompleted, observations, meta);
  }
  await producer.close();
  await kafka.close();
  // Partitions are merged in parallel. Every tenth store is checked as a sample.
  for (let n = 0; n < stores; n += 10) {
    const endMs = performance.now() + stalledAfterMs;
    while (!(await isReadable(system, secret, domainOf(n)))) {
      if (performance.now() > endMs) {
        throw new Error(`${domainOf(n)} of ${stores} stores was not in the corpus after ${stalledAfterMs / 1_000} s`);
      }
      await new Promise((done) => setTimeout(done, 250));
    }
  }
}

async function isReadable(system: RunningSystem, secret: string, domain: string): Promise<boolean> {
  const response = await fetch(`${system.apiUrl}/v1/stores/${domain}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  await response.arrayBuffer();
  return response.status === 200;
}

function observationOf(n: number): ObservationCompleted {
  const nowMs = Date.now();
  return ObservationCompleted.fromPartial({
    scanId: `scan_bench_${n}`,
    domain: domainOf(n),
    sequence: 1,
    startedAtMs: nowMs - 1_000,
    completedAtMs: nowMs,
    outcome: ObservationOutcome.OBSERVED,
    scope: 'full',
    storefrontHost: `www.${domainOf(n)}`,
    statusState: 'active_storefront',
    name: `Bench store ${n}`,
    platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
    technologies: technologies.map((slug) => ({
      slug,
      name: slug,
      kind: 'service',
      category: 'analytics',
      confidence: 'high',
      installState: 'active',
    })),
    geography: { country: 'DE', basis: 'observed' },
    industry: { slug: 'apparel', basis: 'classified' },
    catalog: {
      coverage: 'first_page',
      productCount: 250,
      availableCount: 200,
      currency: 'EUR',
      priceP25: 9.5,
      priceMedian: 20,
      priceP75: 49.9,
    },
  });
}
