import { attemptsOf } from '../checker/timeline.ts';
import type { Operation } from '../clients/history.ts';
import { unaffected } from './expectations.ts';
import { nothingToHeal } from './harm.ts';
import type { Scenario } from './scenario.ts';

const rounds = 5;
const fewestRequests = 10_000;

/** In the order of a deployment: whoever answers before whoever asks. */
const order = ['keys', 'profiles', 'metering', 'scan-scheduler', 'scanner', 'gateway'] as const;

/** Refusals of limits are no failures, and do not count as served either. */
const servedOf = (operations: readonly Operation[]): number =>
  attemptsOf(operations).filter(({ outcome }) => outcome === 'ok').length;

/** Every instance of every service is asked to end, one after the other, five times round, under load. */
export const rolling: Scenario = {
  name: 'rolling',
  row: 'SIGTERM rolling of every service ×5 under load, two of each, clients on ready gateways, gRPC round_robin',
  expected: 'no failed request',
  holdMs: [0, 0],
  perSecond: 40,
  isRolling: true,
  isLong: true,
  exercises: ['restarts'],
  inject: async () => nothingToHeal,
  async meanwhile({ system, clients, problem, figure }) {
    let restarts = 0;
    for (let round = 1; round <= rounds; round++) {
      for (const service of order) {
        for (const replica of [1, 2]) {
          const node = system.node(`${service}-${replica}`);
          const { pid } = node;
          const how = await node.terminate();
          if (how !== 'exited with code 0') problem(`${node.name} ${how} when asked to end`);
          await node.untilReplaced(pid);
          restarts += 1;
        }
      }
    }
    // A machine that restarts fast has not sent enough yet.
    const endMs = performance.now() + 300_000;
    while (servedOf(clients.history) < fewestRequests && performance.now() < endMs) {
      await new Promise((done) => setTimeout(done, 500));
    }
    figure('restarts', restarts);
    figure('served', servedOf(clients.history));
  },
  check: (operations, timeline) => [
    ...unaffected('requests', () => true)(operations, timeline),
    ...(servedOf(operations) < fewestRequests ? [`fewer than ${fewestRequests} requests were served`] : []),
  ],
};
