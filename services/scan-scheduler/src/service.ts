import { startPeriodicLoop } from '@shopscope/async';
import { dayMs } from '@shopscope/clock';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import { serveGrpc } from '@shopscope/grpc';
import { createPermitSigner } from '@shopscope/ids';
import { consumeEventually, createKafka, createProducer, startEventually, topicProgress } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, prepareCollections } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import {
  keyChanged,
  observationCompleted,
  profileUpdated,
  ScanSchedulerServiceService,
  scanRequested,
  topicsOf,
} from '@shopscope/proto';
import { pacingLimits, permitSigningKey, refreshPolicy, type ScanSchedulerConfig, visitIntervalMs } from './config.ts';
import { createDependencies } from './create-dependencies.ts';
import { scanSchedulerAccess } from './inbound/grpc/access.ts';
import { scanSchedulerHandlers } from './inbound/grpc/handlers.ts';
import { profileUpdatedSubscription, testProfileUpdatedSubscription } from './inbound/kafka/profile-updated.ts';
import { scanRequestedSubscriptions } from './inbound/kafka/scan-requested.ts';
import { workspaceDeletedSubscription } from './inbound/kafka/workspace-deleted.ts';
import { tick, tickTest } from './inbound/timer/tick.ts';
import { createMetrics } from './metrics.ts';
import { migration } from './migration.ts';
import { leaseScan, undoLease } from './operations/lease-scan.ts';
import { createLeaseWaitQueue } from './operations/lease-wait-queue.ts';
import { createMergeBackpressure } from './operations/merge-backpressure.ts';
import { simulateScans } from './operations/simulate-scans.ts';
import { collections } from './outbound/mongo/stores.ts';

/** The consumer group of all instances, for all topics. */
const groupId = 'scan-scheduler';
/** The group in which profiles reads observations.v1. deploy/access allows this service to read its progress. */
const profilesGroupId = 'profiles';
const lagIntervalMs = 5_000;
/** A simulated scan takes two steps, so it takes up to half a second longer than the duration of its domain. */
const simulationIntervalMs = 250;

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startScanScheduler = (
  config: ScanSchedulerConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> =>
  startService({ name: 'scan-scheduler', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'scan-scheduler', logger, registry });
    resources.onStop('mongodb', mongo.close);
    parts.addCheck('mongodb', () => mongo.available);
    await prepareCollections(mongo.db, collections, config);

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);
    const topicKeeper = await startEventually({
      kafka,
      // This service only watches the offsets of observations.v1.
      topics: migration.topics.filter(({ topic }) => topic !== observationCompleted.topic),
      clock,
    });
    resources.onStop('topics', topicKeeper.stop);
    const outbox = createOutbox(mongo.db);
    const { INSTANCE_ID: instanceId } = config;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);

    const progressOf = (group: string, { topic }: { topic: string }) => topicProgress(kafka, group, topic);
    const every = createDependencies({
      mongo,
      outbox,
      clock,
      logger,
      metrics: createMetrics(registry),
      policy: {
        leaseMs: config.LEASE_MS,
        mergeWaitMs: config.MERGE_WAIT_MS,
        claimWaitMs: config.CLAIM_WAIT_MS,
        visitIntervalMs: visitIntervalMs(config),
        retryBackoffMs: config.RETRY_BACKOFF_MS,
        interruptionGraceMs: config.INTERRUPTION_GRACE_MS,
        jobTimeLimitMs: config.JOB_TIME_LIMIT_MS,
        pacing: pacingLimits(config),
        refresh: refreshPolicy(config),
      },
      retention: { retentionMs: config.JOB_RETENTION_DAYS * dayMs },
      progress: {
        scanRequests: {
          live: progressOf(groupId, scanRequested.live),
          test: progressOf(groupId, scanRequested.test),
        },
        profileUpdates: progressOf(groupId, profileUpdated.live),
        observations: progressOf(profilesGroupId, observationCompleted),
      },
      signPermit: createPermitSigner('scan-scheduler', permitSigningKey(config)),
      workArrived: () => leaseQueue.wake(),
    });
    const { live } = every;
    const backpressure = createMergeBackpressure({
      observations: live.progress.observations,
      clock,
      metrics: live.metrics,
      maxLag: config.MERGE_LAG_MAX,
    });
    const leaseQueue = createLeaseWaitQueue({
      clock,
      pollMs: config.LEASE_POLL_MS,
      lease: (scannerId) => backpressure.pace(() => leaseScan(live, scannerId)),
      undoLease: (lease) => undoLease(live, lease),
    });

    const grpcAddress = await serveGrpc(config, parts, {
      definition: ScanSchedulerServiceService,
      handlers: scanSchedulerHandlers(every, leaseQueue),
      access: scanSchedulerAccess,
    });
    resources.onStop('lease wait queue', leaseQueue.close);
    // The service is ready even without Kafka.
    parts.markReady();

    const consumer = await consumeEventually(kafka, {
      groupId,
      subscriptions: [
        ...scanRequestedSubscriptions(every),
        profileUpdatedSubscription(every.live),
        testProfileUpdatedSubscription(every.test),
        workspaceDeletedSubscription(every.test),
      ],
      topics: topicsOf(scanRequested.live, scanRequested.test, profileUpdated.live, profileUpdated.test, keyChanged),
      producer,
      onFatal,
      clock,
      maxEventsPerBatch: 200,
    });
    resources.onStop('consumer', consumer.stop);
    // This runs outside the tick, because a broker that does not respond would delay its steps.
    const lagMeasurement = startPeriodicLoop({
      intervalMs: lagIntervalMs,
      run: backpressure.measure,
      onError: (error) => logger.debug({ err: error }, 'the lag of profiles could not be measured'),
      clock,
    });
    resources.onStop('lag measurement', lagMeasurement.stop);
    const ticker = startPeriodicLoop({
      intervalMs: config.TICK_MS,
      immediate: true,
      async run() {
        await tick(live);
        await tickTest(every.test);
      },
      onError: (error) => logger.error({ err: error }, 'a tick failed; the next one tries again'),
      clock,
    });
    resources.onStop('ticker', ticker.stop);
    const simulator = startPeriodicLoop({
      intervalMs: simulationIntervalMs,
      run: () => simulateScans(every.test),
      onError: (error) => logger.error({ err: error }, 'a run of simulated scans failed; the next one tries again'),
      clock,
    });
    resources.onStop('simulator', simulator.stop);
    return {
      grpcAddress,
      async pending() {
        const counts = await Promise.all([live.jobs.countLive(), every.test.jobs.countLive()]);
        const [lag, unpublished] = await Promise.all([consumer.lag(), outbox.pending()]);
        return counts.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, lag + unpublished);
      },
    };
  });
