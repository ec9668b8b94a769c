import { createDeadline } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, mongoOptions } from '@shopscope/config';
import { createGrpcServer, openGrpcSecurity } from '@shopscope/grpc';
import { createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, startShell } from '@shopscope/lifecycle';
import { connectMongo, createTransact, ensureIndexes } from '@shopscope/mongo';
import { createOutbox, outboxIndexes, startOutboxRelay } from '@shopscope/outbox';
import { KeysServiceService, keyChanged, topics } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import { type KeysConfig, peppersOf } from './config.ts';
import { keysAccess } from './inbound/grpc/access.ts';
import { keysHandlers } from './inbound/grpc/handlers.ts';
import { startKeyActivityConsumer } from './inbound/kafka/consume-key-activity.ts';
import { pepperMetrics } from './metrics.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { ensurePeppersUnchanged } from './operations/ensure-peppers-unchanged.ts';
import { listPeppers } from './operations/list-peppers.ts';
import { createKeyMover } from './operations/move-key.ts';
import { createWorkspaceChanges } from './operations/workspace-changes.ts';
import { auditIndexes, createAuditStore } from './outbound/mongo/audit-entries.ts';
import { createKeyRequestStore, keyRequestIndexes } from './outbound/mongo/key-requests.ts';
import { createKeyStore, keyIndexes } from './outbound/mongo/keys.ts';
import { createPepperCheckStore } from './outbound/mongo/pepper-checks.ts';
import { createPlanStore } from './outbound/mongo/plans.ts';
import { createWorkspaceStore, workspaceIndexes } from './outbound/mongo/workspaces.ts';

export interface KeysOverrides {
  logger?: Logger;
  clock?: Clock;
  processMetrics?: boolean;
  /** Called after a fatal error of the consumer. Default: logs it. */
  onFatal?(error: unknown): void;
}

/** Time limit of the query behind the metric keys_usable. */
const countTimeoutMs = 5_000;

/**
 * The composition root. startKeys registers the cleanup of each resource when it creates it.
 *
 * Failure: a start step fails -> the resources created so far are stopped, the last one first, and the start rejects.
 */
export async function startKeys(config: KeysConfig, overrides: KeysOverrides = {}): Promise<RunningService> {
  const shell = await startShell({ name: 'keys', config, ...overrides });
  const { logger, registry, resources } = shell;
  const clock = overrides.clock ?? systemClock;
  try {
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'keys', logger, registry });
    resources.onStop('mongodb', mongo.close);
    shell.addCheck('mongodb', () => mongo.available);
    await ensureIndexes(mongo.db, {
      keys: keyIndexes,
      workspaces: workspaceIndexes,
      plans: [],
      markers: [],
      pepper_checks: [],
      key_requests: keyRequestIndexes,
      ...auditIndexes,
      ...outboxIndexes,
    });
    const plans = createPlanStore(mongo.db);
    await plans.seed(new Date(clock.now()));
    const peppers = peppersOf(config);
    await ensurePeppersUnchanged(createPepperCheckStore(mongo.db), peppers, new Date(clock.now()));

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const ownTopics = topics.filter(({ topic }) => topic === keyChanged.topic);
    const topicKeeper = await startEventually({ kafka, topics: ownTopics, clock });
    resources.onStop('topics', topicKeeper.stop);
    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);

    const outbox = createOutbox(mongo.db);
    const { INSTANCE_ID: instanceId } = config;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);

    const keys = createKeyStore(mongo.db);
    const { moved } = pepperMetrics({
      registry,
      clock,
      logger,
      count: () => listPeppers({ clock, keys, peppers }, { deadline: createDeadline(countTimeoutMs, { clock }) }),
    });
    const mover = createKeyMover({ keys, clock, logger, onMoved: moved });
    resources.onStop('moves to the current pepper', mover.idle);

    const transact = createTransact(mongo);
    const deps: Dependencies = {
      clock,
      peppers,
      mover,
      workspaces: createWorkspaceStore(mongo.db),
      plans,
      changes: createWorkspaceChanges(),
      keys,
      keyRequests: createKeyRequestStore(mongo.db),
      audit: createAuditStore(mongo.db),
      transact: async (work, options) => {
        const result = await transact(work, options);
        relay.nudge();
        return result;
      },
      appendEvent: (tx, change, origin) => outbox.append(tx.session, keyChanged, change, origin),
      appendEvents: (tx, changes, meta) =>
        outbox.appendMany(
          tx.session,
          keyChanged,
          changes.map((event) => ({ event, meta })),
        ),
    };
    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const server = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
    server.addService(KeysServiceService, keysHandlers(deps), keysAccess);
    const grpcAddress = await server.listen();
    resources.onStop('grpc server', () => server.stop());
    // No call needs the times of last use. The consumer may have to wait for Kafka, or for the session of a dead member to expire.
    shell.markReady();

    const onFatal =
      overrides.onFatal ?? ((error) => logger.fatal({ err: error }, 'the consumer has stopped after a fatal error'));
    const consumer = await startKeyActivityConsumer({ kafka, producer, deps, clock, onFatal });
    resources.onStop('key activity consumer', consumer.stop);
    resources.onStop('readiness', shell.drain);

    return {
      name: 'keys',
      grpcAddress,
      adminUrl: shell.adminUrl,
      pending: async () => (await consumer.lag()) + (await outbox.pending()),
      stop: resources.stop,
    };
  } catch (error) {
    await resources.stop();
    throw error;
  }
}
