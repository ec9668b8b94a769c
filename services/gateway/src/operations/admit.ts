import type { Decision } from '../domain/admission.ts';
import type { Caller } from '../domain/caller.ts';
import type { LimitStore } from '../outbound/redis/limits.ts';

/**
 * Whether a key may make this request now. Redis decides for all gateways together; without it each decides its share.
 * Limiting itself never fails a request.
 */
export type Admit = (caller: Caller) => Promise<Decision>;

export function createAdmit(options: {
  shared: LimitStore;
  local: LimitStore;
  onDecision?: (outcome: Decision['outcome'], by: 'redis' | 'local') => void;
}): Admit {
  const { shared, local, onDecision = () => {} } = options;
  return async ({ keyId, plan }) => {
    try {
      const decision = await shared.admit(keyId, plan);
      onDecision(decision.outcome, 'redis');
      return decision;
    } catch {
      const decision = await local.admit(keyId, plan);
      onDecision(decision.outcome, 'local');
      return decision;
    }
  };
}
