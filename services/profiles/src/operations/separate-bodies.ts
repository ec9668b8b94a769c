import type { Clock } from '@shopscope/clock';
import type { Transact } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import type { ProfilesMetrics } from '../metrics.ts';
import type { MigrationStore } from '../outbound/mongo/migrations.ts';
import type { StoreBodies } from '../outbound/mongo/store-bodies.ts';
import type { UnmovedBodies } from '../outbound/mongo/unmoved-bodies.ts';

/**
 * Moves the bodies of stores from `stores` to `store_bodies` while the service runs.
 *
 * - Load: {@link maxStoresPerBatch} stores per transaction, and after it a pause as long as the transaction took.
 * - Several instances move -> the transactions of one store conflict, and the one that runs again finds the body moved.
 * - A merge of a store meanwhile -> the same: the merge's body stays.
 * - The process is killed -> each store has its body in one of the two places. The next start reads the stores from the first
 *   one on and moves the rest.
 * - Complete -> recorded in the database, so that later starts move nothing and look-ups read one collection.
 */
export interface BodySeparation {
  /** Whether every body is in `store_bodies`. From memory. */
  isComplete(): boolean;
  /** Reads whether an instance has completed the move. */
  refresh(): Promise<void>;
  /** Moves all bodies; nothing once that is done. Rejects when a batch fails: what is moved stays moved. */
  run(abort: AbortSignal): Promise<void>;
  /** For an instance that writes copies of bodies to `stores`: a later run must look for them again. */
  reopen(): Promise<void>;
}

export interface BodySeparationOptions {
  unmovedBodies: UnmovedBodies;
  storeBodies: StoreBodies;
  migrations: MigrationStore;
  transact: Transact;
  metrics: Pick<ProfilesMetrics, 'bodiesMoved' | 'bodiesSeparate'>;
  logger: Logger;
  clock: Clock;
  maxStoresPerBatch?: number;
}

const name = 'separate-store-bodies';
const readTimeoutMs = 5_000;
/** A transaction of about 350 kB. */
const storesPerBatch = 100;

export function createBodySeparation(options: BodySeparationOptions): BodySeparation {
  const { unmovedBodies, storeBodies, migrations, transact, metrics, logger, clock } = options;
  const { maxStoresPerBatch = storesPerBatch } = options;
  let isComplete = false;

  const show = (complete: boolean) => {
    isComplete = complete;
    metrics.bodiesSeparate.set(complete ? 1 : 0);
  };
  const refresh = async () => show(await migrations.isComplete(name, readTimeoutMs));

  /** The last domain of the batch is undefined after the last batch. */
  const moveBatch = (after: string) =>
    transact(async (tx) => {
      const stores = await unmovedBodies.next(after, maxStoresPerBatch, tx);
      const bodies = stores.flatMap(({ domain, stored }) => (stored ? [{ domain, ...stored }] : []));
      if (bodies.length > 0) {
        // `stores` first, as merges do: two transactions of one store conflict there.
        await unmovedBodies.remove(
          bodies.map(({ domain }) => domain),
          tx,
        );
        await storeBodies.write(bodies, tx);
      }
      return { moved: bodies.length, last: stores[maxStoresPerBatch - 1]?.domain };
    });

  return {
    isComplete: () => isComplete,
    refresh,
    async run(abort) {
      if (!isComplete) await refresh();
      if (isComplete) return;
      const runStartedMs = clock.monotonicMs();
      let sum = 0;
      for (let after: string | undefined = ''; after !== undefined; ) {
        abort.throwIfAborted();
        const startedMs = clock.monotonicMs();
        const { moved, last }: Awaited<ReturnType<typeof moveBatch>> = await moveBatch(after);
        metrics.bodiesMoved.inc(moved);
        sum += moved;
        after = last;
        await clock.sleep(clock.monotonicMs() - startedMs, abort);
      }
      await migrations.complete(name, new Date(clock.now()));
      show(true);
      const seconds = Math.round((clock.monotonicMs() - runStartedMs) / 1_000);
      logger.info({ moved: sum, seconds }, 'every store body is in its own collection');
    },
    async reopen() {
      await migrations.forget(name);
      show(false);
    },
  };
}
