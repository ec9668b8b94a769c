import { createDeadline } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { type Counter, latencyBuckets, metricsOf } from '@shopscope/telemetry';
import { type EventMeta, type EventType, encodeEvent, type RawRecord } from './event-type.ts';
import type { Kafka } from './kafka.ts';
import { createCircuits } from './produce/circuits.ts';
import type { Partition } from './produce/partition.ts';
import { partitionOf } from './produce/partition-of.ts';
import { createPartitionTable } from './produce/partition-table.ts';
import { createSender, maxEventBytes } from './produce/sender.ts';
import { unavailable } from './produce/unavailable.ts';

/**
 * Publishes events durably: with acks from all in-sync replicas, an idempotent producer, and a key for every event.
 *
 * - Batches: the events of a few milliseconds share one request per broker (see produce/sender.ts).
 * - Concurrency: a partition is in one request at a time, which keeps the events of one key in order.
 * - The caller's time limit passes while a request carries the event -> `unavailable`. The outcome is unknown, because the event may still
 *   arrive. Consumers therefore deduplicate events by id.
 * - The caller's time limit passes before a request carries the event -> `unavailable`, and the event is withdrawn. The caller cannot
 *   distinguish the two cases.
 * - Three failures of one partition in a row -> its circuit opens. `publish` then rejects the events of that partition at once, except for
 *   one probe per second. The events of other partitions are published.
 * - A broker does not answer -> a failure of every partition that it leads.
 * - The topic does not exist, or no broker answers the first call -> failures that open the circuit of the topic.
 * - Bounds: `maxQueued` events; 1,000 events and 900 kB per request.
 */
export interface EventProducer {
  /** Resolves when the event is durable. Rejects with `unavailable` when the event was refused or its outcome is unknown. */
  publish<T>(type: EventType<T>, event: T, meta: EventMeta, options?: PublishOptions): Promise<void>;
  /** Works as {@link publish} for several events. When it rejects, some of the events may be durable. */
  publishMany<T>(type: EventType<T>, events: readonly T[], meta: EventMeta, options?: PublishOptions): Promise<void>;
  /** Publishes encoded records, for relays and dead letters. `topic` is the name without the prefix. */
  publishRaw(topic: string, records: readonly RawRecord[], options?: PublishOptions): Promise<void>;
  /** Resolves with the error of each record, or undefined for a record that is durable. It rejects if it accepts none of them. */
  publishEach(topic: string, records: readonly RawRecord[], options?: PublishOptions): Promise<unknown[]>;
  /** Whether any partition takes events. False while the circuits of all partitions are open. */
  readonly available: boolean;
  /** Sends the queued events, then disconnects. Later events are refused. */
  close(): Promise<void>;
}

export interface PublishOptions {
  /** Default: the producer's `sendTimeoutMs`. */
  timeoutMs?: number;
  /** Further headers of the encoded events. */
  headers?: Record<string, string>;
}

export interface ProducerOptions {
  /** How long an event waits for other events to share its request. Default 5 ms. */
  lingerMs?: number;
  /** Returns true if no event is expected beyond the `queued` ones. These then do not wait for others. */
  isLast?(queued: number): boolean;
  /** The maximum number of events that wait or are in a request. Further events are refused. Default 20,000. */
  maxQueued?: number;
  /** The default of a caller's time limit. Default 1,000 ms. */
  sendTimeoutMs?: number;
  /**
   * For events whose loss does no harm. `kafka_producer_available` does not show the circuits of this producer, because an alert on
   * that metric pages operators. Default false.
   */
  bestEffort?: boolean;
  clock?: Clock;
}

export { maxEventBytes } from './produce/sender.ts';

/** An upper estimate of the framing bytes of one event. */
const recordOverheadBytes = 600;

