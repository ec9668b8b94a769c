import { cacheBoundMs } from '../checker/revocation.ts';
import { ofKinds } from '../checker/timeline.ts';
import { all, failsOnlyWith, mostSucceed, nothingSucceeds, someSucceed, unaffected } from './expectations.ts';
import { cut, kill, suspend } from './inject.ts';
import { injectDuringScans } from './inject-during.ts';
import { meteringScenarios } from './metering.ts';
import type { Scenario } from './scenario.ts';

const lookUps = ofKinds('look-up', 'small-allowance', 'enrich', 'refresh');
const authenticated = ofKinds('look-up', 'small-allowance', 'enrich', 'refresh', 'account');

/** Requires that cached keys are accepted until their cache entries expire, and not longer. */
const cachedKeysExpire = all(
  someSucceed(10_000, authenticated),
  nothingSucceeds(cacheBoundMs, () => true),
  failsOnlyWith('500 internal'),
);

const keysRow = { row: 'keys KILL, STOP, cut; push only cut', breaksRevocationPush: true };
const expiringRow = { ...keysRow, durationMs: [42_000, 48_000] as const, assertsTiming: true, check: cachedKeysExpire };
/** Returns an injection that cuts the links and then revokes the key. */
const cutAndRevoke =
  (links: RegExp): Scenario['inject'] =>
  async ({ system, revoke }) => {
    const heal = await cut(system.links(links));
    await revoke();
    return heal;
  };
const keysScenarios: Scenario[] = [
  {
    ...keysRow,
    name: 'keys-kill',
    expected: 'cached keys go on',
    durationMs: [1_000, 4_000],
    inject: (context) => kill(context, 'keys-1'),
    check: all(mostSucceed('requests under cached keys', authenticated), failsOnlyWith('500 internal')),
  },
  {
    ...expiringRow,
    name: 'keys-stop',
    expected: 'cached keys ≤ 30 s, then internal',
    inject: (context) => suspend(context, 'keys-1'),
  },
  {
    ...expiringRow,
    name: 'keys-cut',
    expected: 'cached keys ≤ 30 s, then internal; revocation bounded by the cache',
    revokesDuringFault: true,
    inject: cutAndRevoke(/>keys-|^keys>kafka/),
  },
  {
    ...keysRow,
    name: 'keys-push-cut',
    expected: 'revocation bounded by the cache; nobody else notices',
    durationMs: [40_000, 45_000],
    revokesDuringFault: true,
    inject: cutAndRevoke(/^keys>kafka/),
    check: unaffected('requests', () => true),
  },
];

const profilesRow = { row: 'profiles KILL, STOP, cut', expected: 'internal, unbilled; other routes serve' };
const otherRoutesContinue = unaffected('requests to other routes', ofKinds('account', 'rate-limited'));
const otherRoutesServe = all(otherRoutesContinue, failsOnlyWith('500 internal', '503 unavailable'));
const profilesScenarios: Scenario[] = [
  {
    ...profilesRow,
    name: 'profiles-kill',
    durationMs: [500, 2_000],
    inject: (context) => kill(context, 'profiles-1'),
    check: otherRoutesServe,
  },
  {
    ...profilesRow,
    name: 'profiles-stop',
    durationMs: [14_000, 20_000],
    inject: (context) => suspend(context, 'profiles-1'),
    check: all(otherRoutesContinue, failsOnlyWith('500 internal', '503 unavailable', '0')),
  },
  {
    ...profilesRow,
    name: 'profiles-cut',
    durationMs: [8_000, 14_000],
    assertsTiming: true,
    inject: ({ system }) => cut(system.links(/>profiles-/)),
    check: all(otherRoutesServe, nothingSucceeds(500, lookUps, { allowsReplays: true })),
  },
];

const withoutScans = ofKinds('look-up', 'small-allowance', 'enrich', 'account', 'rate-limited');

const scanRow = { row: 'scan-scheduler, scanner KILL, STOP', expected: 'job resumes once, lease fenced' };
const schedulerRow = {
  ...scanRow,
  requiredFigures: ['scans interrupted'],
  check: unaffected('requests without scans', withoutScans),
};
const scannerRow = { ...scanRow, requiredFigures: ['leases lost'], check: unaffected('requests', () => true) };

const scanScenarios: Scenario[] = [
  {
    ...schedulerRow,
    name: 'scan-scheduler-kill',
    durationMs: [500, 2_000],
    inject: (context) => injectDuringScans(context, () => kill(context, 'scan-scheduler-1')),
  },
  {
    ...schedulerRow,
    name: 'scan-scheduler-stop',
    durationMs: [14_000, 20_000],
    inject: (context) => injectDuringScans(context, () => suspend(context, 'scan-scheduler-1')),
  },
  {
    ...scannerRow,
    name: 'scanner-kill',
    durationMs: [500, 2_000],
    inject: (context) => injectDuringScans(context, (scanner) => kill(context, scanner), { ofOne: true }),
  },
  {
    ...scannerRow,
    name: 'scanner-stop',
    // This is longer than a lease.
    durationMs: [38_000, 44_000],
    inject: (context) => injectDuringScans(context, (scanner) => suspend(context, scanner), { ofOne: true }),
  },
];

export const serviceScenarios = [...keysScenarios, ...profilesScenarios, ...meteringScenarios, ...scanScenarios];
