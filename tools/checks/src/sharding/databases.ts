import type { CollectionDefinitions } from '@shopscope/mongo';

/** The services with a database, by its name. */
const modules = {
  dashboard: () => import('@shopscope/dashboard'),
  keys: () => import('@shopscope/keys'),
  metering: () => import('@shopscope/metering'),
  profiles: () => import('@shopscope/profiles'),
  scan_scheduler: () => import('@shopscope/scan-scheduler'),
  subscriptions: () => import('@shopscope/subscriptions'),
  webhooks: () => import('@shopscope/webhooks'),
};
export type Database = keyof typeof modules;

export const databases = Object.keys(modules) as Database[];

const pattern = new RegExp(`(?:^|_)(${databases.join('|')})$`);

/** The names of the databases of tests end with the name of the service. */
export const databaseOf = (name: string): Database | undefined => pattern.exec(name)?.[1] as Database | undefined;

/** Returns the declared collections of the service. */
export async function definitionsOf(database: Database): Promise<CollectionDefinitions> {
  return (await modules[database]()).collections;
}
