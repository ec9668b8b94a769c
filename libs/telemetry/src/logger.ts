import { type DestinationStream, type Logger, type LoggerOptions as PinoOptions, pino, stdSerializers } from 'pino';
import { openStandardOutput } from './standard-output.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  service: string;
  instance: string;
  level: string;
  /** Receives each line as it is logged. Standard output by default. */
  destination?: DestinationStream | undefined;
}

/**
 * Structured logs, one JSON object per line, on standard output.
 * - Lines are written in small asynchronous batches, so that logging does not block the event loop.
 * - A line waits at most one second. A line at warn or above is written at once, with all lines before it.
 * - The process is killed -> lines below warn of its last second are lost.
 * - Members that may contain a secret are omitted, on the first two levels.
 */
export function createLogger(options: LoggerOptions): Logger {
  if (options.destination) return pino(loggerOptions(options), options.destination);
  const output = openStandardOutput();
  const logMethod: LogMethod = function (args, method, level) {
    method.apply(this, args);
    // pino writes fatal lines synchronously.
    if (level >= levels.warn && level < levels.fatal) output.flushNow();
  };
  return pino({ ...loggerOptions(options), hooks: { logMethod } }, output.stream);
}

type LogMethod = NonNullable<NonNullable<PinoOptions['hooks']>['logMethod']>;
const levels = pino.levels.values as Record<'warn' | 'fatal', number>;

function loggerOptions(options: LoggerOptions): PinoOptions {
  return {
    level: options.level,
    base: { service: options.service, instance: options.instance },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: withoutCommands },
    redact: {
      paths: ['authorization', '*.authorization', 'secret', '*.secret', 'password', '*.password', 'pepper', '*.pepper'],
      remove: true,
    },
  };
}

const serialize = stdSerializers.errWithCause ?? stdSerializers.err;
const maxCauses = 10;

/**
 * The Redis client adds the failed command with its arguments to an error. They may contain passwords and response
 * bodies.
 */
function withoutCommands(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const serialized = serialize(error);
  let each = serialized as { command?: unknown; cause?: typeof each };
  for (let depth = 0; typeof each === 'object' && each !== null && depth < maxCauses; depth++) {
    delete each.command;
    each = each.cause as typeof each;
  }
  return serialized;
}

/** Writes all buffered lines. For the end of a process. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()));
}
