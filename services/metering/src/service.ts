import { createDeadline, createKeyedBatcher, startPeriodicLoop } from '@shopscope/async';
import { type Clock, dayMs, MovableClock, systemClock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, mongoOptions } from '@shopscope/config';
import { AppError } from '@shopscope/errors';
import { createGrpcServer, openGrpcSecurity } from '@shopscope/grpc';
import { caughtUp, createKafka, createProducer, type TopicProgress, topicProgress } from '@shopscope/kafka';
import { type RunningService, startShell } from '@shopscope/lifecycle';
import { connectMongo, createTransact, ensureIndexes, type Mongo } from '@shopscope/mongo';
import { MeteringServiceService, topics, usageRecorded } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import type { MeteringConfig } from './config.ts';
import type { QueuedReserveItem } from './domain/charge.ts';
import type { UsageEvent } from './domain/fold.ts';
import { attemptKey } from './domain/ledger-entry.ts';
import type { NeedsCatchUp, Reserved } from './domain/reserved.ts';
import { meteringAccess } from './inbound/grpc/access.ts';
import { meteringHandlers } from './inbound/grpc/handlers.ts';
import { developmentClockRoute } from './inbound/http/development-clock.ts';
import { startRefundConsumer } from './inbound/kafka/consume-refunds.ts';
import { startUsageConsumer } from './inbound/kafka/consume-usage.ts';
import { usageGroup } from './inbound/kafka/usage-recorded.ts';
import { createMetrics, type MeteringMetrics } from './metrics.ts';
import { createLeaseCloser } from './operations/close-leases.ts';
import type { Dependencies, Queues } from './operations/dependencies.ts';
import { createReconciler } from './operations/reconcile.ts';
import { recordUsage } from './operations/record-usage.ts';
import { reserve } from './operations/reserve.ts';
import { settleDueRefunds } from './operations/settle-refunds.ts';
import { createSweeper } from './operations/sweep.ts';
import { allowanceIndexes, createAllowanceStore } from './outbound/mongo/allowances.ts';
import { chargeIndexes, createChargeStore } from './outbound/mongo/charges.ts';
import { createCheckpointStore } from './outbound/mongo/checkpoints.ts';
import { createLeaseCountStore, leaseCountIndexes } from './outbound/mongo/lease-counts.ts';
import { createLeaseStore, leaseIndexes } from './outbound/mongo/leases.ts';
import { createLedgerStore, ledgerIndexes } from './outbound/mongo/ledger.ts';
import { createRefundStore, refundIndexes } from './outbound/mongo/refunds.ts';
import { createUsageCounterStore, usageCounterIndexes } from './outbound/mongo/usage-counters.ts';

export interface MeteringOverrides {
  logger?: Logger;
  clock?: Clock;
  processMetrics?: boolean;
  onFatal?(error: unknown): void;
}

