import { startPeriodicLoop } from '@shopscope/async';
import { applySchema } from './apply-schema.ts';
import { connectMongo, type MongoOptions } from './connect.ts';
import type { CollectionDefinitions } from './definitions.ts';
import { readBuildProgress } from './index-builds.ts';

const progressIntervalMs = 5_000;

/**
 * Returns the migration of a database. The migration creates the collections, indexes and validators, and logs its progress.
 *
 * - The server builds an index -> the call waits as long as the build takes, because its sockets have no time limit.
 * - The progress cannot be read -> a warning per interval is logged, and the migration continues.
 */
export const migrateCollections =
  (definitions: CollectionDefinitions) =>
  async (options: Omit<MongoOptions, 'socketTimeoutMs'>): Promise<void> => {
    const { logger, database } = options;
    const mongo = await connectMongo({ ...options, socketTimeoutMs: 0 });
    // The progress is read on another connection, because the command that builds an index occupies its own.
    const progress = startPeriodicLoop({
      intervalMs: progressIntervalMs,
      run: async () => {
        for (const line of await readBuildProgress(mongo.client, database))
          logger.info(line, 'indexes are being built');
      },
      onError: (error) => logger.warn({ err: error }, 'the progress of index builds could not be read'),
      ...(options.clock && { clock: options.clock }),
    });
    try {
      await applySchema(mongo.db, definitions, {
        onCollection: (collection, done, total) =>
          logger.info({ what: `collections of ${database}`, collection, done, total }, 'a collection is complete'),
      });
    } finally {
      await progress.stop();
      await mongo.close();
    }
  };
