import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { createKeyedSlots, exponentialBackoff, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import type { ExaminationResult, Examine } from '../../domain/examination.ts';
import { NotExaminableError } from '../../domain/reasons.ts';
import type { ScannerMetrics } from '../../metrics.ts';
import { cpuMsOf, residentMbOf } from './process-usage.ts';
import type { ExaminationRequest, ExaminerMessage } from './protocol.ts';

/**
 * Runs examinations in a separate process. Contents that take too much time or memory then end that process and no scan of another site.
 * A worker thread would not be enough: JSON.parse can allocate beyond its limits before V8 ends the thread, and then this process aborts.
 *
 * - One examination runs at a time, which shows which one ended the process.
 * - Order: examinations of scans that have used little time come before the others, first in, first out within each group. One that has
 *   waited for a minute comes first.
 * - A scan exceeds its CPU time, or an examination the memory -> the process ends, the examination rejects with NotExaminableError, and a
 *   new process starts.
 * - An examination takes too long without using its CPU time, because the machine has none left -> as with any other end.
 * - The process ends for another reason, for example SIGKILL -> its examination rejects with an Error, and a new process starts.
 * - The process is large after an examination -> a new process starts, so that the next examination has its full share of memory.
 * - Waiting examinations run in the new process, in the same order.
 * - A process does not start -> it is started again after 0.2 s to 10 s.
 */
export interface Examiner {
  /** Runs the examinations of one scan, which share its CPU time. They reject with the reason of `abort` when it aborts. */
  forScan(abort: AbortSignal): Examine;
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
  /** The CPU time of all examinations of one scan. One examination may take three times as long by the clock. */
  scanCpuMs: number;
  /** The limit of the resident memory of the process. The limit of its JavaScript heap is half of it. */
  maxMemoryMb: number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  metrics: Pick<ScannerMetrics, 'examinationDuration' | 'examinationWait' | 'endedExaminers'>;
  logger: Logger;
}

/** The entry beside this file. It is TypeScript if this file runs from its source, and JavaScript if it is compiled. */
export const examinerEntry = new URL(`./process${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

type EndCause = 'cpu' | 'memory' | 'stalled' | 'crash' | 'retired' | 'start';

interface Examination {
  request: ExaminationRequest;
  /** The CPU time of the scan's earlier examinations. */
  scan: { usedMs: number };
  queuedMs: number;
  startedMs: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** Allows the next examination to start. */
  release(): void;
}

interface Running {
  child: ChildProcess;
  /** `settling`: the result has arrived, and the memory of the process is checked before the next examination. */
  state: 'starting' | 'free' | 'examining' | 'settling';
  examination: Examination | undefined;
  /** The CPU time of the process at its latest message. */
  cpuMs: number;
  cancelTimeLimit(): void;
  cancelWatch(): void;
  /** Why this examiner ends the process. */
  endedFor: EndCause | undefined;
  /** The last part of the standard error of the process. */
  stderr: string;
}

const startMs = 60_000;
const watchMs = 50;
/** A process that is larger after an examination is replaced. The rules take a quarter of the default limit. */
const retiredAbove = 0.6;
const maxStderrChars = 2_000;
/** Several times the CPU time for a usual store. Scans that have used less are served in their order. */
const littleMs = 1_000;
const longestWaitMs = 60_000;
/** The lower bound of the time limit. Within it, contents reach the process even on a machine that has little CPU left. */
const minStallMs = 5_000;
/** Node aborts with these signals when the heap is full: SIGABRT, or SIGTRAP on some platforms. */
const outOfMemorySignals: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP']);
/** The process reads hostile data. It therefore gets no credentials. */
const inheritedVariables = ['NODE_COMPILE_CACHE', 'NODE_ENV', 'NODE_OPTIONS', 'PATH'];

export function startExaminer(options: ExaminerOptions): Examiner {
  const { clock, metrics, logger } = options;
  const slots = createKeyedSlots({ maxPerKey: 1 });
  /** The examination that is next, until it is sent to a process. */
  let next: Examination | undefined;
  /** Releases the slot of an examination whose process ended. The next one is chosen once there is a process for it. */
  let releaseWhenReady = () => {};
  const stopped = new AbortController();
  let readiness = Promise.withResolvers<void>();
  let running: Running | undefined;
  let failedStarts = 0;
  let cancelRestart = () => {};

  const start = () => {
    const child = fork(options.entry, {
      execArgv: [...process.execArgv, `--max-old-space-size=${Math.floor(options.maxMemoryMb / 2)}`],
      // biome-ignore lint/style/noProcessEnv: the process inherits settings of Node, which are not configuration
      env: Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]])),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const started: Running = {
      child,
      state: 'starting',
      examination: undefined,
      cpuMs: 0,
      cancelTimeLimit: clock.after(startMs, () => end(started, 'start')),
      cancelWatch: () => {},
      endedFor: undefined,
      stderr: '',
    };
    running = started;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      started.stderr = (started.stderr + text).slice(-maxStderrChars);
    });
    child.on('message', (message: ExaminerMessage) => onMessage(started, message));
    // The process could not be started or killed, or its channel broke. An exit follows, unless there is no process.
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
    from.cancelTimeLimit();
    from.cancelWatch();
    const usedMs = message.cpuMs - from.cpuMs;
    from.cpuMs = message.cpuMs;
    if (message.type === 'ready') {
      failedStarts = 0;
      from.state = 'free';
      readiness.resolve();
      releaseWhenReady();
      releaseWhenReady = () => {};
      examineNext();
    } else if (from.examination) {
      const { request, scan, startedMs, resolve, reject, release } = from.examination;
      from.examination = undefined;
      const tookMs = clock.monotonicMs() - startedMs;
      scan.usedMs += usedMs;
      metrics.examinationDuration.observe({ kind: request.kind }, tookMs / 1_000);
      if (message.type === 'result') resolve(message.result);
      else reject(new Error('the examination failed', { cause: message.error }));
      void settle(from, tookMs).then(() => {
        if (running?.state === 'free') release();
        else releaseWhenReady = release;
      });
    }
  };

  const settle = async (process: Running, tookMs: number) => {
    process.state = 'settling';
    // Short examinations need little memory, and reading its size would take as long as they do.
    const isLarge = tookMs > watchMs && (await residentMbOf(process.child.pid)) > options.maxMemoryMb * retiredAbove;
    if (process !== running) return;
    if (isLarge) return end(process, 'retired');
    process.state = 'free';
  };

  /** The heap has its own limit, but parsers need memory outside of the heap, too. */
  const watch = (process: Running, examination: Examination) => {
    process.cancelWatch = clock.after(watchMs, async () => {
      const { pid } = process.child;
      const [residentMb, cpuMs] = await Promise.all([residentMbOf(pid), cpuMsOf(pid)]);
      if (process.examination !== examination) return;
      const { scan, startedMs } = examination;
      const tookMs = cpuMs === undefined ? clock.monotonicMs() - startedMs : cpuMs - process.cpuMs;
      if (residentMb > options.maxMemoryMb) end(process, 'memory');
      else if (scan.usedMs + tookMs > options.scanCpuMs) end(process, 'cpu');
      else watch(process, examination);
    });
  };

  const onExit = (ended: Running, signal: string | null) => {
    if (ended !== running) return;
    ended.cancelTimeLimit();
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
      cause === 'cpu' || cause === 'memory'
        ? new NotExaminableError(cause)
        : new Error(`the examiner process ended: ${cause}`),
    );
    if (examination) releaseWhenReady = examination.release;
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
    const examination = next;
    if (!examination || free?.state !== 'free' || free.endedFor !== undefined) return;
    next = undefined;
    free.state = 'examining';
    free.examination = examination;
    examination.startedMs = clock.monotonicMs();
    metrics.examinationWait.observe((examination.startedMs - examination.queuedMs) / 1_000);
    // After a suspension of this process, the timer fires before the result is read. One turn of the event loop therefore passes first.
    free.cancelTimeLimit = clock.after(Math.max(options.scanCpuMs * 3, minStallMs), () =>
      setImmediate(() => {
        if (free.examination === examination) end(free, 'stalled');
      }),
    );
    watch(free, examination);
    // If the process ended while free, or its channel broke, the examination was never read. It then waits for the next process.
    free.child.send(examination.request, (error) => {
      if (!error || free.examination !== examination) return;
      free.examination = undefined;
      next = examination;
      end(free, 'crash');
    });
  };

  start();
  return {
    get available() {
      return running !== undefined && running.state !== 'starting';
    },
    ready: () => untilAborted(stopped.signal, readiness.promise),
    forScan(abort) {
      const scan = { usedMs: 0 };
      return async (kind, input) => {
        abort.throwIfAborted();
        stopped.signal.throwIfAborted();
        const unlessEnded = <T>(work: Promise<T>) => untilAborted(abort, untilAborted(stopped.signal, work));
        const queuedMs = clock.monotonicMs();
        const isUrgent = () => scan.usedMs < littleMs || clock.monotonicMs() - queuedMs >= longestWaitMs;
        const release = await slots.take('', unlessEnded, { isUrgent });
        const { promise, resolve, reject } = Promise.withResolvers<unknown>();
        const examination = { request: { kind, input }, scan, queuedMs, startedMs: 0, resolve, reject, release };
        next = examination;
        examineNext();
        try {
          return (await unlessEnded(promise)) as ExaminationResult<typeof kind>;
        } finally {
          if (next === examination) {
            next = undefined;
            release();
          }
        }
      };
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
