import type { Clock } from '@shopscope/clock';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import type { MongoClient } from 'mongodb';

/**
 * Kills transactions that a dead, suspended or disconnected process of the same service has left open. If they were not killed, their
 * locks would cause conflicts until MongoDB ends them after a minute. A shorter `transactionLifetimeLimitSeconds` would apply to all
 * transactions of the cluster.
 *
 * - Caller: a transaction that has had repeated conflicts.
 * - Abandoned: the transaction has been idle for more than {@link minIdleMs}, which no running process reaches.
 * - The process continues later -> its whole transaction was aborted, and its next statement or commit fails.
 * - Bounds: one search per {@link minIntervalMs}, which concurrent callers share; {@link maxSessions} sessions per search.
 */
export interface AbandonedTransactionKiller {
  /** Searches once and kills the abandoned transactions. Failures are logged. Never rejects. */
  killAbandonedTransactions(): Promise<void>;
}

/** The statements of a transaction follow each other within milliseconds. */
const minIdleMs = 2_000;
const minIntervalMs = 500;
const timeoutMs = 1_000;
const maxSessions = 100;

export function createAbandonedTransactionKiller(options: {
  client: MongoClient;
  /** Only sessions with this name are searched. All instances of the service have it. */
  appName: string;
  logger: Logger;
  registry: Registry;
  clock: Pick<Clock, 'monotonicMs'>;
}): AbandonedTransactionKiller {
  const { client, appName, logger, registry, clock } = options;
  const help = 'Transactions of dead processes that were killed because they caused conflicts';
  const killed = metricsOf(registry).counter('mongodb_abandoned_transactions_total', help);
  let searching: Promise<void> | undefined;
  let searchedAtMs = Number.NEGATIVE_INFINITY;

  const search = async () => {
    const admin = client.db('admin');
    const idle = await admin
      .aggregate<{ lsid: { id: unknown } }>(
        [
          { $currentOp: { idleSessions: true } },
          {
            $match: {
              type: 'idleSession',
              appName,
              'transaction.timeInactiveMicros': { $gt: minIdleMs * 1_000 },
            },
          },
          { $limit: maxSessions },
          { $project: { lsid: 1 } },
        ],
        { readConcern: { level: 'local' }, maxTimeMS: timeoutMs },
      )
      .toArray();
    if (idle.length === 0) return;
    await admin.command({ killSessions: idle.map(({ lsid }) => ({ id: lsid.id })), maxTimeMS: timeoutMs });
    killed.inc(idle.length);
    logger.warn({ transactions: idle.length }, 'abandoned transactions were killed');
  };

  return {
    killAbandonedTransactions() {
      if (!searching && clock.monotonicMs() - searchedAtMs < minIntervalMs) return Promise.resolve();
      searching ??= search()
        .catch((error: unknown) => logger.warn({ err: error }, 'the search for abandoned transactions failed'))
        .finally(() => {
          searching = undefined;
          searchedAtMs = clock.monotonicMs();
        });
      return searching;
    },
  };
}
