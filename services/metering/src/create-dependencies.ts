import { createDeadline, createKeyedBatcher } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { caughtUp, type TopicProgress } from '@shopscope/kafka';
import { createTestTransact, createTransact, type Mongo } from '@shopscope/mongo';
import type { Outbox } from '@shopscope/outbox';
import { allowanceThresholdReached } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import type { QueuedReserveItem } from './domain/charge.ts';
import type { UsageEvent } from './domain/fold.ts';
import { attemptKey } from './domain/ledger-entry.ts';
import type { NeedsCatchUp, Reserved } from './domain/reserved.ts';
import type { MeteringMetrics } from './metrics.ts';
import type { Dependencies, LiveDependencies, Queues, TestDependencies } from './operations/dependencies.ts';
import { recordUsage } from './operations/record-usage.ts';
import { reserve } from './operations/reserve.ts';
import { allowanceThresholdReachedOf } from './outbound/events/allowance-threshold-reached.ts';
import { createGenerationStore } from './outbound/mongo/generations.ts';
import { createStores } from './outbound/mongo/stores.ts';

const catchUpTimeoutMs = 5_000;
const notCaughtUp = () =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: 'the ledger did not catch up with usage.v1 in time',
  });

interface DependencyParts {
  mongo: Mongo;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  reservationTtlMs: number;
  metrics: { [E in Environment]: MeteringMetrics };
  /** The progress in usage.v1 of each environment. */
  positions: { [E in Environment]: TopicProgress };
}

/** The part of the composition root that creates what the operations of each environment use. */
export function createDependencies({ mongo, outbox, metrics, positions, ...parts }: DependencyParts): {
  live: LiveDependencies;
  test: TestDependencies;
} {
  const { clock } = parts;
  const shared = {
    ...parts,
    killAbandonedTransactions: mongo.killAbandonedTransactions,
    transact: createTransact(mongo),
  };
  const dependenciesOf = <E extends Environment>(environment: E): Dependencies & { environment: E } => {
    const catchUps = createCatchUps(positions[environment], clock);
    return {
      ...shared,
      ...createStores(mongo.db, environment),
      environment,
      metrics: metrics[environment],
      appendThresholds(tx, reached) {
        const meta = { requestId: newId('req', clock.now()), traceparent: '', environment };
        const events = reached.map((each) => ({ event: allowanceThresholdReachedOf(each), meta }));
        return outbox.appendMany(tx.session, allowanceThresholdReached[environment], events);
      },
      caughtUp: (deadline) => catchUps.submit(undefined, deadline),
    };
  };
  return {
    live: dependenciesOf('live'),
    test: {
      ...dependenciesOf('test'),
      transact: createTestTransact(mongo, shared.transact),
      generations: createGenerationStore(mongo.db),
    },
  };
}

/** All items wait for the same catch-up. Calls that arrive while one is running share the next one. */
const createCatchUps = (positions: TopicProgress, clock: Clock) =>
  createKeyedBatcher<undefined>({
    dedupeBy: () => '',
    waitForRunningMs: Number.POSITIVE_INFINITY,
    run: async (_, deadline) => {
      const timeoutMs = Math.min(deadline.remainingMs, catchUpTimeoutMs);
      await caughtUp(positions, createDeadline(timeoutMs, { clock, error: notCaughtUp }));
      return undefined;
    },
    clock,
  });

/** Each workspace has one queue, whose batches run one after the other. */
export function createQueues(deps: Dependencies): Queues {
  const { clock } = deps;
  const waitForRunningMs = Number.POSITIVE_INFINITY;
  return {
    reservations: createKeyedBatcher<QueuedReserveItem, Reserved | NeedsCatchUp>({
      keyOf: ({ workspaceId }) => workspaceId,
      exclusiveBy: ({ chargeId }) => chargeId,
      waitForRunningMs,
      run: (items, deadline) => reserve(deps, items, deadline),
      clock,
    }),
    usageEvents: createKeyedBatcher<UsageEvent, { isRefused: boolean }>({
      keyOf: ({ workspaceId }) => workspaceId,
      waitForRunningMs,
      run: async (events, deadline) => {
        const refused = await recordUsage(deps, events, deadline);
        return events.map(({ chargeId, attempt }) => ({ isRefused: refused.has(attemptKey(chargeId, attempt)) }));
      },
      clock,
    }),
  };
}
