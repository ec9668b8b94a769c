import type { Environment } from '@shopscope/config';
import { SchemaOlderError } from '@shopscope/errors';
import { createLogger, flushLogger, type Logger } from '@shopscope/telemetry';
import { allowHeapGrowth } from './heap-growth.ts';
import { configErrorCode, loadOrExit } from './load-or-exit.ts';
import type { Migration } from './migration.ts';
import { runMigration } from './run-migration.ts';
import type { RunningService } from './running-service.ts';

export interface RunOptions<Config> {
  name: string;
  /** Throws ConfigError. */
  loadConfig(env: Environment): Config;
  start(
    config: Config,
    context: { logger: Logger; onFatal(error: unknown): void; processMetrics: true },
  ): Promise<RunningService>;
  /** What `--migrate` makes. A process without topics and a database of its own omits it. */
  migration?: Migration;
  env?: Environment;
  argv?: readonly string[];
}

interface CommonConfig {
  SHOPSCOPE_ENV: string;
  LOG_LEVEL: string;
  INSTANCE_ID: string;
  INSECURE_CONNECTIONS?: string[];
}

/** After this time, the process exits without a complete stop. Orchestrators kill it after 30 s. */
const stopTimeoutMs = 25_000;

const minNodeMajor = 24;

/** Returns the reason why services cannot run on this version of Node, or undefined. */
export function nodeVersionProblem(version: string): string | undefined {
  if (Number(version.split('.')[0]) >= minNodeMajor) return undefined;
  return `needs Node ${minNodeMajor} or newer and runs on ${version}; in a checkout, use node_modules/.bin/node`;
}

/**
 * Runs a service process: configuration (`--validate` ends here), start, graceful stop on SIGTERM or SIGINT, exit. With `--migrate`, it runs
 * the migration instead, which needs only the settings of the data servers.
 *
 * - A fatal error (stalled consumer, unhandled rejection) -> the service stops with exit code 1; the orchestrator restarts the process.
 * - The configuration is invalid or Node is not supported -> exit code 78 before the start.
 * - The schema is older than this version needs -> exit code 78 with one sentence, because the service waits for an operator.
 * - Bound: a stop takes at most {@link stopTimeoutMs}.
 */
export async function runService<Config extends CommonConfig>(options: RunOptions<Config>): Promise<void> {
  const problem = nodeVersionProblem(process.versions.node);
  if (problem) {
    process.stderr.write(`${options.name}: ${problem}\n`);
    process.exit(configErrorCode);
  }
  // biome-ignore lint/style/noProcessEnv: the environment enters a process here and reaches only loadConfig
  const { argv = process.argv, env = process.env } = options;
  const { migration } = options;
  if (migration && argv.includes('--migrate')) return runMigration(options.name, migration, env);
  const config = loadOrExit(options.name, () => options.loadConfig(env));
  if (argv.includes('--validate')) {
    process.stdout.write(`${options.name}: the configuration is valid\n`);
    process.exit(0);
  }
  allowHeapGrowth();
  const logger = createLogger({ service: options.name, instance: config.INSTANCE_ID, level: config.LOG_LEVEL });
  const { INSECURE_CONNECTIONS: connections = [] } = config;
  if (connections.length > 0) logger.warn({ connections }, 'these connections do not require TLS or credentials');
  let starting: Promise<RunningService> | undefined;
  let stopping = false;

  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    const timer = setTimeout(() => process.exit(code || 1), stopTimeoutMs);
    // A stop during the start waits for the start, and then stops the whole service.
    await starting?.then((service) => service.stop()).catch(() => {});
    logger.info({ code }, 'stopped');
    // The timer also bounds the flush, which hangs when standard output blocks.
    await flushLogger(logger);
    clearTimeout(timer);
    process.exit(code);
  };
  const onFatal = (error: unknown) => {
    if (error instanceof SchemaOlderError) {
      logger.fatal(error.message);
      return void stop(configErrorCode);
    }
    logger.fatal({ err: error }, 'cannot continue; stopping');
    void stop(1);
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  process.on('unhandledRejection', onFatal);
  process.on('uncaughtException', onFatal);

  try {
    starting = options.start(config, { logger, onFatal, processMetrics: true });
    const running = await starting;
    logger.info({ grpc: running.grpcAddress, http: running.httpUrl, admin: running.adminUrl }, 'started');
  } catch (error) {
    onFatal(error);
  }
}
