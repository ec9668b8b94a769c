import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import type { KeyMark, KeyStore } from '../outbound/mongo/keys.ts';

/**
 * Moves keys to the current pepper after their verification, beside its answer.
 *
 * Concurrency: one conditional update per key and process; of several processes the first one moves the key, and the
 * others change nothing.
 * Bounds: `movesMax` at once; a key beyond it moves at a later verification.
 * The database does not answer -> the key stays under its pepper, which still recognises it, and moves later.
 */
export interface KeyMover {
  move(keyId: string, from: Buffer, to: KeyMark): void;
  /** Resolves when no move is running. */
  idle(): Promise<void>;
}

export interface KeyMoverOptions {
  keys: Pick<KeyStore, 'move'>;
  clock: Clock;
  logger: Logger;
  onMoved?: () => void;
  movesMax?: number;
}

const moveTimeoutMs = 5_000;
/** A database that fails is logged once in this time. */
const complaintEveryMs = 60_000;

export function createKeyMover({ keys, clock, logger, onMoved, movesMax = 16 }: KeyMoverOptions): KeyMover {
  const running = new Map<string, Promise<void>>();
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  const complain = (error: unknown) => {
    if (clock.monotonicMs() < quietUntilMs) return;
    quietUntilMs = clock.monotonicMs() + complaintEveryMs;
    logger.warn({ err: error }, 'a key could not be moved to the current pepper; its next verification tries again');
  };

  return {
    move(keyId, from, to) {
      if (running.has(keyId) || running.size >= movesMax) return;
      const move = keys
        .move(keyId, from, to, moveTimeoutMs)
        .then((moved) => {
          if (moved) onMoved?.();
        })
        .catch(complain)
        .finally(() => running.delete(keyId));
      running.set(keyId, move);
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
}
