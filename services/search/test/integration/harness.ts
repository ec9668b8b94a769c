import { createDeadline } from '@shopscope/async';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { consumeEvents, createKafka, createProducer, deadLetterSuffix } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import {
  CountStoresRequest,
  FindStoresRequest,
  MergeOutcome,
  ProfileUpdated,
  profileUpdated,
  SearchServiceService,
  type StoreRow,
} from '@shopscope/proto';
import { encodeQuery, type StoreFilter } from '@shopscope/store-search';
import {
  openSearchEnvironment,
  serviceEnvironment,
  startKafkaHarness,
  startTcpProxy,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { loadConfig, migration, startSearch } from '../../src/index.ts';
import { startProfilesServer } from '../support/profiles-server.ts';

const meta = { requestId: 'req_test', traceparent: '', environment: 'live' as const };

export type SearchSystem = Awaited<ReturnType<typeof startSearchSystem>>;

/** The service on the real OpenSearch, behind a proxy, and on the real Kafka. Profiles is a stand-in. */
export async function startSearchSystem(label: string) {
  const namespace = testNamespace(label);
  const openSearch = await openSearchEnvironment(namespace);
  const proxy = await startTcpProxy(new URL(openSearch.OPENSEARCH_URL as string));
  const kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, namespace, migration.topics);
  const profiles = await startProfilesServer();
  const env: Record<string, string> = {
    ...serviceEnvironment(namespace, 'search'),
    ...openSearch,
    OPENSEARCH_URL: `http://127.0.0.1:${proxy.port}`,
    PROFILES_ADDRESS: profiles.address,
    INDEX_REPLICAS: '0',
    EDITION_LOOK_MS: '250',
    FILL_LOOK_MS: '250',
  };
  const closers: (() => unknown)[] = [];
  let instances = 0;

  return {
    namespace,
    proxy,
    profiles,
    env,
    async start(over: Record<string, string> = {}): Promise<RunningService> {
      const INSTANCE_ID = `${env.INSTANCE_ID}-${++instances}`;
      const service = await startSearch(loadConfig({ ...env, INSTANCE_ID, ...over }));
      closers.push(service.stop);
      return service;
    },
    client(service: RunningService): GrpcClient<typeof SearchServiceService> {
      const made = createGrpcClient({ definition: SearchServiceService, address: service.grpcAddress as string });
      closers.push(made.close);
      return made;
    },
    /** Publishes the merges of stores. */
    publish: (...merged: { domain: string; profileSequence: number }[]) =>
      kafka.producer.publishMany(
        profileUpdated.live,
        merged.map((each) => ProfileUpdated.fromPartial({ ...each, outcome: MergeOutcome.MERGED })),
        meta,
        { timeoutMs: 10_000 },
      ),
    publishRemoval: (domain: string, profileSequence: number) =>
      kafka.producer.publish(
        profileUpdated.live,
        ProfileUpdated.fromPartial({ domain, profileSequence, outcome: MergeOutcome.REMOVED }),
        meta,
        { timeoutMs: 10_000 },
      ),
    deadLetters: async (): Promise<number> => {
      const ends = await kafka.kafka.endOffsets(profileUpdated.live.topic + deadLetterSuffix);
      return [...ends.values()].reduce((sum, end) => sum + Number(end), 0);
    },
    settled: (service: RunningService) =>
      waitUntil('every update to be written', async () => (await service.pending()) === 0),
    async stop() {
      for (const close of closers.reverse()) await close();
      await profiles.close();
      await kafka.close();
      await namespace.cleanup();
      await proxy.close();
    },
  };
}

/** A busy machine may need longer than the deadline of a call by default. */
const call = () => ({ origin: meta, deadline: createDeadline(60_000) });

type Client = GrpcClient<typeof SearchServiceService>;

export const queryOf = (where: Partial<StoreFilter> = {}) =>
  encodeQuery({
    where: { status: { any: ['active_storefront'] }, technologies: [], dropped: [], ...where },
    sort: 'domain',
  });

export const find = (client: Client, over: Partial<FindStoresRequest> = {}) =>
  client.findStores(FindStoresRequest.fromPartial({ query: queryOf(), limit: 50, ...over } as never), call());

export const count = (client: Client, over: Partial<CountStoresRequest> = {}) =>
  client.countStores(CountStoresRequest.fromPartial({ query: queryOf(), facetSize: 10, ...over } as never), call());

/** Reads all pages of the edition of the first one. */
export async function walk(client: Client, over: Partial<FindStoresRequest> = {}) {
  const rows: StoreRow[] = [];
  const first = await find(client, over);
  const editionId = first.edition?.id ?? '';
  let page = first;
  for (; page.next !== ''; page = await find(client, { ...over, editionId, after: page.next })) rows.push(...page.rows);
  return { editionId, rows: [...rows, ...page.rows] };
}

/** Waits for an edition that fulfils the condition. */
export const editionWith = (client: Client, stores: number) =>
  waitUntil(`an edition of ${stores} stores`, async () => {
    const { edition } = await count(client);
    return edition?.stores === stores && edition;
  });
