import { createDeadline, createKeyedBatcher, startPeriodicLoop } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import { AppError } from '@shopscope/errors';
import { serveGrpc } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import {
  caughtUp,
  consumeEventually,
  createKafka,
  createProducer,
  startEventually,
  type TopicProgress,
  topicProgress,
} from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, createTransact, type Mongo, prepareCollections } from '@shopscope/mongo';
import { createOutbox, type Outbox, startOutboxRelay } from '@shopscope/outbox';
import {
  allowanceThresholdReached,
  chargeRetentionMs,
  MeteringServiceService,
  refundRequested,
  topicsOf,
  usageRecorded,
} from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import type { MeteringConfig } from './config.ts';
import type { QueuedReserveItem } from './domain/charge.ts';
import type { UsageEvent } from './domain/fold.ts';
import { attemptKey } from './domain/ledger-entry.ts';
import type { NeedsCatchUp, Reserved } from './domain/reserved.ts';
import { meteringAccess } from './inbound/grpc/access.ts';
import { meteringHandlers } from './inbound/grpc/handlers.ts';
import { refundGroup, refundRequestedSubscription } from './inbound/kafka/refund-requested.ts';
import { usageGroup, usageRecordedSubscription } from './inbound/kafka/usage-recorded.ts';
import { createMetrics, type MeteringMetrics } from './metrics.ts';
import { createLeaseCloser } from './operations/close-leases.ts';
import type { Dependencies, Queues } from './operations/dependencies.ts';
import { createReconciler } from './operations/reconcile.ts';
import { recordUsage } from './operations/record-usage.ts';
import { reserve } from './operations/reserve.ts';
import { settleDueRefunds } from './operations/settle-refunds.ts';
import { createSweeper } from './operations/sweep.ts';
import { allowanceThresholdReachedOf } from './outbound/events/allowance-threshold-reached.ts';
import { createAllowanceStore } from './outbound/mongo/allowances.ts';
import { createChargeStore } from './outbound/mongo/charges.ts';
import { createCheckpointStore } from './outbound/mongo/checkpoints.ts';
import { collections } from './outbound/mongo/collections.ts';
import { createLeaseCountStore } from './outbound/mongo/lease-counts.ts';
import { createLeaseStore } from './outbound/mongo/leases.ts';
import { createLedgerStore } from './outbound/mongo/ledger.ts';
import { createRefundStore } from './outbound/mongo/refunds.ts';
import { createUsageCounterStore } from './outbound/mongo/usage-counters.ts';

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startMetering = (config: MeteringConfig, overrides: ServiceOverrides = {}): Promise<RunningService> =>
  startService({ name: 'metering', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'metering', logger, registry });
    resources.onStop('mongodb', mongo.close);
    parts.addCheck('mongodb', () => mongo.available);
    await prepareCollections(mongo.db, collections, config);
    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const positions = topicProgress(kafka, usageGroup, usageRecorded.live.topic);
    const outbox = createOutbox(mongo.db);
    const deps = createDependencies({
      mongo,
      outbox,
      clock,
      logger,
      metrics: createMetrics(registry),
      reservationTtlMs: config.RESERVATION_TTL_MS,
      positions,
    });

    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);
    const topicKeeper = await startEventually({ kafka, topics: topicsOf(allowanceThresholdReached.live), clock });
    resources.onStop('topics', topicKeeper.stop);
    const { INSTANCE_ID: instanceId } = config;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);
    const queues = createQueues(deps);
    const grpcAddress = await serveGrpc(config, parts, {
      definition: MeteringServiceService,
      handlers: meteringHandlers(deps, queues),
      access: meteringAccess,
    });
    // Reserve works from here on. The consumer may have to wait for Kafka, or until the session of a dead member expires.
    parts.markReady();

    const consumer = await consumeEventually(kafka, {
      groupId: usageGroup,
      subscriptions: [usageRecordedSubscription(deps)],
      topics: topicsOf(usageRecorded.live),
      producer,
      onFatal,
      clock,
      // Larger batches need fewer transactions. Usage may therefore be shown some seconds late.
      gatherMs: 4_000,
    });
    resources.onStop('usage consumer', consumer.stop);
    const refundConsumer = await consumeEventually(kafka, {
      groupId: refundGroup,
      subscriptions: [refundRequestedSubscription(deps)],
      topics: topicsOf(refundRequested.live),
      producer,
      onFatal,
      clock,
    });
    resources.onStop('refund consumer', refundConsumer.stop);

    const repeat = (timer: string, intervalMs: number, run: (abort: AbortSignal) => Promise<unknown>) => {
      const onError = (error: unknown) =>
        logger.error({ err: error, timer }, 'a timed run failed; the next one tries again');
      const loop = startPeriodicLoop({ intervalMs, run, onError, clock });
      resources.onStop(timer, loop.stop);
    };
    repeat('sweep', config.SWEEP_INTERVAL_MS, createSweeper(deps, positions).tick);
    repeat('close leases', config.SWEEP_INTERVAL_MS, createLeaseCloser(deps, positions).tick);
    repeat('settle refunds', config.SWEEP_INTERVAL_MS, () => settleDueRefunds(deps));
    repeat('reconcile', config.RECONCILE_INTERVAL_MS, createReconciler(deps).tick);

    return {
      grpcAddress,
      pending: async () =>
        (await consumer.lag()) +
        (await refundConsumer.lag()) +
        (await outbox.pending()) +
        queues.reservations.size +
        queues.usageEvents.size,
    };
  });

const catchUpTimeoutMs = 5_000;
const notCaughtUp = () =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: 'the ledger did not catch up with usage.v1 in time',
  });

export function createDependencies(options: {
  mongo: Mongo;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  metrics: MeteringMetrics;
  reservationTtlMs: number;
  positions: TopicProgress;
}): Dependencies {
  const { mongo, outbox, positions, ...rest } = options;
  // All items wait for the same catch-up. Calls that arrive while one is running share the next one.
  const catchUps = createKeyedBatcher<undefined>({
    dedupeBy: () => '',
    waitForRunningMs: Number.POSITIVE_INFINITY,
    run: async (_, deadline) => {
      const timeoutMs = Math.min(deadline.remainingMs, catchUpTimeoutMs);
      await caughtUp(positions, createDeadline(timeoutMs, { clock: options.clock, error: notCaughtUp }));
      return undefined;
    },
    clock: options.clock,
  });
  return {
    ...rest,
    charges: createChargeStore(mongo.db, chargeRetentionMs),
    ledger: createLedgerStore(mongo.db),
    counters: createUsageCounterStore(mongo.db),
    allowances: createAllowanceStore(mongo.db),
    leases: createLeaseStore(mongo.db),
    leaseCounts: createLeaseCountStore(mongo.db),
    checkpoints: createCheckpointStore(mongo.db),
    refunds: createRefundStore(mongo.db, chargeRetentionMs),
    appendThresholds: (tx, reached) => {
      // All allowances of these collections are of the live environment.
      const meta = { requestId: newId('req', options.clock.now()), traceparent: '', environment: 'live' } as const;
      const events = reached.map((each) => ({ event: allowanceThresholdReachedOf(each), meta }));
      return outbox.appendMany(tx.session, allowanceThresholdReached.live, events);
    },
    killAbandonedTransactions: mongo.killAbandonedTransactions,
    transact: createTransact(mongo),
    caughtUp: (deadline) => catchUps.submit(undefined, deadline),
  };
}

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
