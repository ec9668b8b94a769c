import { describe, expect, it } from 'vitest';
import { mergeAll } from '../../test/support/merge-all.ts';
import { day, notSeen, seen, tech } from '../../test/support/observed.ts';
import { mergeObservation } from './merge-observation.ts';
import type { ObservedSite } from './observation.ts';

const withTechs = (n: number, slugs: string[], over: Partial<ObservedSite> = {}) =>
  seen(n, { technologies: slugs.map((slug) => tech(slug)), ...over });
const removed = [withTechs(1, ['klaviyo']), withTechs(2, []), withTechs(3, [])];
const woo = { slug: 'woocommerce', name: 'WooCommerce', confidence: 'high' } as const;
const summary = (signals: readonly { type: string; from: string | null; to: string | null }[]) =>
  signals.map(({ type, from, to }) => `${type} ${from} -> ${to}`);

describe('retraction of a removal', () => {
  const { profile, retracted, confirmed, last } = mergeAll(...removed, withTechs(4, ['klaviyo']));

  it('a removal that the next full observation refutes is retracted with time and reason, and keeps its id and dates', () => {
    expect(retracted).toMatchObject([
      {
        type: 'technology_removed',
        technology: 'klaviyo',
        effectiveAt: day(2),
        confirmedAt: day(3),
        retractedAt: day(4),
        retractedReason: 'technology_seen_again',
      },
    ]);
    expect(retracted[0]?.id).toBe(mergeAll(...removed).confirmed[0]?.id);
    expect(last.shown).toBe(true);
  });

  it('a retracted removal brings the entry back with its earlier first_observed_at, and signals no addition', () => {
    expect(profile.technologies).toMatchObject([{ slug: 'klaviyo', firstObservedAt: day(1), lastConfirmedAt: day(4) }]);
    expect(confirmed).toEqual([]);
  });

  it('a retracted removal leaves recent signals', () => {
    expect(mergeAll(...removed).profile.recentSignals).toHaveLength(1);
    expect(profile.recentSignals).toEqual([]);
  });

  it('a removal is retracted once: the next removal of the technology is another signal', () => {
    const again = mergeAll(...removed, withTechs(4, ['klaviyo']), withTechs(5, []), withTechs(6, []));
    expect([again.retracted.length, summary(again.confirmed)]).toEqual([1, ['technology_removed active -> null']]);
    expect(again.slugs).toEqual([]);
  });

  it('a technology whose removal is retracted has the install state that the observation shows, with its signal', () => {
    const configured = seen(4, { technologies: [tech('klaviyo', { installState: 'configured' })] });
    const back = mergeAll(...removed, configured);
    expect(back.profile.technologies).toMatchObject([{ installState: 'inactive', firstObservedAt: day(1) }]);
    expect(summary(back.confirmed)).toEqual(['install_state_changed active -> inactive']);
  });

  it('a removal is also retracted when failed and refused visits lie between the two observations', () => {
    const failed = [notSeen(4, 'unreachable'), notSeen(5, 'refused', 'robots_disallowed')];
    expect(mergeAll(...removed, ...failed, withTechs(6, ['klaviyo'])).retracted).toHaveLength(1);
  });

  it('a removal is also retracted after full observations that did not read the sources of the technology', () => {
    const read = (n: number, sourcesRead: string[], sources?: string[]) =>
      seen(n, { sourcesRead, technologies: sources ? [tech('loox', { sources })] : [] });
    const product = [
      read(1, ['home', 'product'], ['product']),
      read(2, ['home', 'product']),
      read(3, ['home', 'product']),
    ];
    expect(mergeAll(...product, read(4, ['home']), read(5, ['home', 'product'], ['product'])).retracted).toHaveLength(
      1,
    );
  });
});

describe('confirmed removal that is not retracted', () => {
  it('a confirmed removal is not retracted when the next full observation does not show the technology', () => {
    const { retracted, confirmed } = mergeAll(...removed, withTechs(4, []), withTechs(5, ['klaviyo']));
    expect([retracted, summary(confirmed)]).toEqual([
      [],
      ['technology_removed active -> null', 'technology_added null -> active'],
    ]);
  });

  it('a confirmed removal is not retracted when a partial observation shows the technology, which is an addition', () => {
    const partial = withTechs(4, ['klaviyo'], { scope: 'partial' });
    const { retracted, confirmed, profile } = mergeAll(...removed, partial, withTechs(5, ['klaviyo']));
    expect([retracted, confirmed.length]).toEqual([[], 2]);
    expect(profile.technologies).toMatchObject([{ firstObservedAt: day(4) }]);
  });

  it('a confirmed removal is not retracted when more than 30 days lie between the confirmation and the observation', () => {
    expect(mergeAll(...removed, withTechs(33, ['klaviyo'])).retracted).toHaveLength(1);
    const late = { ...withTechs(33, ['klaviyo']), completedAt: new Date(day(33).getTime() + 1) };
    const { retracted, profile } = mergeAll(...removed, late);
    expect([retracted, profile.technologies[0]?.firstObservedAt, profile.retractable]).toEqual([
      [],
      late.completedAt,
      [],
    ]);
  });
});

