import type { Deadline } from '@shopscope/async';
import { fromMongo } from '@shopscope/mongo';
import { type ClientSession, type MongoClient, MongoError } from 'mongodb';

/** Options of the queries of one snapshot. */
export interface Snapshot {
  session: ClientSession;
  readonly maxTimeMS: number;
}

/** Runs queries on the data of one moment, without a transaction. MongoDB keeps such data for five minutes. */
export type ReadSnapshot = <T>(work: (snapshot: Snapshot) => Promise<T>, deadline: Deadline) => Promise<T>;

export const createReadSnapshot =
  (client: MongoClient): ReadSnapshot =>
  async (work, deadline) => {
    const session = client.startSession({ snapshot: true });
    try {
      return await work({
        session,
        get maxTimeMS() {
          return deadline.timeoutMs();
        },
      });
    } catch (error) {
      throw error instanceof MongoError ? fromMongo(error) : error;
    } finally {
      await session.endSession();
    }
  };
