import { createDeadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { type UsageRecorded, usageRecorded } from '@shopscope/proto';
import type { UsageSignal } from '../../domain/fold.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { recordUsage } from '../../operations/record-usage.ts';
import { usageSignal } from '../decode.ts';

export const usageGroup = 'metering';

/** A transaction's own limit in MongoDB is 60 s; a batch takes a fraction of a second. */
const timeoutMs = 20_000;

/** usage.v1: a partition's batch becomes one transaction; the offset moves after its commit. */
export const usageRecordedSubscription = (deps: Dependencies): Subscription<UsageRecorded> => ({
  type: usageRecorded,
  async handle(received: Received<UsageRecorded>[]) {
    await recordUsage(deps, received.map(decode), createDeadline(timeoutMs, { clock: deps.clock }));
    if (deps.logger.isLevelEnabled('debug')) {
      for (const { event, meta } of received) {
        deps.logger.debug({ ...meta, chargeId: event.chargeId, attempt: event.attempt }, 'usage recorded');
      }
    }
  },
});

function decode({ event }: Received<UsageRecorded>): UsageSignal {
  try {
    return usageSignal(event);
  } catch (error) {
    if (error instanceof AppError) throw new PoisonError(error.publicMessage, { cause: error });
    throw error;
  }
}
