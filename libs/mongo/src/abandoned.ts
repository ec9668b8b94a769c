import type { Clock } from '@shopscope/clock';
import { Counter, type Logger, type Registry } from '@shopscope/telemetry';
import type { MongoClient } from 'mongodb';

/**
 * A process that is killed, stopped or cut off within a transaction leaves it open on the server, and what it has written
 * stays locked until MongoDB's own limit of a minute: whoever needs the same documents meets conflicts until then. So a
 * transaction that keeps meeting conflicts looks for sessions of its own service whose transaction has been idle longer
 * than any living process leaves one, and ends them. To a process that comes back this is one more conflict: nothing of
 * its transaction took place, and its next try begins anew.
 */
export interface Unblocker {
  /** Ends what is abandoned; at most one look per {@link restMs}, together with whoever asks meanwhile. Never rejects. */
  unblock(): Promise<void>;
}

export interface UnblockerOptions {
  client: MongoClient;
  /** Only sessions of this name are looked at: the service's own, in any instance. */
  appName: string;
  logger: Logger;
  registry: Registry;
  clock: Pick<Clock, 'monotonicMs'>;
}

/** Statements of one transaction follow each other within milliseconds. */
const idleMs = 2_000;
const restMs = 500;
const timeoutMs = 1_000;
/** Most sessions ended by one look. */
const sessionsMax = 100;

export function createUnblocker({ client, appName, logger, registry, clock }: UnblockerOptions): Unblocker {
  const ended = new Counter({
    name: 'mongodb_abandoned_transactions_total',
    help: 'Transactions of processes that had gone away, ended because somebody needed what they held',
    registers: [registry],
  });
  let looking: Promise<void> | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const look = async () => {
    const admin = client.db('admin');
    const idle = await admin
      .aggregate<{ lsid: { id: unknown } }>(
        [
          { $currentOp: { idleSessions: true } },
          {
            $match: {
              type: 'idleSession',
              appName,
              'transaction.timeInactiveMicros': { $gt: idleMs * 1_000 },
            },
          },
          { $limit: sessionsMax },
          { $project: { lsid: 1 } },
        ],
        { readConcern: { level: 'local' }, maxTimeMS: timeoutMs },
      )
      .toArray();
    if (idle.length === 0) return;
    await admin.command({ killSessions: idle.map(({ lsid }) => ({ id: lsid.id })), maxTimeMS: timeoutMs });
    ended.inc(idle.length);
    logger.warn({ transactions: idle.length }, 'transactions that nobody went on with were ended');
  };

  return {
    unblock() {
      if (!looking && clock.monotonicMs() - lookedAtMs < restMs) return Promise.resolve();
      looking ??= look()
        .catch((error: unknown) => logger.warn({ err: error }, 'abandoned transactions could not be looked for'))
        .finally(() => {
          looking = undefined;
          lookedAtMs = clock.monotonicMs();
        });
      return looking;
    },
  };
}
