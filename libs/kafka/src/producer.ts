import { createCircuitBreaker, createDeadline, createKeyedBatcher, withTimeout } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { type Counter, latencyBuckets, metricsOf } from '@shopscope/telemetry';
import { CompressionTypes, type Message, type Producer } from 'kafkajs';
import { type EventMeta, type EventType, encodeEvent, headers, type RawRecord } from './event-type.ts';
import type { Kafka } from './kafka.ts';
import { logFieldsOf } from './log-fields.ts';
import { createPartitioner } from './partitioner.ts';

/**
 * Publishes events durably: with acks from all in-sync replicas, an idempotent producer, and a key for every event.
 *
 * - Batches: the events of a few milliseconds share one request.
 * - Concurrency: one request runs at a time, which keeps the events of one key in order.
 * - The caller's time limit passes while a request carries the event -> `unavailable`. The outcome is unknown, because the event may still
 *   arrive. Consumers therefore deduplicate events by id.
 * - The caller's time limit passes before a request carries the event -> `unavailable`, and the event is withdrawn. The caller cannot
 *   distinguish the two cases.
 * - Three failures in a row -> the circuit opens. `publish` then rejects at once, except for one probe per second.
 * - A request fails or gets no answer within 5 s -> the next request uses a new kafkajs producer. An idempotent producer that lost an
 *   answer may have lost its sequence number.
 * - Bounds: `maxQueued` events; 1,000 events and 900 kB per request.
 */
export interface EventProducer {
  /** Resolves when the event is durable. Rejects with `unavailable` when the event was refused or its outcome is unknown. */
  publish<T>(type: EventType<T>, event: T, meta: EventMeta, options?: PublishOptions): Promise<void>;
  /** Works as {@link publish} for several events. When it rejects, some of the events may be durable. */
  publishMany<T>(type: EventType<T>, events: readonly T[], meta: EventMeta, options?: PublishOptions): Promise<void>;
  /** Publishes encoded records, for relays and dead letters. `topic` is the name without the prefix. */
  publishRaw(topic: string, records: readonly RawRecord[], options?: PublishOptions): Promise<void>;
  /** Whether the circuit is closed. */
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
   * For events whose loss does no harm. `kafka_producer_available` does not show the circuit of this producer, because an alert on that
   * metric pages operators. Default false.
   */
  bestEffort?: boolean;
  clock?: Clock;
}

/** The maximum bytes of one event and of one request. The broker's default limit is 1 MiB per batch of one partition. */
export const maxEventBytes = 900_000;
/** An upper estimate of the framing bytes of one event. */
const recordOverheadBytes = 600;
const requestTimeoutMs = 5_000;
const maxBatchSize = 1_000;
const failuresToOpen = 3;
const probeIntervalMs = 1_000;

