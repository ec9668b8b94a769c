import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Queues } from '../../operations/dependencies.ts';
import { usageSignal } from '../decode.ts';

const eventsMax = 1_000;

export const recordUsageHandler =
  (queues: Queues): Handlers<typeof MeteringServiceService>['recordUsage'] =>
  async ({ events }, caller) => {
    if (events.length > eventsMax) throw invalidField('events', `at most ${eventsMax}`);
    const signals = events.map(usageSignal);
    await Promise.all(signals.map((signal) => queues.signals.submit(signal, caller.deadline)));
    return {};
  };
