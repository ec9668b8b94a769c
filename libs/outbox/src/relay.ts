import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '@shopscope/clock';
import type { EventProducer } from '@shopscope/kafka';
import { Counter, Gauge, type Logger, type Registry } from '@shopscope/telemetry';
import type { Binary, Db, WithId } from 'mongodb';
import { createLease } from './lease.ts';
import type { Outbox, OutboxRow } from './outbox.ts';

/**
 * Publishes outbox rows in the order of their insertion and deletes them once they are durable in Kafka. One relay per
 * database is active, by a lease document; another takes over when the lease is released or runs out. A relay that dies
 * between publishing and deleting leaves rows that are published again, and so does one that outlives its lease:
 * delivery is at least once, and after a failure an event can follow one that it had preceded.
 *
 * While Kafka or MongoDB does not answer, rows wait and the relay tries again; nothing is dropped.
 */
export interface RelayOptions {
  db: Db;
  outbox: Outbox;
  producer: EventProducer;
  logger: Logger;
  registry: Registry;
  /** Names this relay in the lease, for people. */
  instanceId: string;
  clock?: Clock;
  /** Default 200 ms. */
  pollMs?: number;
  /** How long a dead relay delays the next one at most. Default 10 s. */
  leaseMs?: number;
  /** Most rows published at once. Default 500. */
  maxBatchSize?: number;
}

export interface OutboxRelay {
  /** Looks for rows at once, e.g. right after a commit. */
  nudge(): void;
  /** Finishes the batch in hand and gives the lease away. */
  stop(): Promise<void>;
}

/** Half of the default lease: a batch that is taken with a fresh lease ends before it runs out. */
const publishTimeoutMs = 5_000;
/** How often a relay that is not the active one asks for the lease, and how often a failing one tries again. */
const standbyMs = 1_000;

export function startOutboxRelay(options: RelayOptions): OutboxRelay {
  const { db, outbox, producer, logger } = options;
  const { clock = systemClock, pollMs = 200, leaseMs = 10_000, maxBatchSize = 500 } = options;
  const lease = createLease(db, { holder: `${options.instanceId}.${randomUUID().slice(0, 8)}`, leaseMs, clock });
  const metrics = relayMetrics(options.registry);

  const publish = async (rows: readonly WithId<OutboxRow>[]) => {
    const byTopic = [...Map.groupBy(rows, (row) => row.topic)];
    await Promise.all(
      byTopic.map(([topic, records]) =>
        producer.publishRaw(
          topic,
          records.map(({ key, value, headers }) => ({ key, value: bytesOf(value), headers })),
          { timeoutMs: publishTimeoutMs },
        ),
      ),
    );
  };

  const report = async (oldest: OutboxRow | undefined, read: number) => {
    metrics.depth.set(read < maxBatchSize ? read : await outbox.collection.estimatedDocumentCount());
    metrics.oldest.set(oldest ? (clock.now() - oldest.at.getTime()) / 1_000 : 0);
  };

  let stopped = false;
  let nudged = false;
  let failing = false;
  let active = false;

  /** One round; resolves with how long to rest before the next. */
  const relayOnce = async (): Promise<number> => {
    active = await lease.hold();
    if (!active) {
      // The active relay reports; what this one saw last is no longer true.
      metrics.depth.set(0);
      metrics.oldest.set(0);
      return standbyMs;
    }
    const rows = await outbox.collection.find({}).sort({ sequence: 1 }).limit(maxBatchSize).toArray();
    await report(rows[0], rows.length);
    if (rows.length === 0) return pollMs;
    await publish(rows);
    await outbox.collection.deleteMany({ _id: { $in: rows.map((row) => row._id) } });
    metrics.published.inc(rows.length);
    await report(undefined, 0);
    return rows.length === maxBatchSize ? 0 : pollMs;
  };

  let wake = () => {};
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async () => {
    while (!stopped) {
      nudged = false;
      let restMs = standbyMs;
      try {
        restMs = await relayOnce();
        if (failing) logger.info('outbox rows are published again');
        failing = false;
      } catch (error) {
        // Said once, not at every try.
        if (!failing) logger.warn({ err: error }, 'outbox rows are not published; they wait');
        failing = true;
      }
      const hurried = nudged && active && !failing;
      if (!stopped && !hurried && restMs > 0) await rest(restMs);
    }
    await lease.release().catch(() => {});
  };
  const running = run();

  return {
    nudge() {
      nudged = true;
      if (active && !failing) wake();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

function bytesOf(value: Binary | Uint8Array): Uint8Array {
  return value instanceof Uint8Array ? value : value.value();
}

function relayMetrics(registry: Registry) {
  const registers = [registry];
  return {
    depth: new Gauge({ name: 'outbox_depth', help: 'Events decided and not yet published', registers }),
    oldest: new Gauge({ name: 'outbox_oldest_seconds', help: 'Age of the oldest of them', registers }),
    published: new Counter({ name: 'outbox_published_total', help: 'Events published from the outbox', registers }),
  };
}
