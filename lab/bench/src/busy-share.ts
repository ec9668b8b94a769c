import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const watchMs = 2_000;
/** If other programs use more than this share of the processors, they change the figures. */
export const quietShare = 0.1;

/** Watches the processors for two seconds. Resolves to the share of their time, from 0 to 1, in which they were busy. */
export async function busyShare(): Promise<number> {
  const before = processorTimes();
  await sleep(watchMs);
  const after = processorTimes();
  return (after.busy - before.busy) / Math.max(1, after.all - before.all);
}

function processorTimes(): { busy: number; all: number } {
  let busy = 0;
  let all = 0;
  for (const { times } of cpus()) {
    const own = times.user + times.nice + times.sys + times.irq;
    busy += own;
    all += own + times.idle;
  }
  return { busy, all };
}
