import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { exponentialBackoff, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import type { ExaminationInput, ExaminationKind, ExaminationResult } from '../../domain/examination.ts';
import { NotExaminableError } from '../../domain/reasons.ts';
import type { ScannerMetrics } from '../../metrics.ts';
import type { ExaminationRequest, ExaminerMessage } from './protocol.ts';
import { residentMbOf } from './resident-memory.ts';

/**
 * Runs examinations in a process of their own, so that contents which take too long or too much memory end that process
 * and no scan of another site.
 *
 * - Order: first in, first out. One examination at a time, so it is known which one ended the process.
 * - An examination exceeds the deadline or the memory -> the process ends, NotExaminableError, and a new process starts.
 * - The process ends otherwise, for example by SIGKILL -> an Error for its examination, and a new process starts.
 * - The process is large after an examination -> a new process starts, so that the next examination has its share.
 * - Examinations in the queue wait for the new process.
 * - A process does not start -> it is started again after 0.2 s to 10 s.
 */
export interface Examiner {
  /** Rejects with the reason of `abort` when it aborts. */
  run<K extends ExaminationKind>(
    kind: K,
    input: ExaminationInput<K>,
    abort: AbortSignal,
  ): Promise<ExaminationResult<K>>;
  /** Resolves when a process has loaded the rules. Rejects when the examiner stops. */
  ready(): Promise<void>;
  /** Whether a process has loaded the rules. */
  readonly available: boolean;
  /** Ends the process. Examinations that have not ended are rejected. */
  stop(): Promise<void>;
}

export interface ExaminerOptions {
  /** The module that the process runs. */
  entry: URL;
  /** Time limit of one examination, without its time in the queue. */
  deadlineMs: number;
  /** Limit of the resident memory of the process. Half of it is the limit of its JavaScript heap. */
  maxMemoryMb: number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  metrics: Pick<ScannerMetrics, 'examinationDuration' | 'endedExaminers'>;
  logger: Logger;
}

/** The entry beside this file: TypeScript when this file runs from its source, JavaScript when it is compiled. */
export const examinerEntry = new URL(`./process${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

type EndCause = 'deadline' | 'memory' | 'crash' | 'retired' | 'start';

interface Examination {
  request: ExaminationRequest;
  startedMs: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Running {
  child: ChildProcess;
  /** `settling`: the result is there, and the memory of the process is checked before the next examination. */
  state: 'starting' | 'free' | 'examining' | 'settling';
  examination: Examination | undefined;
  cancelDeadline(): void;
  cancelWatch(): void;
  /** Why this examiner ends the process. */
  endedFor: EndCause | undefined;
  /** The last part of its standard error. */
  stderr: string;
}

const startMs = 60_000;
const watchMs = 50;
/** A process that is larger after an examination is replaced. The rules take a quarter of the default limit. */
const retiredAbove = 0.6;
const maxStderrChars = 2_000;
/** Node aborts when the heap is full: SIGABRT, or SIGTRAP on some platforms. */
const outOfMemorySignals: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP']);
/** The process reads hostile data, so it gets no credentials. */
const inheritedVariables = ['NODE_COMPILE_CACHE', 'NODE_ENV', 'NODE_OPTIONS', 'PATH'];

export function startExaminer(options: ExaminerOptions): Examiner {
  const { clock, metrics, logger } = options;
  const queue: Examination[] = [];
  const stopped = new AbortController();
  let readiness = Promise.withResolvers<void>();
  let running: Running | undefined;
  let failedStarts = 0;
  let cancelRestart = () => {};

  const start = () => {
    const child = fork(options.entry, {
      execArgv: [...process.execArgv, `--max-old-space-size=${Math.floor(options.maxMemoryMb / 2)}`],
      // biome-ignore lint/style/noProcessEnv: the process inherits settings of Node, which are no configuration
      env: Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]])),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const started: Running = {
      child,
      state: 'starting',
      examination: undefined,
      cancelDeadline: clock.after(startMs, () => end(started, 'start')),
      cancelWatch: () => {},
      endedFor: undefined,
      stderr: '',
    };
    running = started;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      started.stderr = (started.stderr + text).slice(-maxStderrChars);
    });
    child.on('message', (message: ExaminerMessage) => onMessage(started, message));
    // A process that cannot be started or killed, or a channel that broke. The exit follows, except without a process.
    child.on('error', (error) => {
      logger.warn({ err: error }, 'the examiner process failed');
      if (child.pid === undefined) onExit(started, null);
    });
    child.on('exit', (_code, signal) => onExit(started, signal));
  };

  const end = (process: Running, cause: EndCause) => {
    process.endedFor ??= cause;
    process.child.kill('SIGKILL');
  };

  const onMessage = (from: Running, message: ExaminerMessage) => {
    if (from !== running || from.endedFor !== undefined) return;
    from.cancelDeadline();
    from.cancelWatch();
    if (message.type === 'ready') {
      failedStarts = 0;
      from.state = 'free';
      readiness.resolve();
      examineNext();
    } else if (from.examination) {
      const { request, startedMs, resolve, reject } = from.examination;
      from.examination = undefined;
      const tookMs = clock.monotonicMs() - startedMs;
      metrics.examinationDuration.observe({ kind: request.kind }, tookMs / 1_000);
      if (message.type === 'result') resolve(message.result);
      else reject(new Error('the examination failed', { cause: message.error }));
      void settle(from, tookMs);
    }
  };

  const settle = async (process: Running, tookMs: number) => {
    process.state = 'settling';
    // Short examinations need little memory, and reading its size would take as long as they do.
    const isLarge = tookMs > watchMs && (await residentMbOf(process.child.pid)) > options.maxMemoryMb * retiredAbove;
    if (process !== running) return;
    if (isLarge) return end(process, 'retired');
    process.state = 'free';
    examineNext();
  };

  /** The heap has a limit of its own, but parsers also need memory outside of it. */
  const watchMemory = (process: Running, examination: Examination) => {
    process.cancelWatch = clock.after(watchMs, async () => {
      const isOver = (await residentMbOf(process.child.pid)) > options.maxMemoryMb;
      if (process.examination !== examination) return;
      if (isOver) end(process, 'memory');
      else watchMemory(process, examination);
    });
  };

  const onExit = (ended: Running, signal: string | null) => {
    if (ended !== running) return;
    ended.cancelDeadline();
    ended.cancelWatch();
    running = undefined;
    const { examination } = ended;
    ended.examination = undefined;
    if (stopped.signal.aborted) return;
    const cause = causeOf(ended, signal);
    metrics.endedExaminers.inc({ cause });
    const level = cause === 'retired' ? 'info' : 'warn';
    logger[level](
      { cause, kind: examination?.request.kind, signal, stderr: ended.stderr },
      'the examiner process ended',
    );
    examination?.reject(
      cause === 'deadline' || cause === 'memory'
        ? new NotExaminableError(cause)
        : new Error(`the examiner process ended: ${cause}`),
    );
    if (ended.state === 'starting') {
      failedStarts += 1;
      cancelRestart = clock.after(exponentialBackoff(failedStarts, { firstMs: 200, maxMs: 10_000 }), start);
      return;
    }
    readiness = Promise.withResolvers();
    start();
  };

  const examineNext = () => {
    const free = running;
    if (free?.state !== 'free' || free.endedFor !== undefined) return;
    const next = queue.shift();
    if (!next) return;
    free.state = 'examining';
    free.examination = next;
    next.startedMs = clock.monotonicMs();
    // After a suspension of this process the timer fires before the result is read, so one turn of the event loop passes.
    free.cancelDeadline = clock.after(options.deadlineMs, () =>
      setImmediate(() => {
        if (free.examination === next) end(free, 'deadline');
      }),
    );
    watchMemory(free, next);
    // The process ended while it was free, or its channel broke: the examination was never read and waits for the next process.
    free.child.send(next.request, (error) => {
      if (!error || free.examination !== next) return;
      free.examination = undefined;
      queue.unshift(next);
      end(free, 'crash');
    });
  };

  start();
  return {
    get available() {
      return running !== undefined && running.state !== 'starting';
    },
    ready: () => untilAborted(stopped.signal, readiness.promise),
    async run(kind, input, abort) {
      abort.throwIfAborted();
      stopped.signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const examination: Examination = { request: { kind, input }, startedMs: 0, resolve, reject };
      queue.push(examination);
      examineNext();
      try {
        const ended = untilAborted(stopped.signal, promise);
        return (await untilAborted(abort, ended)) as ExaminationResult<typeof kind>;
      } finally {
        const waiting = queue.indexOf(examination);
        if (waiting >= 0) queue.splice(waiting, 1);
      }
    },
    async stop() {
      stopped.abort(new Error('the examiner is stopping'));
      cancelRestart();
      const { child } = running ?? {};
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function causeOf({ endedFor, state }: Running, signal: string | null): EndCause {
  if (endedFor !== undefined) return endedFor;
  if (state === 'starting') return 'start';
  return signal !== null && outOfMemorySignals.has(signal) ? 'memory' : 'crash';
}
