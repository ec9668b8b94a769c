import { statfs } from 'node:fs/promises';
import { metricsOf, type Registry } from '@shopscope/telemetry';
import { type DumpEntry, listDumps } from './catalog.ts';
import { isYoung } from './nightly.ts';

/** What the volume shows of its dumps. It needs no memory of earlier processes. */
export interface VolumeState {
  dumps: readonly DumpEntry[];
  lastGood: DumpEntry | undefined;
  /** The start of the newest dump, in any state. */
  lastAttemptMs: number | undefined;
  /** Whether an unfinished dump is so young that a process may still write to it. */
  isRunning: boolean;
  freeBytes: number;
  sizeBytes: number;
}

/** Dumps of the future come from a wrong clock. They are no evidence of a success. */
export async function readVolume(folder: string, nowMs: number): Promise<VolumeState> {
  const dumps = (await listDumps(folder)).filter(({ startedMs }) => startedMs <= nowMs);
  const { bavail, blocks, bsize } = await statfs(folder);
  return {
    dumps,
    lastGood: dumps.findLast(({ state }) => state === 'good'),
    lastAttemptMs: dumps.at(-1)?.startedMs,
    isRunning: dumps.some((each) => each.state === 'unfinished' && isYoung(each, nowMs)),
    freeBytes: bavail * bsize,
    sizeBytes: blocks * bsize,
  };
}

export function createMetrics(registry: Registry) {
  const { gauge } = metricsOf(registry);
  const lastSuccess = gauge('backup_last_success_timestamp_seconds', 'Start of the newest good dump. 0: there is none');
  const lastAttempt = gauge(
    'backup_last_attempt_timestamp_seconds',
    'Start of the newest dump, also of one that failed',
  );
  const bytes = gauge('backup_last_success_bytes', 'Bytes of the newest good dump');
  const duration = gauge('backup_last_success_duration_seconds', 'Duration of the newest good dump');
  const good = gauge('backup_good_dumps', 'Good dumps on the volume');
  const running = gauge('backup_running', '1 while a dump runs');
  const free = gauge('backup_volume_free_bytes', 'Free bytes of the volume of dumps');
  const size = gauge('backup_volume_size_bytes', 'Size of the volume of dumps');
  return {
    /** `attemptMs` is the start of the last attempt of this process. A failed one leaves nothing on the volume. */
    show(
      state: VolumeState,
      { attemptMs = 0, isRunning }: { attemptMs: number | undefined; isRunning: boolean },
    ): void {
      const { lastGood, lastAttemptMs = 0 } = state;
      lastSuccess.set((lastGood?.startedMs ?? 0) / 1_000);
      lastAttempt.set(Math.max(attemptMs, lastAttemptMs) / 1_000);
      bytes.set(lastGood?.bytes ?? 0);
      duration.set((lastGood?.tookMs ?? 0) / 1_000);
      good.set(state.dumps.filter(({ state: each }) => each === 'good').length);
      running.set(isRunning || state.isRunning ? 1 : 0);
      free.set(state.freeBytes);
      size.set(state.sizeBytes);
    },
  };
}