export function createProducer(kafka: Kafka, options: ProducerOptions = {}): EventProducer {
  const { lingerMs = 5, isLast, maxQueued = 20_000, sendTimeoutMs = 1_000 } = options;
  const { bestEffort = false, clock = systemClock } = options;
  const { logger, registry } = kafka.options;
  const metrics = producerMetrics(kafka);
  const cluster = kafka.openProduceCluster();
  const circuits = createCircuits({ registry, logger, clock, bestEffort });
  const table = createPartitionTable({ cluster, circuits, clock });
  const sender = createSender({
    cluster,
    table,
    circuits,
    topicName: kafka.topicName,
    lingerMs,
    isLast,
    clock,
    logger,
    measure() {
      const end = metrics.duration.startTimer();
      return (events) => {
        end();
        metrics.batchSize.observe(events);
      };
    },
  });
  /** The metric's children by outcome and topic, which saves hashing the labels at each call. */
  const published = new Map<string, Counter.Internal>();
  const publishedOf = (topic: string, outcome: 'ok' | 'failed') => {
    const key = `${outcome} ${topic}`;
    const known = published.get(key) ?? metrics.published.labels({ topic, outcome });
    published.set(key, known);
    return known;
  };
  let closed = false;
  /** The calls that wait until the partitions of their topic are read, and their records. */
  const loading = new Set<Promise<unknown>>();
  let loadingRecords = 0;
  const waitFor = async <T>(loaded: Promise<T>, topic: string, records: number): Promise<T> => {
    loading.add(loaded);
    loadingRecords += records;
    try {
      return await loaded;
    } catch (error) {
      publishedOf(topic, 'failed').inc(records);
      throw error;
    } finally {
      loadingRecords -= records;
      loading.delete(loaded);
    }
  };

  const publishEach = async (topic: string, records: readonly RawRecord[], bounds: PublishOptions = {}) => {
    rejectOversized(topic, records);
    if (closed) throw unavailable('the producer is closed');
    if (sender.size + loadingRecords + records.length > maxQueued) throw unavailable('the queue is full');
    let noAnswer: AppError | undefined;
    const error = () => (noAnswer ??= unavailable('the outcome is unknown: no answer in time'));
    const deadline = createDeadline(bounds.timeoutMs ?? sendTimeoutMs, { clock, error });
    const partitions = table.partitionsOf(topic) ?? (await waitFor(table.load(topic, deadline), topic, records.length));
    const target = ({ key }: RawRecord) => partitions[partitionOf(key, partitions.length)] as Partition;
    /** Whether the circuit of a partition admits the events of this call. */
    const admitted = new Map<Partition, boolean>();
    const admits = (partition: Partition) => {
      const admission = admitted.get(partition) ?? partition.circuit.admits();
      admitted.set(partition, admission);
      return admission;
    };
    if (table.isOld() && records.some((record) => admits(target(record)))) {
      try {
        // The table adds partitions to `partitions`.
        await waitFor(table.renew(deadline), topic, records.length);
      } catch (failure) {
        for (const [partition, admission] of admitted) if (admission) circuits.failed(partition);
        throw failure;
      }
    }
    const submit = async (record: RawRecord): Promise<unknown> => {
      const partition = target(record);
      if (!admits(partition)) return unavailable('the circuit is open');
      try {
        return await sender.submit(partition, { record, bytes: recordBytes(record), deadline });
      } catch (failure) {
        // Counted once per call.
        if (failure === noAnswer && admitted.delete(partition)) sender.timedOut(partition);
        return failure;
      }
    };
    const failures = await Promise.all(records.map(submit));
    const failed = failures.filter((failure) => failure !== undefined).length;
    publishedOf(topic, 'ok').inc(records.length - failed);
    if (failed > 0) publishedOf(topic, 'failed').inc(failed);
    return failures;
  };
  const publishRaw = async (topic: string, records: readonly RawRecord[], bounds?: PublishOptions) => {
    if (records.length === 0) return;
    const failures = await publishEach(topic, records, bounds);
    const failure = failures.find((each) => each !== undefined);
    if (failure !== undefined) throw failure;
  };

  // Connects now, so that the first caller does not wait for the connection.
  cluster.connect().catch(() => {});
  return {
    publishEach,
    publishRaw,
    publishMany: async (type, events, meta, bounds) =>
      publishRaw(
        type.topic,
        events.map((event) => encodeEvent(type, event, meta, bounds?.headers)),
        bounds,
      ),
    publish: async (type, event, meta, bounds) =>
      publishRaw(type.topic, [encodeEvent(type, event, meta, bounds?.headers)], bounds),
    get available() {
      return circuits.anyClosed;
    },
    async close() {
      closed = true;
      await Promise.allSettled(loading);
      await sender.flush();
      circuits.stop();
      await cluster.close();
    },
  };
}

/** Throws for an event that no broker accepts. It is called before the event is queued, because the event would fail its whole request. */
export function rejectOversized(topic: string, records: readonly RawRecord[]): void {
  const largest = records.reduce((most, { value }) => Math.max(most, value?.length ?? 0), 0);
  if (largest <= maxEventBytes) return;
  throw new AppError('invalid_request', 'An event is too large.', {
    internal: `${largest} bytes for ${topic}, at most ${maxEventBytes}`,
  });
}

/** An upper estimate of the size of a record within a request. */
export function recordBytes({ key, value, headers: all }: RawRecord): number {
  let bytes = (value?.length ?? 0) + Buffer.byteLength(key) + recordOverheadBytes;
  for (const name in all) bytes += name.length + Buffer.byteLength(all[name] as string | Buffer);
  return bytes;
}

function producerMetrics({ options: { registry } }: Kafka) {
  const { counter, histogram } = metricsOf(registry);
  const sizes = [1, 3, 10, 30, 100, 300, 1_000];
  return {
    published: counter('kafka_published_total', 'Events published, by outcome', ['topic', 'outcome']),
    duration: histogram('kafka_publish_duration_seconds', 'Duration of one produce request', latencyBuckets),
    batchSize: histogram('kafka_publish_batch_events', 'Events of one produce request', sizes),
  };
}
