import { type Mongo, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

/** A transaction as stores see it: they spread it into the options of each command. */
export interface Tx {
  session: ClientSession;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Majority transactions. The work runs again when the transaction met a conflict. */
export function createTransact(mongo: Mongo): Transact {
  return (work) => withTransaction(mongo, (session) => work({ session }));
}
