import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { type ScanJobEnded, ScanJobEndState, scanJobEnded } from '@shopscope/proto';
import { scanEvent } from '../../domain/event.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { appendFacts, type Fact } from './append-facts.ts';

/** Consumes scan-jobs.v1: a job has succeeded or failed. */
export const scanJobEndedSubscription = (every: EveryEnvironment): Subscription<ScanJobEnded> => ({
  type: scanJobEnded,
  handle: (batch) => appendFacts(every, batch.map(factOf)),
});

function factOf(received: Received<ScanJobEnded>): Fact {
  const { workspaceId, state, errorCode: code, errorMessage: message, ...end } = received.event;
  if (state !== ScanJobEndState.SUCCEEDED && state !== ScanJobEndState.FAILED) {
    throw new PoisonError(`unknown state of a job: ${state}`);
  }
  const error = state === ScanJobEndState.FAILED ? { code, message } : null;
  return { received, workspaceId, eventOf: (tenant) => scanEvent(tenant, { ...end, error }) };
}
