import { createDeadline, createKeyedSlots } from '@shopscope/async';
import type { Mongo } from './connect.ts';
import { defaultTimeoutMs, type Transact } from './transaction.ts';

/** The largest share of the connections that transactions of the test environment may use. */
const share = 1 / 8;

/**
 * Returns a {@link Transact} for the test environment, so that test traffic leaves most connections to live traffic.
 *
 * - Transactions of the test environment use at most an eighth of the connections, or one. Further transactions wait in the order of their
 *   calls.
 * - The deadline passes during the wait -> the transaction never begins.
 */
export function createTestTransact(
  { client }: { client: { options: Pick<Mongo['client']['options'], 'maxPoolSize'> } },
  transact: Transact,
): Transact {
  const slots = createKeyedSlots({ max: Math.max(1, Math.floor(client.options.maxPoolSize * share)) });
  return async (work, options = {}) => {
    const { deadline = createDeadline(defaultTimeoutMs) } = options;
    const release = await slots.take('test', (turn) => deadline.race(turn));
    try {
      return await transact(work, { ...options, deadline });
    } finally {
      release();
    }
  };
}
