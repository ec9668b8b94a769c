import type { Environment } from '@shopscope/config';
import { SchemaOlderError } from '@shopscope/errors';
import { TopicsDifferError } from '@shopscope/kafka';
import { createLogger, errorLine, flushLogger } from '@shopscope/telemetry';
import { configErrorCode, loadOrExit } from './load-or-exit.ts';
import { type Migration, migrate, readMigrationSettings } from './migration.ts';

/**
 * Runs `--migrate` and exits: 0 after success, 78 if the settings are invalid or an operator must act, otherwise 1. An orchestrator repeats it after 1.
 *
 * - SIGTERM or SIGINT -> the process exits at once. A repeated run makes what is missing.
 */
export async function runMigration(service: string, migration: Migration, env: Environment): Promise<never> {
  const settings = loadOrExit(service, () => readMigrationSettings(migration, env));
  const { config } = settings;
  const logger = createLogger({ service, instance: config.INSTANCE_ID, level: config.LOG_LEVEL });
  const exit = async (code: number) => {
    await flushLogger(logger);
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      logger.warn('the migration was interrupted; run it again');
      void exit(1);
    });
  }
  try {
    await migrate(migration, settings, { service, logger });
    logger.info('the migration has ended');
    await exit(0);
  } catch (error) {
    logger.fatal(`the migration failed: ${errorLine(error)}`);
    await exit(exitCodeOf(error));
  }
  return process.exit();
}

/** A broker may show a new topic late, so a missing topic is a reason to repeat the migration. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof TopicsDifferError && error.isMissing) return 1;
  return error instanceof SchemaOlderError ? configErrorCode : 1;
}
