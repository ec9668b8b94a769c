import type { Terminal } from '../terminal.ts';

const barWidth = 24;
const minBarColumns = 90;
const everyMs = 200;

export interface Progress {
  show(now: { done: number; total: number | undefined; units?: number; waiting?: number }): void;
  end(): void;
}

/** One line on standard error with rate, remaining time and units. Nothing without a terminal. */
export function createProgress({ stderr, nowMs }: Terminal): Progress {
  if (!stderr.isTTY) return { show: () => undefined, end: () => undefined };
  const startedMs = nowMs();
  let shownMs = Number.NEGATIVE_INFINITY;
  let first: number | undefined;
  return {
    show({ done, total, units, waiting = 0 }) {
      first ??= done;
      if (nowMs() - shownMs < everyMs) return;
      shownMs = nowMs();
      const seconds = Math.max(0.001, (nowMs() - startedMs) / 1_000);
      const rate = (done - first) / seconds;
      const parts = [`${done.toLocaleString('en')}${total === undefined ? '' : ` of ${total.toLocaleString('en')}`}`];
      if (rate > 0) parts.push(`${rate.toFixed(rate < 10 ? 1 : 0)}/s`);
      if (total !== undefined && rate > 0) parts.push(`${durationOf((total - done) / rate)} left`);
      if (units !== undefined) parts.push(`${units.toLocaleString('en')} units`);
      if (waiting > 0) parts.push(`${waiting} scans under way`);
      const filled = total ? Math.min(barWidth, Math.round((done / total) * barWidth)) : 0;
      // A narrow terminal has room for the figures only.
      const columns = stderr.columns ?? 80;
      const bar = total && columns >= minBarColumns ? `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ` : '';
      stderr.write(`\r\u001b[2K${`${bar}${parts.join(' · ')}`.slice(0, columns - 1)}`);
    },
    end: () => void stderr.write('\r\u001b[2K'),
  };
}

function durationOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return seconds < 90 ? `${Math.ceil(seconds)} s` : minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
