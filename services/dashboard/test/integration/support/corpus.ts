import { createPermitSigner, developmentSigningKey } from '@shopscope/ids';
import { createKafka, createProducer } from '@shopscope/kafka';
import { loadConfig, startProfiles } from '@shopscope/profiles';
import { ObservationCompleted, ObservationOutcome, observationCompleted, permitHeader } from '@shopscope/proto';
import { kafkaOptions, serviceEnvironment, testNamespace, waitUntil } from '@shopscope/testing';

const meta = { requestId: 'req_test', traceparent: '', environment: 'live' as const };

/** The profiles service with a corpus that is made of the given observations. */
export async function startCorpus(observations: readonly Partial<ObservationCompleted>[]) {
  const namespace = testNamespace('corpus');
  const env = { PUBLIC_SITE_URL: 'http://site.test', CORPUS_COUNT_INTERVAL_MS: '1000' };
  const service = await startProfiles(loadConfig({ ...serviceEnvironment(namespace, 'profiles'), ...env }));
  const kafka = createKafka(kafkaOptions(namespace));
  const producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  const sign = createPermitSigner('scan-scheduler', developmentSigningKey('scan-scheduler'));
  for (const event of observations.map(observation)) {
    const headers = { [permitHeader]: sign(event, Date.now() + 60_000) };
    await producer.publish(observationCompleted, event, meta, { timeoutMs: 10_000, headers });
  }
  await waitUntil('every observation to be merged', async () => (await service.pending()) === 0);
  return {
    address: service.grpcAddress as string,
    async stop() {
      await producer.close();
      await kafka.close();
      await service.stop();
      await namespace.cleanup();
    },
  };
}

function observation(over: Partial<ObservationCompleted>): ObservationCompleted {
  const completedAtMs = Date.now() - 60_000;
  return {
    ...ObservationCompleted.decode(new Uint8Array()),
    scanId: `scan-${over.domain}`,
    sequence: 1,
    startedAtMs: completedAtMs - 4_000,
    completedAtMs,
    outcome: ObservationOutcome.OBSERVED,
    scope: 'full',
    storefrontHost: over.domain ?? '',
    statusState: 'active_storefront',
    name: 'Shop',
    platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
    geography: { country: 'DE', basis: 'observed' },
    industry: { slug: 'apparel', basis: 'classified' },
    ...over,
  };
}

/** A technology that a scan has seen. */
const sighting = (slug: string, name: string, over: { installState?: string; category?: string } = {}) => ({
  slug,
  name,
  kind: 'app',
  category: 'email',
  confidence: 'high',
  installState: 'active',
  sources: ['home'],
  ...over,
});

const catalog = {
  coverage: 'full',
  productCount: 7_310,
  availableCount: 6_120,
  currency: 'EUR',
  priceP25: 11,
  priceMedian: 23,
  priceP75: 37,
};
/** A hostile name of a foreign page. */
const hostileName = `<script>alert("name")</script>\u202Egnitset\u0000 ${'x'.repeat(10_000)}`;

/** A store with all members, another store, a generated one, and one whose texts attack the page. */
export const exampleObservations: readonly Partial<ObservationCompleted>[] = [
  {
    domain: 'prairie.example',
    name: 'Prairie Boots',
    catalog,
    technologies: [
      sighting('drip', 'Drip', { installState: 'configured' }),
      sighting('klaviyo', 'Klaviyo'),
      sighting('hotjar', 'Hotjar', { installState: 'configured', category: 'analytics' }),
      sighting('custom-theme', 'Prairie 2', { category: 'shopify-themes' }),
    ],
  },
  { domain: 'bazaar.example', name: 'Bazaar', technologies: [sighting('klaviyo', 'Klaviyo')] },
  { domain: 'demo-0001.example', name: 'Boots' },
  {
    domain: 'hostile.example',
    name: hostileName,
    technologies: [sighting('custom-theme', hostileName, { category: 'shopify-themes' })],
  },
];
