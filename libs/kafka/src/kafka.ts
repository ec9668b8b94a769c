import { createDeadline, retry, untilAborted, withTimeout } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { errorLine, type Logger, type Registry } from '@shopscope/telemetry';
import { type Admin, Kafka as KafkaJs, logLevel, type SASLOptions } from 'kafkajs';
import { patchKafkajsBusyPolling } from './patch-kafkajs-busy-polling.ts';
import { openProduceCluster, type ProduceCluster } from './produce/cluster.ts';
import { type BrokerAddress, socketsTo } from './sockets.ts';
import {
  describeTopics,
  lastingDifferences,
  readTopicDifferences,
  rejectDifferences,
  type TopicDifference,
} from './topic-differences.ts';
import { createTopics, type TopicDefinition } from './topics.ts';

/**
 * The Kafka client of one process. Services use only topics, producers and consumers of event types, which allows kafkajs to be replaced.
 * Topics and groups have a prefix, which allows environments to share a cluster.
 *
 * - The broker does not answer -> calls fail after a few seconds. {@link Kafka.ensureTopics} waits longer.
 * - {@link Kafka.close} -> waiting calls and later calls fail at once.
 */
export interface KafkaOptions {
  brokers: string[];
  clientId: string;
  topicPrefix: string;
  replicationFactor: number;
  /**
   * Whether {@link Kafka.ensureTopics} only compares, and rejects missing topics and different settings. Otherwise it creates missing topics
   * and warns of different settings. Default false.
   */
  onlyComparesTopics?: boolean;
  /** The upper bound of the time that a consumer gathers events, see `ConsumeOptions.gatherMs`. Default: no bound. */
  maxGatherMs?: number | undefined;
  logger: Logger;
  registry: Registry;
  /**
   * Trusted certificates and, for brokers that require it, this client's own certificate, as PEM. Without it,
   * connections are not encrypted.
   */
  tls?: { ca?: string; cert?: string; key?: string };
  sasl?: SaslCredentials;
  /** Returns the address to dial instead of a broker's advertised address, for a tunnel or a proxy. */
  dial?: (advertised: BrokerAddress) => BrokerAddress;
  clock?: Clock;
}

export interface SaslCredentials {
  /** `plain` sends the password itself to the broker. Use it only with TLS. */
  mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  username: string;
  password: string;
}

export interface OffsetRange {
  /** The first offset that the broker keeps. */
  low: bigint;
  /** The offset after the last record. */
  high: bigint;
}

export interface Kafka {
  client: KafkaJs;
  options: KafkaOptions;
  topicName(topic: string): string;
  groupName(group: string): string;
  /**
   * Creates the missing topics, each with its dead-letter topic, and compares the settings of all. It retries for up to `waitMs` (default
   * 60 s), or until `abort` aborts. Rejects at once with `TopicsDifferError`, see `onlyComparesTopics`.
   */
  ensureTopics(topics: readonly TopicDefinition[], options?: { waitMs?: number; abort?: AbortSignal }): Promise<void>;
  /** Compares the topics and their dead-letter topics with what they need. */
  topicDifferences(topics: readonly TopicDefinition[]): Promise<TopicDifference[]>;
  /** Opens the connections of one producer. */
  openProduceCluster(): ProduceCluster;
  offsetRanges(topic: string): Promise<Map<number, OffsetRange>>;
  /** Returns the offset after the last record, by partition. */
  endOffsets(topic: string): Promise<Map<number, bigint>>;
  /** Returns the next offset that the group will read, by partition. It is -1 if the group has committed nothing there. */
  committedOffsets(groupId: string, topic: string): Promise<Map<number, bigint>>;
  /** Makes waiting and later calls fail at once. It resolves within {@link closeMs}, even if no broker answers. */
  close(): Promise<void>;
}

const closeMs = 1_000;
const topicsPauseMs = 500;

export type { BrokerAddress } from './sockets.ts';
export { deadLetterSuffix, type TopicDefinition } from './topics.ts';

