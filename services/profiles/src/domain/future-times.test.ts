import { expect, it } from 'vitest';
import { day, seen, tech } from '../../test/support/observed.ts';
import { healedSignals, healFutureTimes } from './future-times.ts';
import { mergeObservation } from './merge-observation.ts';
import type { Observation } from './observation.ts';
import type { StoreProfile } from './store-profile.ts';

const profileOf = (...observations: Observation[]): StoreProfile => {
  let profile: StoreProfile | null = null;
  for (const observation of observations) profile = mergeObservation(profile, observation).profile ?? profile;
  return profile as unknown as StoreProfile;
};
const inTenYears = new Date(Date.UTC(2036, 0, 1));
const future = { completedAt: inTenYears };
const datesIn = (value: unknown): Date[] =>
  value instanceof Date ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(datesIn) : [];

it('every date of a profile that lies in the future becomes the time of the observation', () => {
  const ahead = profileOf(
    seen(1, { technologies: [tech('klaviyo')] }),
    seen(2, { ...future, technologies: [tech('klaviyo'), tech('yotpo')], catalog: null, state: 'parked' }),
    seen(3, { ...future, technologies: [tech('yotpo')] }),
  );
  expect(datesIn(ahead).filter((date) => date > day(4)).length).toBeGreaterThan(5);
  const healed = healFutureTimes(ahead, day(4), day(4).getTime());
  expect(datesIn(healed).filter((date) => date > day(4))).toEqual([]);
  expect(healed.lastCompletedScanAt).toEqual(day(4));
  expect(healed.technologies[0]?.firstObservedAt, 'a date of the past stays').toEqual(day(1));
  expect(healedSignals(ahead, healed).map(({ id }) => id)).toEqual(
    [...ahead.recentSignals, ...ahead.candidates].map(({ id }) => id),
  );
});

it('a profile without a future date is the same object, even when clocks differ a little', () => {
  const profile = profileOf(seen(1, { technologies: [tech('klaviyo')] }));
  expect(healFutureTimes(profile, day(1), day(1).getTime() - 10_000)).toBe(profile);
  expect(healFutureTimes(profile, day(1), day(1).getTime() - 10_001)).not.toBe(profile);
});

it('a correction of future times leaves no signal confirmed before it is effective, even if only its confirmation lies in the future', () => {
  const ahead = (seconds: number) => new Date(day(4).getTime() + seconds * 1_000);
  const profile = profileOf(seen(1), seen(2, { technologies: [tech('klaviyo')] }));
  const [signal] = profile.recentSignals.map((one) => ({ ...one, effectiveAt: ahead(8), confirmedAt: ahead(12) }));
  const healed = healFutureTimes({ ...profile, recentSignals: signal ? [signal] : [] }, day(4), day(4).getTime());
  expect(healed.recentSignals).toMatchObject([{ effectiveAt: day(4), confirmedAt: day(4) }]);
});
