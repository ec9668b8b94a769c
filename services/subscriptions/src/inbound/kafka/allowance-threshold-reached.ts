import type { Environment } from '@shopscope/environment';
import type { Subscription } from '@shopscope/kafka';
import { type AllowanceThresholdReached, allowanceThresholdReached } from '@shopscope/proto';
import { thresholdEvent } from '../../domain/event.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { appendFacts } from './append-facts.ts';

/** Consumes allowance-events.v1 of one environment: a percentage of an allowance is used. */
export const thresholdReachedSubscription = <E extends Environment>(
  deps: Dependencies<E>,
): Subscription<AllowanceThresholdReached> => ({
  type: allowanceThresholdReached[deps.environment],
  handle: (batch) =>
    appendFacts(
      deps,
      batch.map((received) => ({
        received,
        workspaceId: received.event.workspaceId,
        happenedAtMs: received.event.atMs,
        eventOf: (tenant) => thresholdEvent(tenant, received.event),
      })),
    ),
});
