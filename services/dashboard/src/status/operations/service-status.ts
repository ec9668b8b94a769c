import { dayMs } from '@shopscope/clock';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type ServicePart, serviceParts, shownDays, statusOfPart } from '../domain/service-status.ts';

const readTimeoutMs = 2_000;
/** Older measurements do not show the current state. */
const currentMs = 5 * 60_000;

export async function read({ probes, statusDays, clock }: Dependencies) {
  const nowMs = clock.now();
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const { daysOf, latest } = await statusDays.read(today - (shownDays - 1) * dayMs, readTimeoutMs);
  const isCurrent = latest !== undefined && Math.abs(nowMs - latest.atMs) < currentMs;
  const isMeasured = (id: ServicePart) => isCurrent && (id === 'dashboard' || probes[id] !== undefined);
  const parts = serviceParts.map((part) =>
    statusOfPart(part, daysOf(part.id), {
      nowMs,
      isWorking: isMeasured(part.id) ? !latest?.failing.has(part.id) : undefined,
    }),
  );
  return { parts, measuredAtMs: latest?.atMs };
}
