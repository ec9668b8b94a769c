import type { Clock } from '@shopscope/clock';
import { createCursorSigner } from '../domain/cursor.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { Peers } from '../outbound/grpc/create-peers.ts';
import type { EventPublisher } from '../outbound/kafka/events.ts';
import { createBalances } from '../outbound/memory/balances.ts';
import { createFailedAttempts } from '../outbound/memory/failed-attempts.ts';
import { createLocalLimits } from '../outbound/memory/local-limits.ts';
import { createIdempotencyStore } from '../outbound/redis/idempotency.ts';
import { createRedisLimits } from '../outbound/redis/limits.ts';
import type { RedisCircuitBreaker } from '../outbound/redis/redis-circuit-breaker.ts';
import { createAdmit } from './admit.ts';
import { createAuthenticateKey } from './authenticate-key.ts';
import { createChargeUnits } from './charge-units.ts';
import { createDescribeAccount } from './describe-account.ts';
import { createEnrichStores } from './enrich-stores.ts';
import { createListTechnologies } from './list-technologies.ts';
import { createLookUpStore } from './look-up-store.ts';
import { createReportUsage } from './report-usage.ts';
import { createRequestScans } from './request-scans.ts';
import { createRunOnce } from './run-once.ts';

/** Every operation, wired to what it calls. */
export interface OperationsOptions {
  peers: Peers;
  redis: RedisCircuitBreaker;
  events: EventPublisher;
  clock: Clock;
  metrics: GatewayMetrics;
  settings: {
    CURSOR_SECRET: string;
    REPLICAS: number;
    AUTH_FAILURES_PER_MINUTE: number;
    KEY_CACHE_MAX: number;
    IDEMPOTENCY_MAX_BYTES: number;
  };
}

export type Operations = ReturnType<typeof createOperations>;

export function createOperations({ peers, redis, events, clock, metrics, settings }: OperationsOptions) {
  const { keys, profiles, metering, scans } = peers;
  const sharedLimits = createRedisLimits(redis, clock);
  const balances = createBalances({ metering, clock });
  const chargeUnits = createChargeUnits({ metering, events, balances, clock, onOutcome: metrics.charge });
  const requestScans = createRequestScans({ scans, events, clock });
  const maxBytes = settings.IDEMPOTENCY_MAX_BYTES;
  return {
    /** Best effort: without Redis there is nothing to learn. */
    beginLimits: () => sharedLimits.begin().catch(() => {}),
    balances,
    authenticateKey: createAuthenticateKey({
      keys,
      clock,
      failedAttempts: createFailedAttempts({ clock, maxPerMinute: settings.AUTH_FAILURES_PER_MINUTE }),
      onLookup: metrics.keyLookup,
      maxKeys: settings.KEY_CACHE_MAX,
    }),
    admit: createAdmit({
      shared: sharedLimits,
      local: createLocalLimits({ now: () => clock.now() + sharedLimits.aheadMs, replicas: settings.REPLICAS }),
      onDecision: metrics.admitted,
    }),
    runOnce: createRunOnce({ store: createIdempotencyStore(redis, { maxBytes }), clock, onOutcome: metrics.once }),
    lookUpStore: createLookUpStore({ profiles, chargeUnits }),
    enrichStores: createEnrichStores({ profiles, requestScans, chargeUnits, clock }),
    describeAccount: createDescribeAccount({ metering, balances }),
    reportUsage: createReportUsage({ metering, keys }),
    listTechnologies: createListTechnologies({ profiles, cursors: createCursorSigner(settings.CURSOR_SECRET) }),
  };
}
