import { dayMs } from '@shopscope/clock';
import { fromMongo, type Tx } from '@shopscope/mongo';
import { type ObservationCompleted, observationCompleted } from '@shopscope/proto';
import { Binary, type Collection, type Db, ReadPreference } from 'mongodb';

interface ObservationDocument {
  /** The id of the scan, so that a scan is merged only once. */
  _id: string;
  domain: string;
  sequence: number;
  completedAt: Date;
  outcome: number;
  /** The reason why the profile does not show the observation. It is '' if the profile shows it. */
  rejection: string;
  /** The encoded event and the version of its encoding. */
  event: Binary;
  version: number;
  forgetAt: Date;
}

/** An observation, and the reason why the profile does not show it ('' if the profile shows it). */
export interface RecordedObservation {
  event: ObservationCompleted;
  rejection: string;
}

export const observationIndexes = [
  { key: { domain: 1, sequence: -1 }, options: {} },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
] as const;

/** The documents that one command or transaction deletes for a store. */
const maxPerDelete = 1_000;

export type ObservationStore = ReturnType<typeof createObservationStore>;

export function createObservationStore(db: Db, retentionDays: number) {
  const collection: Collection<ObservationDocument> = db.collection('observations');
  const readPreference = ReadPreference.SECONDARY_PREFERRED;
  const elsewhere: Collection<ObservationDocument> = db.collection('observations', { readPreference });

  return {
    /** Returns the ids of those scans of the stores that are already merged. */
    async existing(domains: readonly string[], scanIds: readonly string[], tx: Tx): Promise<Set<string>> {
      const query = { domain: { $in: [...domains] }, _id: { $in: [...scanIds] } };
      const found = collection.find(query, { ...tx, projection: { _id: 1 }, hint: { _id: 1 } });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /** Inserts observations with one command. */
    async insert(recorded: readonly RecordedObservation[], tx: Tx): Promise<void> {
      if (recorded.length === 0) return;
      const documents = recorded.map(({ event, rejection }) => {
        const { scanId, domain, sequence, completedAtMs, outcome } = event;
        return {
          _id: scanId,
          domain,
          sequence,
          completedAt: new Date(completedAtMs),
          outcome,
          rejection,
          event: new Binary(observationCompleted.encode(event)),
          version: observationCompleted.version,
          forgetAt: new Date(completedAtMs + retentionDays * dayMs),
        };
      });
      await collection.insertMany(documents, tx);
    },

    /** Deletes {@link maxPerDelete} observations of a store, if it has more than that. Resolves to false if it has not. */
    async deleteSome(domain: string, maxTimeMS: number): Promise<boolean> {
      const found = await collection
        .find({ domain }, { projection: { _id: 1 }, maxTimeMS })
        .limit(maxPerDelete + 1)
        .toArray();
      if (found.length <= maxPerDelete) return false;
      await collection.deleteMany({ domain, _id: { $in: found.map(({ _id }) => _id) } }, { maxTimeMS });
      return true;
    },

    async delete(domains: readonly string[], tx: Tx): Promise<void> {
      await collection.deleteMany({ domain: { $in: [...domains] } }, tx);
    },

    /**
     * Returns the stored observations after a position, by ascending domain and descending sequence, except those with the rejection
     * `omitted`. Reads from a secondary if there is one. Returns at most `maxEvents` observations, with about `maxBytes` bytes.
     */
    async list(
      after: { domain: string; sequence: number },
      omitted: string,
      { maxEvents, maxBytes, timeoutMs }: { maxEvents: number; maxBytes: number; timeoutMs: number },
    ): Promise<{ events: ObservationCompleted[]; hasMore: boolean }> {
      const { domain, sequence } = after;
      const rest = { $or: [{ domain, sequence: { $lt: sequence } }, { domain: { $gt: domain } }] };
      const events: ObservationCompleted[] = [];
      let bytes = 0;
      const cursor = elsewhere
        .find(
          { ...rest, rejection: { $ne: omitted } },
          { projection: { event: 1 }, maxTimeMS: Math.max(1, Math.floor(timeoutMs)), batchSize: maxEvents + 1 },
        )
        .sort({ domain: 1, sequence: -1 })
        .limit(maxEvents + 1);
      try {
        for await (const { event } of cursor) {
          if (events.length === maxEvents || bytes >= maxBytes) return { events, hasMore: true };
          events.push(observationCompleted.decode(event.value()));
          bytes += event.length();
        }
      } catch (error) {
        throw fromMongo(error);
      }
      return { events, hasMore: false };
    },
  };
}
