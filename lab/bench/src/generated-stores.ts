import { dayMs, hourMs } from '@shopscope/clock';
import { countries, industrySlugs, vocabulary } from '@shopscope/fingerprint';
import { ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import { createRandom, type Random } from './random.ts';

/** Numbers of equal length, so that the order of the domains is that of the numbers. */
const digits = 8;
export const generatedDomain = (n: number): string => `generated-${String(n).padStart(digits, '0')}.example`;
/** Every generated domain is from this one on, and before {@link domainAfterGenerated}. */
export const firstGeneratedDomain = generatedDomain(0);
export const domainAfterGenerated = 'generated.';

/** The values of each member, the most frequent first. The frequency of value n is about 1 ÷ (n + 1) of the first one's. */
export const storeValues = {
  technology: technologiesByFrequency(),
  platform: commonFirst('shopify woocommerce custom magento prestashop bigcommerce', slugsOf('platform')),
  country: commonFirst('US GB DE CA AU FR NL ES IT ZZ SE DK BE AT CH NO FI IE NZ PL', [...countries, 'ZZ']),
  industry: commonFirst('apparel beauty health', [...industrySlugs, 'unclassified']),
  status: ['active_storefront', 'password_protected', 'unreachable', 'closed', 'parked'],
};

const activeShare = 0.88;
const fullShare = 0.85;
const cataloguedShare = 0.9;
const scannedAgainShare = 0.65;
const removedShare = 0.07;
const movedShare = 0.02;
const historyDays = 540;
const maxTechnologies = 80;
/** The fewest and the mean number of technologies of a store. */
const [fewTechnologies, meanTechnologies] = [3, 15];

/**
 * Returns the observations of store `n`, the oldest first. They depend only on `n` and `nowMs`.
 *
 * - A part of the stores was scanned once. The others were scanned three times: some technologies were added since, and the second and the
 *   third scan agree about those that were removed and about another platform.
 */
export function generatedObservations(n: number, nowMs: number): ObservationCompleted[] {
  const random = createRandom(n);
  const share = () => random(1_000_000) / 1_000_000;
  const isAgain = share() < scannedAgainShare;
  const firstMs = nowMs - Math.ceil(share() * historyDays * dayMs) - 3 * dayMs;
  const secondMs = firstMs + hourMs + Math.floor(share() * (nowMs - firstMs - 2 * dayMs));
  const thirdMs = secondMs + 7 * hourMs + Math.floor(share() * (nowMs - secondMs - dayMs));

  const found = new Map<string, ReturnType<typeof technologyOf>>();
  const more = -Math.log(1 - share()) * (meanTechnologies - fewTechnologies);
  const count = Math.min(maxTechnologies, fewTechnologies + Math.floor(more));
  while (found.size < count) add(found, random);
  const first = [...found.values()];
  const kept = first.filter(() => share() >= removedShare);
  const later = new Map(kept.map((each) => [each.slug, each]));
  for (let added = random(4); added > 0; added--) add(later, random);

  const platform = oneOf(storeValues.platform, random);
  const laterPlatform = share() < movedShare ? oneOf(storeValues.platform, random) : platform;
  const store = storeMembers(n, random, share);
  const observation = (at: number, completedAtMs: number, over: object): ObservationCompleted =>
    ObservationCompleted.fromPartial({
      ...store,
      scanId: `scan_generated_${n}_${at}`,
      sequence: at,
      startedAtMs: completedAtMs - 1_000,
      completedAtMs,
      ...over,
    });
  const before = { platform: { slug: platform, confidence: 'high' }, technologies: first };
  if (!isAgain) return [observation(1, firstMs, before)];
  const after = { platform: { slug: laterPlatform, confidence: 'high' }, technologies: [...later.values()] };
  return [
    observation(1, firstMs, { ...before, scope: 'full' }),
    observation(2, secondMs, { ...after, scope: 'full' }),
    observation(3, thirdMs, after),
  ];
}

/** Returns the last observation of store `n` as a later scan would send it. */
export function laterObservation(n: number, nowMs: number, scan: { sequence: number; atMs: number }) {
  const last = generatedObservations(n, nowMs).at(-1) as ObservationCompleted;
  const scanId = `scan_generated_${n}_${scan.sequence}`;
  return { ...last, scanId, sequence: scan.sequence, startedAtMs: scan.atMs - 1_000, completedAtMs: scan.atMs };
}

/** Returns one value. The exponential of an even distribution reaches place k with a probability of about 1 ÷ (k + 1) of the first one's. */
export function oneOf(values: readonly string[], random: Random): string {
  const place = Math.floor((values.length + 1) ** (random(1_000_000) / 1_000_000)) - 1;
  return values[place] as string;
}

function storeMembers(n: number, random: Random, share: () => number) {
  const status = share() < activeShare ? 'active_storefront' : oneOf(storeValues.status.slice(1), random);
  const productCount = Math.floor(Math.exp(share() * 9));
  const catalog = { coverage: 'first_page', productCount, currency: 'EUR', priceP25: 9, priceMedian: 20, priceP75: 50 };
  return {
    domain: generatedDomain(n),
    outcome: ObservationOutcome.OBSERVED,
    scope: share() < fullShare ? 'full' : 'partial',
    storefrontHost: `www.${generatedDomain(n)}`,
    statusState: status,
    name: `Generated store ${n}`,
    geography: { country: oneOf(storeValues.country, random), basis: 'observed' },
    industry: { slug: oneOf(storeValues.industry, random), basis: 'classified' },
    ...(share() < cataloguedShare && { catalog }),
    sourcesRead: ['home'],
  };
}

function add(found: Map<string, ReturnType<typeof technologyOf>>, random: Random): void {
  const slug = oneOf(storeValues.technology, random);
  if (!found.has(slug)) found.set(slug, technologyOf(slug, random));
}

const technologyOf = (slug: string, random: Random) => ({
  slug,
  confidence: ['high', 'high', 'high', 'medium', 'medium', 'low'][random(6)] as string,
  installState: random(5) === 0 ? 'configured' : 'active',
  sources: ['home'],
});

function slugsOf(kind: string): string[] {
  return vocabulary.filter((entry) => entry.kind === kind).map(({ slug }) => slug);
}

/** Every technology of the vocabulary but platforms, in an order that depends on nothing else. */
function technologiesByFrequency(): string[] {
  const random = createRandom(1);
  const others = vocabulary
    .filter(({ kind }) => kind !== 'platform')
    .map(({ slug }) => ({ slug, at: random(2 ** 30) }));
  const common =
    'google-analytics jquery cloudflare facebook-pixel paypal stripe klaviyo hotjar judge-me yotpo omnisend';
  return commonFirst(
    common,
    others.sort((a, b) => a.at - b.at).map(({ slug }) => slug),
  );
}

/** Returns all values, the common ones first. */
function commonFirst(common: string, all: readonly string[]): string[] {
  return [...new Set([...common.split(' ').filter((value) => all.includes(value)), ...all])];
}
