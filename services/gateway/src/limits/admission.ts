import type { Caller } from '../keys/caller.ts';
import type { AdmissionDecision } from './decision.ts';
import type { LocalLimits } from './local-limits.ts';
import type { RedisLimits } from './redis-limits.ts';

/**
 * Decides whether a key may make a request now.
 *
 * - Redis is available -> Redis decides for all gateways together.
 * - Redis is unavailable -> each gateway admits its share of the limits, minus the requests that Redis admitted for it in this
 *   minute. No request fails because Redis is unavailable.
 * - Redis has refused the key because of its rate -> this gateway refuses further requests of the minute.
 */
export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(options: {
  shared: Pick<RedisLimits, 'admit'>;
  local: LocalLimits;
  onDecision?: (caller: Caller, outcome: AdmissionDecision['outcome'], by: 'redis' | 'local' | 'memory') => void;
}) {
  const { shared, local, onDecision = () => {} } = options;

  /** The number of requests whose decision is awaited, by key. */
  const undecided = new Map<string, number>();
  const countUndecided = (keyId: string, change: 1 | -1) => {
    const count = (undecided.get(keyId) ?? 0) + change;
    if (count === 0) undecided.delete(keyId);
    else undecided.set(keyId, count);
  };

  /** Also counts the request in the local window, in case Redis becomes unavailable. */
  const countedLocally = ({ keyId, plan }: Caller, decision: AdmissionDecision): AdmissionDecision => {
    const releaseLocal = local.record(keyId, plan, decision);
    if (decision.outcome !== 'admitted') return decision;
    const release = () => {
      releaseLocal();
      decision.release();
    };
    return { ...decision, release };
  };

  return {
    async decide(caller: Caller): Promise<AdmissionDecision> {
      const { keyId, plan } = caller;
      const refusal = local.refusalOf(keyId, plan);
      if (refusal) {
        onDecision(caller, refusal.outcome, 'memory');
        return refusal;
      }
      let decision: AdmissionDecision;
      countUndecided(keyId, 1);
      try {
        decision = await shared.admit(keyId, plan);
      } catch {
        const localDecision = await local.admit(keyId, plan);
        onDecision(caller, localDecision.outcome, 'local');
        return localDecision;
      } finally {
        countUndecided(keyId, -1);
      }
      onDecision(caller, decision.outcome, 'redis');
      return countedLocally(caller, decision);
    },
    /**
     * Whether a request whose decision is awaited will be admitted as far as this gateway knows. Work for it may then begin before the
     * decision. Other requests of the key whose decision is awaited count as admitted.
     */
    isFarFromLimits: ({ keyId, plan }: Caller): boolean =>
      local.isFarFromLimits(keyId, plan, (undecided.get(keyId) ?? 1) - 1),

    /** The seconds for which all requests of the key will be refused because its rate is spent. 0 if it is not known to be spent. */
    spentSeconds: ({ keyId, plan }: Caller): number => local.refusalOf(keyId, plan)?.resetSeconds ?? 0,
  };
}
