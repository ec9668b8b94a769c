import { importStores } from '@shopscope/admin/import-stores';
import { createGrpcClient } from '@shopscope/grpc';
import { ObservationCompleted, ObservationOutcome, ProfilesServiceService } from '@shopscope/proto';
import { createProgress } from './progress.ts';
import type { RunningSystem } from './system.ts';

export const domainOf = (n: number) => `bench-${n}.example`;
export const storeNameOf = (n: number) => `Bench store ${n}`;

const technologies = 'klaviyo google-analytics stripe paypal cloudflare facebook-pixel hotjar jquery'.split(' ');

/** Fills the corpus with the importer of `npm run admin -- corpus import`, which skips stores that an earlier run has imported. */
export async function loadCorpus(
  { addresses: { PROFILES_ADDRESS: address } }: Pick<RunningSystem, 'addresses'>,
  stores: number,
  say: (line: string) => void,
): Promise<void> {
  const profiles = createGrpcClient({ definition: ProfilesServiceService, address });
  try {
    const startedMs = performance.now();
    const progress = createProgress({ what: 'stores', total: stores, say });
    const onProgress = ({ stores: done }: { stores: number }) => progress.update(done);
    const { merged } = await importStores({ profiles, stores: storesUpTo(stores), environment: '', onProgress });
    const seconds = (performance.now() - startedMs) / 1_000;
    if (merged > 0) say(`${merged} merged, ${Math.round(merged / seconds)} per second`);
  } finally {
    profiles.close();
  }
}

function* storesUpTo(count: number) {
  for (let n = 0; n < count; n++) yield { domain: domainOf(n), observations: [observationOf(n)] };
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
    name: storeNameOf(n),
    platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
    technologies: technologies.map((slug) => ({
      slug,
      name: slug,
      kind: 'service',
      category: 'analytics',
      confidence: 'high',
      installState: 'active',
      sources: ['home'],
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
