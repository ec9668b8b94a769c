import { cacheBoundMs } from '../checker/revocation.ts';
import { ofKinds } from '../checker/timeline.ts';
import { all, failsOnlyWith, mostSucceed, nothingSucceeds, someSucceed, unaffected } from './expectations.ts';
import { cut, kill, stand } from './harm.ts';
import { meteringScenarios } from './metering.ts';
import { scanScenarios } from './scans.ts';
import type { Scenario } from './scenario.ts';

const lookUps = ofKinds('look-up', 'tight', 'enrich', 'refresh');
const authenticated = ofKinds('look-up', 'tight', 'enrich', 'refresh', 'account');

/** Keys that were seen a moment ago work for the cache's time and not longer; nobody is trusted beyond it. */
const trustedForTheCacheOnly = all(
  someSucceed(10_000, authenticated),
  nothingSucceeds(cacheBoundMs, () => true),
  failsOnlyWith('500 internal'),
);

const keysRow = { row: 'keys KILL, STOP, cut; push only cut', isPushHarmed: true };
const keysScenarios: Scenario[] = [
  {
    ...keysRow,
    name: 'keys-kill',
    expected: 'cached keys go on',
    holdMs: [1_000, 4_000],
    inject: (stage) => kill(stage, 'keys-1'),
    check: all(mostSucceed('requests under cached keys', authenticated), failsOnlyWith('500 internal')),
  },
  {
    ...keysRow,
    name: 'keys-stop',
    expected: 'cached keys ≤ 30 s, then internal',
    holdMs: [42_000, 48_000],
    isTimed: true,
    inject: (stage) => stand(stage, 'keys-1'),
    check: trustedForTheCacheOnly,
  },
  {
    ...keysRow,
    name: 'keys-cut',
    expected: 'cached keys ≤ 30 s, then internal; revocation bounded by the cache',
    holdMs: [42_000, 48_000],
    isTimed: true,
    revokesItself: true,
    inject: async ({ system, revoke }) => {
      const heal = await cut(system.links(/>keys-|^keys>kafka/));
      await revoke();
      return heal;
    },
    check: trustedForTheCacheOnly,
  },
  {
    ...keysRow,
    name: 'keys-push-cut',
    expected: 'revocation bounded by the cache; nobody else notices',
    holdMs: [40_000, 45_000],
    revokesItself: true,
    inject: async ({ system, revoke }) => {
      const heal = await cut(system.links(/^keys>kafka/));
      await revoke();
      return heal;
    },
    check: unaffected('requests', () => true),
  },
];

const profilesRow = { row: 'profiles KILL, STOP, cut', expected: 'internal, unbilled; other routes serve' };
const otherRoutesServe = unaffected('requests to other routes', ofKinds('account', 'limited'));
const profilesScenarios: Scenario[] = [
  {
    ...profilesRow,
    name: 'profiles-kill',
    holdMs: [500, 2_000],
    inject: (stage) => kill(stage, 'profiles-1'),
    check: all(otherRoutesServe, failsOnlyWith('500 internal', '503 unavailable')),
  },
  {
    ...profilesRow,
    name: 'profiles-stop',
    holdMs: [14_000, 20_000],
    inject: (stage) => stand(stage, 'profiles-1'),
    check: all(otherRoutesServe, failsOnlyWith('500 internal', '503 unavailable', '0')),
  },
  {
    ...profilesRow,
    name: 'profiles-cut',
    holdMs: [8_000, 14_000],
    isTimed: true,
    inject: ({ system }) => cut(system.links(/>profiles-/)),
    check: all(
      otherRoutesServe,
      nothingSucceeds(500, lookUps, { replaysMay: true }),
      failsOnlyWith('500 internal', '503 unavailable'),
    ),
  },
];

export const serviceScenarios = [...keysScenarios, ...profilesScenarios, ...meteringScenarios, ...scanScenarios];
