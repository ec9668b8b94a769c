import { createRequire } from 'node:module';
import type { Kafka as KafkaJs } from 'kafkajs';
import { encodeProduceRequest, type PartitionBatch, type ProducerId } from './encode-request.ts';

/**
 * The brokers, as a producer uses them. kafkajs keeps the connections. Its own producer is not used, because it treats a request as one
 * piece:
 * - One partition refuses its events -> kafkajs fails the events of all partitions of the request.
 * - A broker dies while another broker has accepted its part of the events -> kafkajs repeats the request. It omits the partitions that
 *   moved to the second broker, and resolves: these events are lost.
 * - One partition has no leader -> kafkajs reads no metadata at all.
 */
export interface ProduceCluster {
  connect(): Promise<void>;
  /** Returns the broker that leads each partition, or undefined if the topic was not loaded. {@link noLeader} stands for none. */
  leadersOf(topic: string): readonly number[] | undefined;
  /** Reads the leaders of this topic and of the topics that were loaded before. Rejects if the topic does not exist. */
  load(topic: string): Promise<void>;
  /** Reads the leaders again. Concurrent calls share one request. */
  refresh(): Promise<void>;
  newProducerId(): Promise<ProducerId>;
  /** Resolves with the broker's error code for each batch. Rejects if the broker did not answer: then the outcome is unknown. */
  produce(broker: number, batches: readonly PartitionBatch[]): Promise<readonly number[]>;
  /** Drops the connection to a broker that failed. The next request opens a new one. */
  drop(broker: number): void;
  close(): Promise<void>;
}

export const noLeader = -1;
/**
 * The broker answers by then, with an error for the partitions whose replicas are too slow. It is shorter than the time limits of callers,
 * because the other partitions of the request wait for the slow ones.
 */
const brokerTimeoutMs = 500;

interface Response<T> {
  decode(payload: Buffer): Promise<T>;
  parse(decoded: T): Promise<T>;
}
interface Protocol<T> {
  request: { apiKey: number; apiVersion: number; apiName: string; encode(): Promise<{ buf: Buffer; buffer: Buffer }> };
  response: Response<T>;
}
interface Metadata {
  topicMetadata: {
    topicErrorCode: number;
    topic: string;
    partitionMetadata: { partitionErrorCode: number; partitionId: number; leader: number }[];
  }[];
}
interface ProduceResponse {
  topics: { topicName: string; partitions: { partition: number; errorCode: number }[] }[];
}
interface Broker {
  connectionPool: { host: string; port: number; send<T>(protocol: Protocol<T>): Promise<T>; destroy(): Promise<void> };
  lookupRequest<A, T>(apiKey: number, definition: unknown): (args: A) => Protocol<T>;
  initProducerId(args: object): Promise<{ producerId: { toString(): string }; producerEpoch: number }>;
  metadata(topics: string[]): Promise<Metadata>;
}
/** The parts of kafkajs 2.2.4 that this file uses. kafkajs exports no types for them. */
interface Cluster {
  targetTopics: Set<string>;
  brokerPool: {
    brokers: Record<number, Broker>;
    seedBroker: Broker | undefined;
    metadata: Metadata | null;
    createBroker(options: object): Broker;
    findConnectedBroker(): Promise<Broker>;
  };
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  refreshMetadata(): Promise<void>;
  removeBroker(address: { host: string; port: number }): void;
  findBroker(options: { nodeId: number }): Promise<Broker>;
}

const require = createRequire(import.meta.url);
const apiKeys = require('kafkajs/src/protocol/requests/apiKeys') as { Metadata: number; Produce: number };
const { requests } = require('kafkajs/src/protocol/requests') as { requests: { Metadata: unknown } };
const produceResponse = require('kafkajs/src/protocol/requests/produce/v7/response') as Response<ProduceResponse>;
const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error };

/** Returns kafkajs's error for a code of the protocol. Its `retriable` tells whether a further attempt may succeed. */
export const errorOfCode = (code: number) => createErrorFromCode(code) as Error & { type: string; retriable: boolean };

