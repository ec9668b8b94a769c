import { createKeyedQueue, startPeriodicLoop } from '@shopscope/async';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import type { Environment } from '@shopscope/environment';
import { serveGrpc } from '@shopscope/grpc';
import { consumeEventually, createKafka, createProducer } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, createTransact, ensureIndexes } from '@shopscope/mongo';
import { createOutbox, outboxIndexes, startOutboxRelay } from '@shopscope/outbox';
import {
  allowanceThresholdReached,
  keyChanged,
  profileUpdated,
  SubscriptionsServiceService,
  scanJobEnded,
  topicsOf,
  workspaceEvent,
} from '@shopscope/proto';
import type { SubscriptionsConfig } from './config.ts';
import { createEventParts } from './create-event-parts.ts';
import { subscriptionsAccess } from './inbound/grpc/access.ts';
import { subscriptionsHandlers } from './inbound/grpc/handlers.ts';
import { thresholdReachedSubscription } from './inbound/kafka/allowance-threshold-reached.ts';
import { keyChangedSubscription } from './inbound/kafka/key-changed.ts';
import { profileUpdatedSubscription } from './inbound/kafka/profile-updated.ts';
import { scanJobEndedSubscription } from './inbound/kafka/scan-job-ended.ts';
import { startFanOuts } from './inbound/timer/fan-outs.ts';
import { tick } from './inbound/timer/tick.ts';
import { createMetrics } from './metrics.ts';
import type { Dependencies, EveryEnvironment } from './operations/dependencies.ts';
import { collectionIndexes, createStores } from './outbound/mongo/stores.ts';

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
    await ensureIndexes(mongo.db, { ...collectionIndexes, ...outboxIndexes });
    const outbox = createOutbox(mongo.db);

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
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

    const shared = {
      clock,
      logger,
      metrics: createMetrics(registry, clock),
      // A unique index rejects one of two concurrent transactions. The rejected one runs again and reads the new data.
      transact: createTransact(mongo, { retryDuplicateKeys: true }),
      changes: createKeyedQueue(),
    };
    const dependenciesOf = <E extends Environment>(environment: E): Dependencies<E> => {
      const stores = createStores(mongo.db, environment);
      const { client } = mongo;
      return { ...shared, ...stores, ...createEventParts({ ...shared, environment, stores, client, outbox, relay }) };
    };
    const deps: EveryEnvironment = { live: dependenciesOf('live'), test: dependenciesOf('test') };

    const grpcAddress = await serveGrpc(config, parts, {
      definition: SubscriptionsServiceService,
      handlers: subscriptionsHandlers(deps),
      access: subscriptionsAccess,
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
    const fanOuts = startFanOuts(deps.live);
    resources.onStop('fan-outs', fanOuts.stop);
    parts.markReady();
    const groups = [deps.live.lists, deps.live.watchlists, deps.test.lists, deps.test.watchlists];
    const countHidden = async () =>
      (await Promise.all(groups.map((each) => each.countHidden()))).reduce((sum, count) => sum + count, 0);
    const consumer = await consumeEventually(kafka, {
      groupId: 'subscriptions',
      subscriptions: [
        scanJobEndedSubscription(deps),
        thresholdReachedSubscription(deps),
        keyChangedSubscription(deps),
        profileUpdatedSubscription(deps.live, { onQueued: fanOuts.wake }),
      ],
      topics: topicsOf(
        scanJobEnded,
        allowanceThresholdReached,
        keyChanged,
        profileUpdated,
        workspaceEvent.live,
        workspaceEvent.test,
      ),
      producer,
      onFatal,
      clock,
    });
    resources.onStop('consumer', consumer.stop);
    const pending = async () =>
      (await countHidden()) + (await consumer.lag()) + (await deps.live.fanOuts.count()) + (await outbox.pending());
    return { grpcAddress, pending };
  });
