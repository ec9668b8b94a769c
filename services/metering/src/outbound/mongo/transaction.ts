import { AppError } from '@shopscope/errors';
import { isDuplicateKey, type Mongo, withTransaction } from '@shopscope/mongo';
import type { ClientSession } from 'mongodb';

/** A transaction as stores see it; spread into a command's options it bounds the command by the time that is left. */
export interface Tx {
  session: ClientSession;
  readonly maxTimeMS: number;
}

export interface TransactOptions {
  /** Whether work that met a duplicate key runs again. Default true. */
  retryDuplicates?: boolean;
}

export type Transact = <T>(work: (tx: Tx) => Promise<T>, timeoutMs: number, options?: TransactOptions) => Promise<T>;

/** How often a decision is made anew because a unique id showed that somebody else had decided first. */
const duplicateAttempts = 5;

/**
 * Majority transactions for this service. Unique ids are how concurrent decisions meet, so a duplicate key is no error
 * here: the work runs again and reads what the other one wrote. Conflicts, duplicates and time are bounded.
 */
export function createTransact(mongo: Mongo): Transact {
  return async (work, timeoutMs, { retryDuplicates = true } = {}) => {
    const attempts = retryDuplicates ? duplicateAttempts : 1;
    const endMs = performance.now() + timeoutMs;
    const remainingMs = () => Math.max(1, Math.round(endMs - performance.now()));
    for (let attempt = 1; ; attempt++) {
      try {
        return await withTransaction(
          mongo,
          (session) => {
            if (performance.now() > endMs) throw tooLate();
            return work({
              session,
              get maxTimeMS() {
                return remainingMs();
              },
            });
          },
          { timeoutMs: remainingMs() },
        );
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === attempts || performance.now() > endMs) throw error;
      }
    }
  };
}

const tooLate = () => new AppError('internal', 'The request took too long; retry in a few seconds.', { mayPass: true });
