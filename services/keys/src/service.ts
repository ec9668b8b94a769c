import { createDeadline, createKeyedQueue } from '@shopscope/async';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import { serveGrpc } from '@shopscope/grpc';
import { consumeEventually, createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, createTransact, prepareCollections } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import { KeyChanged, KeysServiceService, keyActivity, keyChanged, topicsOf } from '@shopscope/proto';
import { type KeysConfig, peppersOf } from './config.ts';
import { keysAccess } from './inbound/grpc/access.ts';
import { keysHandlers } from './inbound/grpc/handlers.ts';
import { keyActivitySubscription } from './inbound/kafka/key-activity.ts';
import { startKeyExpiryTimer } from './inbound/timer/key-expiry.ts';
import { createMetrics } from './metrics.ts';
import { migration } from './migration.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { ensurePeppersUnchanged } from './operations/ensure-peppers-unchanged.ts';
import { listPeppers } from './operations/list-peppers.ts';
import { createKeyMover } from './operations/move-key.ts';
import { createAuditStore } from './outbound/mongo/audit-entries.ts';
import { collections } from './outbound/mongo/collections.ts';
import { createKeyRequestStore } from './outbound/mongo/key-requests.ts';
import { createKeyStore } from './outbound/mongo/keys.ts';
import { createPepperCheckStore } from './outbound/mongo/pepper-checks.ts';
import { createPlanStore } from './outbound/mongo/plans.ts';
import { createWorkspaceStore } from './outbound/mongo/workspaces.ts';

/** The time limit of the query for the metric keys_usable. */
const countTimeoutMs = 5_000;

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startKeys = (config: KeysConfig, overrides: ServiceOverrides = {}): Promise<RunningService> =>
  startService({ name: 'keys', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'keys', logger, registry });
    resources.onStop('mongodb', mongo.close);
    parts.addCheck('mongodb', () => mongo.available);
    await prepareCollections(mongo.db, collections, config);
    const plans = createPlanStore(mongo.db);
    await plans.seed(new Date(clock.now()));
    const peppers = peppersOf(config);
    await ensurePeppersUnchanged(createPepperCheckStore(mongo.db), peppers, new Date(clock.now()));

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const topicKeeper = await startEventually({ kafka, topics: migration.topics, clock });
    resources.onStop('topics', topicKeeper.stop);
    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);

    const outbox = createOutbox(mongo.db);
    const { INSTANCE_ID: instanceId } = config;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);

    const keys = createKeyStore(mongo.db);
    const metrics = createMetrics({
      registry,
      clock,
      logger,
      countByPepper: () =>
        listPeppers({ clock, keys, peppers }, { deadline: createDeadline(countTimeoutMs, { clock }) }),
    });
    const mover = createKeyMover({ keys, clock, logger, onMoved: () => metrics.moved.inc() });
    resources.onStop('moves to the current pepper', mover.idle);

    const transact = createTransact(mongo);
    const deps: Dependencies = {
      clock,
      peppers,
      mover,
      workspaces: createWorkspaceStore(mongo.db),
      plans,
      changes: createKeyedQueue(),
      keys,
      keyRequests: createKeyRequestStore(mongo.db),
      audit: createAuditStore(mongo.db),
      transact: async (work, options) => {
        const result = await transact(work, options);
        relay.nudge();
        return result;
      },
      appendEvents(tx, meta, ...changes) {
        const events = changes.map((change) => ({ event: KeyChanged.fromPartial(change), meta }));
        return outbox.appendMany(tx.session, keyChanged, events);
      },
    };
    const grpcAddress = await serveGrpc(config, parts, {
      definition: KeysServiceService,
      handlers: keysHandlers(deps),
      access: keysAccess,
    });
    // No call needs the times of last use. The consumer may have to wait for Kafka, or until the session of a dead member expires.
    parts.markReady();
    resources.onStop('key expiry timer', startKeyExpiryTimer(deps, logger).stop);

    const consumer = await consumeEventually(kafka, {
      groupId: 'keys',
      subscriptions: [keyActivitySubscription(deps)],
      topics: topicsOf(keyActivity),
      producer,
      onFatal,
      clock,
      // Larger batches need fewer writes. A time of last use may therefore be shown some seconds late.
      gatherMs: 1_000,
    });
    resources.onStop('key activity consumer', consumer.stop);
    return { grpcAddress, pending: async () => (await consumer.lag()) + (await outbox.pending()) };
  });
