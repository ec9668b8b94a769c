import { startPeriodicLoop } from '@shopscope/async';
import { type Admission, createAdmission } from '../limits/admission.ts';
import { createLocalLimits } from '../limits/local-limits.ts';
import { createRedisLimits, leaseRenewalMs } from '../limits/redis-limits.ts';
import type { Context } from './context.ts';
import type { Redises } from './open-redis.ts';

/** Starts the limits of keys. Redis shares them among all gateways. While Redis is unavailable, this gateway has limits of its own. */
export async function startLimits(
  { config, clock, resources, metrics }: Context,
  { limits: redis }: Redises,
): Promise<Admission> {
  const shared = createRedisLimits(redis, clock);
  const renewals = startPeriodicLoop({
    intervalMs: leaseRenewalMs,
    run: shared.renewLeases,
    // Redis is unavailable, and health reports it. Leases that expire meanwhile are created again afterwards.
    onError: () => {},
    clock,
  });
  resources.onStop('renewal of slots', renewals.stop);
  const local = createLocalLimits({
    now: () => clock.now() + shared.clockOffsetMs,
    monotonicMs: () => clock.monotonicMs(),
    replicas: config.REPLICAS,
  });
  // An epoch is an id by which a gateway detects that Redis lost its data.
  await shared.learnEpochs();
  return createAdmission({
    shared,
    local,
    onDecision: ({ keyEnvironment }, outcome, by) => metrics.admitted(keyEnvironment, outcome, by),
  });
}
