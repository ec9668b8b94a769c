import { createDeadline } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { originFields } from '@shopscope/telemetry';
import type { Dependencies } from '../../operations/dependencies.ts';
import { inCurrentGeneration } from '../../operations/generations.ts';
import { recordUsage } from '../../operations/record-usage.ts';
import { usageEvent } from '../decode.ts';
import { requireEnvironment } from './require-environment.ts';

export const usageGroup = 'metering';

/** MongoDB ends a transaction after 60 s. A batch takes a fraction of a second. */
const timeoutMs = 20_000;

/** Consumes usage.v1 of one environment, with one transaction per batch of a partition. The offset is committed after the transaction. */
export const usageRecordedSubscription = (deps: Dependencies): Subscription<UsageRecorded> => ({
  type: usageRecorded[deps.environment],
  async handle(received) {
    const deadline = createDeadline(timeoutMs, { clock: deps.clock });
    const events = received.map((each) => {
      requireEnvironment(deps, each);
      return usageEvent(each.event);
    });
    await recordUsage(deps, await inCurrentGeneration(deps, events, deadline), deadline);
    if (deps.logger.isLevelEnabled('debug')) {
      for (const { event, meta } of received) {
        deps.logger.debug(
          { ...originFields(meta), chargeId: event.chargeId, attempt: event.attempt },
          'usage recorded',
        );
      }
    }
  },
});
