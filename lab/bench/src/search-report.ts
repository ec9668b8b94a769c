import { memoryCells, table } from './report.ts';
import { costGoals, neighbourRatio } from './search-cost-rows.ts';
import type { SearchResult } from './search-rows.ts';
import { median, percentile, sum } from './statistics.ts';

const goals = { refillPerSecond: 2_000, delayMs: 5_000 };

/** Reports how fast stores are indexed and found, what the costliest calls cost, and what their neighbours notice. */
export function reportSearch(result: SearchResult): string {
  const { corpus, refilled, bytes, memory, resident } = result;
  const head = ['process', 'MB after a tenth', `MB after ${memory.queries} pages`, 'ratio', 'goal'];
  const residents = Object.entries(resident).map(([name, each]) => `${name} ${megabytes(each)} MB`);
  return [
    `${corpus.stores} generated stores of ${refilled.stores} in the index, ${megabytes(bytes)} MB. The documents of ${corpus.compared} merged ` +
      `and written stores are equal. Resident at the end: ${residents.join(', ')}.`,
    indexing(result),
    queries(result),
    table(head, memoryCells(memory.first, memory.last)),
    walks(result),
    costs(result),
  ].join('\n\n');
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0);

function indexing({ refilled, merges }: SearchResult): string {
  const { stores, seconds, cpuUs } = refilled;
  const cpu = Object.entries(cpuUs).filter(([, us]) => us / stores >= 1);
  const byProcess = cpu.map(([name, us]) => `${name} ${(us / stores).toFixed(0)}`).join(', ');
  const rate = (stores / seconds).toFixed(0);
  const cells = [
    ['refill, stores per second', rate, `≥ ${goals.refillPerSecond}`],
    ['refill, CPU µs per store', (sum(Object.values(cpuUs)) / stores).toFixed(0), byProcess],
    [
      `from a merge to its write, ${merges.perSecond} merges per second: p50, p99`,
      `${percentile(merges.ms, 0.5).toFixed(0)}, ${percentile(merges.ms, 0.99).toFixed(0)} ms`,
      `p99 ≤ ${goals.delayMs} ms`,
    ],
  ];
  return table(['indexing', 'figure', 'goal'], cells);
}

function queries({ queries: rows }: SearchResult): string {
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
function walks({ walks: rows }: SearchResult): string {
  const cells = rows.map(({ sort, rows: count, pages, seconds, merges }) => [
    `${count} rows by ${sort}`,
    String(merges),
    (seconds * 1_000) / pages >= 10 ? ((seconds * 1_000) / pages).toFixed(0) : ((seconds * 1_000) / pages).toFixed(1),
    seconds.toFixed(1),
  ]);
  return table(['walk without a lost or repeated row', 'merges meanwhile', 'ms per page of 200', 'seconds'], cells);
}

function costs({ costs: rows, neighbours }: SearchResult): string {
  const { attack, callers, alone, beside, calls } = neighbours;
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
      ['searches of another workspace', 'p99 ms alone', 'p99 ms beside', 'beside ÷ alone'],
      [[`beside ${callers} callers with: ${attack} (${calls} calls)`, ...p99, ratio]],
    ),
  ].join('\n\n');
}
