import { createDeadline, retry } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { errorLine, type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import { type Db, MongoClient } from 'mongodb';
import { type AbandonedTransactionKiller, createAbandonedTransactionKiller } from './abandoned-transactions.ts';
import { measureCommands } from './command-metrics.ts';

/**
 * A connection to the database of one service.
 *
 * - Durability: writes wait for a journaled majority, and reads return majority-committed data, so that money and work
 *   are never rolled back.
 * - No primary -> operations fail after {@link selectionTimeoutMs}.
 * - The primary stops responding -> heartbeats detect it within about 5 s and fail the waiting operations.
 * - The driver reconnects by itself.
 */
export interface Mongo extends AbandonedTransactionKiller {
  client: MongoClient;
  db: Db;
  /** The result of the last heartbeat. Reading it is cheap enough for a readiness check. */
  readonly available: boolean;
  /** Makes one round trip to the primary. Rejects if the primary does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface MongoOptions {
  url: string;
  /** Used instead of a user and password in the URL. */
  credentials?: { username: string; password: string };
  /** For a URL with tls=true, as PEM: the trusted CA and, for servers that require it, the certificate of this client. */
  tls?: { ca?: string; cert?: string; key?: string };
  database: string;
  appName: string;
  poolSize: number;
  logger: Logger;
  registry: Registry;
  /** The longest wait for the database at the start. Default 60 s. */
  startTimeoutMs?: number;
  /** Whether every command is measured, which costs some microseconds per command. Default false. */
  commandMetrics?: boolean;
  /** The longest wait for the answer to a command. 0 is no limit, for commands that build indexes. Default 20 s. */
  socketTimeoutMs?: number;
  clock?: Clock;
}

const selectionTimeoutMs = 2_000;
const heartbeatMs = 2_000;
const retryMs = 500;

/** Resolves when the database responds. Rejects after `startTimeoutMs` without a response. */
export async function connectMongo(options: MongoOptions): Promise<Mongo> {
  const { logger, registry, database, startTimeoutMs = 60_000, commandMetrics = false, clock = systemClock } = options;
  const { socketTimeoutMs = 20_000 } = options;
  const client = new MongoClient(options.url, {
    ...(options.credentials && { auth: options.credentials }),
    ...options.tls,
    appName: options.appName,
    maxPoolSize: options.poolSize,
    // Limits the wait for a free connection of the pool.
    waitQueueTimeoutMS: selectionTimeoutMs * 2,
    serverSelectionTimeoutMS: selectionTimeoutMs,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: socketTimeoutMs,
    heartbeatFrequencyMS: heartbeatMs,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    retryWrites: true,
    monitorCommands: commandMetrics,
  });
  if (commandMetrics) measureCommands(client, registry);
  let available = false;
  const gauge = metricsOf(registry).gauge('mongodb_available', '1 while a primary is known');
  gauge.set(0);
  const report = (state: boolean) => {
    if (state !== available)
      logger[state ? 'info' : 'warn']({ database }, `mongodb ${state ? 'available' : 'unavailable'}`);
    available = state;
    gauge.set(state ? 1 : 0);
  };
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    report([...newDescription.servers.values()].some((server) => server.isWritable));
  });
  // Operations get the errors of the driver themselves. Without a listener, the event would end the process.
  client.on('error', () => {});

  await connectWithin(client, startTimeoutMs, { logger, clock });
  return {
    client,
    db: client.db(database),
    get available() {
      return available;
    },
    async ping() {
      await client.db(database).command({ ping: 1 });
    },
    ...createAbandonedTransactionKiller({ client, appName: options.appName, logger, registry, clock }),
    close: () => client.close(),
  };
}

async function connectWithin(
  client: MongoClient,
  timeoutMs: number,
  { logger, clock }: { logger: Logger; clock: Clock },
): Promise<void> {
  try {
    await retry(() => client.connect(), {
      pauseMs: () => retryMs,
      deadline: createDeadline(timeoutMs, { clock }),
      onFailure: (error) => logger.warn({ reason: errorLine(error) }, 'mongodb does not respond yet; trying again'),
      clock,
    });
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
}
