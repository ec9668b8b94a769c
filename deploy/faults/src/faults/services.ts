import { cacheBoundMs } from '../checker/revocation.ts';
import { ofKinds } from '../checker/timeline.ts';
import { sleep } from '../wait.ts';
import { all, failsOnlyWith, nothingSucceeds, someSucceed, unaffected } from './expectations.ts';
import { cut, freeze, type Heal, kill, slow, stand } from './harm.ts';
import type { Scenario, Stage } from './scenario.ts';

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
    inject: ({ system }) => kill(system, 'keys-1'),
    check: failsOnlyWith('500 internal'),
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
    needsLinks: true,
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
    needsLinks: true,
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
    inject: ({ system }) => kill(system, 'profiles-1'),
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
    needsLinks: true,
    isTimed: true,
    inject: ({ system }) => cut(system.links(/>profiles-/)),
    check: all(
      otherRoutesServe,
      nothingSucceeds(500, lookUps, { replaysMay: true }),
      failsOnlyWith('500 internal', '503 unavailable'),
    ),
  },
];

/** While every transaction is long, one of them is under way whenever the process dies. */
async function killInTransaction({ system, random }: Stage, direction: 'up' | 'down'): Promise<Heal> {
  const victim = random.between(1, 2);
  const healLinks = await slow(system.links(/^metering-.>mongodb/), direction, 600);
  await sleep(random.between(3_000, 5_000));
  const heal = await kill(system, `metering-${victim}`);
  await sleep(500);
  await healLinks();
  return heal;
}

const meteringRow = {
  row: 'metering KILL before/after commit; STOP 70 s; reply cut',
  expected: 'look-up or void; a zombie’s writes are deduplicated',
};
const meteringScenarios: Scenario[] = [
  {
    ...meteringRow,
    name: 'metering-kill',
    holdMs: [500, 1_500],
    inject: ({ system, random }) => kill(system, `metering-${random.between(1, 2)}`),
  },
  {
    ...meteringRow,
    name: 'metering-kill-before-commit',
    holdMs: [500, 1_500],
    needsLinks: true,
    inject: (stage) => killInTransaction(stage, 'up'),
  },
  {
    ...meteringRow,
    name: 'metering-kill-after-commit',
    holdMs: [500, 1_500],
    needsLinks: true,
    inject: (stage) => killInTransaction(stage, 'down'),
  },
  {
    ...meteringRow,
    name: 'metering-stop',
    holdMs: [70_000, 72_000],
    inject: (stage) => stand(stage, `metering-${stage.random.between(1, 2)}`),
  },
  {
    ...meteringRow,
    name: 'metering-reply-cut',
    holdMs: [4_000, 8_000],
    needsLinks: true,
    inject: ({ system }) => freeze(system.links(/>metering-/), 'down'),
  },
];

const scanRow = { row: 'scan-scheduler, scanner KILL, STOP', expected: 'job resumes once, lease fenced' };
const scansApart = unaffected('requests without scans', withoutScans);
const scanScenarios: Scenario[] = [
  {
    ...scanRow,
    name: 'scan-scheduler-kill',
    holdMs: [500, 2_000],
    inject: ({ system }) => kill(system, 'scan-scheduler-1'),
    check: scansApart,
  },
  {
    ...scanRow,
    name: 'scan-scheduler-stop',
    holdMs: [14_000, 20_000],
    inject: (stage) => stand(stage, 'scan-scheduler-1'),
    check: scansApart,
  },
  {
    ...scanRow,
    name: 'scanner-kill',
    holdMs: [500, 2_000],
    inject: ({ system, random }) => kill(system, `scanner-${random.between(1, 2)}`),
    check: unaffected('requests', () => true),
  },
  {
    ...scanRow,
    name: 'scanner-stop',
    // Longer than a lease.
    holdMs: [38_000, 44_000],
    inject: (stage) => stand(stage, `scanner-${stage.random.between(1, 2)}`),
    check: unaffected('requests', () => true),
  },
];

export const serviceScenarios = [...keysScenarios, ...profilesScenarios, ...meteringScenarios, ...scanScenarios];
