import { startPeriodicLoop } from '@shopscope/async';
import { dayMs } from '@shopscope/clock';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import { serveGrpc } from '@shopscope/grpc';
import { createPermitSigner } from '@shopscope/ids';
import { consumeEventually, createKafka, createProducer, startEventually, topicProgress } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, createTransact, prepareCollections } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import {
  observationCompleted,
  profileUpdated,
  refundRequested,
  ScanSchedulerServiceService,
  scanJobEnded,
  scanRequested,
  topicsOf,
} from '@shopscope/proto';
import { pacingLimits, permitSigningKey, refreshPolicy, type ScanSchedulerConfig, visitIntervalMs } from './config.ts';
import { scanSchedulerAccess } from './inbound/grpc/access.ts';
import { scanSchedulerHandlers } from './inbound/grpc/handlers.ts';
import { profileUpdatedSubscription } from './inbound/kafka/profile-updated.ts';
import { scanRequestedSubscription } from './inbound/kafka/scan-requested.ts';
import { tick } from './inbound/timer/tick.ts';
import { createMetrics } from './metrics.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { leaseScan, undoLease } from './operations/lease-scan.ts';
import { createLeaseWaitQueue } from './operations/lease-wait-queue.ts';
import { createMergeBackpressure } from './operations/merge-backpressure.ts';
import { createOptOuts } from './operations/opt-outs.ts';
import { refundOf } from './outbound/events/refund-requested.ts';
import { scanJobEndedOf } from './outbound/events/scan-job-ended.ts';
import { createOptOutStore } from './outbound/mongo/opt-outs.ts';
import { collections, createStores } from './outbound/mongo/stores.ts';

/** The consumer group of all instances, for both topics. */
const groupId = 'scan-scheduler';
/** The group in which profiles reads observations.v1. deploy/access allows this service to read its progress. */
const profilesGroupId = 'profiles';
const lagIntervalMs = 5_000;

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
      topics: topicsOf(refundRequested.live, scanJobEnded.live),
      clock,
    });
    resources.onStop('topics', topicKeeper.stop);
    const outbox = createOutbox(mongo.db);
    const { INSTANCE_ID: instanceId } = config;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);

    const deps: Dependencies = {
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
      ...createStores(mongo.db, { retentionMs: config.JOB_RETENTION_DAYS * dayMs }),
      parkedWalk: { after: '' },
      optOuts: createOptOuts({ store: createOptOutStore(mongo.db), clock, logger }),
      // A unique index rejects one of two concurrent transactions. The rejected one runs again and reads the new data.
      transact: createTransact(mongo, { retryDuplicateKeys: true }),
      appendRefund: async (tx, canceled, origin) => {
        await outbox.append(tx.session, refundRequested.live, refundOf(canceled), origin);
      },
      appendJobEnds: (tx, jobs) => {
        const events = jobs.map((job) => ({ event: scanJobEndedOf(job), meta: job.origin }));
        return outbox.appendMany(tx.session, scanJobEnded.live, events);
      },
      progress: {
        scanRequests: topicProgress(kafka, groupId, scanRequested.live.topic),
        profileUpdates: topicProgress(kafka, groupId, profileUpdated.live.topic),
        observations: topicProgress(kafka, profilesGroupId, observationCompleted.topic),
      },
      signPermit: createPermitSigner('scan-scheduler', permitSigningKey(config)),
      workArrived: () => leaseQueue.wake(),
    };
    const backpressure = createMergeBackpressure({
      observations: deps.progress.observations,
      clock,
      metrics: deps.metrics,
      maxLag: config.MERGE_LAG_MAX,
    });
    const leaseQueue = createLeaseWaitQueue({
      clock,
      pollMs: config.LEASE_POLL_MS,
      lease: (scannerId) => backpressure.pace(() => leaseScan(deps, scannerId)),
      undoLease: (lease) => undoLease(deps, lease),
    });

    const grpcAddress = await serveGrpc(config, parts, {
      definition: ScanSchedulerServiceService,
      handlers: scanSchedulerHandlers(deps, leaseQueue),
      access: scanSchedulerAccess,
    });
    resources.onStop('lease wait queue', leaseQueue.close);
    // The service is ready even without Kafka.
    parts.markReady();

    const consumer = await consumeEventually(kafka, {
      groupId,
      subscriptions: [scanRequestedSubscription(deps), profileUpdatedSubscription(deps)],
      topics: topicsOf(scanRequested.live, profileUpdated.live),
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
      run: () => tick(deps),
      onError: (error) => logger.error({ err: error }, 'a tick failed; the next one tries again'),
      clock,
    });
    resources.onStop('ticker', ticker.stop);
    return {
      grpcAddress,
      async pending() {
        const [lag, live, unpublished] = await Promise.all([consumer.lag(), deps.jobs.countLive(), outbox.pending()]);
        return Object.values(live).reduce((sum, count) => sum + count, lag + unpublished);
      },
    };
  });
