import { createDeadline, type Deadline } from '@shopscope/async';
import { systemClock } from '@shopscope/clock';
import { type ClientSession, type MongoClient, MongoError } from 'mongodb';
import type { Mongo } from './connect.ts';
import { fromMongo, hasLabel, isDuplicateKey } from './errors.ts';

/** Options of a command within a transaction: pass it as the options, or spread it into them, for each command. */
export interface Tx {
  session: ClientSession;
  /** Remaining time of the transaction; each command reads it again. Throws after the deadline. */
  readonly maxTimeMS: number;
}

export interface TransactionOptions {
  /** No command starts after it. Default: 10 s from now. */
  deadline?: Deadline;
  /**
   * Most runs of `work` under write conflicts and changes of primary. Default 100, which takes some seconds: long enough to
   * detect and kill an abandoned transaction.
   */
  attempts?: number;
  /**
   * true: a duplicate key runs `work` again, so that it reads the concurrent write; five runs in all.
   * Default false: rejects with the driver's error.
   */
  retryDuplicateKeys?: boolean;
}

/** The outcome of the commit is unknown: the caller reads its own writes, or repeats an idempotent transaction. */
export class CommitUnknownError extends Error {
  readonly retryable = true;

  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause });
    this.name = 'CommitUnknownError';
  }
}

const defaultTimeoutMs = 10_000;
/** MongoDB aborts a transaction at this age. */
const transactionMaxMs = 60_000;
const commitAttempts = 3;
const duplicateKeyAttempts = 5;
/** A running process ends its transaction in milliseconds; from this conflict on, the other one may be abandoned. */
const conflictsBeforeKill = 4;

/**
 * Runs `work` in a snapshot transaction with majority concerns and commits. `work` may run several times, so it changes
 * nothing outside the session.
 *
 * - Write conflict or change of primary -> `work` runs again after a random back-off. Repeated conflicts -> abandoned
 *   transactions are killed.
 * - `work` throws -> the transaction aborts; rejects with the same error.
 * - Duplicate key -> rejects with the driver's error, or `work` runs again (`retryDuplicateKeys`).
 * - The commit gets no response -> the commit is repeated, then {@link CommitUnknownError}.
 * - Other errors of the database -> AppError.
 * - Bounds: `attempts`, five runs for duplicate keys, three commits, and the deadline, also for the commit on the server.
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

/** Repeats a commit that gets no response; a commit is idempotent. */
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

/** Errors of the driver become AppErrors, except a duplicate key; other errors stay as they are. */
function translated(error: unknown): unknown {
  return error instanceof MongoError && !isDuplicateKey(error) ? fromMongo(error) : error;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;

/** {@link withTransaction} with a fixed database, for the dependencies of operations. `defaults` are default options. */
export const createTransact =
  (mongo: Parameters<typeof withTransaction>[0], defaults: TransactionOptions = {}): Transact =>
  (work, options) =>
    withTransaction(mongo, work, { ...defaults, ...options });