/** The composition root: each resource registers its cleanup; `stop` runs the cleanups in reverse order. */
export async function startMetering(
  config: MeteringConfig,
  overrides: MeteringOverrides = {},
): Promise<RunningService> {
  const shell = await startShell({ name: 'metering', config, ...overrides });
  const { logger, registry, resources } = shell;
  const source = overrides.clock ?? systemClock;
  const movable = config.DEVELOPMENT_CLOCK ? new MovableClock(source) : undefined;
  if (movable) shell.addLocalRoute(developmentClockRoute(movable, logger));
  const clock = movable ?? source;
  const onFatal =
    overrides.onFatal ?? ((error) => logger.fatal({ err: error }, 'a part of the service failed permanently'));
  try {
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'metering', logger, registry });
    resources.onStop('mongodb', mongo.close);
    shell.addCheck('mongodb', () => mongo.available);
    await ensureMeteringIndexes(mongo);
    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const positions = topicProgress(kafka, usageGroup, usageRecorded.topic);
    const deps = createDependencies({
      mongo,
      clock,
      logger,
      metrics: createMetrics(registry),
      reservationTtlMs: config.RESERVATION_TTL_MS,
      positions,
    });

    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);
    const queues = createQueues(deps);
    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const server = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
    server.addService(MeteringServiceService, meteringHandlers(deps, queues), meteringAccess);
    const grpcAddress = await server.listen();
    resources.onStop('grpc server', () => server.stop());
    // Reserve works from here on. The consumer may have to wait for Kafka, or for the session of a dead member to expire.
    shell.markReady();

    const consumer = await startUsageConsumer({ kafka, producer, deps, clock, onFatal });
    resources.onStop('usage consumer', consumer.stop);
    const refundConsumer = await startRefundConsumer({ kafka, producer, deps, clock, onFatal });
    resources.onStop('refund consumer', refundConsumer.stop);

    const failed = (timer: string) => (error: unknown) =>
      logger.error({ err: error, timer }, 'a timed run failed; the next one tries again');
    const sweeper = createSweeper(deps, positions);
    const sweeps = startPeriodicLoop({
      intervalMs: config.SWEEP_INTERVAL_MS,
      run: sweeper.tick,
      onError: failed('sweep'),
      clock,
    });
    resources.onStop('sweeper', sweeps.stop);
    const leaseCloses = startPeriodicLoop({
      intervalMs: config.SWEEP_INTERVAL_MS,
      run: createLeaseCloser(deps, positions).tick,
      onError: failed('close leases'),
      clock,
    });
    resources.onStop('lease closer', leaseCloses.stop);
    const refunds = startPeriodicLoop({
      intervalMs: config.SWEEP_INTERVAL_MS,
      run: () => settleDueRefunds(deps),
      onError: failed('settle refunds'),
      clock,
    });
    resources.onStop('refunds', refunds.stop);
    const reconciliations = startPeriodicLoop({
      intervalMs: config.RECONCILE_INTERVAL_MS,
      run: createReconciler(deps).tick,
      onError: failed('reconcile'),
      clock,
    });
    resources.onStop('reconciler', reconciliations.stop);

    resources.onStop('readiness', shell.drain);

    return {
      name: 'metering',
      grpcAddress,
      adminUrl: shell.adminUrl,
      pending: async () =>
        (await consumer.lag()) + (await refundConsumer.lag()) + queues.reservations.size + queues.usageEvents.size,
      stop: resources.stop,
    };
  } catch (error) {
    await resources.stop();
    throw error;
  }
}

export function ensureMeteringIndexes(mongo: Pick<Mongo, 'db'>): Promise<void> {
  return ensureIndexes(mongo.db, {
    charges: chargeIndexes,
    ledger: ledgerIndexes,
    usage_counters: usageCounterIndexes,
    allowances: [...allowanceIndexes, ...leaseIndexes],
    lease_counts: leaseCountIndexes,
    checkpoints: [],
    refunds: refundIndexes,
  });
}
/** A charge outlives all copies of its events: twice the topic's retention covers consumer lag and replays. */
const usageRetentionMs = topics.find(({ topic }) => topic === usageRecorded.topic)?.retentionMs ?? 14 * dayMs;
const chargeRetentionMs = 2 * usageRetentionMs + 2 * dayMs;

const catchUpTimeoutMs = 5_000;
const notCaughtUp = () =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: 'the ledger did not catch up with usage.v1 in time',
  });

export function createDependencies(options: {
  mongo: Mongo;
  clock: Clock;
  logger: Logger;
  metrics: MeteringMetrics;
  reservationTtlMs: number;
  positions: TopicProgress;
}): Dependencies {
  const { mongo, positions, ...rest } = options;
  // All items wait for the same catch-up: calls that arrive while one is running share the next one.
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
    killAbandonedTransactions: mongo.killAbandonedTransactions,
    transact: createTransact(mongo),
    caughtUp: (deadline) => catchUps.submit(undefined, deadline),
  };
}

/** One queue per workspace: its batches run one after the other. */
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
