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
      serializers: { err: stdSerializers.errWithCause ?? stdSerializers.err },
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

/** Writes what the logger still holds; for the end of a process. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()));
}
