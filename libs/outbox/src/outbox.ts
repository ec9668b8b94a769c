import { type EventMeta, type EventType, encodeEvent, rejectOversized } from '@shopscope/kafka';
import type { CollectionDefinitions } from '@shopscope/mongo';
import { type Binary, type ClientSession, type Collection, type Db, ObjectId, Timestamp } from 'mongodb';

/** An unpublished event, written in the transaction of its state change. */
export interface OutboxRow {
  _id: ObjectId;
  /** The server sets it at the insert. It increases across all processes. */
  sequence: Timestamp;
  topic: string;
  key: string;
  value: Binary | Uint8Array;
  headers: Record<string, string>;
  at: Date;
}

export interface OutboxEvent<T> {
  event: T;
  meta: EventMeta;
}

export interface Outbox {
  collection: Collection<OutboxRow>;
  /** Appends an event within the transaction of the caller. Rejects with `invalid_request` if it is too large for Kafka. */
  append<T>(session: ClientSession, type: EventType<T>, event: T, meta: EventMeta): Promise<void>;
  /** Appends several events in this order, with one command. See {@link append}. */
  appendMany<T>(session: ClientSession, type: EventType<T>, events: readonly OutboxEvent<T>[]): Promise<void>;
  pending(): Promise<number>;
}

export const outboxCollectionName = 'outbox';
export const leaseCollectionName = 'outbox_lease';

/** The collections of the outbox. The service declares them together with its own. */
export const outboxCollections = {
  [outboxCollectionName]: {
    indexes: [{ key: { sequence: 1 } }],
    unsharded: 'one relay reads all rows in the order of one clock, and few wait',
  },
  [leaseCollectionName]: { indexes: [], unsharded: 'one document' },
} as const satisfies CollectionDefinitions;

export function createOutbox(db: Db): Outbox {
  const collection = db.collection<OutboxRow>(outboxCollectionName);
  const appendMany: Outbox['appendMany'] = async (session, type, events) => {
    if (events.length === 0) return;
    const records = events.map(({ event, meta }) => encodeEvent(type, event, meta));
    rejectOversized(type.topic, records);
    const at = new Date();
    const rows = records.map(({ key, value, headers }) => ({
      _id: new ObjectId(),
      // The server replaces an empty timestamp with its own timestamp, which is greater than all earlier ones.
      sequence: new Timestamp(0n),
      topic: type.topic,
      key,
      value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
      headers,
      at,
    }));
    await collection.insertMany(rows, { session });
  };
  return {
    collection,
    appendMany,
    append: (session, type, event, meta) => appendMany(session, type, [{ event, meta }]),
    pending: () => collection.countDocuments({}),
  };
}
