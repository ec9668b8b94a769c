import { createDeadline } from '@shopscope/async';
import { inEnvironment } from '@shopscope/environment';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { type ScanJobEnded, ScanJobEndState, scanJobEnded } from '@shopscope/proto';
import { scanEvent } from '../../domain/event.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { type JobEnd, recordRescanEnds } from '../../operations/rescans/record-rescan-ends.ts';
import { appendFacts, type Fact, tenantOf } from './append-facts.ts';

const timeoutMs = 10_000;

/** Consumes scan-jobs.v1: a job has succeeded or failed. It may have been a rescan of watched stores. Failed scans count to their rest. */
export const scanJobEndedSubscription = (every: EveryEnvironment): Subscription<ScanJobEnded> => ({
  type: scanJobEnded.live,
  async handle(batch) {
    const facts = batch.map(factOf);
    const deadline = createDeadline(timeoutMs, { clock: every.live.clock });
    const byWorkspace = Map.groupBy(
      facts,
      ({ received, workspaceId }) => `${received.meta.environment} ${workspaceId}`,
    );
    for (const [first, ...more] of byWorkspace.values()) {
      if (!first) continue;
      const ends = [first, ...more].map(({ received: { event } }) => endOf(event));
      await inEnvironment(every, tenantOf(first), (deps, tenant) => recordRescanEnds(deps, tenant, ends, deadline));
    }
    await appendFacts(every, facts);
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
  return { received, workspaceId, eventOf: (tenant) => scanEvent(tenant, { ...end, error }) };
}
