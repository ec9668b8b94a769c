import { startPeriodicLoop, withTimeout } from '@shopscope/async';
import { type Clock, dayMs } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import { type PartStatus, type ServicePart, serviceParts, shownDays, statusOfPart } from '../domain/service-status.ts';
import type { StatusDayStore } from '../outbound/status-days.ts';

/** Probes of the parts that this process can reach. A probe fails by rejecting or by resolving to false. */
export type Probes = Partial<Record<ServicePart, () => Promise<boolean>>>;

export interface ServiceStatus {
  /** When the database does not answer, what it last answered. */
  read(): Promise<{ parts: PartStatus[]; measuredAtMs: number | undefined }>;
  stop(): Promise<void>;
}

/** Shorter than a minute, so that no minute is left out. */
const intervalMs = 25_000;
const probeTimeoutMs = 5_000;
const readTimeoutMs = 2_000;
/** Older measurements say nothing about now. */
const currentMs = 5 * 60_000;

/**
 * Measures once a minute whether the parts that users see work, and keeps it for the status page.
 *
 * - The dashboard counts as working in each minute that it records. While it is away, nothing is measured.
 * - A part fails when it does not answer its probe within {@link probeTimeoutMs}.
 */
export function startServiceStatus(options: {
  probes: Probes;
  days: StatusDayStore;
  clock: Pick<Clock, 'now' | 'sleep'>;
  logger: Logger;
}): ServiceStatus {
  const { probes, days, clock, logger } = options;
  const nowMs = () => clock.now();

  let lastRead: Awaited<ReturnType<StatusDayStore['read']>> | undefined;

  const measure = async () => {
    const results = await Promise.all(
      Object.entries(probes).map(async ([part, probe]) => {
        const bounded = withTimeout(probe(), probeTimeoutMs, 'the probe took too long');
        return [part, await bounded.catch(() => false)] as const;
      }),
    );
    await days.count(nowMs(), { ...Object.fromEntries(results), dashboard: true });
  };
  const loop = startPeriodicLoop({
    intervalMs,
    immediate: true,
    clock,
    run: measure,
    onError: (error) => logger.warn({ err: error }, 'the status of a minute was not recorded'),
  });

  return {
    async read() {
      const today = Math.floor(nowMs() / dayMs) * dayMs;
      const read = days.read(today - (shownDays - 1) * dayMs, readTimeoutMs);
      const { daysOf, latest } = await read.catch((error: unknown) => {
        if (lastRead) return lastRead;
        throw error;
      });
      lastRead = { daysOf, latest };
      const isCurrent = latest !== undefined && Math.abs(nowMs() - latest.atMs) < currentMs;
      const isMeasured = (id: ServicePart) => isCurrent && (id === 'dashboard' || probes[id] !== undefined);
      const parts = serviceParts.map((part) =>
        statusOfPart(part, daysOf(part.id), {
          nowMs: nowMs(),
          isWorking: isMeasured(part.id) ? !latest?.failing.has(part.id) : undefined,
        }),
      );
      return { parts, measuredAtMs: latest?.atMs };
    },
    stop: loop.stop,
  };
}
