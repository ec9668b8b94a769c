import { type ClientSession, type MongoClient, MongoError } from 'mongodb';
import type { Mongo } from './connect.ts';
import { fromMongo, hasLabel, isDuplicateKey } from './errors.ts';

export interface TransactionOptions {
  /**
   * How often the work may run when it meets a write conflict or a change of primary. Default 100, which is some seconds:
   * as long as it takes to find that whoever holds the documents is dead.
   */
  attempts?: number;
  /** Bound of the whole, in ms. Default 10 s. */
  timeoutMs?: number;
}

/** The commit's outcome could not be learned: the caller looks up what it wrote before it answers. */
export class CommitUnknownError extends Error {
  readonly mayPass = true;

  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause });
    this.name = 'CommitUnknownError';
  }
}

const commitAttempts = 3;
/** Living transactions end in milliseconds; from this attempt on, the other one may be a dead process's. */
const suspiciousAttempt = 4;

/**
 * Runs `work` in one snapshot transaction with majority concerns and commits. `work` may run several times, so it
 * changes nothing outside the session. Conflicts back off with jitter, and those that last end what a dead process has
 * left open; both attempts and time are bounded, and what is left of the time bounds the commit on the server.
 *
 * Rejects with the work's own error, with {@link CommitUnknownError}, with the driver's error for a duplicate key (the
 * caller knows what it means), and with an AppError for everything else that the database did.
 */
export async function withTransaction<T>(
  mongo: { client: MongoClient } & Partial<Pick<Mongo, 'unblock'>>,
  work: (session: ClientSession) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const attempts = options.attempts ?? 100;
  const endMs = performance.now() + (options.timeoutMs ?? 10_000);
  const remainingMs = () => Math.max(1, Math.round(endMs - performance.now()));
  const session = mongo.client.startSession();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        session.startTransaction({
          readConcern: { level: 'snapshot' },
          writeConcern: { w: 'majority', journal: true },
          maxCommitTimeMS: remainingMs(),
        });
        const result = await work(session);
        await commit(session, endMs);
        return result;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => {});
        if (error instanceof CommitUnknownError) throw error;
        const again = hasLabel(error, 'TransientTransactionError') && attempt < attempts;
        if (!again || performance.now() > endMs) throw translated(error);
        if (attempt >= suspiciousAttempt) await mongo.unblock?.();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(100, 2 ** attempt)));
      }
    }
  } finally {
    await session.endSession();
  }
}

/** A commit without an answer is asked again; committing twice is committing once. */
async function commit(session: ClientSession, endMs: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult')) throw error;
      if (attempt === commitAttempts || performance.now() > endMs) throw new CommitUnknownError(error);
    }
  }
}

/** Errors of the work itself pass unchanged; the driver's become AppErrors, except a duplicate key. */
function translated(error: unknown): unknown {
  return error instanceof MongoError && !isDuplicateKey(error) ? fromMongo(error) : error;
}
