import { createKafka, createProducer } from '@shopscope/kafka';
import { ObservationCompleted, ObservationOutcome, observationCompleted } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import type { RunningSystem } from './system.ts';

export const domainOf = (n: number) => `bench-${n}.example`;

const loadTimeoutMs = 240_000;
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

/** Fills the corpus through the observations topic, the way scanners do; resolves when the last store can be read. */
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
  const producer = createProducer(kafka, { sendTimeoutMs: 30_000 });
  const observations = Array.from({ length: stores }, (_, n) => observationOf(n));
  const meta = { requestId: 'req_bench', traceparent: '' };
  await producer.publishMany(observationCompleted, observations, meta, { timeoutMs: 30_000 });
  await producer.close();
  await kafka.close();
  const endMs = performance.now() + loadTimeoutMs;
  // Partitions are merged side by side: every tenth store stands for its neighbours.
  for (let n = 0; n < stores; n += 10) {
    while (!(await isReadable(system, secret, domainOf(n)))) {
      if (performance.now() > endMs) throw new Error(`the corpus was not loaded in ${loadTimeoutMs / 1_000} s`);
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
