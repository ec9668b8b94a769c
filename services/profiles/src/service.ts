import { createKeyedSlots, startPeriodicLoop } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, mongoOptions } from '@shopscope/config';
import { vocabulary } from '@shopscope/fingerprint';
import { createGrpcServer, openGrpcSecurity } from '@shopscope/grpc';
import { createPermitVerifier } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, startShell } from '@shopscope/lifecycle';
import { connectMongo, createTransact, ensureIndexes } from '@shopscope/mongo';
import { createOutbox, outboxIndexes, startOutboxRelay } from '@shopscope/outbox';
import { observationCompleted, profileUpdated, topics, ZeroCopyProfilesService } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import { type ProfilesConfig, permitPublicKeys } from './config.ts';
import { createTechnologyIndex } from './domain/technology-index.ts';
import { profilesAccess } from './inbound/grpc/access.ts';
import { profilesHandlers } from './inbound/grpc/handlers.ts';
import { observationCompletedSubscription } from './inbound/kafka/observation-completed.ts';
import { createMetrics } from './metrics.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { createCorpusCounts } from './operations/keep-corpus-count.ts';
import { createCorpusCountStore } from './outbound/mongo/corpus-counts.ts';
import { createDomainRanges } from './outbound/mongo/domain-ranges.ts';
import { createObservationStore, observationIndexes } from './outbound/mongo/observations.ts';
import { createSignalStore, signalIndexes } from './outbound/mongo/signals.ts';
import { createStoreBodies } from './outbound/mongo/store-bodies.ts';
import { createProfileStore } from './outbound/mongo/stores.ts';

export interface ProfilesOverrides {
  logger?: Logger;
  clock?: Clock;
  processMetrics?: boolean;
  /** Called after a fatal error of the consumer. Default: logs it. */
  onFatal?(error: unknown): void;
}

/** A count of another instance is shown here after this time at the latest. */
const maxLookIntervalMs = 60_000;
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
      store_bodies: [],
      observations: observationIndexes,
      signals: signalIndexes,
      corpus_counts: [],
      ...outboxIndexes,
    });

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);

    const outbox = createOutbox(mongo.db);
    const { INSTANCE_ID: instanceId } = config;
    const relay = startOutboxRelay({ db: mongo.db, outbox, producer, logger, registry, instanceId });
    resources.onStop('outbox relay', relay.stop);

    const transact = createTransact(mongo);
    const metrics = createMetrics(registry);
    const technologies = createTechnologyIndex(vocabulary, config.PUBLIC_SITE_URL);
    const domains = createDomainRanges(mongo.db);
    const corpusCounts = createCorpusCounts({
      counts: createCorpusCountStore(mongo.db, transact),
      deps: { domains, technologies, clock },
      metrics,
      intervalMs: config.CORPUS_COUNT_INTERVAL_MS,
      clock,
    });
    // Otherwise an instance that just started would say for a moment that nothing was counted yet.
    await corpusCounts.refresh();
    const deps: Dependencies = {
      clock,
      siteUrl: config.PUBLIC_SITE_URL,
      environment: config.SHOPSCOPE_ENV,
      verifyPermit: createPermitVerifier(permitPublicKeys(config)),
      technologies,
      corpusCount: corpusCounts.current,
      domains,
      stores: createProfileStore(mongo.db),
      storeBodies: createStoreBodies(mongo.db),
      observations: createObservationStore(mongo.db, config.OBSERVATION_RETENTION_DAYS),
      signals: createSignalStore(mongo.db, config.SIGNAL_RETENTION_DAYS),
      metrics,
      logger,
      transact: async (work) => {
        const result = await transact(work);
        relay.nudge();
        return result;
      },
      appendEvents: (tx, updates) => outbox.appendMany(tx.session, profileUpdated, updates),
    };

    // Half of the connections stay free for look-ups.
    const slots = createKeyedSlots({ maxPerKey: Math.max(1, Math.floor(config.MONGODB_POOL_SIZE / 2)) });
    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const server = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
    server.addService(ZeroCopyProfilesService, profilesHandlers(deps, slots), profilesAccess);
    const grpcAddress = await server.listen();
    resources.onStop('grpc server', () => server.stop());
    const looks = startPeriodicLoop({
      intervalMs: Math.min(maxLookIntervalMs, config.CORPUS_COUNT_INTERVAL_MS / 2),
      immediate: true,
      run: corpusCounts.look,
      onError: (error) => logger.error({ err: error }, 'the corpus was not counted; the earlier count stays'),
      clock,
    });
    resources.onStop('corpus count', looks.stop);
    // Look-ups do not need Kafka.
    shell.markReady();

    const consumer = await startEventually({
      kafka,
      clock,
      topics: topics.filter(({ topic }) => ownTopics.includes(topic)),
      start: (abort) =>
        consumeEvents(kafka, {
          groupId: 'profiles',
          abort,
          subscriptions: [observationCompletedSubscription(deps, slots)],
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
