import { randomUUID } from 'node:crypto';
import { startPeriodicLoop } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import type { EventProducer } from '@shopscope/kafka';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import type { Binary, Db, WithId } from 'mongodb';
import { createLease } from './lease.ts';
import type { Outbox, OutboxRow } from './outbox.ts';

/**
 * Publishes outbox rows in the order of their insertion, and deletes them when they are durable in Kafka.
 *
 * - Concurrency: a lease document ensures that one relay per database is active. Another relay takes over when the lease
 *   is released or expires.
 * - Delivery: at least once. A relay that dies before the delete, or that continues after its lease has expired, causes
 *   duplicates. After such a failure, events can be out of order.
 * - Kafka or MongoDB does not respond -> the rows wait, and the relay tries again every second. No row is dropped.
 * - Kafka refuses some rows, because their partition has no leader -> they wait, with the later rows of their keys. The relay continues
 *   with the rows behind them, and starts again at the oldest row every second.
 */
export interface RelayOptions {
  db: Db;
  outbox: Outbox;
  producer: EventProducer;
  logger: Logger;
  registry: Registry;
  /** The name of this relay in the lease document. Operators can read it there. */
  instanceId: string;
  clock?: Clock;
  /** The interval at which rows are found without a nudge, for example rows of other instances. Default 500 ms. */
  pollMs?: number;
  /** The longest delay after the death of the active relay. Default 10 s. */
  leaseMs?: number;
  /** The number of rows per batch. Default 500. */
  maxBatchSize?: number;
}

export interface OutboxRelay {
  /** Reads the outbox at once, for example after a commit. */
  nudge(): void;
  /** Finishes the current batch and releases the lease. */
  stop(): Promise<void>;
}

/** This is half of the default lease, so that a batch that starts with a fresh lease ends before the lease expires. */
const publishTimeoutMs = 5_000;
/** The interval at which an inactive relay tries to take the lease, and at which a failing relay tries again. */
const standbyMs = 1_000;

const refusedTimeoutMs = 1_000;
/** Beyond this number of keys the relay starts again at the oldest row. */
const maxRefusedKeys = 1_000;

export function startOutboxRelay(options: RelayOptions): OutboxRelay {
  const { db, outbox, producer, logger } = options;
  const { clock = systemClock, pollMs = 500, leaseMs = 10_000, maxBatchSize = 500 } = options;
  const lease = createLease(db, { holder: `${options.instanceId}.${randomUUID().slice(0, 8)}`, leaseMs, clock });
  const metrics = relayMetrics(options.registry);

  let failing = false;
  let active = false;
  /** Whether Kafka refused rows since the relay last started at the oldest row. */
  let refusing = false;
  /** The keys of these rows. Their later rows wait, to stay in order. */
  const refusedKeys = new Set<string>();
  /** The last row that was read since then. Undefined if the next round starts at the oldest row. */
  let lastRead: OutboxRow | undefined;

  const publishTopic = async (topic: string, rows: readonly WithId<OutboxRow>[]) => {
    const records = rows.map(({ key, value, headers }) => ({ key, value: bytesOf(value), headers }));
    // A partition that refuses its rows must not delay the other rows of each round by the whole time limit.
    const timeoutMs = refusing ? refusedTimeoutMs : publishTimeoutMs;
    const failures = await producer
      .publishEach(topic, records, { timeoutMs })
      .catch((error: unknown) => rows.map(() => error));
    return rows.map((row, index) => ({ row, failure: failures[index] }));
  };
  /** Resolves with the published rows. Throws while Kafka accepts no row at all. */
  const publish = async (rows: readonly WithId<OutboxRow>[]): Promise<WithId<OutboxRow>[]> => {
    const byTopic = [...Map.groupBy(rows, ({ topic }) => topic)];
    const outcomes = (await Promise.all(byTopic.map(([topic, each]) => publishTopic(topic, each)))).flat();
    const refused = outcomes.filter(({ failure }) => failure !== undefined);
    for (const { row } of refused) refusedKeys.add(keyOf(row));
    if (refused.length > 0 && refused.length === rows.length && !producer.available) throw refused[0]?.failure;
    if (refused.length > 0 && !refusing) {
      logger.warn({ err: refused[0]?.failure, rows: refused.length }, 'some outbox rows are not published; they wait');
    }
    refusing ||= refused.length > 0;
    return outcomes.flatMap(({ row, failure }) => (failure === undefined ? [row] : []));
  };

  const report = async (oldest: OutboxRow | undefined, read: number) => {
    metrics.depth.set(read < maxBatchSize ? read : await outbox.collection.estimatedDocumentCount());
    metrics.oldest.set(oldest ? (clock.now() - oldest.at.getTime()) / 1_000 : 0);
  };

  /** Runs one round. Resolves to the pause in ms before the next round. */
  const relayOnce = async (): Promise<number> => {
    active = await lease.hold();
    if (!active) {
      // Only the active relay reports. The last values of this relay are outdated.
      metrics.depth.set(0);
      metrics.oldest.set(0);
      // Another relay can leave older rows than the last row that this relay has read.
      startAt(undefined);
      return standbyMs;
    }
    const unread = lastRead ? { sequence: { $gt: lastRead.sequence } } : {};
    const rows = await outbox.collection.find(unread).sort({ sequence: 1 }).limit(maxBatchSize).toArray();
    if (!lastRead) await report(rows[0], rows.length);
    const isFull = rows.length === maxBatchSize;
    const published = await publish(rows.filter((row) => !refusedKeys.has(keyOf(row))));
    if (published.length > 0) {
      await outbox.collection.deleteMany({ _id: { $in: published.map((row) => row._id) } });
      metrics.published.inc(published.length);
    }
    if (refusedKeys.size > 0) {
      const continues = isFull && refusedKeys.size < maxRefusedKeys;
      startAt(continues ? rows.at(-1) : undefined);
      return continues ? 0 : standbyMs;
    }
    if (refusing) logger.info('publishing of all outbox rows has resumed');
    refusing = false;
    startAt(undefined);
    if (rows.length === 0) return pollMs;
    await report(undefined, 0);
    return isFull ? 0 : pollMs;
  };
  const startAt = (row: OutboxRow | undefined) => {
    lastRead = row;
    if (!row) refusedKeys.clear();
  };

  let pauseMs = standbyMs;
  const loop = startPeriodicLoop({
    intervalMs: standbyMs,
    immediate: true,
    pauseMs: () => pauseMs,
    async run() {
      pauseMs = standbyMs;
      pauseMs = await relayOnce().catch((error: unknown) => {
        startAt(undefined);
        throw error;
      });
      if (failing) logger.info('publishing of outbox rows has resumed');
      failing = false;
    },
    onError(error) {
      // An outage is logged once, not at every try.
      if (!failing) logger.warn({ err: error }, 'outbox rows are not published; they wait');
      failing = true;
    },
  });

  return {
    nudge() {
      if (active && !failing) loop.wake();
    },
    async stop() {
      await loop.stop();
      await lease.release().catch(() => {});
    },
  };
}

const keyOf = ({ topic, key }: OutboxRow) => `${topic} ${key}`;

function bytesOf(value: Binary | Uint8Array): Uint8Array {
  return value instanceof Uint8Array ? value : value.value();
}

function relayMetrics(registry: Registry) {
  const { counter, gauge } = metricsOf(registry);
  return {
    depth: gauge('outbox_depth', 'Unpublished events in the outbox'),
    oldest: gauge('outbox_oldest_seconds', 'Age of the oldest unpublished event'),
    published: counter('outbox_published_total', 'Events published from the outbox'),
  };
}
