import { type ObservationCompleted, ObservationOutcome } from '@shopscope/proto';

/** What a simulated scan sees of a store. */
export interface SeenStore {
  name: string;
  state: string;
  /** Undefined if it is the domain. */
  storefrontHost?: string;
  /** `custom` for a shop on no known platform. */
  platform: string;
  /** Slugs of the vocabulary, without the platform. */
  technologies: readonly string[];
  /** The technologies that are set up and not seen at work. */
  configured?: readonly string[];
  /** `ZZ` if it is unknown. */
  country: string;
  /** `unclassified` if it is unknown. */
  industry: string;
  /** Undefined if the store shows no catalogue. */
  catalog?: { currency: string; products: number; available: number; median: number } | undefined;
}

const scanMs = 2_000;
const sources = ['home'];
const firstPage = 250;

/** Returns the observation of a scan that saw this store. `sequence` orders the observations of a domain. */
export function observationOf(
  domain: string,
  seen: SeenStore,
  scan: { scanId: string; sequence: number; completedAtMs: number },
): ObservationCompleted {
  const configured = new Set(seen.configured);
  const slugs = seen.platform === 'custom' ? seen.technologies : [seen.platform, ...seen.technologies];
  return {
    ...scan,
    domain,
    startedAtMs: scan.completedAtMs - scanMs,
    outcome: ObservationOutcome.OBSERVED,
    reason: '',
    scope: 'full',
    coverageNote: '',
    storefrontHost: seen.storefrontHost ?? domain,
    statusState: seen.state,
    name: seen.name,
    platform: { slug: seen.platform, name: '', confidence: 'high' },
    technologies: slugs.map((slug) => ({
      slug,
      name: '',
      kind: '',
      category: '',
      confidence: 'high',
      installState: configured.has(slug) ? 'configured' : 'active',
      sources,
    })),
    geography: { country: seen.country, basis: 'observed' },
    industry: { slug: seen.industry, basis: 'classified' },
    catalog: seen.catalog && catalogOf(seen.catalog),
    sourcesRead: sources,
    furtherPlatforms: [],
  };
}

const catalogOf = ({ currency, products, available, median }: NonNullable<SeenStore['catalog']>) => ({
  coverage: products > firstPage ? 'first_page' : 'full',
  productCount: products,
  availableCount: available,
  currency,
  priceP25: Math.round(median * 60) / 100,
  priceMedian: median,
  priceP75: Math.round(median * 170) / 100,
});
