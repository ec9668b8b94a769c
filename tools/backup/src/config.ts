import { hourMs, minuteMs } from '@shopscope/clock';
import {
  type Environment,
  mongoOptions,
  mongoRules,
  mongoSettings,
  port,
  readConfig,
  serviceSettings,
  z,
} from '@shopscope/config';
import { MongoClient } from 'mongodb';

const mongo = { SHOPSCOPE_ENV: serviceSettings.SHOPSCOPE_ENV, ...mongoSettings('admin') };
const settings = z.object({
  ...serviceSettings,
  ...mongo,
  ADMIN_PORT: port().default(9089),
  /** The daily time of the dump, in UTC. */
  BACKUP_TIME: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 03:17')
    .default('03:17'),
});

export type BackupConfig = z.output<typeof settings>;

/** The settings of the service. Throws a ConfigError that lists every problem. */
export const loadConfig = (env: Environment): BackupConfig => readConfig(settings, env, [mongoRules]);

export function timeOfDayMs({ BACKUP_TIME }: BackupConfig): number {
  const [hour = 0, minute = 0] = BACKUP_TIME.split(':').map(Number);
  return hour * hourMs + minute * minuteMs;
}

/** The settings of commands that connect to MongoDB. */
export const loadMongoConfig = (env: Environment) => readConfig(z.object(mongo), env, [mongoRules]);

export function connect(config: ReturnType<typeof loadMongoConfig>): Promise<MongoClient> {
  const { url, credentials, tls } = mongoOptions(config);
  const client = new MongoClient(url, { ...(credentials && { auth: credentials }), ...tls, appName: 'backup' });
  return client.connect();
}
