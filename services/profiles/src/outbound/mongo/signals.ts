import type { Tx } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import type { Signal } from '../../domain/signal.ts';

interface SignalDocument extends Omit<Signal, 'id'> {
  _id: string;
  /** Sequence of the observation that set the present state. */
  sequence: number;
  forgetAt: Date;
}

const dayMs = 24 * 60 * 60 * 1000;

export const signalIndexes = [
  // The history of a store: descending effectiveAt, then descending id.
  { key: { domain: 1, state: 1, effectiveAt: -1, _id: -1 }, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

export type SignalStore = ReturnType<typeof createSignalStore>;

/** Every signal, in its latest state. */
export function createSignalStore(db: Db, retentionDays: number) {
  const collection: Collection<SignalDocument> = db.collection('signals');

  return {
    /** Each signal once, with the sequence of the observation that set its state. With one command. */
    async save(signals: readonly { signal: Signal; sequence: number }[], tx: Tx): Promise<void> {
      if (signals.length === 0) return;
      await collection.bulkWrite(
        signals.map(({ signal: { id, ...rest }, sequence }) => {
          const forgetAt = new Date(rest.effectiveAt.getTime() + retentionDays * dayMs);
          return { replaceOne: { filter: { _id: id }, replacement: { ...rest, sequence, forgetAt }, upsert: true } };
        }),
        { ...tx, ordered: false },
      );
    },
  };
}
