import { cacheBoundMs } from '../checker/revocation.ts';
import { ofKinds } from '../checker/timeline.ts';
import {
  all,
  failsAsInternal,
  failsOnlyWith,
  mostSucceed,
  nothingSucceeds,
  someSucceed,
  successesGoOn,
  unaffected,
} from './expectations.ts';
import { cut, freeze, kill, stand } from './harm.ts';
import { amidScans, amidTransactions } from './interrupt.ts';
import type { Scenario } from './scenario.ts';

const lookUps = ofKinds('look-up', 'tight', 'enrich', 'refresh');
const authenticated = ofKinds('look-up', 'tight', 'enrich', 'refresh', 'account');
const withoutScans = ofKinds('look-up', 'tight', 'enrich', 'account', 'limited');

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

const meteringRow = {
  row: 'metering KILL before/after commit; STOP 70 s; reply cut',
  expected: 'look-up or void; a zombie’s writes are deduplicated; what fails is internal; the other instance serves',
};
const otherServes = all(failsAsInternal, successesGoOn('billed requests', lookUps));
const meteringScenarios: Scenario[] = [
  {
    ...meteringRow,
    name: 'metering-kill',
    holdMs: [500, 1_500],
    inject: (stage) => kill(stage, `metering-${stage.random.between(1, 2)}`),
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-kill-before-commit',
    holdMs: [500, 1_500],
    inject: (stage) => amidTransactions(stage, { direction: 'up', when: 'open' }, (name) => kill(stage, name)),
    exercises: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-kill-after-commit',
    holdMs: [500, 1_500],
    inject: (stage) => amidTransactions(stage, { direction: 'down', when: 'decided' }, (name) => kill(stage, name)),
    exercises: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-stop',
    holdMs: [70_000, 72_000],
    inject: (stage) => amidTransactions(stage, { direction: 'up', when: 'open' }, (name) => stand(stage, name)),
    exercises: ['transactions interrupted'],
    check: otherServes,
  },
  {
    ...meteringRow,
    name: 'metering-reply-cut',
    expected: 'look-up or void; a zombie’s writes are deduplicated; what fails is internal',
    holdMs: [4_000, 8_000],
    inject: ({ system }) => freeze(system.links(/>metering-/), 'down'),
    exercises: ['touched by the fault'],
    check: failsAsInternal,
  },
];

const scanRow = {
  row: 'scan-scheduler, scanner KILL, STOP',
  expected: 'job resumes once, lease fenced',
  exercises: ['scans interrupted'],
};
const scansApart = unaffected('requests without scans', withoutScans);
const nobodyNotices = unaffected('requests', () => true);
const scanScenarios: Scenario[] = [
  {
    ...scanRow,
    name: 'scan-scheduler-kill',
    holdMs: [500, 2_000],
    inject: (stage) => amidScans(stage, () => kill(stage, 'scan-scheduler-1')),
    check: scansApart,
  },
  {
    ...scanRow,
    name: 'scan-scheduler-stop',
    holdMs: [14_000, 20_000],
    inject: (stage) => amidScans(stage, () => stand(stage, 'scan-scheduler-1')),
    check: scansApart,
  },
  {
    ...scanRow,
    name: 'scanner-kill',
    holdMs: [500, 2_000],
    inject: (stage) => amidScans(stage, (scanner) => kill(stage, scanner), { ofOne: true }),
    exercises: ['leases lost'],
    check: nobodyNotices,
  },
  {
    ...scanRow,
    name: 'scanner-stop',
    // Longer than a lease.
    holdMs: [38_000, 44_000],
    inject: (stage) => amidScans(stage, (scanner) => stand(stage, scanner), { ofOne: true }),
    exercises: ['leases lost'],
    check: nobodyNotices,
  },
];

export const serviceScenarios = [...keysScenarios, ...profilesScenarios, ...meteringScenarios, ...scanScenarios];
