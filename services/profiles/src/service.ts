import { createKeyedSlots, startPeriodicLoop } from '@shopscope/async';
import { kafkaOptions, mongoOptions } from '@shopscope/config';
import { vocabulary } from '@shopscope/fingerprint';
import { serveGrpc } from '@shopscope/grpc';
import { createPermitVerifier } from '@shopscope/ids';
import { consumeEventually, createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectMongo, createTransact, prepareCollections } from '@shopscope/mongo';
import { createOutbox, startOutboxRelay } from '@shopscope/outbox';
import { profileUpdated, topicsOf, ZeroCopyProfilesService } from '@shopscope/proto';
import { type ProfilesConfig, permitPublicKeys } from './config.ts';
import { createTestDependencies } from './create-test-dependencies.ts';
import { createKnownValues } from './domain/known-values.ts';
import { createTechnologyIndex } from './domain/technology-index.ts';
import { profilesAccess } from './inbound/grpc/access.ts';
import { profilesHandlers } from './inbound/grpc/handlers.ts';
import { observationCompletedSubscription } from './inbound/kafka/observation-completed.ts';
import { optOutChangedSubscription } from './inbound/kafka/opt-out-changed.ts';
import { testScanCompletedSubscription } from './inbound/kafka/test-scan-completed.ts';
import { workspaceDeletedSubscription } from './inbound/kafka/workspace-deleted.ts';
import { createMetrics } from './metrics.ts';
import { eventTypes, migration } from './migration.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { createCorpusCounts } from './operations/keep-corpus-count.ts';
import { pendingRemovals, removeDueStores } from './operations/remove-due-stores.ts';
import { collections } from './outbound/mongo/collections.ts';
import { createCorpusCountStore } from './outbound/mongo/corpus-counts.ts';
import { createDomainRanges } from './outbound/mongo/domain-ranges.ts';
import { createObservationStore } from './outbound/mongo/observations.ts';
import { createOpenRecordStore } from './outbound/mongo/open-records.ts';
import { createOptOutStore } from './outbound/mongo/opt-outs.ts';
import { createSignalStore } from './outbound/mongo/signals.ts';
import { createStoreBodies } from './outbound/mongo/store-bodies.ts';
import { createProfileStore } from './outbound/mongo/stores.ts';

/** This instance shows the count of another instance after at most this time. */
const maxLookIntervalMs = 60_000;

/** The time after which a step of another instance that was killed is found. */
const removalIntervalMs = 5_000;

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startProfiles = (config: ProfilesConfig, overrides: ServiceOverrides = {}): Promise<RunningService> =>
  startService({ name: 'profiles', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'profiles', logger, registry });
    resources.onStop('mongodb', mongo.close);
    parts.addCheck('mongodb', () => mongo.available);
    await prepareCollections(mongo.db, collections, config);

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

    const transact = createTransact(mongo);
    const metrics = createMetrics(registry);
    const technologies = createTechnologyIndex(vocabulary, config.PUBLIC_SITE_URL);
    const domains = createDomainRanges(mongo.db);
    const corpusCounts = createCorpusCounts({
      counts: createCorpusCountStore(mongo.db, transact),
      deps: { domains, clock },
      metrics,
      intervalMs: config.CORPUS_COUNT_INTERVAL_MS,
      clock,
    });
    // Without this, an instance that has just started would briefly respond as if nothing was counted yet.
    await corpusCounts.refresh();
    const deps: Dependencies = {
      clock,
      siteUrl: config.PUBLIC_SITE_URL,
      environment: config.SHOPSCOPE_ENV,
      verifyPermit: createPermitVerifier(permitPublicKeys(config)),
      technologies,
      knownValues: createKnownValues(technologies),
      corpusCount: corpusCounts.current,
      domains,
      stores: createProfileStore(mongo.db),
      storeBodies: createStoreBodies(mongo.db),
      observations: createObservationStore(mongo.db, config.OBSERVATION_RETENTION_DAYS),
      signals: createSignalStore(mongo.db, config.SIGNAL_RETENTION_DAYS),
      openRecords: createOpenRecordStore(mongo.db, 'live'),
      optOuts: createOptOutStore(mongo.db),
      metrics,
      logger,
      transact: async (work) => {
        const result = await transact(work);
        relay.nudge();
        return result;
      },
      appendEvents: (tx, updates) => outbox.appendMany(tx.session, profileUpdated.live, updates),
    };

    const test = createTestDependencies({ mongo, outbox, relay, shared: deps });

    // Half of the connections stay free for look-ups.
    const slots = createKeyedSlots({ maxPerKey: Math.max(1, Math.floor(config.MONGODB_POOL_SIZE / 2)) });
    // The workspaces of the test tenant take turns, so that they leave most connections to live data.
    const testSlots = createKeyedSlots({ max: Math.max(1, Math.floor(config.MONGODB_POOL_SIZE / 8)) });
    const grpcAddress = await serveGrpc(config, parts, {
      definition: ZeroCopyProfilesService,
      handlers: profilesHandlers({ live: deps, test }, slots, testSlots),
      access: profilesAccess,
    });
    const looks = startPeriodicLoop({
      intervalMs: Math.min(maxLookIntervalMs, config.CORPUS_COUNT_INTERVAL_MS / 2),
      immediate: true,
      run: corpusCounts.look,
      onError: (error) => logger.error({ err: error }, 'the corpus was not counted; the earlier count stays'),
      clock,
    });
    resources.onStop('corpus count', looks.stop);
    const removals = startPeriodicLoop({
      intervalMs: removalIntervalMs,
      immediate: true,
      run: (abort) => removeDueStores(deps, slots, abort),
      onError: (error) => logger.error({ err: error }, 'opted-out stores were not removed; the next run tries again'),
      clock,
    });
    resources.onStop('removals', removals.stop);
    // Look-ups do not need Kafka.
    parts.markReady();

    const consumer = await consumeEventually(kafka, {
      groupId: 'profiles',
      subscriptions: [
        observationCompletedSubscription(deps, slots),
        optOutChangedSubscription(deps, { onApplied: removals.wake }),
        testScanCompletedSubscription(test, testSlots),
        workspaceDeletedSubscription(test, testSlots),
      ],
      topics: topicsOf(...eventTypes),
      producer,
      onFatal,
      clock,
    });
    resources.onStop('consumer', consumer.stop);
    return {
      grpcAddress,
      pending: async () => (await consumer.lag()) + (await pendingRemovals(deps)) + (await outbox.pending()),
    };
  });
