import { parseArgs } from 'node:util';
import { parseDay, parseInstant } from '@shopscope/clock';

export const usage = `Commands:
  npm run backup -- dump DIRECTORY [--databases NAME,…]      dumps every database as of one instant, while services run
  npm run backup -- nightly FOLDER                           removes unfinished and old dumps in FOLDER, then makes one
  npm run backup -- serve FOLDER                             does that each day at BACKUP_TIME (03:17 UTC), and serves metrics at ADMIN_PORT
  npm run backup -- restore DIRECTORY [--databases NAME,…]   restores into empty databases; services must be stopped
  npm run backup -- raise-sequences [--databases NAME]       after a restore of scan_scheduler by other tools than this one
  npm run backup -- key-changes ISO8601                      lists changes of keys since then, which a restore lacks
Default databases: keys, profiles, metering, scan_scheduler, dashboard, subscriptions and webhooks. MONGODB_URL, MONGODB_USERNAME, MONGODB_PASSWORD and
MONGODB_TLS_CA select the server, as for a service. A dump needs the role backup; a restore needs the roles restore and
readAnyDatabase. key-changes needs the KAFKA_* settings of a user who may read key-events.v1 in any group.
Without MONGODB_URL or KAFKA_BROKERS the command uses the servers of the local system that npm start runs.
A relative DIRECTORY or FOLDER is relative to the folder in which the command was typed.
`;

export type Asked =
  | { verb: 'dump' | 'restore'; directory: string; databases: string[] | undefined }
  | { verb: 'nightly' | 'serve'; directory: string }
  | { verb: 'raise-sequences'; database: string }
  | { verb: 'key-changes'; since: Date };

const withDirectory = ['dump', 'nightly', 'serve', 'restore'] as const;
type WithDirectory = (typeof withDirectory)[number];
const takesDirectory = (verb = ''): verb is WithDirectory => withDirectory.some((each) => each === verb);

/** Undefined when the arguments do not fit the usage. */
export function readArguments(args: string[]): Asked | undefined {
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
    if (!takesDirectory(verb) || !directory || rest.length > 0) return undefined;
    // Each dump in the folder of dumps counts as one of all databases.
    if (verb === 'nightly' || verb === 'serve') return values.databases === undefined ? { verb, directory } : undefined;
    return { verb, directory, databases: values.databases?.split(',').filter(Boolean) };
  } catch {
    return undefined;
  }
}
