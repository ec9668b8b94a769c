import { type Mongo, type TransactionOptions, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

export type InTransaction = <T>(
  work: (session: ClientSession) => Promise<T>,
  options?: Pick<TransactionOptions, 'deadline'>,
) => Promise<T>;

/**
 * Transactions in which a unique index decides who was first: the loser's transaction is run again, and then sees what
 * the winner wrote.
 */
export const createInTransaction =
  (mongo: Mongo): InTransaction =>
  (work, options) =>
    withTransaction(mongo, ({ session }) => work(session), { ...options, retryDuplicateKeys: true });
