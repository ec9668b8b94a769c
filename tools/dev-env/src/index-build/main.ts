import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { fillLedger, ledgerIndex } from './ledger.ts';
import { driveMetering } from './load.ts';
import { meteringEnvironment, spawnMetering, untilReady } from './processes.ts';

/**
 * `npm run index-build [-- COUNT]`: adds an index to a ledger of COUNT (default 3,000,000) entries with `--migrate`, while metering serves, and
 * prints what it measured as JSON. The servers are those of SHOPSCOPE_MONGODB_URL and SHOPSCOPE_KAFKA_BROKERS. For a server whose cache is
 * smaller than its data, start mongod with `--wiredTigerCacheSizeGB 0.25`.
 *
 * 1. `--migrate` makes everything. Metering starts, as in production.
 * 2. The ledger loses an index, as if the running version had no such index, and gets its entries.
 * 3. Metering is called for a minute. Then `--migrate` builds the index while the calls go on.
 * 4. Meanwhile a new instance starts. It must exit with 78, and start after the build.
 */
const count = Number(process.argv[2] ?? 3_000_000);
const baselineMs = 60_000;
const say = (line: string) => process.stderr.write(`${line}\n`);

const environment = meteringEnvironment(process.env);
const mongo = await MongoClient.connect(environment.MONGODB_URL);
const db = mongo.db(environment.MONGODB_DATABASE);
const secondPorts = { ADMIN_PORT: '29093', GRPC_PORT: '29094' };
const secondsSince = (startMs: number) => Math.round((performance.now() - startMs) / 100) / 10;

async function migrate(onLine: (line: Record<string, unknown>) => void = () => {}): Promise<number> {
  const child = spawnMetering({ ...environment, INSTANCE_ID: 'migration' }, '--migrate');
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) onLine(JSON.parse(line));
  const [code] = await exited;
  return code;
}

/** Starts a second instance of the new version. Resolves to its exit code and its last line. */
async function startSecond() {
  const child = spawnMetering({ ...environment, ...secondPorts, INSTANCE_ID: 'second' });
  const exited = once(child, 'exit');
  let sentence: unknown;
  for await (const line of createInterface(child.stdout)) {
    const { level, msg } = JSON.parse(line);
    if (level === 'fatal' || level === 60) sentence = msg;
  }
  const [code] = await exited;
  return { code: code as number, sentence };
}

say('making the schema');
if ((await migrate()) !== 0) throw new Error('the first migration failed');
const running = spawnMetering({ ...environment, INSTANCE_ID: 'running' });
try {
  await untilReady(environment.ADMIN_PORT);
  await db.collection('ledger').dropIndex(ledgerIndex);
  say(`filling the ledger with ${count} entries`);
  await fillLedger(db, count);

  say('calling metering before the build');
  const before = await driveMetering(environment.GRPC_PORT, (ended) => setTimeout(ended, baselineMs));

  say('building the index');
  const startMs = performance.now();
  const lines: Record<string, unknown>[] = [];
  let refused: Promise<{ code: number; sentence: unknown }> | undefined;
  let code: number | undefined;
  const during = await driveMetering(environment.GRPC_PORT, async (ended) => {
    code = await migrate(({ what, done, total, msg }) => {
      lines.push({ atS: secondsSince(startMs), what, done, total, msg });
      if (String(msg).includes('being built')) refused ??= startSecond();
    });
    ended();
  });
  const builtS = secondsSince(startMs);
  const isRunning = running.exitCode === null;
  const second = spawnMetering({ ...environment, ...secondPorts, INSTANCE_ID: 'second' });
  await untilReady(secondPorts.ADMIN_PORT);
  second.kill('SIGTERM');
  await once(second, 'exit');
  const report = { count, before, during, migration: { code, builtS, lines }, secondDuringBuild: await refused };
  process.stdout.write(
    `${JSON.stringify({ ...report, firstStillRuns: isRunning, secondStartsAfter: true }, null, 2)}\n`,
  );
} finally {
  running.kill('SIGTERM');
  await mongo.close();
}
