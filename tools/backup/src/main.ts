import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mongoOptions, mongoRules, mongoSettings, readConfig, z } from '@shopscope/config';
import { MongoClient } from 'mongodb';
import { dump } from './dump.ts';
import { restore } from './restore.ts';

const usage = `Commands:
  npm run backup -- dump DIRECTORY [--databases NAME,…]      every database at one instant, while services run
  npm run backup -- restore DIRECTORY [--databases NAME,…]   into databases that are empty; services must be stopped
Databases are keys, profiles, metering and scan_scheduler unless given. MONGODB_URL, MONGODB_USERNAME, MONGODB_PASSWORD
and MONGODB_TLS_CA say where, as for a service; a dump needs the role backup, a restore the role restore.
`;
const everyDatabase = ['keys', 'profiles', 'metering', 'scan_scheduler'];

/** Resolves with the exit code. */
async function main(args: string[]): Promise<number> {
  const asked = read(args);
  if (!asked) {
    process.stderr.write(usage);
    return 2;
  }
  let client: MongoClient | undefined;
  try {
    client = await connect();
    const report = (line: string) => process.stdout.write(`${line}\n`);
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

function read(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { databases: { type: 'string' } },
      allowPositionals: true,
    });
    const [verb, directory, ...rest] = positionals;
    if ((verb !== 'dump' && verb !== 'restore') || !directory || rest.length > 0) return undefined;
    return { verb, directory, databases: values.databases?.split(',').filter(Boolean) };
  } catch {
    return undefined;
  }
}

async function connect(): Promise<MongoClient> {
  const { env } = process;
  const given = { ...env, MONGODB_URL: env.MONGODB_URL || localUrl(env.SHOPSCOPE_LOCAL_DIR) };
  const schema = z.object({ SHOPSCOPE_ENV: z.string().default('production'), ...mongoSettings('admin') });
  const { url, credentials, tls } = mongoOptions(readConfig(schema, given, [mongoRules]));
  const client = new MongoClient(url, { ...(credentials && { auth: credentials }), ...tls, appName: 'backup' });
  return client.connect();
}

/** The running local system's, where there is one. */
function localUrl(directory = '.local'): string | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')).stack.mongodb.url;
  } catch {
    return undefined;
  }
}

process.exitCode = await main(process.argv.slice(2));
