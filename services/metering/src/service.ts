import { startPeriodicLoop } from '@shopscope/async';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import { serveGrpc } from '@shopscope/grpc';
import { consumeEventually, createKafka, createProducer, startEventually, topicProgress } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, prepareCollections } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import { keyChanged, MeteringServiceService, refundRequested, topicsOf, usageRecorded } from '@shopscope/proto';
import { Registry } from '@shopscope/telemetry';
import type { MeteringConfig } from './config.ts';
import { createDependencies, createQueues } from './create-dependencies.ts';
import { meteringAccess } from './inbound/grpc/access.ts';
import { meteringHandlers } from './inbound/grpc/handlers.ts';
import { refundGroup, refundRequestedSubscription } from './inbound/kafka/refund-requested.ts';
import { usageGroup, usageRecordedSubscription } from './inbound/kafka/usage-recorded.ts';
import { workspaceDeletedSubscription } from './inbound/kafka/workspace-deleted.ts';
import { createMetrics } from './metrics.ts';
import { migration } from './migration.ts';
import { createLeaseCloser } from './operations/close-leases.ts';
import type { Queues } from './operations/dependencies.ts';
import { deleteEndedGenerations } from './operations/generations.ts';
import { createReconciler } from './operations/reconcile.ts';
import { settleDueRefunds } from './operations/settle-refunds.ts';
import { createSweeper } from './operations/sweep.ts';
import { collections } from './outbound/mongo/collections.ts';

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
    const positions = {
      live: topicProgress(kafka, usageGroup, usageRecorded.live.topic),
      test: topicProgress(kafka, usageGroup, usageRecorded.test.topic),
    };
    const outbox = createOutbox(mongo.db);
    const metrics = {
      live: createMetrics(registry),
      // Nobody reads these metrics: dashboards and alerts are about live usage.
      test: createMetrics(new Registry()),
    };
    const { RESERVATION_TTL_MS: reservationTtlMs } = config;
    const { live, test } = createDependencies({ mongo, outbox, clock, logger, metrics, reservationTtlMs, positions });
    const every = {
      live: { deps: live, queues: createQueues(live) },
      test: { deps: test, queues: createQueues(test) },
    };

    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);
    const topicKeeper = await startEventually({ kafka, topics: migration.topics, clock });
    resources.onStop('topics', topicKeeper.stop);
    const { INSTANCE_ID: instanceId } = config;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);
    const grpcAddress = await serveGrpc(config, parts, {
      definition: MeteringServiceService,
      handlers: meteringHandlers(every),
      access: meteringAccess,
    });
    // Reserve works from here on. The consumer may have to wait for Kafka, or until the session of a dead member expires.
    parts.markReady();

    const consumer = await consumeEventually(kafka, {
      groupId: usageGroup,
      subscriptions: [usageRecordedSubscription(live), usageRecordedSubscription(test)],
      topics: topicsOf(...Object.values(usageRecorded)),
      producer,
      onFatal,
      clock,
      // Larger batches need fewer transactions. Usage may therefore be shown some seconds late.
      gatherMs: 4_000,
    });
    resources.onStop('usage consumer', consumer.stop);
    const refundConsumer = await consumeEventually(kafka, {
      groupId: refundGroup,
      subscriptions: [
        refundRequestedSubscription(live),
        refundRequestedSubscription(test),
        workspaceDeletedSubscription(test),
      ],
      topics: topicsOf(...Object.values(refundRequested), keyChanged),
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
    const { SWEEP_INTERVAL_MS: sweepIntervalMs, RECONCILE_INTERVAL_MS: reconcileIntervalMs } = config;
    repeat('sweep', sweepIntervalMs, createSweeper(live, positions.live).tick);
    repeat('close leases', sweepIntervalMs, createLeaseCloser(live, positions.live).tick);
    repeat('settle refunds', sweepIntervalMs, () => settleDueRefunds(live));
    repeat('reconcile', reconcileIntervalMs, createReconciler(live).tick);
    // No gateway gets a lease of a test allowance, so there is none to close.
    repeat('sweep of test data', sweepIntervalMs, createSweeper(test, positions.test).tick);
    repeat('settle refunds of test data', sweepIntervalMs, () => settleDueRefunds(test));
    repeat('reconcile test data', reconcileIntervalMs, createReconciler(test).tick);
    repeat('delete test data', sweepIntervalMs, (abort) => deleteEndedGenerations(test, abort));

    return {
      grpcAddress,
      pending: async () =>
        (await consumer.lag()) +
        (await refundConsumer.lag()) +
        (await outbox.pending()) +
        waiting(every.live.queues) +
        waiting(every.test.queues),
    };
  });

const waiting = ({ reservations, usageEvents }: Queues): number => reservations.size + usageEvents.size;
