const lineIntervalMs = 5_000;

export interface ProgressOptions {
  /** What is counted, for example `stores`. */
  what: string;
  total: number;
  /** Done before the start. */
  done?: number;
  say(line: string): void;
  nowMs?(): number;
}

/** Lines about work that takes minutes: how much is done, and the rate since the previous line. */
export function createProgress({
  what,
  total,
  done: before = 0,
  say,
  nowMs = () => performance.now(),
}: ProgressOptions) {
  let told = { atMs: nowMs(), done: before };
  return {
    /** Call it as often as convenient. It prints a line every {@link lineIntervalMs}. */
    update(done: number): void {
      const atMs = nowMs();
      if (atMs - told.atMs < lineIntervalMs) return;
      const perSecond = ((done - told.done) * 1_000) / (atMs - told.atMs);
      say(`${Math.floor((done / total) * 100)} %, ${done} of ${total} ${what}, ${Math.round(perSecond)}/s`);
      told = { atMs, done };
    },
  };
}
