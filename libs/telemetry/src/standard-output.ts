import { type Logger, pino } from 'pino';
import { Counter, type Registry } from './metrics.ts';

/** Lines gather until they are this long together. */
const batchBytes = 4_096;
/** The longest that a line waits for others. */
const flushIntervalMs = 1_000;
/** What waits in memory while standard output blocks. */
const waitingBytesMax = 8 * 1024 * 1024;

export interface StandardOutput {
  stream: ReturnType<typeof pino.destination>;
  /** Writes what waits, now or as soon as the write under way has ended. */
  flushNow(): void;
}

/**
 * Standard output in asynchronous batches: a batch is written when it is full, and each second in any case.
 * Standard output blocks (a slow log collector) -> lines wait in memory up to a bound; lines beyond it are dropped.
 */
export function openStandardOutput(): StandardOutput {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: batchBytes,
    periodicFlush: flushIntervalMs,
    maxLength: waitingBytesMax,
  });
  let flushAgain = false;
  // A flush does nothing while a write is under way; what came meanwhile may be shorter than a batch.
  stream.on('drain', () => {
    if (!flushAgain) return;
    flushAgain = false;
    stream.flush();
  });
  return {
    stream,
    flushNow() {
      flushAgain = true;
      stream.flush();
    },
  };
}

/** Counts the lines that were dropped because standard output was blocked for too long. */
export function countDroppedLines(logger: Logger, registry: Registry): void {
  const dropped = new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines dropped because standard output was blocked and the memory for waiting lines was full',
    registers: [registry],
  });
  const stream = (logger as unknown as Record<symbol, unknown>)[pino.symbols.streamSym];
  if (isEmitter(stream)) stream.on('drop', () => dropped.inc());
}

/** Standard output is one; a destination that a test gives need not be. */
const isEmitter = (stream: unknown): stream is Pick<StandardOutput['stream'], 'on'> =>
  typeof (stream as { on?: unknown } | undefined)?.on === 'function';
