import { createDeadline, retry } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { Gauge, type Logger, messagesOf, type Registry } from '@shopscope/telemetry';
import { type Db, MongoClient } from 'mongodb';
import { createUnblocker } from './abandoned.ts';
import { measureCommands } from './command-metrics.ts';

/**
 * One service's database. Writes wait for a majority and are journaled, reads see what a majority has: what counts money
 * or work may not be rolled back. Operations fail fast when no primary answers ({@link selectionTimeoutMs}), so that a
 * request's time bound is not spent waiting; a primary that falls silent is noticed by heartbeats within about 5 s,
 * which ends what waits for it. The driver reconnects by itself.
 */
export interface Mongo {
  client: MongoClient;
  db: Db;
  /** What the last heartbeat said; cheap enough for a readiness check. */
  readonly available: boolean;
  /** One round trip to the primary; rejects when it does not answer. */
  ping(): Promise<void>;
  /** Ends transactions that instances of this service left behind when they died; see abandoned.ts. Never rejects. */
  unblock(): Promise<void>;
  close(): Promise<void>;
}

export interface MongoOptions {
  url: string;
  /** In place of a user and password in the URL. */
  credentials?: { username: string; password: string };
  /** For a URL with tls=true: what is trusted and, for servers that ask, this client's own certificate, as PEM. */
  tls?: { ca?: string; cert?: string; key?: string };
  database: string;
  appName: string;
  poolSize: number;
  logger: Logger;
  registry: Registry;
  /** How long a start waits for the database. Default 60 s. */
  startTimeoutMs?: number;
  /** Measures every command; costs some microseconds each. Default off. */
  commandMetrics?: boolean;
  clock?: Clock;
}

const selectionTimeoutMs = 2_000;
const heartbeatMs = 2_000;
const retryMs = 500;

/** Resolves when the database answers; rejects after `startTimeoutMs` without an answer. */
export async function connectMongo(options: MongoOptions): Promise<Mongo> {
  const { logger, registry, database, startTimeoutMs = 60_000, commandMetrics = false, clock = systemClock } = options;
  const client = new MongoClient(options.url, {
    ...(options.credentials && { auth: options.credentials }),
    ...options.tls,
    appName: options.appName,
    maxPoolSize: options.poolSize,
    // A full pool makes operations wait no longer than a missing primary does.
    waitQueueTimeoutMS: selectionTimeoutMs * 2,
    serverSelectionTimeoutMS: selectionTimeoutMs,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 20_000,
    heartbeatFrequencyMS: heartbeatMs,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    retryWrites: true,
    monitorCommands: commandMetrics,
  });
  if (commandMetrics) measureCommands(client, registry);
  let available = false;
  const gauge = new Gauge({ name: 'mongodb_available', help: '1 while a primary is known', registers: [registry] });
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
  // The driver's own errors reach the operations that meet them; this listener only keeps them from ending the process.
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
    unblock: createUnblocker({ client, appName: options.appName, logger, registry, clock }).unblock,
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
      onFailure: (error) => logger.warn({ reason: messagesOf(error) }, 'mongodb does not answer yet; trying again'),
      clock,
    });
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
}
