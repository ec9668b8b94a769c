import { decidePermit, type ObservationRecord, refusalReason } from '../domain/observation-permit.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Returns the reason why an observation must not be merged, or undefined if it may be merged. Counts each decision. A
 * record that is delivered again is counted again.
 */
export async function refuseObservation(
  { verifyPermit, metrics }: Pick<Dependencies, 'verifyPermit' | 'metrics'>,
  record: ObservationRecord,
): Promise<string | undefined> {
  const decision = await decidePermit(verifyPermit, record);
  if ('by' in decision) {
    metrics.permitted.inc({ by: decision.by });
    return undefined;
  }
  metrics.refused.inc({ reason: decision.refusal });
  return refusalReason(decision.refusal);
}