export function createKafka(options: KafkaOptions): Kafka {
  patchKafkajsBusyPolling();
  const { clock = systemClock } = options;
  const client = new KafkaJs({
    clientId: options.clientId,
    brokers: options.brokers,
    connectionTimeout: 2_000,
    authenticationTimeout: 2_000,
    // Requests that may take longer have a time limit of their own.
    requestTimeout: 5_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
    socketFactory: socketsTo(options.dial),
    ...(options.tls && { ssl: options.tls }),
    ...(options.sasl && { sasl: { ...options.sasl } as SASLOptions }),
    logLevel: logLevel.INFO,
    // kafkajs logs errors that it recovers from. The producers and consumers of this library log the other errors.
    logCreator: () => (entry) => {
      const { message, ...rest } = entry.log;
      options.logger.debug({ kafkajs: { ...rest, stack: undefined, timestamp: undefined } }, message);
    },
  });
  const closing = new AbortController();
  let admin: Promise<Admin> | undefined;
  const connected = async () => {
    closing.signal.throwIfAborted();
    admin ??= (async () => {
      const made = client.admin({ retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 } });
      await made.connect();
      return made;
    })().catch((error: unknown) => {
      admin = undefined;
      throw error;
    });
    return untilAborted(closing.signal, admin);
  };
  const topicName = (topic: string) => options.topicPrefix + topic;
  const groupName = (group: string) => options.topicPrefix + group;
  const offsetRanges = async (topic: string) => {
    const ask = async () => (await connected()).fetchTopicOffsets(topicName(topic));
    const offsets = await retry(ask, { pauseMs: pauseForLeader, abort: closing.signal, clock });
    return new Map(offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]));
  };

  const named = (topics: readonly TopicDefinition[]) =>
    topics.map((definition) => ({ ...definition, topic: topicName(definition.topic) }));
  const topicDifferences = async (topics: readonly TopicDefinition[]) =>
    readTopicDifferences(await connected(), named(topics), options.replicationFactor);

  return {
    client,
    options,
    topicDifferences,
    topicName,
    groupName,
    openProduceCluster: () => openProduceCluster(client, topicName),
    offsetRanges,
    async ensureTopics(topics, { waitMs = 60_000, abort: given } = {}) {
      const abort = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
      const create = async () => {
        if (!options.onlyComparesTopics)
          await createTopics(await connected(), named(topics), options.replicationFactor);
        return topicDifferences(topics);
      };
      const all = await retry(() => untilAborted(abort, create()), {
        pauseMs: () => topicsPauseMs,
        deadline: createDeadline(waitMs, { clock }),
        abort,
        clock,
        onFailure(error, attempt) {
          // Logged once: a broker that starts together with its clients gets a request every half second.
          if (attempt > 1) return;
          options.logger.warn({ reason: errorLine(error) }, 'kafka topics are not there yet; trying again');
        },
      });
      if (options.onlyComparesTopics) return rejectDifferences(all);
      const differences = lastingDifferences(all);
      if (differences.length > 0) options.logger.warn({ differences }, describeTopics(differences));
    },
    async endOffsets(topic) {
      return new Map([...(await offsetRanges(topic))].map(([partition, { high }]) => [partition, high]));
    },
    async committedOffsets(groupId, topic) {
      const [found] = await (await connected()).fetchOffsets({
        groupId: groupName(groupId),
        topics: [topicName(topic)],
      });
      return new Map(found?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]) ?? []);
    },
    async close() {
      closing.abort(new Error('the kafka client is closed'));
      const disconnecting = admin?.then((connection) => connection.disconnect());
      if (disconnecting) await withTimeout(disconnecting, closeMs, 'no broker answers', clock).catch(() => {});
    },
  };
}

const leaderAttempts = 10;
const leaderPauseMs = 200;

/**
 * Retries while a partition has no known leader. kafkajs does not retry when a partition was just created or moved and its leader does not
 * know that yet.
 */
function pauseForLeader(attempt: number, error: unknown): number | undefined {
  const { type } = error as { type?: string };
  const isMoving = type === 'NOT_LEADER_FOR_PARTITION' || type === 'LEADER_NOT_AVAILABLE';
  return isMoving && attempt < leaderAttempts ? leaderPauseMs : undefined;
}
