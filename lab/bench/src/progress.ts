const lineIntervalMs = 5_000;

export interface ProgressOptions {
  /** The name of what is counted, for example `stores`. */
  what: string;
  total: number;
  /** The number of items that were done before the start. */
  done?: number;
  say(line: string): void;
  nowMs?(): number;
}

/** Prints lines about work that takes minutes: how much is done, and the rate since the previous line. */
export function createProgress({
  what,
  total,
  done: before = 0,
  say,
  nowMs = () => performance.now(),
}: ProgressOptions) {
  let printed = { atMs: nowMs(), done: before };
  return {
    /** Call it as often as convenient. It prints a line every {@link lineIntervalMs}. */
    update(done: number): void {
      const atMs = nowMs();
      if (atMs - printed.atMs < lineIntervalMs) return;
      const perSecond = ((done - printed.done) * 1_000) / (atMs - printed.atMs);
      say(`${Math.floor((done / total) * 100)} %, ${done} of ${total} ${what}, ${Math.round(perSecond)}/s`);
      printed = { atMs, done };
    },
  };
}
