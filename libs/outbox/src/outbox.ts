import { type EventMeta, type EventType, encodeEvent, refuseOversized } from '@shopscope/kafka';
import type { IndexDefinition } from '@shopscope/mongo';
import { type Binary, type ClientSession, type Collection, type Db, ObjectId, Timestamp } from 'mongodb';

/** An event that is decided and not yet published: written in the transaction of the state change that it tells of. */
export interface OutboxRow {
  _id: ObjectId;
  /** Given by the server at the insert: later inserts have later ones, whichever process makes them. */
  sequence: Timestamp;
  topic: string;
  key: string;
  value: Binary | Uint8Array;
  headers: Record<string, string>;
  at: Date;
}

export interface Outbox {
  collection: Collection<OutboxRow>;
  /** Inside the caller's transaction. Throws AppError `invalid_request` for an event too large for Kafka. */
  append<T>(session: ClientSession, type: EventType<T>, event: T, meta: EventMeta): Promise<void>;
  /** As {@link append}, several in this order with one command. */
  appendMany<T>(session: ClientSession, type: EventType<T>, events: readonly T[], meta: EventMeta): Promise<void>;
  /** Rows not yet published. */
  pending(): Promise<number>;
}

export const outboxCollectionName = 'outbox';
export const leaseCollectionName = 'outbox_lease';

/** For ensureIndexes, together with the service's own. */
export const outboxIndexes: Record<string, readonly IndexDefinition[]> = {
  [outboxCollectionName]: [{ key: { sequence: 1 } }],
  [leaseCollectionName]: [],
};

export function createOutbox(db: Db): Outbox {
  const collection = db.collection<OutboxRow>(outboxCollectionName);
  const appendMany: Outbox['appendMany'] = async (session, type, events, meta) => {
    if (events.length === 0) return;
    const records = events.map((event) => encodeEvent(type, event, meta));
    refuseOversized(type.topic, records);
    const at = new Date();
    const rows = records.map(({ key, value, headers }) => ({
      _id: new ObjectId(),
      // The server replaces an empty timestamp by its own, each greater than the one before.
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
    append: (session, type, event, meta) => appendMany(session, type, [event], meta),
    pending: () => collection.countDocuments({}),
  };
}
