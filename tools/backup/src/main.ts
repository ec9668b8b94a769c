import { parseArgs } from 'node:util';
import { parseDay, parseInstant } from '@shopscope/clock';
import {
  kafkaOptions,
  kafkaRules,
  kafkaSettings,
  mongoOptions,
  mongoRules,
  mongoSettings,
  readConfig,
  readLocalSystem,
  serviceSettings,
  z,
} from '@shopscope/config';
import { createKafka } from '@shopscope/kafka';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { MongoClient } from 'mongodb';
import { dump } from './dump.ts';
import { readKeyEvents } from './key-changes.ts';
import { restore } from './restore.ts';
import { raiseSequenceFloor } from './sequence-floor.ts';

const usage = `Commands:
  npm run backup -- dump DIRECTORY [--databases NAME,…]      dumps every database as of one instant, while services run
  npm run backup -- restore DIRECTORY [--databases NAME,…]   restores into empty databases; services must be stopped
  npm run backup -- raise-sequences [--databases NAME]       after a restore of scan_scheduler by other tools than this one
  npm run backup -- key-changes ISO8601                      lists changes of keys since then, which a restore lacks
Default databases: keys, profiles, metering, scan_scheduler, dashboard, subscriptions and webhooks. MONGODB_URL, MONGODB_USERNAME, MONGODB_PASSWORD and
MONGODB_TLS_CA select the server, as for a service. A dump needs the role backup; a restore needs the roles restore and
readAnyDatabase. key-changes needs the KAFKA_* settings of a user who may read key-events.v1 in any group.
Without MONGODB_URL or KAFKA_BROKERS the command uses the servers of the local system that npm start runs.
A relative DIRECTORY is relative to the folder in which the command was typed.
`;
const everyDatabase = ['keys', 'profiles', 'metering', 'scan_scheduler', 'dashboard', 'subscriptions', 'webhooks'];

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  const asked = read(args);
  if (!asked) {
    process.stderr.write(usage);
    return 2;
  }
  let client: MongoClient | undefined;
  const report = (line: string) => process.stdout.write(`${line}\n`);
  try {
    if (asked.verb === 'key-changes') {
      await reportKeyChanges(asked.since, report);
      return 0;
    }
    client = await connect();
    if (asked.verb === 'raise-sequences') {
      const floor = await raiseSequenceFloor(client.db(asked.database));
      report(`every later sequence in ${asked.database} is above ${floor}`);
      return 0;
    }
    const { directory, databases } = asked;
    const { snapshotAt } =
      asked.verb === 'dump'
        ? await dump({ client, directory, databases: databases ?? everyDatabase, report })
        : await restore({ client, directory, ...(databases && { databases }), report });
    report(`${asked.verb === 'dump' ? 'dumped' : 'restored'} as of ${snapshotAt}`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await client?.close();
  }
}

type Asked =
  | { verb: 'dump' | 'restore'; directory: string; databases: string[] | undefined }
  | { verb: 'raise-sequences'; database: string }
  | { verb: 'key-changes'; since: Date };

function read(args: string[]): Asked | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { databases: { type: 'string' } },
      allowPositionals: true,
    });
    const [verb, directory, ...rest] = positionals;
    if (verb === 'raise-sequences' && !directory) {
      const database = values.databases ?? 'scan_scheduler';
      return database.includes(',') ? undefined : { verb, database };
    }
    if (verb === 'key-changes' && directory && rest.length === 0) {
      const sinceMs = parseInstant(directory) ?? parseDay(directory);
      return sinceMs === undefined ? undefined : { verb, since: new Date(sinceMs) };
    }
    if ((verb !== 'dump' && verb !== 'restore') || !directory || rest.length > 0) return undefined;
    return { verb, directory, databases: values.databases?.split(',').filter(Boolean) };
  } catch {
    return undefined;
  }
}

const environment = { SHOPSCOPE_ENV: serviceSettings.SHOPSCOPE_ENV };

async function connect(): Promise<MongoClient> {
  const { env } = process;
  const given = { ...env, MONGODB_URL: env.MONGODB_URL || readLocalSystem(env, 'MONGODB_URL').stack?.mongodb?.url };
  const schema = z.object({ ...environment, ...mongoSettings('admin') });
  const { url, credentials, tls } = mongoOptions(readConfig(schema, given, [mongoRules]));
  const client = new MongoClient(url, { ...(credentials && { auth: credentials }), ...tls, appName: 'backup' });
  return client.connect();
}

async function reportKeyChanges(since: Date, report: (line: string) => void): Promise<void> {
  const { env } = process;
  const brokers = env.KAFKA_BROKERS || readLocalSystem(env, 'KAFKA_BROKERS').stack?.kafka?.brokers;
  const given = { ...env, KAFKA_BROKERS: brokers };
  const config = readConfig(z.object({ ...environment, ...kafkaSettings }), given, [kafkaRules]);
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
