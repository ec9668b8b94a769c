import { describe, expect, it } from 'vitest';
import { day, seen, tech } from '../../test/support/observed.ts';
import { observed, sighting } from '../../test/support/observed-event.ts';
import { maxTechnologies } from './bound-technologies.ts';
import { mergeObservation } from './merge-observation.ts';
import type { ObservedSite } from './observation.ts';
import { parseObservation } from './parse-observation.ts';
import type { Signal } from './signal.ts';
import { maxBodyBytes, storeBody } from './store-body.ts';
import type { StoreProfile } from './store-profile.ts';

/** Technologies of page `page`: the same page has the same ones, different pages have none in common. */
const page = (page: number, count = 300) =>
  Array.from({ length: count }, (_, i) => tech(`p${page}-${String(i).padStart(4, '0')}`));
const partial = (n: number, technologies = page(n)) => seen(n, { technologies, scope: 'partial' });

function mergeAll(...observations: ObservedSite[]) {
  let profile: StoreProfile | null = null;
  let signals: Signal[] = [];
  for (const observation of observations) {
    const merge = mergeObservation(profile, observation);
    profile = merge.profile;
    signals = merge.signals;
  }
  return { profile: profile as StoreProfile, signals };
}

const bodyOf = (profile: StoreProfile) => {
  const { bytes } = storeBody(profile, 'https://site.example');
  return { bytes, body: JSON.parse(bytes.toString()) };
};

describe('limit of technologies', () => {
  it('a store whose technologies only grow lists at most 500: those that were confirmed most recently', () => {
    const { profile } = mergeAll(partial(1), partial(2), partial(3));
    expect(profile.technologies).toHaveLength(maxTechnologies);
    const slugs = new Set(profile.technologies.map(({ slug }) => slug));
    expect(page(3).every(({ slug }) => slugs.has(slug))).toBe(true);
    expect(page(1).some(({ slug }) => slugs.has(slug))).toBe(false);
    expect([...slugs]).toEqual([...slugs].sort());
  });

  it('a list of technologies that was cut is marked in coverage_note, so a missing entry is never read as absence', () => {
    const { body } = bodyOf(mergeAll(partial(1), { ...partial(2), coverageNote: 'Looked at: home.' }).profile);
    expect(body.observation).toMatchObject({
      scope: 'partial',
      coverage_note: 'Looked at: home. Lists only the 500 technologies that were confirmed most recently.',
    });
  });

  it('a technology that is left out of a cut list emits no removal, and no addition when it is detected again', () => {
    const { signals } = mergeAll(partial(1), partial(2), partial(3), partial(4, page(1)));
    expect(signals).toEqual([]);
  });

  it('a technology that is left out of a cut list loses its removal candidate', () => {
    const known = page(1, 100);
    const absentOnce = seen(2, { technologies: [] });
    const { profile, signals } = mergeAll(partial(1, known), absentOnce, partial(3, page(3, 450)));
    const left = new Set(profile.technologies.map(({ slug }) => slug));
    expect(profile.candidates.every(({ technology }) => left.has(technology))).toBe(true);
    const discarded = signals.filter(({ state }) => state === 'discarded');
    expect(discarded.map(({ technology }) => technology)).toEqual(known.slice(50).map(({ slug }) => slug));
  });

  it('a cut list of technologies has what the latest observation detected, even when the clock of its scanner is slow', () => {
    const { profile, signals } = mergeAll(partial(1), { ...partial(2, page(9)), completedAt: day(0) });
    const listed = new Set(profile.technologies.map(({ slug }) => slug));
    expect(listed.size).toBe(maxTechnologies);
    expect(page(9).every(({ slug }) => listed.has(slug))).toBe(true);
    expect(signals.map(({ technology }) => technology)).toEqual(page(9).map(({ slug }) => slug));
  });

  it('a cut list of technologies is complete again after full observations of all its sources that fit', () => {
    const { profile } = mergeAll(partial(1), partial(2), ...[3, 4].map((n) => seen(n, { technologies: page(4, 10) })));
    expect(profile.technologies).toHaveLength(10);
    expect(bodyOf(profile).body.observation).toMatchObject({ scope: 'full', coverage_note: null });
  });
});

it('an observation with more technologies than are read proves no absence, and the profile says that it is not complete', () => {
  const find = (slug: string) => ({ slug, name: slug, kind: 'app', category: 'reviews' });
  const technologies = page(1, 501).map(({ slug }) => sighting(slug));
  const { observation } = parseObservation(observed('shop.example', 2, { technologies }), find, Date.UTC(2100, 0, 1));
  const { profile } = mergeAll(seen(1, { technologies: [tech('klaviyo')] }), observation as ObservedSite);
  expect(profile.candidates).toEqual([]);
  expect(profile).toMatchObject({ scope: 'partial', technologiesOmitted: true });
});

it('an observation with more technologies than are read discards removal candidates, because it may have detected them', () => {
  const find = (slug: string) => ({ slug, name: slug, kind: 'app', category: 'reviews' });
  const technologies = [...Array.from({ length: 500 }, () => sighting('hotjar')), sighting('klaviyo')];
  const { observation } = parseObservation(observed('shop.example', 3, { technologies }), find, Date.UTC(2100, 0, 1));
  const absent = (n: number) => seen(n, { technologies: [] });
  const { profile, signals } = mergeAll(
    seen(1, { technologies: [tech('klaviyo')] }),
    absent(2),
    observation as ObservedSite,
  );
  expect(signals).toContainEqual(expect.objectContaining({ technology: 'klaviyo', state: 'discarded' }));
  const removals = mergeObservation(profile, absent(4)).signals.filter(({ technology }) => technology === 'klaviyo');
  expect(removals.map(({ state }) => state)).toEqual(['candidate']);
});

describe('size of a store body', () => {
  const wide = (count: number) => page(1, count).map((one) => ({ ...one, name: 'é'.repeat(200) }));

  it('a store body has at most 128 KiB: the most recently confirmed technologies that fit, and a coverage_note that says so', () => {
    const { profile } = mergeAll(partial(1, wide(500)), partial(2, page(2, 20)));
    const { bytes, body } = bodyOf(profile);
    expect(bytes.length).toBeLessThanOrEqual(maxBodyBytes);
    expect(bytes.length).toBeGreaterThan(maxBodyBytes - 1_000);
    const slugs: string[] = body.technologies.map(({ slug }: { slug: string }) => slug);
    expect(page(2, 20).every(({ slug }) => slugs.includes(slug))).toBe(true);
    expect(slugs).toEqual(slugs.toSorted());
    expect(body.observation).toMatchObject({
      scope: 'partial',
      coverage_note: `Lists only the ${slugs.length} technologies that were confirmed most recently.`,
    });
  });

  it('a store body has the same bytes for the same profile also when it is cut', () => {
    const { profile } = mergeAll(partial(1, wide(500)));
    expect(storeBody(profile, 'https://site.example')).toEqual(storeBody(profile, 'https://site.example'));
  });

  it('a hundred store bodies of the largest size stay below the message limit of gRPC', () => {
    expect(100 * maxBodyBytes).toBeLessThan(16 * 1024 * 1024);
  });
});
