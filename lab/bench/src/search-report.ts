import { memoryCells, table } from './report.ts';
import { type CostResult, costGoals, neighbourRatio } from './search-cost-rows.ts';
import type { RefillResult } from './search-index.ts';
import type { MergeDelays, WalkRow } from './search-merge-rows.ts';
import type { measureSearchMemory, QueryRow } from './search-query-rows.ts';
import { median, percentile, sum } from './statistics.ts';

const goals = { refillPerSecond: 2_000, delayMs: 5_000 };

/** Reports what is in the index, and how fast it came there. */
export function reportRefill({ corpus, refilled, bytes }: RefillResult): string {
  const { stores, seconds, cpuUs } = refilled;
  const cpu = Object.entries(cpuUs).filter(([, us]) => us / stores >= 1);
  const byProcess = cpu.map(([name, us]) => `${name} ${(us / stores).toFixed(0)}`).join(', ');
  const cells = [
    ['refill, stores per second', (stores / seconds).toFixed(0), `≥ ${goals.refillPerSecond}`],
    ['refill, CPU µs per store', (sum(Object.values(cpuUs)) / stores).toFixed(0), byProcess],
  ];
  const found =
    `${corpus.stores} generated stores of ${stores} in the index, ${megabytes(bytes)} MB. The documents of ${corpus.compared} merged and written ` +
    'stores are equal.';
  return `${found}\n\n${table(['indexing', 'figure', 'goal'], cells)}`;
}

export function reportMerges({ perSecond, ms }: MergeDelays): string {
  const times = [0.5, 0.99].map((share) => percentile(ms, share).toFixed(0));
  return table(
    [`from a merge to its write, ${perSecond} merges per second`, 'merges', 'p50 ms', 'p99 ms', 'goal'],
    [['all', String(ms.length), ...times, `p99 ≤ ${goals.delayMs} ms`]],
  );
}

export function reportSearchMemory({ queries, first, last }: Awaited<ReturnType<typeof measureSearchMemory>>): string {
  return table(['process', 'MB after a tenth', `MB after ${queries} pages`, 'ratio', 'goal'], memoryCells(first, last));
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0);

export function reportQueries(rows: readonly QueryRow[]): string {
  const cells = rows.map(({ name, ms, stores, goal }) => [
    name,
    String(ms.length),
    String(median(stores)),
    percentile(ms, 0.5).toFixed(1),
    percentile(ms, 0.99).toFixed(1),
    goal,
  ]);
  return table(['queries of one caller', 'calls', 'stores, median', 'p50 ms', 'p99 ms', 'goal'], cells);
}

/** A walk that lost or repeated a row has ended the bench. */
export function reportWalks(rows: readonly WalkRow[]): string {
  const cells = rows.map(({ sort, rows: count, pages, seconds, merges }) => [
    `${count} rows by ${sort}`,
    String(merges),
    (seconds * 1_000) / pages >= 10 ? ((seconds * 1_000) / pages).toFixed(0) : ((seconds * 1_000) / pages).toFixed(1),
    seconds.toFixed(1),
  ]);
  return table(['walk without a lost or repeated row', 'merges meanwhile', 'ms per page of 200', 'seconds'], cells);
}

export function reportCosts({ costs: rows, neighbours }: CostResult): string {
  const { attack, callers, alone, beside, calls, failures } = neighbours;
  const cells = rows.map(({ name, cpuSeconds, ms, total }) => [
    name,
    cpuSeconds.toFixed(2),
    ms.toFixed(0),
    String(total),
    `≤ ${costGoals.cpuSeconds} s of CPU`,
  ]);
  const p99 = [alone, beside].map((each) => median(each).toFixed(0));
  const ratio = `${neighbourRatio(neighbours).toFixed(2)} (goal ≤ ${costGoals.p99})`;
  return [
    table(['costliest calls', 'CPU s', 'ms', 'stores', 'goal'], cells),
    table(
      ['searches of another workspace', 'p99 ms alone', 'p99 ms beside', 'beside ÷ alone', 'failures'],
      [[`beside ${callers} callers with: ${attack} (${calls} calls)`, ...p99, ratio, String(failures)]],
    ),
  ].join('\n\n');
}
