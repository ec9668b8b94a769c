import { performance } from 'node:perf_hooks';
import { checkResolved, ofKinds } from '../checker/timeline.ts';
import type { Operation } from '../clients/history.ts';
import { noUnits } from '../clients/history.ts';
import { send } from '../clients/send.ts';
import { sleep } from '../wait.ts';
import { all, eachEndsWith } from './expectations.ts';
import { kill, stand } from './harm.ts';
import type { Scenario, Stage } from './scenario.ts';

const slotsBackWithinMs = 15_000;
const slowAnswerMs = 4_000;

/** One of two gateways dies with every slot of a customer in its hands. */
const gatewayKill: Scenario = {
  name: 'gateway-kill',
  row: 'gateway KILL (of 2)',
  expected: 'unknowns resolve on retry; slots back',
  holdMs: [500, 2_000],
  async inject(stage) {
    const { customers, random } = stage;
    const victim = random.between(0, 1);
    const isHeld = await holdSlots(stage, victim);
    const heal = await kill(stage, `gateway-${victim + 1}`);
    if (!isHeld) return heal;
    const { wereHeld, tookMs } = await untilSlotsAreBack(stage, 1 - victim);
    stage.figure('slots back, s', tookMs / 1_000);
    stage.figure('slots were held', wereHeld ? 1 : 0);
    if (tookMs > slotsBackWithinMs) {
      stage.problem(`the ${customers.narrow.concurrency} slots of a dead gateway were not back within 15 s`);
    }
    return heal;
  },
  exercises: ['slots were held'],
  check: checkResolved,
};

/** Requests that wait for profiles keep their slots until the gateway dies. Without links they are too short to be caught. */
async function holdSlots({ system, customers }: Stage, victim: number): Promise<boolean> {
  const [link] = system.links(new RegExp(`^gateway-${victim + 1}>profiles`));
  if (!link) return false;
  await link.slow('up', slowAnswerMs);
  for (let n = 0; n < customers.narrow.concurrency; n++) void lookUpNarrowly({ system, customers }, victim);
  await sleep(500);
  setTimeout(() => void link.heal(), 200);
  return true;
}

/** Back means that all of them are at work at once and find what there is to find: nothing. */
async function untilSlotsAreBack(stage: Stage, gateway: number): Promise<{ wereHeld: boolean; tookMs: number }> {
  const startMs = performance.now();
  let wereHeld: boolean | undefined;
  for (;;) {
    const all = Array.from({ length: stage.customers.narrow.concurrency }, () => lookUpNarrowly(stage, gateway));
    const answers = await Promise.all(all);
    const tookMs = performance.now() - startMs;
    wereHeld ??= answers.some(({ code }) => code === 'concurrency_limited');
    if (answers.every(({ status }) => status === 404) || tookMs > slotsBackWithinMs) return { wereHeld, tookMs };
    await sleep(250);
  }
}

/** Of a domain that is in nobody's corpus: it takes a slot and bills nothing. */
function lookUpNarrowly({ system, customers }: Pick<Stage, 'system' | 'customers'>, gateway: number) {
  const [key] = customers.narrow.keys;
  return send({
    gateway,
    url: system.gateways[gateway]?.url ?? '',
    method: 'GET',
    path: '/v1/stores/nobody-knows-this.example',
    secret: key?.secret ?? '',
    timeoutMs: 12_000,
  });
}

/** A gateway stands still for 70 s while a key is revoked; requests under that key wait at its door when it resumes. */
const gatewayStop: Scenario = {
  name: 'gateway-stop',
  row: 'gateway STOP 70 s with a revocation meanwhile',
  expected: 'unknowns resolve on retry; the resumed process checks the key again',
  holdMs: [70_000, 72_000],
  revokesItself: true,
  isPushHarmed: true,
  inject: (stage) => stand(stage, 'gateway-2'),
  check: all(checkResolved, eachEndsWith(401, ofKinds('waiting'))),
  async meanwhile(stage, untilMs) {
    await sleep(1_000);
    await stage.revoke();
    for (const leftMs of [50_000, 20_000, 3_000, 500]) {
      await sleep(untilMs - leftMs - performance.now());
      void callRevoked(stage);
    }
  },
};

async function callRevoked({ system, customers, clients }: Stage): Promise<void> {
  const { workspaceId, keys } = customers.revoked;
  const operation: Operation = {
    id: clients.history.length + 1,
    kind: 'waiting',
    workspaceId,
    keyId: keys[0]?.id ?? '',
    idempotencyKey: null,
    mayBill: noUnits,
    attempts: [],
  };
  clients.history.push(operation);
  const call = { method: 'GET', path: '/v1/account', secret: keys[0]?.secret ?? '' } as const;
  // The gateway, when it goes on, first closes connections that are idle by its clock.
  const where = { gateway: 1, url: system.gateways[1]?.url ?? '', timeoutMs: 100_000, onNewConnection: true };
  operation.attempts.push(await send({ ...call, ...where }));
}

export const gatewayScenarios = [gatewayKill, gatewayStop];
