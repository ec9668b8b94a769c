import { createDeadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { type ScanJobEnded, ScanJobEndState, scanJobEnded } from '@shopscope/proto';
import { scanEvent } from '../../domain/event.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { type JobEnd, recordRescanEnds } from '../../operations/rescans/record-rescan-ends.ts';
import { appendFacts, type Fact, tenantOf } from './append-facts.ts';

const timeoutMs = 10_000;

/**
 * Consumes scan-jobs.v1 of one environment: a job has succeeded or failed. It may have been a rescan of watched stores. Failed scans count to
 * their rest.
 */
export const scanJobEndedSubscription = <E extends Environment>(deps: Dependencies<E>): Subscription<ScanJobEnded> => ({
  type: scanJobEnded[deps.environment],
  async handle(batch) {
    const facts = batch.map(factOf);
    const deadline = createDeadline(timeoutMs, { clock: deps.clock });
    const byWorkspace = Map.groupBy(facts, ({ workspaceId }) => workspaceId);
    for (const [first, ...more] of byWorkspace.values()) {
      if (!first) continue;
      const ends = [first, ...more].map(({ received: { event } }) => endOf(event));
      await recordRescanEnds(deps, tenantOf(deps.environment, first), ends, deadline);
    }
    await appendFacts(deps, facts);
  },
});

function endOf({ jobId, state, domain, scanId, errorCode: code, endedAtMs }: ScanJobEnded): JobEnd {
  const failure = { domain, scanId, code, endedAt: new Date(endedAtMs) };
  return { jobId, failure: state === ScanJobEndState.FAILED ? failure : null };
}

function factOf(received: Received<ScanJobEnded>): Fact & { received: Received<ScanJobEnded> } {
  const { workspaceId, state, errorCode: code, errorMessage: message, ...end } = received.event;
  if (state !== ScanJobEndState.SUCCEEDED && state !== ScanJobEndState.FAILED) {
    throw new PoisonError(`unknown state of a job: ${state}`);
  }
  const error = state === ScanJobEndState.FAILED ? { code, message } : null;
  return {
    received,
    workspaceId,
    happenedAtMs: end.endedAtMs,
    eventOf: (tenant) => scanEvent(tenant, { ...end, error }),
  };
}
