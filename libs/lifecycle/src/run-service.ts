import { ConfigError, type Environment } from '@shopscope/config';
import { createLogger, flushLogger, type Logger } from '@shopscope/telemetry';
import type { RunningService } from './running-service.ts';

export interface RunOptions<Config> {
  name: string;
  /** Throws ConfigError with every fault of the environment. */
  loadConfig(env: Environment): Config;
  start(config: Config, context: { logger: Logger; onFatal(error: unknown): void }): Promise<RunningService>;
  env?: Environment;
  argv?: readonly string[];
}

interface CommonConfig {
  SHOPSCOPE_ENV: string;
  LOG_LEVEL: string;
  INSTANCE_ID: string;
  INSECURE_CONNECTIONS?: string[];
}

/** A stop that takes longer ends the process all the same; orchestrators give 30 s. */
const stopTimeoutMs = 25_000;

/** EX_CONFIG of sysexits.h. */
const misconfigured = 78;

const nodeMajorMin = 24;

/** Why services cannot run on this version of Node, or undefined. */
export function nodeFault(version: string): string | undefined {
  if (Number(version.split('.')[0]) >= nodeMajorMin) return undefined;
  return `needs Node ${nodeMajorMin} or newer and runs on ${version}; in a checkout, node_modules/.bin/node is a Node that fits`;
}

/**
 * The whole life of a service process: configuration (with `--validate`, only that), start, run until SIGTERM or SIGINT,
 * graceful stop, exit. A fatal error (a stalled consumer, an unhandled rejection) stops it with code 1, and the
 * orchestrator starts it again.
 */
export async function runService<Config extends CommonConfig>(options: RunOptions<Config>): Promise<void> {
  const fault = nodeFault(process.versions.node);
  if (fault) {
    process.stderr.write(`${options.name}: ${fault}\n`);
    process.exit(misconfigured);
  }
  const config = loadOrExit(options);
  if ((options.argv ?? process.argv).includes('--validate')) {
    process.stdout.write(`${options.name}: the configuration is valid\n`);
    process.exit(0);
  }
  const logger = createLogger({ service: options.name, instance: config.INSTANCE_ID, level: config.LOG_LEVEL });
  const { INSECURE_CONNECTIONS: connections = [] } = config;
  if (connections.length > 0) logger.warn({ connections }, 'these connections may go without TLS or credentials');
  let starting: Promise<RunningService> | undefined;
  let ending = false;

  const end = async (code: number) => {
    if (ending) return;
    ending = true;
    const timer = setTimeout(() => process.exit(code || 1), stopTimeoutMs);
    // A stop that arrives while the service starts waits for the start, and then stops all of it.
    await starting?.then((service) => service.stop()).catch(() => {});
    logger.info({ code }, 'stopped');
    // Standard output that blocks would hold the flush: the same timer bounds it.
    await flushLogger(logger);
    clearTimeout(timer);
    process.exit(code);
  };
  const onFatal = (error: unknown) => {
    logger.fatal({ err: error }, 'cannot go on; stopping');
    void end(1);
  };
  process.on('SIGTERM', () => void end(0));
  process.on('SIGINT', () => void end(0));
  process.on('unhandledRejection', onFatal);
  process.on('uncaughtException', onFatal);

  try {
    starting = options.start(config, { logger, onFatal });
    const running = await starting;
    logger.info({ grpc: running.grpcAddress, http: running.httpUrl, admin: running.adminUrl }, 'started');
  } catch (error) {
    onFatal(error);
  }
}

function loadOrExit<Config>(options: RunOptions<Config>): Config {
  try {
    // biome-ignore lint/style/noProcessEnv: the environment enters a process here and reaches only loadConfig
    return options.loadConfig(options.env ?? process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${options.name}: ${error.message}\n`);
    process.exit(misconfigured);
  }
}
