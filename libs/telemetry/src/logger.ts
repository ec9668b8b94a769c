import { type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

export interface LoggerOptions {
  service: string;
  instance: string;
  level: string;
}

/**
 * Structured logs on standard output, one JSON object a line, written in small asynchronous batches so that logging
 * does not hold the event loop. Members that may hold a secret are dropped wherever they stand in the first two levels.
 */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service, instance: options.instance },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutCommands },
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'secret',
          '*.secret',
          'password',
          '*.password',
          'pepper',
          '*.pepper',
        ],
        remove: true,
      },
    },
    pino.destination({ dest: 1, minLength: 4096, sync: false }),
  );
}

const serialize = stdSerializers.errWithCause ?? stdSerializers.err;
const causesMax = 10;

/** The Redis client hangs the failed command on its errors, arguments included: a password for AUTH, a body for others. */
function withoutCommands(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const serialized = serialize(error);
  let each = serialized as { command?: unknown; cause?: typeof each };
  for (let depth = 0; typeof each === 'object' && each !== null && depth < causesMax; depth++) {
    delete each.command;
    each = each.cause as typeof each;
  }
  return serialized;
}

/** Writes what the logger still holds; for the end of a process. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()));
}
