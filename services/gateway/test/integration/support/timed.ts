/**
 * How long a piece of work takes. `tookMs` is without the time for which this process did not run: no upper bound of a
 * gateway in this process includes the delays of a busy machine. `wallMs` is with it, for lower bounds.
 */
export async function timed<T>(work: () => Promise<T>): Promise<[result: T, tookMs: number, wallMs: number]> {
  const [beganMs, wallBeganMs] = [runningMs(), performance.now()];
  return [await work(), runningMs() - beganMs, performance.now() - wallBeganMs];
}

const everyMs = 20;
let stalledMs = 0;
let lastMs = performance.now();
setInterval(() => {
  const nowMs = performance.now();
  stalledMs += Math.max(0, nowMs - lastMs - everyMs);
  lastMs = nowMs;
}, everyMs).unref();

/** Time that goes on only while this process runs. */
const runningMs = () => lastMs - stalledMs + Math.min(everyMs, performance.now() - lastMs);
