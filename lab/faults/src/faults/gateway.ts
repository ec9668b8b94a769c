import { checkResolved, ofKinds } from '../checker/timeline.ts';
import { scarceOf } from '../clients/customers.ts';
import { send } from '../clients/send.ts';
import { sleep } from '../wait.ts';
import { all, eachEndsWith } from './expectations.ts';
import { kill, suspend } from './inject.ts';
import type { FaultContext, Scenario } from './scenario.ts';

const slotsReleasedWithinMs = 15_000;
const slowResponseMs = 4_000;
/** This is longer than a suspension. */
const queuedTimeoutMs = 100_000;

/** One of two gateways is killed while it holds every concurrency slot of a customer. */
const gatewayKill: Scenario = {
  name: 'gateway-kill',
  row: 'gateway KILL (of 2)',
  expected: 'unknowns resolve on retry; slots back',
  durationMs: [500, 2_000],
  async inject(context) {
    const { customers, random } = context;
    const victim = random.between(0, 1);
    const isHeld = await holdSlots(context, victim);
    const heal = await kill(context, `gateway-${victim + 1}`);
    if (!isHeld) return heal;
    const { wereHeld, tookMs } = await waitForSlots(context, 1 - victim);
    context.recordFigure('slots back, s', tookMs / 1_000);
    context.recordFigure('slots were held', wereHeld ? 1 : 0);
    if (tookMs > slotsReleasedWithinMs) {
      context.recordProblem(
        `the ${customers.lowConcurrency.concurrency} slots of the killed gateway were not released within 15 s`,
      );
    }
    return heal;
  },
  requiredFigures: ['slots were held'],
  check: checkResolved,
};

/** Holds all slots by slow requests to profiles until the gateway is killed. Resolves to false without links, because requests are then too fast. */
async function holdSlots({ system, customers }: FaultContext, victim: number): Promise<boolean> {
  const [link] = system.links(new RegExp(`^gateway-${victim + 1}>profiles`));
  if (!link) return false;
  await link.slow('up', slowResponseMs);
  for (let n = 0; n < customers.lowConcurrency.concurrency; n++)
    void lookUpUnderLowConcurrency({ system, customers }, victim);
  await sleep(500);
  setTimeout(() => void link.heal(), 200);
  return true;
}

/** Waits until as many simultaneous requests as there are slots all get 404. Every slot is then free again. */
async function waitForSlots(context: FaultContext, gateway: number): Promise<{ wereHeld: boolean; tookMs: number }> {
  const startMs = performance.now();
  let wereHeld: boolean | undefined;
  for (;;) {
    const all = Array.from({ length: context.customers.lowConcurrency.concurrency }, () =>
      lookUpUnderLowConcurrency(context, gateway),
    );
    const responses = await Promise.all(all);
    const tookMs = performance.now() - startMs;
    wereHeld ??= responses.some(({ code }) => code === 'concurrency_limited');
    if (responses.every(({ status }) => status === 404) || tookMs > slotsReleasedWithinMs) return { wereHeld, tookMs };
    await sleep(250);
  }
}

/** Looks up a domain that is not in the corpus. The request takes a slot and bills nothing. */
function lookUpUnderLowConcurrency({ system, customers }: Pick<FaultContext, 'system' | 'customers'>, gateway: number) {
  const [key] = customers.lowConcurrency.keys;
  return send({
    gateway,
    url: system.gateways[gateway]?.url ?? '',
    method: 'GET',
    path: '/v1/stores/not-in-the-corpus.example',
    secret: key?.secret ?? '',
    timeoutMs: 12_000,
  });
}

/** A gateway is suspended for 70 s while a key is revoked. Requests with that key wait in its queue when the gateway resumes. */
const gatewayStop: Scenario = {
  name: 'gateway-stop',
  row: 'gateway STOP 70 s with a revocation meanwhile',
  expected: 'unknowns resolve on retry; the resumed process checks the key again',
  durationMs: [70_000, 72_000],
  revokesDuringFault: true,
  breaksRevocationPush: true,
  inject: (context) => suspend(context, 'gateway-2'),
  check: all(checkResolved, eachEndsWith(401, ofKinds('queued'))),
  async duringFault(context, untilMs) {
    await sleep(1_000);
    await context.revoke();
    for (const leftMs of [50_000, 20_000, 3_000, 500]) {
      await sleep(untilMs - leftMs - performance.now());
      void context.clients.askRevokedAt(1, queuedTimeoutMs);
    }
  },
};

/** Responses of metering are delayed by this time, so that the gateway is suspended before it has spent the units. */
const slowGrantMs = 700;
/** Leases of small allowances end at most 16 s after their last call, and are closed 42 s later, when usage.v1 has been read. */
const leasesClosedMs = 58_000;

/**
 * A gateway is suspended while responses of metering with lent units are on their way to it. The units return, and all small allowances are
 * exhausted through the other gateway. Look-ups wait in the queue of the gateway when it resumes. It must not sell a unit a second time.
 */
const gatewayStopLent: Scenario = {
  name: 'gateway-stop-lent',
  row: 'gateway STOP 70 s with lent units',
  expected: 'the resumed process spends nothing of a lease that ended; its units are sold once',
  durationMs: [70_000, 72_000],
  breaksRevocationPush: true,
  requiredFigures: ['units lent at the fault', 'sold out during the fault'],
  async inject(context) {
    const { system, clients, customers } = context;
    const links = system.links(/^gateway-2>metering/);
    await Promise.all(links.map((link) => link.slow('down', slowGrantMs)));
    // These requests reach their time limit while the gateway is suspended.
    const answered = clients.lookUpAt(1, scarceOf(customers));
    await sleep(slowGrantMs - 200);
    const heal = await suspend(context, 'gateway-2');
    await Promise.all(links.map((link) => link.heal()));
    // The suspended gateway has spent none of its units, except for those of an event that it had already sent.
    await sleep(2_000);
    context.recordFigure('units lent at the fault', await unspentUnits(context));
    return async () => {
      const resumedMs = await heal();
      await answered;
      return resumedMs;
    };
  },
  async duringFault(context, untilMs) {
    const { clients, customers, recordFigure, recordProblem } = context;
    await sleep(leasesClosedMs);
    const isSoldOut = await clients.sellOut();
    recordFigure('sold out during the fault', isSoldOut ? scarceOf(customers).length : 0);
    if (!isSoldOut) recordProblem('lent units did not return during the fault');
    for (const leftMs of [3_000, 1_500, 500]) {
      await sleep(untilMs - leftMs - performance.now());
      void clients.lookUpAt(1, scarceOf(customers), queuedTimeoutMs);
    }
  },
  check: checkResolved,
};

/** Returns the units of the small allowances that leases hold, and that gateways have not reported as spent and the ledger has not settled. */
async function unspentUnits({ databases, customers }: FaultContext): Promise<number> {
  const allowances = await databases.allowancesOf(scarceOf(customers).map(({ workspaceId }) => workspaceId));
  return [...allowances.values()]
    .flatMap(({ leases }) => leases)
    .reduce((sum, { granted, spent, settled }) => sum + Math.max(0, granted - Math.max(spent, settled)), 0);
}

export const gatewayScenarios = [gatewayKill, gatewayStop, gatewayStopLent];
