import { startPeriodicLoop } from '@shopscope/async';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import { serveGrpc } from '@shopscope/grpc';
import { consumeEventually, createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, prepareCollections } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import { SubscriptionsServiceService } from '@shopscope/proto';
import type { SubscriptionsConfig } from './config.ts';
import { connectPeers } from './connect-peers.ts';
import { createDependencies } from './create-dependencies.ts';
import { subscriptionsAccess } from './inbound/grpc/access.ts';
import { subscriptionsHandlers } from './inbound/grpc/handlers.ts';
import { subscriptionsOf } from './inbound/kafka/subscriptions.ts';
import { startFanOuts } from './inbound/timer/fan-outs.ts';
import { startJobWorker } from './inbound/timer/job-worker.ts';
import { startRescans } from './inbound/timer/rescans.ts';
import { tick } from './inbound/timer/tick.ts';
import { createMetrics } from './metrics.ts';
import { migration } from './migration.ts';
import { collections } from './outbound/mongo/stores.ts';

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startSubscriptions = (
  config: SubscriptionsConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> =>
  startService({ name: 'subscriptions', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'subscriptions', logger, registry });
    resources.onStop('mongodb', mongo.close);
    parts.addCheck('mongodb', () => mongo.available);
    await prepareCollections(mongo.db, collections, config);
    const outbox = createOutbox(mongo.db);

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const topicKeeper = await startEventually({ kafka, topics: migration.topics, clock });
    resources.onStop('topics', topicKeeper.stop);
    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);
    const relay = startOutboxRelay({
      db: mongo.db,
      outbox,
      producer,
      logger,
      registry,
      instanceId: config.INSTANCE_ID,
    });
    resources.onStop('outbox relay', relay.stop);

    const { security, ...peers } = connectPeers(config, parts);
    const metrics = createMetrics(registry, clock);
    const deps = createDependencies({ mongo, outbox, relay, producer, peers, clock, logger, metrics });

    const grpcAddress = await serveGrpc(config, parts, {
      definition: SubscriptionsServiceService,
      handlers: subscriptionsHandlers(deps),
      access: subscriptionsAccess,
      security,
    });
    // The server waits for calls in progress when it stops, so the calls that wait for events end before.
    resources.onStop('calls that wait for events', () => Promise.all([deps.live.waits.stop(), deps.test.waits.stop()]));
    const ticker = startPeriodicLoop({
      intervalMs: config.TICK_MS,
      immediate: true,
      run: () => tick(deps),
      onError: (error) => logger.error({ err: error }, 'a tick failed; the next one tries again'),
      clock,
    });
    resources.onStop('ticker', ticker.stop);
    const rescans = [startRescans(deps.live, config.TICK_MS), startRescans(deps.test, config.TICK_MS)];
    resources.onStop('rescans', () => Promise.all(rescans.map((each) => each.stop())));
    const pace = { pauseMs: config.JOB_STEP_PAUSE_MS, idleMs: config.TICK_MS };
    const workers = [startJobWorker(deps.live, pace), startJobWorker(deps.test, pace)];
    resources.onStop('job workers', () => Promise.all(workers.map((each) => each.stop())));
    const fanOutLoop = startFanOuts(deps.live);
    resources.onStop('fan-outs', fanOutLoop.stop);
    parts.markReady();
    const groups = [deps.live.lists, deps.live.watchlists, deps.test.lists, deps.test.watchlists];
    const countHidden = async () =>
      (await Promise.all(groups.map((each) => each.countHidden()))).reduce((sum, count) => sum + count, 0);
    const consumer = await consumeEventually(kafka, {
      groupId: 'subscriptions',
      subscriptions: subscriptionsOf(deps, { onQueued: fanOutLoop.wake }),
      topics: migration.topics,
      producer,
      onFatal,
      clock,
    });
    resources.onStop('consumer', consumer.stop);
    const countJobs = async () =>
      (await deps.live.bulkJobs.countActiveEverywhere()) + (await deps.test.bulkJobs.countActiveEverywhere());
    const queued = async () => (await countHidden()) + (await deps.live.fanOuts.count()) + (await countJobs());
    const pending = async () => (await queued()) + (await consumer.lag()) + (await outbox.pending());
    return { grpcAddress, pending };
  });
