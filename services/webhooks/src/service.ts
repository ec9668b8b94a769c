import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import { grpcTlsFiles, kafkaOptions, mongoOptions } from '@shopscope/config';
import type { Environment } from '@shopscope/environment';
import { createGrpcClient, openGrpcSecurity, serveGrpc } from '@shopscope/grpc';
import { consumeEventually, createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, prepareCollections } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import { SubscriptionsServiceService, WebhooksServiceService } from '@shopscope/proto';
import type { WebhooksConfig } from './config.ts';
import { createDependencies } from './create-dependencies.ts';
import { createVault } from './domain/vault.ts';
import { webhooksAccess } from './inbound/grpc/access.ts';
import { webhooksHandlers } from './inbound/grpc/handlers.ts';
import { keyChangedSubscription } from './inbound/kafka/key-changed.ts';
import { workspaceEventSubscription } from './inbound/kafka/workspace-event.ts';
import { startDispatchLoop } from './inbound/timer/dispatch-loop.ts';
import { startReplayLoop } from './inbound/timer/replay-loop.ts';
import { tick } from './inbound/timer/tick.ts';
import { createMetrics } from './metrics.ts';
import { migration } from './migration.ts';
import { createDispatcher, type Dispatcher } from './operations/deliveries/dispatcher.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { createEventReader } from './outbound/event-reader.ts';
import { createHttpSender } from './outbound/http/http-sender.ts';
import { collections } from './outbound/mongo/stores.ts';

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startWebhooks = (config: WebhooksConfig, overrides: ServiceOverrides = {}): Promise<RunningService> =>
  startService({ name: 'webhooks', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'webhooks', logger, registry });
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
    const instanceId = config.INSTANCE_ID;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);

    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const subscriptions = createGrpcClient({
      definition: SubscriptionsServiceService,
      address: config.SUBSCRIPTIONS_ADDRESS,
      registry,
      security: security.towards('subscriptions'),
    });
    resources.onStop('client of subscriptions', () => subscriptions.close());

    const metrics = createMetrics(registry, clock);
    const sender = createHttpSender({
      clock,
      deniedCidrs: config.WEBHOOK_DENIED_CIDRS,
      allowsLoopback: config.ALLOW_LOOPBACK_ENDPOINTS,
      onRefused: metrics.refused,
    });
    resources.onStop('idle connections', sender.close);
    const loops: Record<Environment, { dispatch?: PeriodicLoop; replay?: PeriodicLoop }> = { live: {}, test: {} };
    const deps = createDependencies({
      mongo,
      outbox,
      relay,
      clock,
      logger,
      metrics,
      vault: createVault(config.WEBHOOK_STORAGE_SECRETS),
      sender,
      events: createEventReader(subscriptions),
      apiUrl: config.PUBLIC_API_URL,
      random: Math.random,
      onDue: (environment) => loops[environment].dispatch?.wake(),
      onReplay: (environment) => loops[environment].replay?.wake(),
    });

    const grpcAddress = await serveGrpc(config, parts, {
      definition: WebhooksServiceService,
      handlers: webhooksHandlers(deps),
      access: webhooksAccess,
      security,
    });
    const ticker = startPeriodicLoop({
      intervalMs: config.TICK_MS,
      immediate: true,
      run: () => tick(deps),
      onError: (error) => logger.error({ err: error }, 'a tick failed; the next one tries again'),
      clock,
    });
    resources.onStop('ticker', ticker.stop);
    const dispatchers: Dispatcher[] = [];
    const startLoops = <E extends Environment>(own: Dependencies<E>) => {
      const started = loops[own.environment];
      const dispatcher = createDispatcher(own, { maxAttempts: config.MAX_ATTEMPTS_IN_FLIGHT });
      dispatchers.push(dispatcher);
      // Attempts that are being made end, at most with their time limit.
      resources.onStop(`attempts of ${own.environment}`, dispatcher.settled);
      started.dispatch = startDispatchLoop(own, dispatcher);
      resources.onStop(`dispatch of ${own.environment}`, started.dispatch.stop);
      started.replay = startReplayLoop(own, { idleMs: config.TICK_MS });
      resources.onStop(`replays of ${own.environment}`, started.replay.stop);
    };
    startLoops(deps.live);
    startLoops(deps.test);
    parts.markReady();
    const consumer = await consumeEventually(kafka, {
      groupId: 'webhooks',
      subscriptions: [
        workspaceEventSubscription(deps.live),
        workspaceEventSubscription(deps.test),
        keyChangedSubscription(deps),
      ],
      topics: migration.topics,
      producer,
      onFatal,
      clock,
    });
    resources.onStop('consumer', consumer.stop);
    const inFlight = () => dispatchers.reduce((sum, dispatcher) => sum + dispatcher.inFlight, 0);
    const pending = async () => inFlight() + (await consumer.lag()) + (await outbox.pending());
    return { grpcAddress, pending };
  });
