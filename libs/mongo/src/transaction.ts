import { createDeadline, type Deadline } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { type ClientSession, type MongoClient, MongoError } from 'mongodb';
import type { Mongo } from './connect.ts';
import { fromMongo, hasLabel, isDuplicateKey } from './errors.ts';

/** Options of a command within a transaction. Pass them to each command, or spread them into its options. */
export interface Tx {
  session: ClientSession;
  /** The remaining time of the transaction. Each command reads it again. Throws after the deadline. */
  readonly maxTimeMS: number;
}

export interface TransactionOptions {
  /** No command starts after the deadline. Default: 10 s from now. */
  deadline?: Deadline;
  /**
   * The largest number of runs of `work` under write conflicts and changes of primary. The default is 100. These runs take
   * some seconds, long enough to detect and kill an abandoned transaction.
   */
  attempts?: number;
  /**
   * If true, `work` runs again after a duplicate key, so that it reads the concurrent write; at most five runs in all. If
   * false (the default), the call rejects with the error of the driver.
   */
  retryDuplicateKeys?: boolean;
}

/** The outcome of the commit is unknown. The caller has to read its own writes, or to repeat an idempotent transaction. */
export class CommitUnknownError extends Error {
  readonly retryable = true;

  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause });
    this.name = 'CommitUnknownError';
  }
}

export const defaultTimeoutMs = 10_000;
/** MongoDB aborts a transaction at this age. */
const transactionMaxMs = 60_000;
const commitAttempts = 3;
const duplicateKeyAttempts = 5;
/** A running process ends its transaction in milliseconds. After this many conflicts, the other transaction may be abandoned. */
const conflictsBeforeKill = 4;

/**
 * Runs `work` in a snapshot transaction with majority concerns and commits it. `work` may run several times, so it must
 * change nothing outside the session.
 *
 * - A write conflicts, or the primary changes -> `work` runs again after a random back-off. After repeated conflicts,
 *   abandoned transactions are killed.
 * - `work` throws -> the transaction aborts, and the call rejects with the same error.
 * - A key is duplicate -> the call rejects with the error of the driver, or `work` runs again (`retryDuplicateKeys`).
 * - The commit gets no response -> the commit is repeated. Afterwards the call rejects with {@link CommitUnknownError}.
 * - The database has another error -> the call rejects with an AppError.
 * - Bounds: `attempts`, five runs for duplicate keys, three commits, and the deadline, which also limits the commit on the server.
 */
export async function withTransaction<T>(
  mongo: { client: MongoClient } & Partial<Pick<Mongo, 'killAbandonedTransactions'>>,
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
        if (conflicts >= conflictsBeforeKill) await mongo.killAbandonedTransactions?.();
        await systemClock.sleep(Math.random() * Math.min(100, 2 ** conflicts));
      }
    }
  } finally {
    await session.endSession();
  }
}

/** Repeats a commit that gets no response. This is safe, because a commit is idempotent. */
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

/** Translates errors of the driver to AppErrors, except duplicate keys. Returns all other errors unchanged. */
function translated(error: unknown): unknown {
  return error instanceof MongoError && !isDuplicateKey(error) ? fromMongo(error) : error;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;

/** Returns {@link withTransaction} for one database, for the dependencies of operations. `defaults` are its default options. */
export const createTransact =
  (mongo: Parameters<typeof withTransaction>[0], defaults: TransactionOptions = {}): Transact =>
  (work, options) =>
    withTransaction(mongo, work, { ...defaults, ...options });
