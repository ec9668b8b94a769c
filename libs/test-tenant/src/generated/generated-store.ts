import { dayMs, hourMs } from '@shopscope/clock';
import type { SeenStore } from '../observed-store.ts';
import { type Random, randomOf } from './random.ts';
import { countries, currencies, industries, platforms, technologies } from './tables.ts';

/** What a past scan saw of a store, and the time from that scan to the end of the past observations. */
export interface PastScan {
  agoMs: number;
  seen: SeenStore;
}

/** A store whose number is a multiple of this one was last scanned 40 days ago. Its profile is stale in every plan. */
export const staleEvery = 10;
const staleMs = 40 * dayMs;
/** Every other store was scanned in the last two days, so that its profile is fresh in every plan. */
const freshHours = 47;
const maxGapDays = 28;

/** Returns the past scans of a generated store, oldest first. The store depends only on its number. */
export function generatedStore(number: number): PastScan[] {
  const random = randomOf(`store ${number}`);
  const now = storeOf(number, random);
  const scans = random.integer(2, 4);
  const past = pastOf(now, scans, random);
  const latestMs = number % staleEvery === 0 ? staleMs : random.integer(1, freshHours) * hourMs;
  const gaps = past.slice(1).map(() => random.integer(7, maxGapDays) * dayMs);
  return past.map((seen, at) => ({ seen, agoMs: latestMs + gaps.slice(at).reduce((sum, gap) => sum + gap, 0) }));
}

function storeOf(number: number, random: Random): SeenStore {
  const platform = random.pick(platforms);
  const used = [...technologies, ...platform.technologies].filter(([, percent]) => random.chance(percent / 100));
  const theme = platform.themes.length > 0 ? [random.pick(platform.themes)] : [];
  const country = random.pick(countries);
  // Few shops are large: the logarithm of the number of products is even.
  const products = Math.round(10 ** (0.7 + random.next() * 2.8));
  return {
    name: `Store ${String(number).padStart(4, '0')}`,
    state: random.pick([
      ['active_storefront', 955],
      ['password_protected', 20],
      ['closed', 15],
      ['redirected', 10],
    ]),
    platform: platform.slug,
    technologies: [...new Set([...theme, ...used.map(([slug]) => slug)])],
    country,
    industry: random.pick(industries),
    catalog: {
      currency: currencies[country] ?? 'EUR',
      products,
      available: Math.round(products * (0.6 + 0.4 * random.next())),
      median: random.integer(8, 180) + 0.95,
    },
  };
}

/** Returns the store at each scan, oldest first. The last one is `now`. The changes in between become signals. */
function pastOf(now: SeenStore, scans: number, random: Random): SeenStore[] {
  const past = Array.from({ length: scans }, (): SeenStore => ({ ...now }));
  const change = (from: number, to: number, apply: (seen: SeenStore) => Partial<SeenStore>) => {
    for (let at = from; at < to; at++) past[at] = { ...(past[at] as SeenStore), ...apply(past[at] as SeenStore) };
  };
  const added = now.technologies.at(-1);
  if (added && random.chance(0.7)) {
    change(0, scans - 1, ({ technologies }) => ({ technologies: technologies.filter((slug) => slug !== added) }));
  }
  const [first] = now.technologies;
  if (first && random.chance(0.1)) change(0, 1, () => ({ configured: [first] }));
  const without = (slug: string) => !now.technologies.includes(slug);
  // Two scans without a technology confirm its removal. The same applies to another platform and another status.
  if (scans > 2 && without('lucky-orange') && random.chance(0.35)) {
    change(0, scans - 2, ({ technologies }) => ({ technologies: [...technologies, 'lucky-orange'] }));
  }
  if (scans > 2 && random.chance(0.04)) {
    change(0, scans - 2, () => ({ platform: now.platform === 'magento' ? 'opencart' : 'magento' }));
  }
  if (scans > 2 && now.state === 'active_storefront' && random.chance(0.03)) {
    change(0, scans - 2, () => ({ state: 'password_protected' }));
  }
  // A removal that the next scan refutes.
  if (scans === 4 && now.technologies.includes('paypal') && random.chance(0.1)) {
    change(1, 3, ({ technologies }) => ({ technologies: technologies.filter((slug) => slug !== 'paypal') }));
  }
  return past;
}
