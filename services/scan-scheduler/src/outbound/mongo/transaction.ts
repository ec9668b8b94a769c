import { isDuplicateKey, type Mongo, type TransactionOptions, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

/** A transaction as stores see it: they spread it into the options of each command. */
export interface Tx {
  session: ClientSession;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: Pick<TransactionOptions, 'timeoutMs'>) => Promise<T>;

const duplicateRounds = 5;

/**
 * Transactions in which a unique index decides who was first: the loser's transaction is run again, and then sees what
 * the winner wrote.
 */
export function createTransact(mongo: Mongo): Transact {
  return async (work, options) => {
    for (let round = 1; ; round++) {
      try {
        return await withTransaction(mongo, (session) => work({ session }), options);
      } catch (error) {
        if (!isDuplicateKey(error) || round === duplicateRounds) throw error;
      }
    }
  };
}
