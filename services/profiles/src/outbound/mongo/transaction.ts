import { type Mongo, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

/** A transaction. Repositories spread it into the options of each command. */
export interface Tx {
  session: ClientSession;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Transactions with majority write concern. `work` runs again after a write conflict. */
export function createTransact(mongo: Mongo): Transact {
  return (work) => withTransaction(mongo, (session) => work({ session }));
}
