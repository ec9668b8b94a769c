import { dayMs, hourMs } from '@shopscope/clock';
import { confidences, installStates, storeStates } from '@shopscope/proto';
import type { StoreFacts } from '../src/document/facts.ts';
import { type Random, randomOf } from './random.ts';
import { countries, industries, platformSlugs, technologies } from './vocabulary.ts';

/** Random stores. Few values and few days are used, so that queries hit their borders. */
export const today = Date.parse('2026-11-30T00:00:00Z');
export const historyDays = 90;

/** A time of one of the last 120 days, often the first or last millisecond of its day. */
export function randomTime(random: Random): number {
  const day = today - random.below(120) * dayMs;
  return day + random.oneOf([0, dayMs - 1, 7 * hourMs + 1]);
}

const isoOf = (atMs: number) => new Date(atMs).toISOString();

export function randomFacts(random: Random, at: number): StoreFacts {
  const firstScanAtMs = randomTime(random);
  const shown = random.subset(technologies, 0.35);
  const changes = Array.from({ length: random.below(4) }, (_, change) => {
    const effectiveAtMs = randomTime(random);
    return { signalId: `evt_${at}_${change}`, effectiveAtMs, confirmedAtMs: effectiveAtMs + 7 * hourMs };
  });
  const [moves, removals] = [changes.slice(0, random.below(changes.length + 1)), changes];
  const coverage = random.oneOf(['full', 'first_page', 'none']);
  const technologyOf = ({ slug, category }: { slug: string; category: string }) => ({
    slug,
    category,
    name: slug,
    confidence: random.oneOf(confidences),
    install_state: random.oneOf(installStates),
    first_observed_at: isoOf(random.chance(0.5) ? firstScanAtMs : Math.max(firstScanAtMs + 1, randomTime(random))),
    last_confirmed_at: isoOf(today),
  });
  return {
    domain: `store-${String(at).padStart(5, '0')}.example`,
    storefrontId: `sf_${String((at * 7919) % 100_000).padStart(5, '0')}`,
    sequence: 1 + random.below(5),
    body: {
      platform: { slug: random.oneOf(platformSlugs) },
      geography: { country: random.oneOf(countries) },
      industry: { slug: random.oneOf(industries) },
      status: { state: random.chance(0.7) ? 'active_storefront' : random.oneOf(storeStates) },
      observation: { scope: random.oneOf(['full', 'partial']), last_completed_scan_at: isoOf(randomTime(random)) },
      catalog: { product_count: coverage === 'none' ? 0 : random.below(12) * 5, coverage },
      technologies: shown.map(technologyOf),
    },
    firstScanAtMs,
    removed: removals.map((change) => ({ ...change, slug: random.oneOf(technologies).slug })),
    moved: moves.map((change) => ({ ...change, from: random.oneOf(platformSlugs), to: random.oneOf(platformSlugs) })),
    lastChangedAtMs: changes.length === 0 ? undefined : Math.max(...changes.map(({ confirmedAtMs }) => confirmedAtMs)),
  };
}

export const randomCorpus = (seed: number, stores: number): StoreFacts[] => {
  const random = randomOf(seed);
  return Array.from({ length: stores }, (_, at) => randomFacts(random, at));
};
