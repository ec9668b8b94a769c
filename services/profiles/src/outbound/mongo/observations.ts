import type { Tx } from '@shopscope/mongo';
import { type ObservationCompleted, observationCompleted } from '@shopscope/proto';
import { Binary, type Collection, type Db } from 'mongodb';

interface ObservationDocument {
  /** The scan's id, so a scan is merged once. */
  _id: string;
  domain: string;
  sequence: number;
  completedAt: Date;
  outcome: number;
  /** Why the profile does not show the observation; '' when it does. */
  rejection: string;
  /** The encoded event and the version of its encoding. */
  event: Binary;
  version: number;
  forgetAt: Date;
}

const dayMs = 24 * 60 * 60 * 1000;

export const observationIndexes = [
  { key: { domain: 1, sequence: -1 }, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

export type ObservationStore = ReturnType<typeof createObservationStore>;

export function createObservationStore(db: Db, retentionDays: number) {
  const collection: Collection<ObservationDocument> = db.collection('observations');

  return {
    async exists(scanId: string, tx: Tx): Promise<boolean> {
      return (await collection.findOne({ _id: scanId }, { ...tx, projection: { _id: 1 } })) !== null;
    },

    async insert(event: ObservationCompleted, rejection: string, tx: Tx): Promise<void> {
      const { scanId, domain, sequence, completedAtMs, outcome } = event;
      await collection.insertOne(
        {
          _id: scanId,
          domain,
          sequence,
          completedAt: new Date(completedAtMs),
          outcome,
          rejection,
          event: new Binary(observationCompleted.encode(event)),
          version: observationCompleted.version,
          forgetAt: new Date(completedAtMs + retentionDays * dayMs),
        },
        tx,
      );
    },
  };
}
