import { type Mongo, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

/** A transaction as stores see it; spread into a command's options it makes the command part of the transaction. */
export interface Tx {
  session: ClientSession;
}

/** Majority transaction within `timeoutMs`; the work may run more than once. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>, timeoutMs: number) => Promise<T>;

export function createTransact(mongo: Mongo): Transact {
  return (work, timeoutMs) => withTransaction(mongo, (session) => work({ session }), { timeoutMs });
}
