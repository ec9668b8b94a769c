import { AppError, invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { UsageEvent } from '../../domain/fold.ts';
import type { Queues } from '../../operations/dependencies.ts';
import { usageEvent } from '../decode.ts';

const maxBatchSize = 1_000;

const lateCharges = (refused: readonly UsageEvent[]) =>
  new AppError('internal', 'The service could not answer; nothing was billed.', {
    internal: `${refused.length} charges came after the close of their lease, first ${refused[0]?.chargeId}`,
  });

export const recordUsageHandler =
  (queues: Queues): Handlers<typeof MeteringServiceService>['recordUsage'] =>
  async ({ events }, context) => {
    if (events.length > maxBatchSize) throw invalidField('events', `at most ${maxBatchSize}`);
    const decoded = events.map(usageEvent);
    const recorded = await Promise.all(decoded.map((event) => queues.usageEvents.submit(event, context.deadline)));
    const refused = decoded.filter(({ kind }, n) => kind === 'count' && recorded[n]?.isRefused);
    // The gateway must not send the billed response. Reserve never refuses a charge here: its reservation holds the units.
    if (refused.length > 0) throw lateCharges(refused);
    return {};
  };
