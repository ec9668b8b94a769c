import { createDeadline } from '@shopscope/async';
import type { Subscription } from '@shopscope/kafka';
import { type UsageRecorded, usageRecorded } from '@shopscope/proto';
import { originFields } from '@shopscope/telemetry';
import type { Dependencies } from '../../operations/dependencies.ts';
import { recordUsage } from '../../operations/record-usage.ts';
import { usageEvent } from '../decode.ts';

export const usageGroup = 'metering';

/** MongoDB ends a transaction after 60 s. A batch takes a fraction of a second. */
const timeoutMs = 20_000;

/** Consumes usage.v1, with one transaction per batch of a partition. The offset is committed after the transaction. */
export const usageRecordedSubscription = (deps: Dependencies): Subscription<UsageRecorded> => ({
  type: usageRecorded.live,
  async handle(received) {
    await recordUsage(
      deps,
      received.map(({ event }) => usageEvent(event)),
      createDeadline(timeoutMs, { clock: deps.clock }),
    );
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
