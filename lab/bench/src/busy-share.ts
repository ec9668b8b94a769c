import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const watchMs = 2_000;
/** Other programs that use more than this share of the processors change the figures. */
export const quietShare = 0.1;

/** The share of all processors, 0 to 1, that was busy within two seconds. */
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
