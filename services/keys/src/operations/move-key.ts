import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import type { KeyMark, KeyStore } from '../outbound/mongo/keys.ts';

/**
 * Purpose: moves keys to the current pepper after their verification. The response does not wait for the move.
 * Concurrency: each process runs one conditional update per key. If several processes run it, the first one moves the key, and
 * the others change nothing.
 * Failure: the database does not respond -> the key stays under its pepper, still verifies, and moves at a later verification.
 * Bounds: at most `maxMoves` moves run at the same time. Further keys move at a later verification.
 */
export type KeyMover = ReturnType<typeof createKeyMover>;

export interface KeyMoverOptions {
  keys: Pick<KeyStore, 'move'>;
  clock: Clock;
  logger: Logger;
  onMoved?: () => void;
  maxMoves?: number;
}

const moveTimeoutMs = 5_000;
/** Failed moves are logged at most once in this interval. */
const logIntervalMs = 60_000;

export function createKeyMover({ keys, clock, logger, onMoved, maxMoves = 16 }: KeyMoverOptions) {
  const running = new Map<string, Promise<void>>();
  let nextLogMs = Number.NEGATIVE_INFINITY;

  const logFailure = (error: unknown) => {
    if (clock.monotonicMs() < nextLogMs) return;
    nextLogMs = clock.monotonicMs() + logIntervalMs;
    logger.warn({ err: error }, 'moving a key to the current pepper failed; its next verification retries');
  };

  return {
    move(keyId: string, from: Buffer, to: KeyMark): void {
      if (running.has(keyId) || running.size >= maxMoves) return;
      const move = keys
        .move(keyId, from, to, moveTimeoutMs)
        .then((moved) => {
          if (moved) onMoved?.();
        })
        .catch(logFailure)
        .finally(() => running.delete(keyId));
      running.set(keyId, move);
    },
    /** Resolves when no move is running. */
    async idle(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}
