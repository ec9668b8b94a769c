import { hourMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { mergeAll } from '../../test/support/merge-all.ts';
import { day, seen, tech } from '../../test/support/observed.ts';
import type { ObservedSite } from './observation.ts';
import { storeBody } from './store-body.ts';

const slugs = ['a', 'b', 'c', 'd', 'e'];
const techs = (...wanted: string[]) => wanted.map((slug) => tech(slug));
const store = (n: number, over: Partial<ObservedSite> = {}) => seen(n, { technologies: techs(...slugs), ...over });
const woo = { slug: 'woocommerce', name: 'WooCommerce', confidence: 'high' } as const;
const moved = (n: number, over: Partial<ObservedSite> = {}) =>
  seen(n, { platform: woo, technologies: techs('new'), ...over });
const agreeing = { furtherPlatforms: ['woocommerce', 'custom'] };
const typesOf = (signals: readonly { type: string; technology: string }[]) =>
  signals.map(({ type, technology }) => `${type} ${technology}`).sort();
const everything = [...slugs.map((slug) => `technology_removed ${slug}`), 'platform_changed woocommerce'].sort();

describe('change of everything', () => {
  it('a change of the platform and at least 80 % of the technologies is confirmed by a second observation and another page', () => {
    const { profile, confirmed } = mergeAll(store(1), moved(2), moved(3, agreeing));
    expect([profile.platform.slug, profile.changeOfEverything]).toEqual(['woocommerce', null]);
    expect(typesOf(confirmed)).toEqual([...everything, 'technology_added new'].sort());
    expect(confirmed.find(({ type }) => type === 'platform_changed')).toMatchObject({
      effectiveAt: day(2),
      confirmedAt: day(3),
    });
  });

  it.each([
    ['no other page was read', {}],
    ['another page shows the old platform', { furtherPlatforms: ['woocommerce', 'shopify'] }],
    ['the other pages show no platform', { furtherPlatforms: ['custom'] }],
    ['another page shows an old technology', { ...agreeing, technologies: techs('new', 'a') }],
  ])('a change of the platform and at least 80 % of the technologies needs a third observation when %s', (_, over) => {
    const { profile, confirmed } = mergeAll(store(1), moved(2), moved(3, over));
    expect([profile.platform.slug, typesOf(confirmed)]).toEqual(['shopify', ['technology_added new']]);
    const third = mergeAll(store(1), moved(2), moved(3, over), moved(4));
    expect(third.profile.platform).toMatchObject({ slug: 'woocommerce', firstObservedAt: day(2) });
    expect(third.confirmed.find(({ type }) => type === 'platform_changed')).toMatchObject({
      effectiveAt: day(2),
      confirmedAt: day(4),
    });
  });

  it('a third observation of a change of everything counts only six hours after the second one', () => {
    const soon = { ...moved(4), completedAt: new Date(day(3).getTime() + 6 * hourMs - 1) };
    const late = { ...moved(5), completedAt: new Date(day(3).getTime() + 6 * hourMs) };
    expect(mergeAll(store(1), moved(2), moved(3), soon).profile.platform.slug).toBe('shopify');
    expect(mergeAll(store(1), moved(2), moved(3), soon, late).profile.platform.slug).toBe('woocommerce');
  });

  it('a change of everything is not confirmed by another page of an observation within six hours', () => {
    const soon = { ...moved(3, agreeing), completedAt: new Date(day(2).getTime() + 60_000) };
    expect(mergeAll(store(1), moved(2), soon).profile.platform.slug).toBe('shopify');
  });

  it('a change of everything to no platform is confirmed by another page that shows none either', () => {
    const gone = (n: number, furtherPlatforms: string[] = []) => seen(n, { platform: null, furtherPlatforms });
    expect(mergeAll(store(1), gone(2), gone(3)).profile.platform.slug).toBe('shopify');
    expect(mergeAll(store(1), gone(2), gone(3, ['shopify'])).profile.platform.slug).toBe('shopify');
    expect(mergeAll(store(1), gone(2), gone(3, ['custom', 'custom'])).profile.platform.slug).toBe('custom');
    expect(mergeAll(store(1), gone(2), gone(3), gone(4)).profile.platform.slug).toBe('custom');
  });

  it('a change of everything begins anew when the old platform is seen in between: no removal of that page is carried on', () => {
    const back = store(3, { technologies: techs('a', 'b', 'c', 'd') });
    const { profile, confirmed, discarded } = mergeAll(store(1), moved(2), back);
    expect(typesOf(confirmed)).toEqual(['technology_added new']);
    expect(discarded).toHaveLength(slugs.length + 1);
    // `new` is absent too.
    expect(profile.candidates.map(({ technology, effectiveAt }) => [technology, effectiveAt])).toEqual([
      ['e', day(3)],
      ['new', day(3)],
    ]);
    expect(profile.changeOfEverything).toBeNull();
  });

  it('a change of everything leaves no removal open when a partial observation shows the old platform', () => {
    const back = store(3, { technologies: techs('a'), scope: 'partial' });
    const { profile, confirmed } = mergeAll(store(1), moved(2), back, store(4, { technologies: techs('a') }));
    expect(typesOf(confirmed)).toEqual(['technology_added new']);
    expect(profile.candidates.every(({ effectiveAt }) => effectiveAt.getTime() === day(4).getTime())).toBe(true);
  });

  it('a change of everything holds back a removal that was a candidate before', () => {
    const { confirmed, profile } = mergeAll(store(1), store(2, { technologies: techs('b', 'c', 'd', 'e') }), moved(3));
    expect(typesOf(confirmed)).toEqual(['technology_added new']);
    expect(profile.changeOfEverything?.candidates).toHaveLength(slugs.length + 1);
  });

  it('coverage_note says that a change of everything needs another page or a further scan', () => {
    const noteOf = (...observations: ObservedSite[]) =>
      JSON.parse(storeBody(mergeAll(...observations).profile, '').bytes.toString()).observation.coverage_note;
    const change = 'Not confirmed yet: the platform woocommerce and the removal of a, b, c and 2 more.';
    expect(noteOf(store(1), moved(2))).toBe(
      `${change} A full scan from 2026-01-02T18:00:00.000Z on can confirm it, if another page of the store agrees; otherwise a further scan is needed.`,
    );
    expect(noteOf(store(1), moved(2), moved(3))).toBe(
      `${change} A full scan from 2026-01-03T18:00:00.000Z on can confirm it.`,
    );
  });
});

describe('smaller change', () => {
  it.each([
    ['less than 80 % of the technologies are gone', { technologies: techs('a', 'b') }, slugs],
    ['the store had two active technologies', { technologies: [] }, ['a', 'b']],
  ])('a change needs two observations and no other page when %s', (_, over, known) => {
    const { profile } = mergeAll(store(1, { technologies: techs(...known) }), moved(2, over), moved(3, over));
    expect(profile.platform.slug).toBe('woocommerce');
  });

  it('technologies are removed by two observations without another page, whatever their share, when the platform stays', () => {
    const none = (n: number) => store(n, { technologies: [] });
    expect(mergeAll(store(1), none(2), none(3)).slugs).toEqual([]);
  });
});
