import type { Deadline } from '@shopscope/async';
import { fromMongo, type Tx } from '@shopscope/mongo';
import { type ClientSessionOptions, type MongoClient, MongoError } from 'mongodb';

/** Options of a query. Pass them to each query of {@link ReadInOrder} or {@link ReadSnapshot}. */
export type Read = Tx;

type Reads = <T>(work: (read: Read) => Promise<T>, deadline: Deadline) => Promise<T>;

/**
 * Runs queries one after another. Each sees at least what the earlier ones saw, even if the primary changes between them. MongoDB does not
 * guarantee this without a causally consistent session.
 */
export type ReadInOrder = Reads;

/** Runs queries on the data of one moment, without a transaction. MongoDB keeps such data for five minutes. */
export type ReadSnapshot = Reads;

export const createReadInOrder = (client: MongoClient): ReadInOrder => createReads(client, { causalConsistency: true });

export const createReadSnapshot = (client: MongoClient): ReadSnapshot => createReads(client, { snapshot: true });

const createReads =
  (client: MongoClient, options: ClientSessionOptions): Reads =>
  async (work, deadline) => {
    const session = client.startSession(options);
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
