import { attemptsOf } from '../checker/timeline.ts';
import type { Operation } from '../clients/history.ts';
import { unaffected } from './expectations.ts';
import { noHeal, restart } from './inject.ts';
import type { Scenario } from './scenario.ts';

const rounds = 5;
const fewestRequests = 10_000;

/** The order of the restarts: called services before their callers. The dashboard is not restarted. */
const order = ['keys', 'profiles', 'metering', 'scan-scheduler', 'scanner', 'gateway'] as const;

/** Counts the served requests. A request that a limit refused is neither served nor a failure. */
const servedOf = (operations: readonly Operation[]): number =>
  attemptsOf(operations).filter(({ outcome }) => outcome === 'ok').length;

/** Restarts every instance of these services by SIGTERM, one after the other, five times, under load. */
export const rolling: Scenario = {
  name: 'rolling',
  row: 'SIGTERM rolling of every service ×5 under load, two of each, clients on ready gateways, gRPC round_robin',
  expected: 'no failed request',
  durationMs: [0, 0],
  perSecond: 40,
  form: 'rolling',
  isLong: true,
  requiredFigures: ['restarts'],
  inject: async () => noHeal,
  async duringFault(context) {
    const { clients, recordFigure } = context;
    let restarts = 0;
    for (let round = 1; round <= rounds; round++) {
      for (const service of order) {
        for (const replica of [1, 2]) {
          await restart(context, `${service}-${replica}`);
          restarts += 1;
        }
      }
    }
    // On a fast machine the restarts end before enough requests were served.
    const endMs = performance.now() + 300_000;
    while (servedOf(clients.history) < fewestRequests && performance.now() < endMs) {
      await new Promise((done) => setTimeout(done, 500));
    }
    recordFigure('restarts', restarts);
    recordFigure('served', servedOf(clients.history));
  },
  check: (operations, timeline) => [
    ...unaffected('requests', () => true)(operations, timeline),
    ...(servedOf(operations) < fewestRequests ? [`fewer than ${fewestRequests} requests were served`] : []),
  ],
};
