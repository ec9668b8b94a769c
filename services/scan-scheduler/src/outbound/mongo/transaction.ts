import { isDuplicateKey, type Mongo, type TransactionOptions, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

export type InTransaction = <T>(
  work: (session: ClientSession) => Promise<T>,
  options?: Pick<TransactionOptions, 'timeoutMs'>,
) => Promise<T>;

const duplicateRounds = 5;

/**
 * Transactions in which a unique index decides who was first: the loser's transaction is run again, and then sees what
 * the winner wrote.
 */
export function createInTransaction(mongo: Mongo): InTransaction {
  return async (work, options) => {
    for (let round = 1; ; round++) {
      try {
        return await withTransaction(mongo, work, options);
      } catch (error) {
        if (!isDuplicateKey(error) || round === duplicateRounds) throw error;
      }
    }
  };
}
