import type { Deadline } from '@shopscope/async';
import { fromMongo, type Tx } from '@shopscope/mongo';
import { type MongoClient, MongoError } from 'mongodb';

/** Options of a query. Pass them to each query of {@link ReadInOrder}. */
export type Read = Tx;

/**
 * Runs queries one after another. Each sees at least what the earlier ones saw, even if the primary changes between them. MongoDB does not
 * guarantee this without a causally consistent session.
 */
export type ReadInOrder = <T>(work: (read: Read) => Promise<T>, deadline: Deadline) => Promise<T>;

export const createReadInOrder =
  (client: MongoClient): ReadInOrder =>
  async (work, deadline) => {
    const session = client.startSession({ causalConsistency: true });
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