export function openProduceCluster(client: KafkaJs, topicName: (topic: string) => string): ProduceCluster {
  const cluster = createCluster(client);
  const { brokerPool } = cluster;
  const createBroker = brokerPool.createBroker;
  brokerPool.createBroker = (options) => {
    const broker = createBroker(options);
    broker.metadata = (topics) => dropAfterFailure(broker, metadataOf(broker, topics));
    return broker;
  };
  /**
   * kafkajs has no seed broker after it has removed the last broker. Metadata that arrives afterwards adds brokers again, and kafkajs then
   * expects a seed broker.
   */
  const keepSeedBroker = () => {
    brokerPool.seedBroker ??= Object.values(brokerPool.brokers)[0];
  };
  const forget = ({ connectionPool }: Broker) => {
    keepSeedBroker();
    cluster.removeBroker(connectionPool);
    connectionPool.destroy().catch(() => {});
  };
  /** A connection on which a request failed may never answer again. */
  const dropAfterFailure = <T>(broker: Broker, request: Promise<T>): Promise<T> =>
    request.catch((error: unknown) => {
      forget(broker);
      throw error;
    });
  let known: Metadata | null = null;
  const leaders = new Map<string, readonly number[]>();

  const topicOf = (topic: string) => {
    const { metadata } = brokerPool;
    if (metadata !== known) {
      known = metadata;
      for (const { topic: name, topicErrorCode, partitionMetadata } of metadata?.topicMetadata ?? []) {
        if (topicErrorCode !== 0) continue;
        const byPartition = new Array<number>(partitionMetadata.length).fill(noLeader);
        for (const { partitionId, partitionErrorCode, leader } of partitionMetadata) {
          byPartition[partitionId] = partitionErrorCode === 0 ? leader : noLeader;
        }
        leaders.set(name, byPartition);
      }
    }
    return leaders.get(topicName(topic));
  };
  const answerFor = (topic: string) =>
    brokerPool.metadata?.topicMetadata.find((each) => each.topic === topicName(topic));
  const refresh = async () => {
    await cluster.connect();
    keepSeedBroker();
    await cluster.refreshMetadata();
  };

  return {
    connect: () => cluster.connect(),
    leadersOf: topicOf,
    refresh,
    async load(topic) {
      cluster.targetTopics.add(topicName(topic));
      await refresh();
      // The topic is absent if kafkajs shares a request that started before.
      if (!answerFor(topic)) await refresh();
      if (topicOf(topic)) return;
      throw errorOfCode(answerFor(topic)?.topicErrorCode ?? unknownTopic);
    },
    async newProducerId() {
      await cluster.connect();
      const broker = await brokerPool.findConnectedBroker();
      const asking = broker.initProducerId({ transactionTimeout: 60_000 });
      const { producerId, producerEpoch } = await dropAfterFailure(broker, asking);
      return { id: BigInt(producerId.toString()), epoch: producerEpoch };
    },
    async produce(nodeId, batches) {
      const broker = await cluster.findBroker({ nodeId });
      const { topics } = await broker.connectionPool.send(produceProtocol(batches));
      const codes = new Map(
        topics.flatMap(({ topicName: name, partitions }) =>
          partitions.map(({ partition, errorCode }) => [`${name}/${partition}`, errorCode] as const),
        ),
      );
      return batches.map(({ topic, partition }) => codes.get(`${topic}/${partition}`) ?? unknownServerError);
    },
    drop(nodeId) {
      const broker = brokerPool.brokers[nodeId];
      if (broker) forget(broker);
    },
    close: () => cluster.disconnect(),
  };
}

const unknownServerError = -1;
const unknownTopic = 3;

function createCluster(client: KafkaJs): Cluster {
  const name = Object.getOwnPropertySymbols(client).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  const create = (client as unknown as Record<symbol, (options: object) => Cluster>)[name as symbol];
  if (!create) throw new Error('kafkajs has changed: it creates no clusters');
  return create({ metadataMaxAge: 0, allowAutoTopicCreation: false });
}

/** Reads metadata. Topics and partitions with an error stay in the result, and kafkajs throws for them. */
function metadataOf(broker: Broker, topics: string[]): Promise<Metadata> {
  const lookUp = broker.lookupRequest<object, Metadata>(apiKeys.Metadata, requests.Metadata);
  const { request, response } = lookUp({ topics, allowAutoTopicCreation: false });
  return broker.connectionPool.send({ request, response: { decode: response.decode, parse: async (data) => data } });
}

function produceProtocol(batches: readonly PartitionBatch[]): Protocol<ProduceResponse> {
  return {
    request: {
      apiKey: apiKeys.Produce,
      apiVersion: 7,
      apiName: 'Produce',
      async encode() {
        const body = encodeProduceRequest(batches, { timeoutMs: brokerTimeoutMs, timestampMs: Date.now() });
        return { buf: body, buffer: body, size: () => body.length } as { buf: Buffer; buffer: Buffer };
      },
    },
    // `parse` of kafkajs throws the error of the first partition.
    response: { decode: produceResponse.decode, parse: async (data) => data },
  };
}
