import type { AdmissionDecision } from '../domain/admission.ts';
import type { Caller } from '../domain/caller.ts';
import type { LocalLimits } from '../outbound/memory/local-limits.ts';
import type { Limiter } from '../outbound/redis/limits.ts';

/**
 * Whether a key may make this request now. Redis decides for all gateways together; without it each decides its share,
 * less what Redis admitted here in the same minute. Limiting itself never fails a request.
 */
export type Admit = (caller: Caller) => Promise<AdmissionDecision>;

export function createAdmit(options: {
  shared: Limiter;
  local: LocalLimits;
  onDecision?: (outcome: AdmissionDecision['outcome'], by: 'redis' | 'local') => void;
}): Admit {
  const { shared, local, onDecision = () => {} } = options;

  const noted = (keyId: string, decision: AdmissionDecision): AdmissionDecision => {
    if (decision.outcome !== 'admitted') return decision;
    const end = local.recordAdmitted(keyId);
    const release = () => {
      end();
      decision.release();
    };
    return { ...decision, release };
  };

  return async ({ keyId, plan }) => {
    let decision: AdmissionDecision;
    try {
      decision = await shared.admit(keyId, plan);
    } catch {
      const alone = await local.admit(keyId, plan);
      onDecision(alone.outcome, 'local');
      return alone;
    }
    onDecision(decision.outcome, 'redis');
    return noted(keyId, decision);
  };
}
