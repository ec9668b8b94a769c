import { hourMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { mergeAll } from '../../test/support/merge-all.ts';
import { day, notSeen, seen, tech } from '../../test/support/observed.ts';
import { minAgreementMs } from './agreement.ts';
import type { Observation } from './observation.ts';
import { storeBody } from './store-body.ts';
import type { StoreProfile } from './store-profile.ts';

const start = seen(1, { technologies: [tech('klaviyo')] });
const woo = { slug: 'woocommerce', name: 'WooCommerce', confidence: 'high' } as const;
const noteOf = (profile: StoreProfile) =>
  JSON.parse(storeBody(profile, 'https://site.example').bytes.toString()).observation.coverage_note;

/** Changes that need two observations. Each function makes observation n. */
const changes = [
  {
    name: 'a removal',
    type: 'technology_removed',
    change: (n: number): Observation => seen(n),
    shown: ({ technologies }: StoreProfile) => technologies.length === 0,
  },
  {
    name: 'another platform',
    type: 'platform_changed',
    change: (n: number): Observation => seen(n, { platform: woo, technologies: start.technologies }),
    shown: ({ platform }: StoreProfile) => platform.slug === 'woocommerce',
  },
  ...(['password_protected', 'closed', 'parked', 'redirected', 'not_a_storefront'] as const).map((state) => ({
    name: `the status ${state}`,
    type: 'status_changed',
    change: (n: number): Observation => seen(n, { state, technologies: start.technologies }),
    shown: ({ status }: StoreProfile) => status.state === state,
  })),
  {
    name: 'the status unreachable',
    type: 'status_changed',
    change: (n: number): Observation => notSeen(n, 'unreachable'),
    shown: ({ status }: StoreProfile) => status.state === 'unreachable',
  },
];

/** Returns observation n of a change, this long after the observation of day 2. */
const after = (observation: Observation, ms: number): Observation => ({
  ...observation,
  completedAt: new Date(day(2).getTime() + ms),
});

describe.each(changes)('$name', ({ change, shown, type }) => {
  const early = [change(2), after(change(3), 60_000), after(change(4), hourMs), after(change(5), minAgreementMs - 1)];

  it('a change that needs agreement is not confirmed by any number of observations in six hours, and keeps its first date', () => {
    const { profile, confirmed, candidates, discarded } = mergeAll(start, ...early);
    expect([shown(profile), confirmed, discarded]).toEqual([false, [], []]);
    expect(candidates).toMatchObject([{ type, effectiveAt: day(2) }]);
  });

  it('a change that needs agreement is confirmed by an observation six hours after the first one, with the first date', () => {
    const { profile, confirmed } = mergeAll(start, ...early, after(change(6), minAgreementMs));
    expect(shown(profile)).toBe(true);
    expect(confirmed).toMatchObject([
      { type, effectiveAt: day(2), confirmedAt: new Date(day(2).getTime() + minAgreementMs) },
    ]);
  });

  it('a change that needs agreement begins again after an observation in between that contradicts it', () => {
    const between = after({ ...start, sequence: 3 }, 60_000);
    const late = after(change(5), minAgreementMs);
    expect(shown(mergeAll(start, change(2), between, after(change(4), 120_000), late).profile)).toBe(false);
    const { confirmed } = mergeAll(
      start,
      change(2),
      between,
      after(change(4), 120_000),
      late,
      after(change(6), minAgreementMs + 120_000),
    );
    expect(confirmed).toMatchObject([{ type, effectiveAt: new Date(day(2).getTime() + 120_000) }]);
  });
});

describe('coverage_note', () => {
  const from = '2026-01-02T18:00:00.000Z';

  it.each([
    ['a removal', seen(2), `Not confirmed yet: the removal of klaviyo. A full scan from ${from} on can confirm it.`],
    [
      'another platform',
      seen(2, { platform: woo }),
      `Not confirmed yet: the platform woocommerce and the removal of klaviyo. A full scan from ${from} on can confirm it.`,
    ],
    [
      'another status',
      seen(2, { state: 'closed' }),
      `Seen as closed; the profile is as before until a scan from ${from} on agrees.`,
    ],
  ])(
    'coverage_note says from when a scan can confirm %s, and an earlier scan does not change that time',
    (_, observation, note) => {
      expect(noteOf(mergeAll(start, observation).profile)).toBe(note);
      const near = after({ ...observation, sequence: 3 }, 60_000);
      expect(noteOf(mergeAll(start, observation, near).profile)).toBe(note);
    },
  );

  it('coverage_note names three removals and the number of the others, before what the scan looked at', () => {
    const slugs = ['a', 'b', 'c', 'd', 'e'];
    const many = seen(1, { technologies: slugs.map((slug) => tech(slug)) });
    const { profile } = mergeAll(many, seen(2, { coverageNote: 'Looked at: the home page.' }));
    expect(noteOf(profile)).toBe(
      `Not confirmed yet: the removal of a, b, c and 2 more. A full scan from ${from} on can confirm it. Looked at: the home page.`,
    );
  });

  it('coverage_note says nothing of changes once they are confirmed', () => {
    expect(noteOf(mergeAll(start, seen(2), seen(3)).profile)).toBeNull();
  });
});

describe('immediate confirmation', () => {
  const soon = (n: number, over: Parameters<typeof seen>[1]) => after(seen(n, over), n * 60_000);

  it('one observation confirms additions, install states and the return to active_storefront at once', () => {
    const configured = tech('klaviyo', { installState: 'configured' });
    const { confirmed } = mergeAll(
      seen(1, { technologies: [configured] }),
      soon(2, { technologies: [tech('klaviyo'), tech('yotpo')] }),
      soon(3, { technologies: [configured, tech('yotpo')] }),
    );
    expect(confirmed.map(({ type, to }) => [type, to])).toEqual([
      ['install_state_changed', 'active'],
      ['technology_added', 'active'],
      ['install_state_changed', 'inactive'],
    ]);
    const parked = [2, 3, 4].map((n) => seen(n, { state: 'parked' }));
    const open = { ...seen(5), completedAt: new Date(day(4).getTime() + 60_000) };
    expect(mergeAll(seen(1), ...parked, open).profile.status.state).toBe('active_storefront');
  });
});
