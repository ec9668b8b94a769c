import { type Logger, pino } from 'pino';
import { metricsOf, type Registry } from './metrics.ts';

/** A batch is written when it has reached this size. */
const batchBytes = 12_288;
/** The maximum time that a line waits for others. */
const flushIntervalMs = 1_000;
/** The limit of buffered lines while standard output blocks. */
const maxBufferedBytes = 8 * 1024 * 1024;

export interface StandardOutput {
  stream: ReturnType<typeof pino.destination>;
  /** Writes the buffered lines now, or directly after the write in progress. */
  flushNow(): void;
}

/**
 * Writes to standard output in asynchronous batches: when a batch is full, and every second.
 * Standard output blocks (a slow log collector) -> lines wait in memory up to a limit, and further lines are dropped.
 */
export function openStandardOutput(): StandardOutput {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: batchBytes,
    periodicFlush: flushIntervalMs,
    maxLength: maxBufferedBytes,
  });
  let flushAgain = false;
  // pino ignores a flush during a write, so the flush is repeated after the write.
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
  const help = 'Log lines dropped because standard output was blocked and the memory for waiting lines was full';
  const dropped = metricsOf(registry).counter('log_lines_dropped_total', help);
  const stream = (logger as unknown as Record<symbol, unknown>)[pino.symbols.streamSym];
  if (isEmitter(stream)) stream.on('drop', () => dropped.inc());
}

/** Whether the destination is a stream. Some destinations of tests are no streams. */
const isEmitter = (stream: unknown): stream is Pick<StandardOutput['stream'], 'on'> =>
  typeof (stream as { on?: unknown } | undefined)?.on === 'function';
