import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Queues } from '../../operations/dependencies.ts';
import { usageEvent } from '../decode.ts';

const maxBatchSize = 1_000;

export const recordUsageHandler =
  (queues: Queues): Handlers<typeof MeteringServiceService>['recordUsage'] =>
  async ({ events }, context) => {
    if (events.length > maxBatchSize) throw invalidField('events', `at most ${maxBatchSize}`);
    const decoded = events.map(usageEvent);
    const recorded = await Promise.all(decoded.map((event) => queues.usageEvents.submit(event, context.deadline)));
    const refused = decoded.filter(({ kind }, n) => kind === 'count' && recorded[n]?.isRefused);
    // Only charges of leases: a reservation holds the units of its charge.
    return { refusedChargeIds: refused.map(({ chargeId }) => chargeId) };
  };
