import { decidePermit, type ObservationRecord, refusalReason } from '../domain/observation-permit.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * The reason for which an observation is not merged; undefined when it may be merged. Counts each decision, again for a
 * record that is delivered again.
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
