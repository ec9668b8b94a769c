import { hourMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { mergeAll } from '../../test/support/merge-all.ts';
import { day, notSeen, seen, tech } from '../../test/support/observed.ts';
import { mergeObservation } from './merge-observation.ts';
import type { ObservedSite } from './observation.ts';

const withTechs = (n: number, slugs: string[], over: Partial<ObservedSite> = {}) =>
  seen(n, { technologies: slugs.map((slug) => tech(slug)), ...over });
const password = (n: number) => seen(n, { state: 'password_protected', name: 'Opening soon' });
const unreachable = (n: number) => notSeen(n, 'unreachable');
const refused = (n: number) => notSeen(n, 'refused', 'robots_disallowed');

describe('first observation', () => {
  it('the first observation of a store is shown completely and emits no signal', () => {
    const { profile, last, confirmed } = mergeAll(withTechs(1, ['klaviyo', 'yotpo']));
    expect(last).toMatchObject({ shown: true, reason: '' });
    expect(confirmed).toEqual([]);
    expect(profile.technologies).toMatchObject([
      { slug: 'klaviyo', firstObservedAt: day(1), lastConfirmedAt: day(1), installState: 'active' },
      { slug: 'yotpo' },
    ]);
    expect(profile.status).toEqual({ state: 'active_storefront', asOf: day(1) });
  });

  it('the first observation of a store has its technologies sorted by slug, whatever the order of detection', () => {
    expect(mergeAll(withTechs(1, ['yotpo', 'klaviyo'])).slugs).toEqual(['klaviyo', 'yotpo']);
    const { slugs } = mergeAll(withTechs(1, ['yotpo']), withTechs(2, ['zendesk', 'yotpo', 'klaviyo']));
    expect(slugs).toEqual(['klaviyo', 'yotpo', 'zendesk']);
  });

  it('the first observation of a store creates no profile when the site was unreachable or refused the visit', () => {
    expect(mergeAll(unreachable(1)).last).toEqual({ profile: null, shown: false, reason: 'timeout', signals: [] });
    expect(mergeAll(refused(1)).last).toMatchObject({ profile: null, shown: false, reason: 'robots_disallowed' });
  });

  it('the first observation of a store has the default values of the contract for everything that was not observed', () => {
    const { profile } = mergeAll(seen(1, { name: '', platform: null, geography: null, industry: null, catalog: null }));
    expect(profile).toMatchObject({
      name: 'shop.example',
      platform: { slug: 'custom', name: 'Custom', confidence: 'low' },
      geography: { country: 'ZZ', basis: 'unknown' },
      industry: { slug: 'unclassified', basis: 'unknown' },
      catalog: { asOf: day(1), coverage: 'none', productCount: 0, availableCount: null, currency: 'XXX' },
    });
  });
});

describe('additions', () => {
  it.each(['full', 'partial'] as const)('additions are confirmed at once by a %s observation', (scope) => {
    const { profile, confirmed } = mergeAll(withTechs(1, []), withTechs(2, ['klaviyo'], { scope }));
    expect(confirmed).toMatchObject([
      {
        type: 'technology_added',
        technology: 'klaviyo',
        from: null,
        to: 'active',
        effectiveAt: day(2),
        confirmedAt: day(2),
      },
    ]);
    expect(profile.technologies).toMatchObject([{ slug: 'klaviyo', firstObservedAt: day(2) }]);
  });

  it('additions keep first_observed_at and advance last_confirmed_at when they are observed again', () => {
    const { profile } = mergeAll(withTechs(1, ['klaviyo']), withTechs(2, ['klaviyo']), withTechs(3, ['klaviyo']));
    expect(profile.technologies).toMatchObject([{ firstObservedAt: day(1), lastConfirmedAt: day(3) }]);
  });
});

describe('removals', () => {
  it('removals are confirmed by absence in two successive full observations six hours apart, effective from the first', () => {
    const once = mergeAll(withTechs(1, ['klaviyo']), withTechs(2, []));
    expect(once.slugs).toEqual(['klaviyo']);
    expect(once.confirmed).toEqual([]);
    expect(once.candidates).toMatchObject([{ type: 'technology_removed', technology: 'klaviyo' }]);

    const twice = mergeAll(withTechs(1, ['klaviyo']), withTechs(2, []), withTechs(3, []));
    expect(twice.slugs).toEqual([]);
    expect(twice.confirmed).toMatchObject([
      { type: 'technology_removed', from: 'active', to: null, effectiveAt: day(2), confirmedAt: day(3) },
    ]);
    expect(twice.confirmed[0]?.id).toBe(once.candidates[0]?.id);
    expect(twice.profile.candidates).toEqual([]);
  });

  it('removals are never confirmed by partial observations', () => {
    const partial = [2, 3, 4, 5].map((n) => withTechs(n, [], { scope: 'partial' }));
    const { slugs, candidates, confirmed } = mergeAll(withTechs(1, ['klaviyo']), ...partial);
    expect([slugs, candidates, confirmed]).toEqual([['klaviyo'], [], []]);
  });

  it('removals are neither confirmed nor discarded by a partial observation without the technology', () => {
    const between = withTechs(3, [], { scope: 'partial' });
    expect(mergeAll(withTechs(1, ['klaviyo']), withTechs(2, []), between).slugs).toEqual(['klaviyo']);
    expect(mergeAll(withTechs(1, ['klaviyo']), withTechs(2, []), between, withTechs(4, [])).slugs).toEqual([]);
  });

  it('removals are discarded when any observation detects the technology again', () => {
    const back = withTechs(3, ['klaviyo'], { scope: 'partial' });
    const { slugs, discarded, confirmed } = mergeAll(
      withTechs(1, ['klaviyo']),
      withTechs(2, []),
      back,
      withTechs(4, []),
    );
    expect(slugs).toEqual(['klaviyo']);
    expect(discarded).toMatchObject([{ type: 'technology_removed', confirmedAt: null }]);
    expect(confirmed).toEqual([]);
  });

  it('removals are never confirmed while every second observation detects the technology', () => {
    const flapping = [2, 3, 4, 5, 6, 7].map((n) => withTechs(n, n % 2 ? ['klaviyo'] : []));
    const { confirmed, discarded, profile } = mergeAll(withTechs(1, ['klaviyo']), ...flapping);
    expect(confirmed).toEqual([]);
    expect(discarded).toHaveLength(3);
    expect(profile.technologies).toMatchObject([{ firstObservedAt: day(1), lastConfirmedAt: day(7) }]);
  });

  it('removals are never confirmed by password pages, because they hide the store', () => {
    const closed = [2, 3, 4, 5].map(password);
    expect(mergeAll(withTechs(1, ['klaviyo']), ...closed)).toMatchObject({
      slugs: ['klaviyo'],
      profile: { status: { state: 'password_protected' } },
    });
  });

  it('removals that the next full observation does not refute make a later return of the technology a new installation', () => {
    const { profile, confirmed } = mergeAll(
      withTechs(1, ['klaviyo']),
      withTechs(2, []),
      withTechs(3, []),
      withTechs(4, []),
      withTechs(5, ['klaviyo']),
    );
    expect(profile.technologies).toMatchObject([{ firstObservedAt: day(5) }]);
    expect(confirmed.map(({ type }) => type)).toEqual(['technology_removed', 'technology_added']);
  });
});

describe('sources of technologies', () => {
  const byMx = [tech('google-workspace', { installState: 'configured', sources: ['dns.mx'] })];
  const byProduct = [tech('loox', { sources: ['product'] })];
  const read = (n: number, sourcesRead: string[], technologies: ObservedSite['technologies'] = []) =>
    seen(n, { sourcesRead, technologies });

  it('sources of technologies that were not read again never prove absence', () => {
    const missed = [2, 3, 4].map((n) => read(n, ['home', 'dns.txt']));
    const { slugs, candidates, confirmed } = mergeAll(read(1, ['home', 'dns.mx'], byMx), ...missed);
    expect([slugs, candidates, confirmed]).toEqual([['google-workspace'], [], []]);
  });

  it('sources of technologies that were read again twice without the technology confirm its removal', () => {
    const absent = [2, 3].map((n) => read(n, ['home', 'dns.mx']));
    const { slugs, confirmed } = mergeAll(read(1, ['home', 'dns.mx'], byMx), ...absent);
    expect(slugs).toEqual([]);
    expect(confirmed).toMatchObject([{ type: 'technology_removed', technology: 'google-workspace' }]);
  });

  it('the sources of a technology must all be read again: one that is missing keeps the technology and its candidate', () => {
    const both = [tech('loox', { sources: ['home', 'product'] })];
    const observations = [read(1, ['home', 'product'], both), read(2, ['home', 'product']), read(3, ['home'])];
    const between = mergeAll(...observations);
    expect([between.slugs, between.confirmed]).toEqual([['loox'], []]);
    expect(between.profile.candidates).toMatchObject([{ technology: 'loox' }]);
    expect(mergeAll(...observations, read(4, ['home', 'product'])).slugs).toEqual([]);
  });

  it('sources of a technology that were not read this time stay, in addition to those of this observation', () => {
    const first = [tech('loox', { sources: ['home', 'product'] })];
    const second = [tech('loox', { sources: ['home'] })];
    const { profile } = mergeAll(read(1, ['home', 'product'], first), read(2, ['home'], second));
    expect(profile.technologies[0]?.sources).toEqual(['home', 'product']);
  });

  it('sources that are read for the first time show technologies without a signal, and later ones with a signal', () => {
    const first = mergeAll(read(1, ['home']), read(2, ['home', 'dns.mx', 'product'], [...byMx, ...byProduct]));
    expect(first.slugs).toEqual(['google-workspace', 'loox']);
    expect(first.confirmed).toEqual([]);
    const later = mergeAll(read(1, ['home', 'product']), read(2, ['home', 'product'], byProduct));
    expect(later.confirmed).toMatchObject([{ type: 'technology_added', technology: 'loox' }]);
  });

  it('sources that were not read again leave an active technology active, although another source shows only its setting', () => {
    const known = [tech('klaviyo', { sources: ['dns.txt', 'product'] })];
    const setting = [tech('klaviyo', { installState: 'configured', sources: ['dns.txt'] })];
    const start = read(1, ['home', 'dns.txt', 'product'], known);
    expect(mergeAll(start, read(2, ['home', 'dns.txt'], setting)).profile.technologies[0]?.installState).toBe('active');
    const again = mergeAll(start, read(2, ['home', 'dns.txt', 'product'], setting));
    expect(again.profile.technologies[0]?.installState).toBe('inactive');
  });

  it('sources that are read for the first time change a state without a signal', () => {
    const setting = [tech('klaviyo', { installState: 'configured', sources: ['dns.txt'] })];
    const active = [tech('klaviyo', { sources: ['dns.txt', 'product'] })];
    const { profile, confirmed } = mergeAll(
      read(1, ['home', 'dns.txt'], setting),
      read(2, ['home', 'dns.txt', 'product'], active),
    );
    expect(profile.technologies[0]?.installState).toBe('active');
    expect(confirmed).toEqual([]);
  });

  it('sources of an old site are removed after a confirmed move to another platform, but its records are not', () => {
    const old = [...byProduct, ...byMx];
    const woo = { slug: 'woocommerce', name: 'WooCommerce', confidence: 'high' } as const;
    const moved = [2, 3, 4, 5].map((n) => seen(n, { platform: woo }));
    const { slugs, confirmed } = mergeAll(read(1, ['home', 'product', 'dns.mx'], old), ...moved);
    expect(slugs).toEqual(['google-workspace']);
    expect(confirmed.map(({ type, technology }) => [type, technology])).toEqual([
      ['platform_changed', 'woocommerce'],
      ['technology_removed', 'loox'],
    ]);
  });

  it('sources of the platform must be read again too, and at their first reading it is shown without a signal', () => {
    const shopify = [tech('shopify', { sources: ['dns.cname'] })];
    const start = seen(1, { technologies: shopify, sourcesRead: ['home', 'dns.cname'] });
    const without = (n: number, sourcesRead: string[]) => seen(n, { platform: null, sourcesRead });
    expect(mergeAll(start, without(2, ['home']), without(3, ['home'])).profile.platform.slug).toBe('shopify');
    const gone = mergeAll(start, ...[2, 3].map((n) => without(n, ['home', 'dns.cname'])));
    expect(gone.profile.platform.slug).toBe('custom');
    const found = mergeAll(without(1, ['home']), { ...start, sequence: 2, completedAt: day(2) });
    expect([found.profile.platform.slug, found.confirmed]).toEqual(['shopify', []]);
  });
});

describe('install state', () => {
  const state = (n: number, installState: 'configured' | 'active', scope: 'full' | 'partial' = 'full') =>
    seen(n, { scope, technologies: [tech('klaviyo', { installState })] });

  it('an install state changes from configured to active at once', () => {
    const { profile, confirmed } = mergeAll(state(1, 'configured'), state(2, 'active', 'partial'));
    expect(profile.technologies[0]?.installState).toBe('active');
    expect(confirmed).toMatchObject([{ type: 'install_state_changed', from: 'configured', to: 'active' }]);
  });

  it('an install state changes from active to inactive, and not to configured, and only by a full observation', () => {
    expect(mergeAll(state(1, 'active'), state(2, 'configured', 'partial')).confirmed).toEqual([]);
    const { profile, confirmed } = mergeAll(state(1, 'active'), state(2, 'configured'), state(3, 'configured'));
    expect(profile.technologies[0]?.installState).toBe('inactive');
    expect(confirmed).toMatchObject([{ type: 'install_state_changed', from: 'active', to: 'inactive' }]);
  });

  it('an install state is unchanged and without a signal after one absence', () => {
    const { profile, confirmed } = mergeAll(state(1, 'active'), withTechs(2, []), state(3, 'active'));
    expect([profile.technologies[0]?.installState, confirmed]).toEqual(['active', []]);
  });
});

describe('platform', () => {
  const woo = { slug: 'woocommerce', name: 'WooCommerce', confidence: 'high' } as const;
  const on = (n: number, platform: ObservedSite['platform'], over: Partial<ObservedSite> = {}) =>
    seen(n, { platform, ...over });

  it('the platform of a store changes after two agreeing observations six hours apart, effective from the first', () => {
    expect(mergeAll(seen(1), on(2, woo)).profile.platform.slug).toBe('shopify');
    const { profile, confirmed } = mergeAll(seen(1), on(2, woo), on(3, woo));
    expect(profile.platform).toMatchObject({ slug: 'woocommerce', firstObservedAt: day(2), lastConfirmedAt: day(3) });
    expect(confirmed).toMatchObject([
      { type: 'platform_changed', technology: 'woocommerce', from: 'shopify', to: 'woocommerce', effectiveAt: day(2) },
    ]);
  });

  it('the platform of a store does not change when the second observation detects the old platform or a third one', () => {
    expect(mergeAll(seen(1), on(2, woo), seen(3), on(4, woo)).confirmed).toEqual([]);
    const magento = { slug: 'magento', name: 'Magento', confidence: 'high' } as const;
    const { profile, discarded, candidates } = mergeAll(seen(1), on(2, woo), on(3, magento));
    expect([profile.platform.slug, discarded.length, candidates.length]).toEqual(['shopify', 1, 1]);
  });

  it('the platform of a store becomes custom after two full observations without a platform, but not after partial ones', () => {
    expect(
      mergeAll(seen(1), on(2, null, { scope: 'partial' }), on(3, null, { scope: 'partial' })).profile.platform,
    ).toEqual(mergeAll(seen(1)).profile.platform);
    expect(mergeAll(seen(1), on(2, null), on(3, null)).profile.platform.slug).toBe('custom');
  });

  it('the platform and the technologies stay the known ones while the store is closed, because a notice shows neither', () => {
    const custom = { slug: 'custom', name: 'Custom', confidence: 'low' } as const;
    const closed = (n: number) => on(n, custom, { state: 'closed', technologies: [] });
    const { profile, slugs, confirmed } = mergeAll(seen(1), closed(2), closed(3), closed(4), seen(5), seen(6));
    expect([profile.platform.slug, slugs]).toEqual(['shopify', mergeAll(seen(1)).slugs]);
    expect(confirmed.map(({ type, to }) => [type, to])).toEqual([
      ['status_changed', 'closed'],
      ['status_changed', 'active_storefront'],
    ]);
  });

  it('the platform of a store is shown at once when no platform was known', () => {
    const { profile, confirmed } = mergeAll(on(1, null), on(2, woo));
    expect(profile.platform).toMatchObject({ slug: 'woocommerce', firstObservedAt: day(2) });
    expect(confirmed).toMatchObject([{ type: 'platform_changed', from: 'custom', to: 'woocommerce' }]);
  });
});

describe('status', () => {
  it('the status of a store stays active_storefront after one outage, and the profile is unchanged', () => {
    const { profile, last, candidates } = mergeAll(seen(1), unreachable(2));
    expect(last).toMatchObject({ shown: false, reason: 'timeout' });
    expect(profile.status).toEqual({ state: 'active_storefront', asOf: day(1) });
    expect(profile.lastCompletedScanAt).toEqual(day(1));
    expect(candidates).toMatchObject([{ type: 'status_changed', technology: 'shopify', to: 'unreachable' }]);
  });

  it('the status becomes unreachable, not closed, after two successive outages, and the rest of the profile is kept', () => {
    const { profile, last, confirmed } = mergeAll(withTechs(1, ['klaviyo']), unreachable(2), unreachable(3));
    expect(last).toMatchObject({ shown: true, reason: '' });
    expect(profile).toMatchObject({
      status: { state: 'unreachable', asOf: day(3) },
      scope: 'partial',
      technologies: [{ slug: 'klaviyo', lastConfirmedAt: day(1) }],
      catalog: { asOf: day(1), productCount: 10 },
    });
    expect(confirmed).toMatchObject([
      {
        type: 'status_changed',
        from: 'active_storefront',
        to: 'unreachable',
        effectiveAt: day(2),
        confirmedAt: day(3),
      },
    ]);
  });

  it('outages less than six hours apart do not change the status of a store', () => {
    const later = { ...unreachable(3), completedAt: new Date(day(2).getTime() + 60_000) };
    const { last, profile } = mergeAll(seen(1), unreachable(2), later);
    expect(last).toMatchObject({ shown: false, reason: 'timeout', signals: [] });
    expect(profile).toMatchObject({ sequence: 3, lastCompletedScanAt: day(1), recentSignals: [] });
  });

  it('the six hours of a change to unreachable count from the first outage after the latest response', () => {
    const after = (n: number, hours: number) => ({
      ...unreachable(n),
      completedAt: new Date(day(2).getTime() + hours * hourMs),
    });
    const response = { ...refused(3), completedAt: new Date(day(2).getTime() + hourMs) };
    const { profile, candidates } = mergeAll(seen(1), after(2, 0), response, after(4, 2), after(5, 7));
    expect(profile.status.state).toBe('active_storefront');
    expect(candidates).toMatchObject([{ to: 'unreachable', effectiveAt: new Date(day(2).getTime() + 7_200_000) }]);
    expect(mergeObservation(profile, after(6, 8)).profile?.status.state).toBe('unreachable');
  });

  it('the status of a store does not change when a response lies between two outages, even a refusal', () => {
    for (const between of [seen(3), refused(3)]) {
      const { profile, confirmed, discarded } = mergeAll(seen(1), unreachable(2), between, unreachable(4));
      expect([profile.status.state, confirmed, discarded.length]).toEqual(['active_storefront', [], 1]);
    }
  });

  it('the status of a store does not change by refusals, which are never shown', () => {
    const { profile, last } = mergeAll(seen(1), refused(2), refused(3));
    expect(last).toMatchObject({ shown: false, reason: 'robots_disallowed' });
    expect(profile.status).toEqual({ state: 'active_storefront', asOf: day(1) });
  });

  it('the status changes from active_storefront when two observations agree; until then the profile is unchanged', () => {
    const once = mergeAll(withTechs(1, ['klaviyo']), password(2));
    expect(once.last.shown).toBe(true);
    expect(once.profile).toMatchObject({
      status: { state: 'active_storefront', asOf: day(1) },
      name: 'Shop',
      lastCompletedScanAt: day(2),
      scope: 'partial',
      candidates: [{ type: 'status_changed', to: 'password_protected' }],
    });
    const twice = mergeAll(withTechs(1, ['klaviyo']), password(2), password(3));
    expect(twice.profile).toMatchObject({
      status: { state: 'password_protected', asOf: day(3) },
      name: 'Opening soon',
    });
    expect(twice.confirmed).toMatchObject([{ type: 'status_changed', effectiveAt: day(2), confirmedAt: day(3) }]);
  });

  it('the status of a store stays active_storefront when two observations disagree', () => {
    const { profile, confirmed } = mergeAll(seen(1), password(2), seen(3, { state: 'parked' }));
    expect([profile.status.state, confirmed]).toEqual(['active_storefront', []]);
  });

  it('the status returns to active_storefront at once, and changes from unreachable at once after any response', () => {
    const back = mergeAll(seen(1), password(2), password(3), password(4), seen(5));
    expect(back.profile.status).toEqual({ state: 'active_storefront', asOf: day(5) });
    expect(back.confirmed.map(({ to }) => to)).toEqual(['password_protected', 'active_storefront']);
    const answered = mergeAll(seen(1), unreachable(2), unreachable(3), password(4));
    expect(answered.profile.status.state).toBe('password_protected');
  });

  it('an outage keeps removal candidates open', () => {
    const { slugs } = mergeAll(withTechs(1, ['klaviyo']), withTechs(2, []), unreachable(3), withTechs(4, []));
    expect(slugs).toEqual([]);
  });
});

describe('merge', () => {
  it('a merge rejects a lower or equal sequence as superseded', () => {
    const { profile } = mergeAll(withTechs(5, ['klaviyo']));
    for (const late of [withTechs(4, []), { ...withTechs(6, []), sequence: 5 }, { ...unreachable(6), sequence: 3 }]) {
      expect(mergeObservation(profile, late)).toEqual({
        profile: null,
        shown: false,
        reason: 'superseded',
        signals: [],
      });
    }
  });

  it('a merge rejects an observation that is older than an outage which is not shown', () => {
    expect(mergeAll(seen(1), unreachable(3), seen(2)).last.reason).toBe('superseded');
  });

  it('a repeated merge returns the same profile and the same signal ids', () => {
    const { profile } = mergeAll(withTechs(1, ['klaviyo']));
    const next = withTechs(2, ['yotpo']);
    expect(mergeObservation(profile, next)).toEqual(mergeObservation(profile, next));
    expect(mergeObservation(profile, next).signals.map(({ id }) => id)[0]).toMatch(/^evt_[0-9a-z]{26}$/);
  });

  it("a merge never moves a profile's dates back, whatever the scanner's clock shows", () => {
    const { profile } = mergeAll(seen(3), { ...seen(4), completedAt: day(2) });
    expect(profile.lastCompletedScanAt).toEqual(day(3));
  });
});

describe('known values', () => {
  it('a known value that is not observed again is kept, and the catalogue keeps its own date', () => {
    const { profile } = mergeAll(seen(1), seen(2, { name: '', geography: null, industry: null, catalog: null }));
    expect(profile).toMatchObject({
      name: 'Shop',
      geography: { country: 'DE' },
      industry: { slug: 'apparel' },
      catalog: { asOf: day(1), productCount: 10 },
    });
  });
});

describe('recent signals', () => {
  it('recent signals are the last five confirmed signals, by descending effective_at', () => {
    const growing = [2, 3, 4, 5, 6, 7].map((n) =>
      withTechs(
        n,
        Array.from({ length: n - 1 }, (_, i) => `app-${i + 2}`),
      ),
    );
    const { profile } = mergeAll(withTechs(1, []), ...growing);
    expect(profile.recentSignals.map(({ technology }) => technology)).toEqual([
      'app-7',
      'app-6',
      'app-5',
      'app-4',
      'app-3',
    ]);
  });

  it('recent signals include a removal that was confirmed last but took effect earlier', () => {
    const { profile } = mergeAll(withTechs(1, ['old']), withTechs(2, []), withTechs(3, ['new']));
    expect(profile.recentSignals.map(({ technology, effectiveAt }) => [technology, effectiveAt])).toEqual([
      ['new', day(3)],
      ['old', day(2)],
    ]);
  });

  it('recent signals are sorted by effective_at and not by confirmed_at', () => {
    const { profile } = mergeAll(
      withTechs(1, ['old']),
      withTechs(2, []),
      withTechs(3, ['new'], { scope: 'partial' }),
      withTechs(4, ['new']),
    );
    expect(profile.recentSignals.map(({ technology, confirmedAt }) => [technology, confirmedAt])).toEqual([
      ['new', day(3)],
      ['old', day(4)],
    ]);
  });

  it('recent signals never include candidates or discarded signals', () => {
    const { profile } = mergeAll(withTechs(1, ['klaviyo']), withTechs(2, []), withTechs(3, ['klaviyo']));
    expect(profile.recentSignals).toEqual([]);
  });
});
