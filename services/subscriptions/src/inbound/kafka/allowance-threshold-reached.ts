import type { Subscription } from '@shopscope/kafka';
import { type AllowanceThresholdReached, allowanceThresholdReached } from '@shopscope/proto';
import { thresholdEvent } from '../../domain/event.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { appendFacts } from './append-facts.ts';

/** Consumes allowance-events.v1: a percentage of an allowance is used. */
export const thresholdReachedSubscription = (every: EveryEnvironment): Subscription<AllowanceThresholdReached> => ({
  type: allowanceThresholdReached.live,
  handle: (batch) =>
    appendFacts(
      every,
      batch.map((received) => ({
        received,
        workspaceId: received.event.workspaceId,
        eventOf: (tenant) => thresholdEvent(tenant, received.event),
      })),
    ),
});
