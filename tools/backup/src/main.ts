import { systemClock } from '@shopscope/clock';
import {
  kafkaOptions,
  kafkaRules,
  kafkaSettings,
  readConfig,
  readLocalSystem,
  serviceSettings,
  z,
} from '@shopscope/config';
import { createKafka } from '@shopscope/kafka';
import { runService } from '@shopscope/lifecycle';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import type { MongoClient } from 'mongodb';
import { type Asked, readArguments, usage } from './arguments.ts';
import { expectedBytes } from './collections.ts';
import { connect, loadConfig, loadMongoConfig } from './config.ts';
import { dump } from './dump.ts';
import { readKeyEvents } from './key-changes.ts';
import { nightly } from './nightly.ts';
import { restore } from './restore.ts';
import { raiseSequenceFloor } from './sequence-floor.ts';
import { startBackup } from './service.ts';

const everyDatabase = ['keys', 'profiles', 'metering', 'scan_scheduler', 'dashboard', 'subscriptions', 'webhooks'];

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  const asked = readArguments(args);
  if (!asked) {
    process.stderr.write(usage);
    return 2;
  }
  if (asked.verb === 'serve') {
    await serve(asked.directory);
    return 0;
  }
  try {
    await perform(asked, (line) => process.stdout.write(`${line}\n`));
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** A connection per dump: the service needs none between its dumps. */
function serve(folder: string): Promise<void> {
  return runService({
    name: 'backup',
    loadConfig,
    start: (config, context) =>
      startBackup(
        {
          config,
          folder,
          expectedBytes: () =>
            withClient(
              () => connect(config),
              (client) => expectedBytes(client, everyDatabase),
            ),
          dump: (to) =>
            withClient(
              () => connect(config),
              (client) => dump({ ...to, client, databases: everyDatabase }),
            ),
        },
        context,
      ),
  });
}

async function perform(asked: Asked, report: (line: string) => void): Promise<void> {
  if (asked.verb === 'key-changes') return reportKeyChanges(asked.since, report);
  await withClient(connectFromEnvironment, async (client) => {
    if (asked.verb === 'raise-sequences') {
      const floor = await raiseSequenceFloor(client.db(asked.database));
      return report(`every later sequence in ${asked.database} is above ${floor}`);
    }
    const { directory } = asked;
    if (asked.verb === 'restore') {
      const { databases } = asked;
      const { snapshotAt } = await restore({ client, directory, ...(databases && { databases }), report });
      return report(`restored as of ${snapshotAt}`);
    }
    const to = { client, report, abort: abortOnSignals() };
    if (asked.verb === 'dump') {
      const { snapshotAt } = await dump({ ...to, databases: asked.databases ?? everyDatabase, directory });
      return report(`dumped as of ${snapshotAt}`);
    }
    const made = await nightly({
      folder: directory,
      expectedBytes: () => expectedBytes(client, everyDatabase),
      dump: (each) => dump({ ...to, databases: everyDatabase, directory: each }),
      clock: systemClock,
      report,
    });
    report(`dumped to ${made.directory}`);
  });
}

async function withClient<T>(open: () => Promise<MongoClient>, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await open();
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** An interrupted dump removes its directory. */
function abortOnSignals(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => abort.abort(new Error('the dump was interrupted, and its directory is removed')));
  }
  return abort.signal;
}

function connectFromEnvironment(): Promise<MongoClient> {
  const { env } = process;
  const url = env.MONGODB_URL || readLocalSystem(env, 'MONGODB_URL').stack?.mongodb?.url;
  return connect(loadMongoConfig({ ...env, MONGODB_URL: url }));
}

async function reportKeyChanges(since: Date, report: (line: string) => void): Promise<void> {
  const { env } = process;
  const brokers = env.KAFKA_BROKERS || readLocalSystem(env, 'KAFKA_BROKERS').stack?.kafka?.brokers;
  const given = { ...env, KAFKA_BROKERS: brokers };
  const config = readConfig(z.object({ SHOPSCOPE_ENV: serviceSettings.SHOPSCOPE_ENV, ...kafkaSettings }), given, [
    kafkaRules,
  ]);
  const kafka = createKafka({
    ...kafkaOptions({ ...config, INSTANCE_ID: 'backup' }),
    logger: createLogger({ service: 'backup', instance: 'backup', level: 'fatal' }),
    registry: createRegistry({ service: 'backup' }),
  });
  try {
    const changes = await readKeyEvents(kafka, { since });
    for (const change of changes) report(JSON.stringify(change));
    report(`${changes.length} changes since ${since.toISOString()}`);
  } finally {
    await kafka.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
