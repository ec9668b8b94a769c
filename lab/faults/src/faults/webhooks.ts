import type { ReceiverFault } from '../system/webhook-receiver.ts';
import { unaffected } from './expectations.ts';
import { kill, noHeal, suspend } from './inject.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';
import { receiveEvents } from './workspace-webhooks.ts';

type Receiving = Awaited<ReturnType<typeof receiveEvents>>;

/** Returns an injection while messages are being delivered. After the fault, each event must have reached the endpoints of its workspace. */
const duringDeliveries =
  (fault: (context: FaultContext, receiving: Receiving) => Promise<Heal>): Scenario['inject'] =>
  async (context) => {
    const receiving = await receiveEvents(context);
    context.recordFigure('webhook attempts interrupted', await receiving.untilInProgress());
    const heal = await fault(context, receiving);
    return async () => {
      const healedMs = await heal();
      await receiving.finish();
      return healedMs;
    };
  };

const row = {
  row: 'webhooks KILL, STOP; a receiver hangs, resets, answers 500, 410',
  expected: 'each event reaches healthy endpoints of its workspace only',
  requiredFigures: ['webhook attempts interrupted', 'webhook events'],
  check: unaffected('API requests', () => true),
};

const receiverFails = (name: string, fault: ReceiverFault): Scenario => ({
  ...row,
  name: `webhooks-receiver-${name}`,
  durationMs: [25_000, 35_000],
  inject: duringDeliveries(async (context, receiving) => {
    context.recordFaultStart();
    receiving.failReceiver(fault);
    return noHeal;
  }),
});

export const webhooksScenarios: Scenario[] = [
  {
    ...row,
    name: 'webhooks-kill',
    durationMs: [500, 2_000],
    inject: duringDeliveries((context) => kill(context, 'webhooks-1')),
  },
  {
    ...row,
    name: 'webhooks-stop',
    durationMs: [14_000, 20_000],
    inject: duringDeliveries((context) => suspend(context, 'webhooks-1')),
  },
  receiverFails('hangs', 'hangs'),
  receiverFails('resets', 'resets'),
  // The run has no moved time, so the receiver answers so for the time of the fault.
  receiverFails('500', 500),
  receiverFails('410', 410),
];
