import { startPeriodicLoop } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { type BackupConfig, timeOfDayMs } from './config.ts';
import type { Manifest } from './manifest.ts';
import { createMetrics, readVolume } from './metrics.ts';
import { nightly } from './nightly.ts';
import { nextDumpMs } from './schedule.ts';

export interface BackupOptions {
  config: BackupConfig;
  /** The folder of all dumps. */
  folder: string;
  /** The bytes of the documents that a dump would have now. */
  expectedBytes(): Promise<number>;
  dump(options: { directory: string; abort: AbortSignal; report(line: string): void }): Promise<Manifest>;
}

/**
 * Makes a dump each day ({@link nextDumpMs}) and serves the metrics of the dumps on the admin port, which has no way to the dumps.
 *
 * - State: only the volume. A restart continues with what it shows, and a process of `npm run backup -- nightly` may use the volume too.
 * - A dump fails -> one line in the log, and the next one an hour later.
 * - The volume cannot be read -> the service is not ready, and it tries again each minute.
 * - Stop -> the running dump is aborted and its directory removed. The next process starts it again.
 */
export const startBackup = (
  { config, folder, expectedBytes, dump }: BackupOptions,
  overrides: ServiceOverrides = {},
): Promise<RunningService> =>
  startService({ name: 'backup', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock } = parts;
    const metrics = createMetrics(registry);
    let isReadable = false;
    let attemptMs: number | undefined;
    parts.addCheck('volume', () => isReadable);

    let isDumping = false;
    const look = async () => {
      const state = await readVolume(folder, clock.now());
      metrics.show(state, { attemptMs, isRunning: isDumping });
      return state;
    };
    const report = (line: string) => logger.info(line);
    const attempt = async (abort: AbortSignal) => {
      attemptMs = clock.now();
      isDumping = true;
      try {
        await look();
        const dumpTo = (directory: string) => dump({ directory, abort, report });
        const { directory, bytes, tookMs } = await nightly({ folder, clock, report, expectedBytes, dump: dumpTo });
        logger.info({ directory, bytes, tookMs }, 'a dump has ended');
      } catch (error) {
        logger.error({ err: error }, 'a dump failed');
      }
      isDumping = false;
      await look();
    };
    const loop = startPeriodicLoop({
      intervalMs: minuteMs,
      immediate: true,
      clock,
      async run(abort) {
        const { lastGood, lastAttemptMs = 0 } = await look();
        isReadable = true;
        const last = Math.max(attemptMs ?? 0, lastAttemptMs);
        const times = { nowMs: clock.now(), lastGoodMs: lastGood?.startedMs, lastAttemptMs: last };
        if (nextDumpMs({ ...times, timeOfDayMs: timeOfDayMs(config) }) <= times.nowMs) await attempt(abort);
      },
      onError(error) {
        isReadable = false;
        logger.error({ err: error }, 'the volume of dumps cannot be read');
      },
    });
    resources.onStop('dumps', loop.stop);
    parts.markReady();
    return { pending: async () => (isDumping ? 1 : 0) };
  });
