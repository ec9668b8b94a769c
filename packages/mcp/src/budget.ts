import { ApiError } from '@shopscope/client';

export type Budget = ReturnType<typeof createBudget>;

/** Adds units, which may be negative, to those of a key and day. Resolves to their sum. */
export interface BudgetStore {
  add(account: { keyId: string; day: string }, units: number): Promise<number>;
}

export class BudgetSpentError extends Error {
  override name = 'BudgetSpentError';
}

export interface BudgetOptions {
  store: BudgetStore;
  dailyUnits: number;
  keyId(): Promise<string>;
  now(): Date;
}

/**
 * Bounds the units that language models spend with a key in one UTC day, because a model may call tools in a loop.
 *
 * - The maximum cost of a call is added before the call. The difference to the real cost is subtracted afterwards.
 * - The process ends in between -> the day keeps the whole amount. So the bound is never exceeded.
 * - Concurrency: each addition is atomic in the store. Two calls that together exceed the bound may both be refused.
 */
export function createBudget({ store, dailyUnits, keyId, now }: BudgetOptions) {
  const account = async () => ({ keyId: await keyId(), day: now().toISOString().slice(0, 10) });
  return {
    /**
     * Throws BudgetSpentError if fewer than `atMost` units are left today. `call` resolves to its result and its cost.
     */
    async spend<T>(atMost: number, call: () => Promise<{ result: T; spent: number }>): Promise<T> {
      const today = await account();
      const total = await store.add(today, atMost);
      if (total > dailyUnits) {
        await store.add(today, -atMost);
        const left = Math.max(0, dailyUnits - (total - atMost));
        throw new BudgetSpentError(
          `This call may cost ${atMost} units, and ${left} of the ${dailyUnits} units for language models are left ` +
            `for this key on ${today.day} (UTC). The next day has ${dailyUnits} again. Tell the user; do not call again.`,
        );
      }
      let cost = atMost;
      try {
        const { result, spent } = await call();
        cost = spent;
        return result;
      } catch (error) {
        if (isUnbilled(error)) cost = 0;
        throw error;
      } finally {
        if (cost !== atMost) await store.add(today, cost - atMost);
      }
    },
    left: async () => Math.max(0, dailyUnits - (await store.add(await account(), 0))),
  };
}

/**
 * Only an error response of the service is certainly unbilled. After a lost connection the request may have been
 * carried out.
 */
const isUnbilled = (error: unknown) => error instanceof ApiError && error.code !== 'unexpected_response';