describe('retraction of a platform change', () => {
  const moved = (n: number, over: Partial<ObservedSite> = {}) => seen(n, { platform: woo, ...over });

  it('a platform change that the next full observation refutes is retracted: the platform returns with its earlier date', () => {
    const { profile, retracted, confirmed } = mergeAll(seen(1), moved(2), moved(3), seen(4));
    expect(profile.platform).toMatchObject({ slug: 'shopify', firstObservedAt: day(1), lastConfirmedAt: day(4) });
    expect(retracted).toMatchObject([
      { type: 'platform_changed', to: 'woocommerce', retractedReason: 'platform_seen_again' },
    ]);
    expect(confirmed).toEqual([]);
  });

  it('a retracted platform change brings back with the platform what was removed with it', () => {
    const store = (n: number) => withTechs(n, ['a', 'b', 'c']);
    const wall = (n: number) => seen(n, { platform: null });
    const taken = mergeAll(store(1), wall(2), wall(3), wall(4));
    expect([taken.profile.platform.slug, taken.slugs]).toEqual(['custom', []]);
    const { profile, retracted, confirmed, slugs } = mergeAll(store(1), wall(2), wall(3), wall(4), store(5));
    expect([profile.platform.slug, slugs, retracted.length, confirmed]).toEqual(['shopify', ['a', 'b', 'c'], 4, []]);
    expect(profile.technologies.every(({ firstObservedAt }) => firstObservedAt.getTime() === day(1).getTime())).toBe(
      true,
    );
  });

  it('a platform change is not retracted when the next full observation shows the new platform or a third one', () => {
    const magento = { slug: 'magento', name: 'Magento', confidence: 'high' } as const;
    for (const next of [moved(4), moved(4, { platform: magento })]) {
      const { retracted, profile } = mergeAll(seen(1), moved(2), moved(3), next, seen(5));
      expect([retracted, profile.platform.slug]).toEqual([[], 'woocommerce']);
    }
  });

  it('a platform change from no platform is not retracted by an observation without one', () => {
    const { retracted, profile } = mergeAll(seen(1, { platform: null }), moved(2), seen(3, { platform: null }));
    expect([retracted, profile.platform.slug]).toEqual([[], 'woocommerce']);
  });
});

describe('retraction of a status change', () => {
  const closed = (n: number, over: Partial<ObservedSite> = {}) => seen(n, { state: 'closed', ...over });

  it('a status change that the next full observation refutes is retracted, and no return is signalled', () => {
    const { profile, retracted, confirmed } = mergeAll(seen(1), closed(2), closed(3), seen(4));
    expect(profile.status).toEqual({ state: 'active_storefront', asOf: day(4) });
    expect(retracted).toMatchObject([{ type: 'status_changed', to: 'closed', retractedReason: 'status_seen_again' }]);
    expect([confirmed, profile.recentSignals]).toEqual([[], []]);
  });

  it('a status change to unreachable is retracted by the next full observation that refutes it', () => {
    const down = [2, 3].map((n) => notSeen(n, 'unreachable'));
    const { profile, retracted, confirmed } = mergeAll(seen(1), ...down, seen(4));
    expect([profile.status.state, retracted.length, confirmed]).toEqual(['active_storefront', 1, []]);
  });

  it('a status change between two states that are not storefronts is retracted at once too', () => {
    const password = (n: number) => seen(n, { state: 'password_protected' });
    const { profile, retracted } = mergeAll(password(1), closed(2), closed(3), password(4));
    expect([profile.status.state, summary(retracted)]).toEqual([
      'password_protected',
      ['status_changed password_protected -> closed'],
    ]);
  });

  it('a status change is not retracted when the next full observation agrees, or a partial one contradicts', () => {
    const stands = mergeAll(seen(1), closed(2), closed(3), closed(4), seen(5));
    const partial = mergeAll(seen(1), closed(2), closed(3), seen(4, { scope: 'partial' }));
    for (const { retracted, confirmed } of [stands, partial]) {
      expect([retracted, summary(confirmed)]).toEqual([
        [],
        ['status_changed active_storefront -> closed', 'status_changed closed -> active_storefront'],
      ]);
    }
  });

  it('a status change that one observation has confirmed is not retracted: leaving active_storefront needs two', () => {
    const open = mergeAll(closed(1), seen(2), closed(3));
    expect([open.profile.status.state, open.retracted]).toEqual(['active_storefront', []]);
  });
});

it('what can be retracted is forgotten once the next full observation was merged', () => {
  expect(mergeAll(...removed).profile.retractable).toHaveLength(1);
  expect(mergeAll(...removed, withTechs(4, [])).profile.retractable).toEqual([]);
  expect(mergeAll(...removed, withTechs(4, ['klaviyo'])).profile.retractable).toEqual([]);
});

it('a repeated merge retracts with the same bytes', () => {
  const { profile } = mergeAll(...removed);
  expect(mergeObservation(profile, withTechs(4, ['klaviyo']))).toEqual(
    mergeObservation(profile, withTechs(4, ['klaviyo'])),
  );
});