export function createProducer(kafka: Kafka, options: ProducerOptions = {}): EventProducer {
  const { lingerMs = 5, isLast, maxQueued = 20_000, sendTimeoutMs = 1_000 } = options;
  const { bestEffort = false, clock = systemClock } = options;
  const { logger } = kafka.options;
  const breaker = createCircuitBreaker({ failures: failuresToOpen, probeIntervalMs, clock });
  const metrics = producerMetrics(kafka, bestEffort);
  metrics.available?.set(1);
  /** The metric's children by outcome and topic, which saves hashing the labels at each call. */
  const published = new Map<string, Counter.Internal>();
  const publishedOf = (topic: string, outcome: 'ok' | 'failed') => {
    const key = `${outcome} ${topic}`;
    const known = published.get(key) ?? metrics.published.labels({ topic, outcome });
    published.set(key, known);
    return known;
  };
  let closed = false;
  let producer: Promise<Producer> | undefined;

  const connected = (): Promise<Producer> => {
    if (producer) return producer;
    const made = kafka.client.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner,
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 5 },
    });
    const connecting = made.connect().then(() => made);
    connecting.catch(() => replace(connecting));
    producer = connecting;
    return connecting;
  };
  const replace = (failed: Promise<Producer>) => {
    if (producer !== failed) return;
    producer = undefined;
    failed.then((old) => old.disconnect()).catch(() => {});
  };
  const failed = () => {
    breaker.failed();
    metrics.available?.set(breaker.open ? 0 : 1);
  };

  const send = async (batch: readonly Queued[]): Promise<undefined> => {
    const byTopic = Map.groupBy(batch, ({ topic }) => topic);
    const end = metrics.duration.startTimer();
    const current = connected();
    try {
      const request = current.then((ready) =>
        ready.sendBatch({
          acks: -1,
          timeout: requestTimeoutMs,
          compression: CompressionTypes.None,
          topicMessages: [...byTopic].map(([topic, queued]) => ({
            topic: kafka.topicName(topic),
            messages: queued.map(({ message }) => message),
          })),
        }),
      );
      await withTimeout(request, requestTimeoutMs, `no answer from the broker in ${requestTimeoutMs} ms`, clock);
      breaker.succeeded();
      metrics.available?.set(1);
    } catch (error) {
      failed();
      replace(current);
      const header = ({ message }: Queued, name: string) => String(message.headers?.[name] ?? '');
      const fields = logFieldsOf(
        batch.map((queued) => ({
          requestId: header(queued, headers.requestId),
          environment: header(queued, headers.environment),
        })),
      );
      logger.warn({ err: error, events: batch.length, ...fields }, 'events were not published');
      throw unavailable('the broker did not take it', error);
    } finally {
      end();
      metrics.batchSize.observe(batch.length);
    }
  };
  const batcher = createKeyedBatcher<Queued>({
    run: send,
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize,
    lingerMs,
    isLast,
    maxQueued,
    clock,
    weightOf: ({ bytes }) => bytes,
    maxWeight: maxEventBytes,
  });

  const publishRaw = async (topic: string, records: readonly RawRecord[], bounds: PublishOptions = {}) => {
    if (records.length === 0) return;
    rejectOversized(topic, records);
    if (closed) throw unavailable('the producer is closed');
    if (batcher.size + records.length > maxQueued) throw unavailable('the queue is full');
    if (!breaker.admits()) throw unavailable('the circuit is open');
    let noAnswer: AppError | undefined;
    const error = () => (noAnswer ??= unavailable('the outcome is unknown: no answer in time'));
    const deadline = createDeadline(bounds.timeoutMs ?? sendTimeoutMs, { clock, error });
    const failures: unknown[] = [];
    const keep = (failure: unknown) => void failures.push(failure);
    await Promise.all(records.map((record) => batcher.submit(queuedOf(topic, record), deadline).catch(keep)));
    publishedOf(topic, 'ok').inc(records.length - failures.length);
    if (failures.length === 0) return;
    publishedOf(topic, 'failed').inc(failures.length);
    for (const failure of failures) if (failure === noAnswer) failed();
    throw failures[0];
  };

  // Connects now, so that the first caller does not wait for the connection.
  connected().catch(() => {});
  return {
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
      return !breaker.open;
    },
    async close() {
      closed = true;
      await batcher.flush();
      await (await producer?.catch(() => undefined))?.disconnect();
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

interface Queued {
  topic: string;
  message: Message;
  bytes: number;
}

function queuedOf(topic: string, record: RawRecord): Queued {
  const { key, value, headers } = record;
  const bytes = value && Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return { topic, message: { key, value: bytes, headers }, bytes: recordBytes(record) };
}

function unavailable(internal: string, cause?: unknown): AppError {
  return new AppError('unavailable', 'The service is not available; retry shortly.', { internal, cause });
}

function producerMetrics({ options: { registry } }: Kafka, bestEffort: boolean) {
  const { counter, gauge, histogram } = metricsOf(registry);
  const sizes = [1, 3, 10, 30, 100, 300, 1_000];
  return {
    published: counter('kafka_published_total', 'Events published, by outcome', ['topic', 'outcome']),
    duration: histogram('kafka_publish_duration_seconds', 'Duration of one produce request', latencyBuckets),
    batchSize: histogram('kafka_publish_batch_events', 'Events of one produce request', sizes),
    available: bestEffort ? undefined : gauge('kafka_producer_available', '0 while the producer circuit is open'),
  };
}
