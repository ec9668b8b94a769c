import { randomUUID } from 'node:crypto';
import type { Origin } from '@shopscope/telemetry';
import type { TestNamespace } from './namespace.ts';
import { kafkaOptions } from './settings.ts';

/**
 * Kafka for a test: existing topics, a producer, and consumers that collect events. The caller passes the functions of @shopscope/kafka,
 * because that package's own tests use this one.
 */
export interface KafkaHarness<K = unknown, P = unknown> {
  kafka: K;
  producer: P;
  /** Collects every event of the type, from the beginning of its topic. */
  collect<T>(type: EventTypeOf<T>): Promise<CollectedEvents<T>>;
  /** Stops the collecting consumers, the producer and the connections. */
  close(): Promise<void>;
}

export interface CollectedEvents<T> {
  /** The events in the order of arrival. The array grows. */
  events: T[];
  /** The same events, each with the metadata from its headers. */
  received: { event: T; meta: Origin }[];
  /** Returns the number of events that are published and not yet collected. */
  lag(): Promise<number>;
}

export interface KafkaFunctions<K extends KafkaConnection, P extends Closable> {
  createKafka(options: ReturnType<typeof kafkaOptions>): K;
  createProducer(kafka: K, options: { sendTimeoutMs: number }): P;
  consumeEvents(kafka: K, options: ConsumeOptions<P>): Promise<Consumer>;
}

/** A busy machine may take long to store an event. */
const sendTimeoutMs = 60_000;

export async function startKafkaHarness<K extends KafkaConnection, P extends Closable>(
  { createKafka, createProducer, consumeEvents }: KafkaFunctions<K, P>,
  namespace: TestNamespace,
  topics: readonly TopicOf[] = [],
): Promise<KafkaHarness<K, P>> {
  const kafka = createKafka(kafkaOptions(namespace));
  const producer = createProducer(kafka, { sendTimeoutMs });
  const consumers: Consumer[] = [];
  await kafka.ensureTopics(topics);
  return {
    kafka,
    producer,
    async collect<T>(type: EventTypeOf<T>) {
      const events: T[] = [];
      const received: { event: T; meta: Origin }[] = [];
      const handle = async (batch: { event: T; meta: Origin }[]) => {
        received.push(...batch.map(({ event, meta }) => ({ event, meta })));
        events.push(...batch.map(({ event }) => event));
      };
      const consumer = await consumeEvents(kafka, {
        groupId: `collector-${randomUUID()}`,
        producer,
        subscriptions: [{ type, handle }],
        onFatal(error) {
          throw error;
        },
      });
      consumers.push(consumer);
      return { events, received, lag: () => consumer.lag() };
    },
    async close() {
      for (const consumer of consumers.splice(0)) await consumer.stop();
      await producer.close();
      await kafka.close();
    },
  };
}

/** The parts of @shopscope/kafka's types that are needed here. */
interface Closable {
  close(): Promise<void>;
}

interface KafkaConnection extends Closable {
  ensureTopics(topics: readonly TopicOf[]): Promise<void>;
}

interface TopicOf {
  topic: string;
  partitions: number;
  retentionMs: number;
}

interface EventTypeOf<T> {
  name: string;
  version: number;
  topic: string;
  encode(event: T): Uint8Array;
  decode(bytes: Uint8Array): T;
  key(event: T): string;
}

interface ConsumeOptions<P> {
  groupId: string;
  producer: P;
  // biome-ignore lint/suspicious/noExplicitAny: subscriptions of different events stand in one list
  subscriptions: { type: EventTypeOf<any>; handle(batch: any[]): Promise<void> }[];
  onFatal(error: unknown): void;
}

interface Consumer {
  lag(): Promise<number>;
  stop(): Promise<void>;
}
