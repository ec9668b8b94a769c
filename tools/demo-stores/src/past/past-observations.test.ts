import { dayMs, hourMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { scenarios } from '../corpus/scenarios.ts';
import { storeDefinitions } from '../stores/index.ts';
import { pastStores } from './past-observations.ts';
import { pasts, weeksOf } from './pasts.ts';

const nowMs = Date.UTC(2026, 0, 15, 12);
const weekMs = 7 * dayMs;
const weeksOfPast = 9;
const stores = pastStores(pasts, nowMs);
const started = pastStores(scenarios, nowMs);
/** Slugs and install states, the oldest observation first. */
const seenAt = (domain: string, slug: string) =>
  stores
    .find((store) => store.domain === domain)
    ?.observations.map(({ technologies }) => technologies.find((each) => each.slug === slug)?.installState ?? '');

describe('past of the demo stores', () => {
  it('the past of the demo stores has one observation per week, in order, and none for today', () => {
    for (const { observations } of stores) {
      expect(observations.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: weeksOfPast }, (_, n) => n + 1),
      );
      for (const [at, { completedAtMs }] of observations.entries()) {
        expect(completedAtMs).toBeLessThan(nowMs - (weeksOfPast - at - 0.9) * weekMs);
      }
    }
  });

  it('every demo store has a past, which ends with the store as it is defined', () => {
    const domains = [...pasts, ...scenarios].map(({ domain }) => domain);
    expect(new Set(domains).size).toBe(domains.length);
    expect(weeksOf(pasts)).toBe(weeksOfPast);
    for (const { domain, observations } of stores) {
      const apps = storeDefinitions.find((each) => each.domain === domain)?.apps;
      expect(observations.at(-1)?.technologies.map(({ slug }) => slug)).toEqual(
        expect.arrayContaining([...(apps ?? [])]),
      );
    }
  });

  it('the past of the demo stores shows apps that are installed, switched off and removed, a move to another platform and a closure', () => {
    const maple = 'maple-and-moss.example';
    expect(seenAt(maple, 'klaviyo')).toEqual(['configured', ...Array(5).fill('active'), '', '', '']);
    expect(seenAt(maple, 'judge-me')).toEqual([...Array(3).fill('active'), 'configured', ...Array(5).fill('')]);
    const platforms = stores.find(({ domain }) => domain === 'harbour-books.example')?.observations;
    expect(platforms?.map(({ platform }) => platform?.slug)).toEqual([
      ...Array(4).fill('prestashop'),
      ...Array(5).fill('woocommerce'),
    ]);
    const states = stores.find(({ domain }) => domain === 'hearth-and-grain.example')?.observations;
    expect(states?.map(({ statusState }) => statusState)).toEqual([
      ...Array(2).fill('active_storefront'),
      ...Array(3).fill('closed'),
      ...Array(4).fill('active_storefront'),
    ]);
  });

  it('the past of the demo stores has the same ids at a later start, so that an interrupted import is completed', () => {
    const idsOf = (made: typeof stores) => made.flatMap(({ observations }) => observations.map(({ scanId }) => scanId));
    expect(idsOf(pastStores(pasts, nowMs + 60_000))).toEqual(idsOf(stores));
  });

  it('the past of the stores of scenarios has the earlier observations for confirmations, at least six hours before today', () => {
    const seen = (domain: string) => started.find((store) => store.domain === domain)?.observations ?? [];
    const slugsOf = ({ technologies }: (typeof started)[number]['observations'][number]) =>
      technologies.map(({ slug }) => slug);
    expect(seen('lumiere-velo.example').map((each) => slugsOf(each).includes('hotjar'))).toEqual([true, false]);
    expect(seen('tiny-acre-honey.example').map(({ platform }) => platform?.slug)).toEqual(['wix', 'shopify']);
    expect(seen('fjordlicht.example').map(({ statusState }) => statusState)).toEqual([
      'active_storefront',
      ...Array(3).fill('password_protected'),
    ]);
    expect(started.map(({ observations }) => observations.length)).toEqual([1, 1, 1, 2, 2, 4]);
    for (const { observations } of started)
      for (const { completedAtMs } of observations) expect(completedAtMs).toBeLessThan(nowMs - 6 * hourMs);
  });
});
