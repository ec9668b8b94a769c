import { createDeadline, type Deadline } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { type ClientSession, type MongoClient, MongoError } from 'mongodb';
import type { Mongo } from './connect.ts';
import { fromMongo, hasLabel, isDuplicateKey } from './errors.ts';

/** A transaction as its statements see it. Spread it into a command's options, or give it as the options. */
export interface Tx {
  session: ClientSession;
  /** What is left of the transaction's time now: each statement reads it anew. Throws once nothing is left. */
  readonly maxTimeMS: number;
}

export interface TransactionOptions {
  /** Bounds the whole: no statement starts after it. Default: 10 s from now. */
  deadline?: Deadline;
  /**
   * How often the work may run when it meets a write conflict or a change of primary. Default 100, which is some seconds:
   * as long as it takes to find that whoever holds the documents is dead.
   */
  attempts?: number;
  /**
   * Where concurrent decisions meet at a unique index: a duplicate key is no error then, and the work runs again and reads
   * what the other one wrote; five runs in all. Default false: the driver's error rejects.
   */
  retryDuplicateKeys?: boolean;
}

/** The commit's outcome could not be learned: the caller looks up what it wrote before it answers. */
export class CommitUnknownError extends Error {
  readonly mayPass = true;

  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause });
    this.name = 'CommitUnknownError';
  }
}

const defaultTimeoutMs = 10_000;
/** MongoDB itself ends a transaction at this age. */
const transactionMaxMs = 60_000;
const commitAttempts = 3;
const duplicateKeyAttempts = 5;
/** Living transactions end in milliseconds; from this conflict on, the other one may be a dead process's. */
const suspiciousConflict = 4;

/**
 * Runs `work` in one snapshot transaction with majority concerns and commits. `work` may run several times, so it
 * changes nothing outside the session. Conflicts back off with jitter, and those that last end what a dead process has
 * left open; attempts, duplicate keys and time are bounded, and what is left of the time bounds the commit on the server.
 *
 * Rejects with the work's own error, with {@link CommitUnknownError}, with the driver's error for a duplicate key (the
 * caller knows what it means), and with an AppError for everything else that the database did.
 */
export async function withTransaction<T>(
  mongo: { client: MongoClient } & Partial<Pick<Mongo, 'unblock'>>,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { deadline = createDeadline(defaultTimeoutMs), attempts = 100, retryDuplicateKeys = false } = options;
  const session = mongo.client.startSession();
  const tx: Tx = {
    session,
    get maxTimeMS() {
      return deadline.timeoutMs(transactionMaxMs);
    },
  };
  let conflicts = 0;
  let duplicates = 0;
  try {
    for (;;) {
      try {
        session.startTransaction({
          readConcern: { level: 'snapshot' },
          writeConcern: { w: 'majority', journal: true },
          maxCommitTimeMS: tx.maxTimeMS,
        });
        const result = await work(tx);
        await commit(session, deadline);
        return result;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => {});
        if (error instanceof CommitUnknownError || deadline.expired) throw translated(error);
        if (retryDuplicateKeys && isDuplicateKey(error) && ++duplicates < duplicateKeyAttempts) continue;
        if (!hasLabel(error, 'TransientTransactionError') || ++conflicts >= attempts) throw translated(error);
        if (conflicts >= suspiciousConflict) await mongo.unblock?.();
        await systemClock.sleep(Math.random() * Math.min(100, 2 ** conflicts));
      }
    }
  } finally {
    await session.endSession();
  }
}

/** A commit without an answer is asked again; committing twice is committing once. */
async function commit(session: ClientSession, deadline: Deadline): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult')) throw error;
      if (attempt === commitAttempts || deadline.expired) throw new CommitUnknownError(error);
    }
  }
}

/** Errors of the work itself pass unchanged; the driver's become AppErrors, except a duplicate key. */
function translated(error: unknown): unknown {
  return error instanceof MongoError && !isDuplicateKey(error) ? fromMongo(error) : error;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;

/** {@link withTransaction} of one database, for the dependencies of operations. `defaults` hold where a call names none. */
export const createTransact =
  (mongo: Parameters<typeof withTransaction>[0], defaults: TransactionOptions = {}): Transact =>
  (work, options) =>
    withTransaction(mongo, work, { ...defaults, ...options });
