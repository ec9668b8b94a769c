import { type Mongo, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

/** A transaction as stores see it. A command that has it among its options is part of the transaction. */
export interface Tx {
  session: ClientSession;
}

/** Runs the work in a majority transaction within `timeoutMs`. The work can run more than once. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>, timeoutMs: number) => Promise<T>;

export function createTransact(mongo: Mongo): Transact {
  return (work, timeoutMs) => withTransaction(mongo, (session) => work({ session }), { timeoutMs });
}
