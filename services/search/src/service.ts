import { grpcTlsFiles, kafkaOptions, openSearchOptions } from '@shopscope/config';
import { countries, industrySlugs, presentSlug, vocabulary } from '@shopscope/fingerprint';
import { createGrpcClient, openGrpcSecurity, serveGrpc } from '@shopscope/grpc';
import { consumeEventually, createKafka, createProducer, startEventually } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { connectOpenSearch } from '@shopscope/opensearch';
import { ProfilesServiceService, SearchServiceService } from '@shopscope/proto';
import { createVocabulary } from '@shopscope/store-search';
import type { SearchConfig } from './config.ts';
import { searchAccess } from './inbound/grpc/access.ts';
import { searchHandlers } from './inbound/grpc/handlers.ts';
import { profileUpdatedSubscription } from './inbound/kafka/profile-updated.ts';
import { startEditionLoop, startFillLoop } from './inbound/timer/loops.ts';
import { createMetrics } from './metrics.ts';
import { migration } from './migration.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { createSearchTurns } from './operations/search-turns.ts';
import { testTenantSearch } from './operations/test-tenant-search.ts';
import { createPointsInTime } from './outbound/opensearch/points-in-time.ts';
import { createStateDocuments } from './outbound/opensearch/state-documents.ts';
import { createStoreIndexes } from './outbound/opensearch/store-indexes.ts';
import { createStoreFactReader } from './outbound/store-facts.ts';

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startSearch = (config: SearchConfig, overrides: ServiceOverrides = {}): Promise<RunningService> =>
  startService({ name: 'search', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const openSearch = connectOpenSearch({ ...openSearchOptions(config), logger, registry, clock });
    resources.onStop('opensearch', openSearch.close);
    parts.addCheck('opensearch', () => openSearch.available);

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', kafka.close);
    const topicKeeper = await startEventually({ kafka, topics: migration.topics, clock });
    resources.onStop('topics', topicKeeper.stop);
    const producer = createProducer(kafka);
    resources.onStop('producer', producer.close);

    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const profiles = createGrpcClient({
      definition: ProfilesServiceService,
      address: config.PROFILES_ADDRESS,
      registry,
      security: security.towards('profiles'),
    });
    resources.onStop('client of profiles', () => profiles.close());

    const known = createVocabulary({ technologies: vocabulary, countries, industries: industrySlugs, presentSlug });
    const deps: Dependencies = {
      instanceId: config.INSTANCE_ID,
      clock,
      logger,
      metrics: createMetrics(registry, clock),
      vocabulary: known,
      facts: createStoreFactReader(profiles),
      states: createStateDocuments(openSearch),
      indexes: createStoreIndexes(openSearch, { shards: config.INDEX_SHARDS, replicas: config.INDEX_REPLICAS }),
      pointsInTime: createPointsInTime(openSearch),
      turns: createSearchTurns({ maxPerWorkspace: config.SEARCHES_PER_WORKSPACE }),
      testTenantOf: (workspaceId) =>
        testTenantSearch({ clock, logger, vocabulary: known, facts: createStoreFactReader(profiles, workspaceId) }),
    };

    const grpcAddress = await serveGrpc(config, parts, {
      definition: SearchServiceService,
      handlers: searchHandlers(deps),
      access: searchAccess,
      security,
    });
    const fill = startFillLoop(deps, config.FILL_LOOK_MS);
    resources.onStop('fill', fill.stop);
    let hasEdition = false;
    // Without an edition this instance refuses every call. During a change of the form of documents, the instances before it serve meanwhile.
    parts.addCheck('edition', () => hasEdition);
    const editions = startEditionLoop(deps, {
      intervalMs: config.EDITION_LOOK_MS,
      onKept: () => {
        hasEdition = true;
      },
    });
    resources.onStop('editions', editions.stop);
    parts.markReady();
    const consumer = await consumeEventually(kafka, {
      groupId: 'search',
      subscriptions: [profileUpdatedSubscription(deps)],
      topics: migration.topics,
      producer,
      onFatal,
      clock,
    });
    resources.onStop('consumer', consumer.stop);
    return { grpcAddress, pending: consumer.lag };
  });
