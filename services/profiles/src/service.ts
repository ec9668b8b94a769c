import { type Clock, systemClock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, mongoOptions } from '@shopscope/config';
import { vocabulary } from '@shopscope/fingerprint';
import { createGrpcServer, openGrpcSecurity } from '@shopscope/grpc';
import { consumeEvents, createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, startShell } from '@shopscope/lifecycle';
import { connectMongo, createTransact, ensureIndexes } from '@shopscope/mongo';
import { createOutbox, outboxIndexes, startOutboxRelay } from '@shopscope/outbox';
import { observationCompleted, profileUpdated, topics, ZeroCopyProfilesService } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import pLimit from 'p-limit';
import type { ProfilesConfig } from './config.ts';
import { createTechnologyIndex } from './domain/technology-index.ts';
import { profilesAccess } from './inbound/grpc/access.ts';
import { profilesHandlers } from './inbound/grpc/handlers.ts';
import { observationCompletedSubscription } from './inbound/kafka/observation-completed.ts';
import { createMetrics } from './metrics.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { createObservationStore, observationIndexes } from './outbound/mongo/observations.ts';
import { createSignalStore, signalIndexes } from './outbound/mongo/signals.ts';
import { createStoreCollection } from './outbound/mongo/stores.ts';

export interface ProfilesOverrides {
  logger?: Logger;
  clock?: Clock;
  processMetrics?: boolean;
  /** Called after a fatal error of the consumer. Default: logs it. */
  onFatal?(error: unknown): void;
}

const ownTopics: readonly string[] = [observationCompleted.topic, profileUpdated.topic];

/** The composition root. Stop cleans the resources up in reverse order. */
export async function startProfiles(
  config: ProfilesConfig,
  overrides: ProfilesOverrides = {},
): Promise<RunningService> {
  const shell = await startShell({ name: 'profiles', config, ...overrides });
  const { logger, registry, resources } = shell;
  const clock = overrides.clock ?? systemClock;
  try {
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'profiles', logger, registry });
    resources.onStop('mongodb', mongo.close);
    shell.addCheck('mongodb', () => mongo.available);
    await ensureIndexes(mongo.db, {
      stores: [],
      observations: observationIndexes,
      signals: signalIndexes,
      ...outboxIndexes,
    });

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);

    const outbox = createOutbox(mongo.db);
    const relay = startOutboxRelay({
      db: mongo.db,
      outbox,
      producer,
      logger,
      registry,
      instanceId: config.INSTANCE_ID,
    });
    resources.onStop('outbox relay', relay.stop);

    const transact = createTransact(mongo);
    const deps: Dependencies = {
      siteUrl: config.PUBLIC_SITE_URL,
      technologies: createTechnologyIndex(vocabulary, config.PUBLIC_SITE_URL),
      stores: createStoreCollection(mongo.db),
      observations: createObservationStore(mongo.db, config.OBSERVATION_RETENTION_DAYS),
      signals: createSignalStore(mongo.db, config.SIGNAL_RETENTION_DAYS),
      metrics: createMetrics(registry),
      logger,
      transact: async (work) => {
        const result = await transact(work);
        relay.nudge();
        return result;
      },
      appendEvent: (tx, update, origin) => outbox.append(tx.session, profileUpdated, update, origin),
    };

    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const server = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
    server.addService(ZeroCopyProfilesService, profilesHandlers(deps), profilesAccess);
    const grpcAddress = await server.listen();
    resources.onStop('grpc server', () => server.stop());
    // Look-ups do not need Kafka.
    shell.markReady();

    // Half of the connections stay free for look-ups.
    const limit = pLimit(Math.max(1, Math.floor(config.MONGODB_POOL_SIZE / 2)));
    const consumer = await startEventually({
      kafka,
      clock,
      topics: topics.filter(({ topic }) => ownTopics.includes(topic)),
      start: (abort) =>
        consumeEvents(kafka, {
          groupId: 'profiles',
          abort,
          subscriptions: [observationCompletedSubscription(deps, limit)],
          producer,
          onFatal:
            overrides.onFatal ??
            ((error) => logger.fatal({ err: error }, 'the consumer has stopped after a fatal error')),
        }),
    });
    resources.onStop('consumer', consumer.stop);
    resources.onStop('readiness', shell.drain);

    return {
      name: 'profiles',
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
