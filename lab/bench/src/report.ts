import { besideDocumentsGoal } from './beside-documents-rows.ts';
import type { ConsumeResult } from './consume-rows.ts';
import { type DocumentRow, documentGoalUs } from './document-rows.ts';
import type { FanOutResult } from './fan-out-rows.ts';
import { type JobsResult, jobGoals } from './job-rows.ts';
import { type LatencyResult, latencyGoalMs } from './latency-rows.ts';
import type { ListGrowthResult } from './list-growth-rows.ts';
import type { LoadResult } from './load.ts';
import { loggingGoal } from './logging-rows.ts';
import type { Memory } from './memory.ts';
import { type MemoryResult, memoryGoal } from './memory-rows.ts';
import { type NeighbourRow, neighbourGoal, type PageTimes } from './neighbour-rows.ts';
import { type PagesResult, pageGoalMs, paintGoalMs } from './page-rows.ts';
import { type PublicPagesResult, publicP99Goal, publicPagesPerSecond } from './public-rows.ts';
import type { RequestLogCost } from './request-log-rows.ts';
import type { ScansResult } from './scan-rows.ts';
import type { SignalsResult } from './signal-growth-rows.ts';
import { median, percentile, sum } from './statistics.ts';
import type { Comparison, Row } from './turns.ts';
import type { DelayRow, WebhooksResult } from './webhook-rows.ts';

/** Returns Markdown: the rates with their ratios and goals, then the CPU time by process. */
export function reportHttp(comparisons: readonly Comparison<LoadResult>[]): string {
  const rows = comparisons.flatMap((compared) =>
    compared.map((row) => [
      row.name,
      ...latencyCells(row.results),
      ...ratioAndGoal(row, compared, (result) => result.requestsPerSecond),
    ]),
  );
  const head = ['requests', ...latencyHead, 'Shopscope ÷ row', 'goal'];
  return `${table(head, rows)}\n\n${cpuTable('request', comparisons.flat())}`;
}

export function reportConsume(comparisons: readonly Comparison<ConsumeResult>[]): string {
  const rows = comparisons.flatMap((compared) =>
    compared.map((row) => [
      row.name,
      medianOf(row, (result) => result.eventsPerSecond).toFixed(0),
      ...ratioAndGoal(row, compared, (result) => result.eventsPerSecond),
    ]),
  );
  return `${table(['events', 'events/s', 'Shopscope ÷ row', 'goal'], rows)}\n\n${cpuTable('event', comparisons.flat())}`;
}

/** Reports the CPU time of refused GraphQL documents by class, with and without what their bodies cost any operation. */
export function reportDocuments(rows: readonly DocumentRow[]): string {
  const cells = rows.map(({ name, bytes, requestUs, bodyUs }) => {
    const mean = sum(requestUs) / requestUs.length;
    const ofDocument = [mean, percentile(requestUs, 0.99), Math.max(...requestUs)].map((us) =>
      (us - bodyUs).toFixed(0),
    );
    return [name, String(bytes), mean.toFixed(0), bodyUs.toFixed(0), ...ofDocument, `≤ ${documentGoalUs}`];
  });
  const means = ['CPU µs of the request', 'of its body at enrich'];
  return table(
    ['refused GraphQL documents', 'bytes', ...means, 'of the document, mean', 'p99', 'worst', 'goal'],
    cells,
  );
}

/** The cost of the log is the CPU time of all services with the log, divided by their CPU time without it in the same round. */
export function reportLogging([off, on]: Comparison<LoadResult>): string {
  const rows = [off, on].flatMap((row) => (row ? [row] : []));
  const cpuUs = ({ cpuUs: byProcess }: LoadResult) => sum(Object.values(byProcess));
  const ratios = (on?.results ?? []).map((result, n) => cpuUs(result) / cpuUs(off?.results[n] as LoadResult));
  const failures = sum(rows.flatMap(({ results }) => results.map((result) => result.failures)));
  const head = ['CPU with log ÷ without', 'rounds', 'goal', 'failures'];
  const each = ratios.map((ratio) => ratio.toFixed(3)).join(', ');
  const cells = [median(ratios).toFixed(3), each, `≤ ${loggingGoal}`, String(failures)];
  return `${table(head, [cells])}\n\n${cpuTable('request', rows)}`;
}

/** Reports the rate of stored public pages, and the latency of look-ups beside them. */
export function reportPublicPages({ lookUps, pages }: PublicPagesResult): string {
  const [without, beside] = lookUps as [Row<LoadResult>, Row<LoadResult>];
  const head = ['row', ...latencyHead, 'p99 ÷ alone'];
  // The median of the rounds is reported, because a pause of the machine disturbs only one round.
  const ratio = median(beside.results.map(({ p99Ms }, round) => p99Ms / (without.results[round] as LoadResult).p99Ms));
  const rows = [
    [without.name, ...latencyCells(without.results), ''],
    [beside.name, ...latencyCells(beside.results), `${ratio.toFixed(2)} (goal ≤ ${publicP99Goal})`],
    [`public pages (goal ≥ ${publicPagesPerSecond} per second)`, ...latencyCells(pages), ''],
  ];
  return `${table(head, rows)}\n\n${cpuTable('public page', [{ name: 'public pages', results: pages }])}`;
}

/** Reports the latency of look-ups alone and beside the requests of another workspace. */
export function reportBesideDocuments([alone, ...beside]: Comparison<LoadResult>): string {
  const alonePerRound = alone?.results ?? [];
  const ratioOf = ({ results }: Row<LoadResult>) =>
    median(results.map(({ p99Ms }, round) => p99Ms / (alonePerRound[round] as LoadResult).p99Ms));
  const goalOf = (row: Row<LoadResult>) => (row === beside.at(-1) ? ` (goal ≤ ${besideDocumentsGoal})` : '');
  return table(
    ['row', ...latencyHead, 'p99 ÷ alone'],
    [
      ['GET store alone', ...latencyCells(alonePerRound), ''],
      ...beside.map((row) => [row.name, ...latencyCells(row.results), `${ratioOf(row).toFixed(2)}${goalOf(row)}`]),
    ],
  );
}

/** Reports what publishing the request log costs look-ups, and what storing it costs. */
export function reportRequestLog({ rows, storeCpuUs, stored }: RequestLogCost): string {
  const storing = { name: `${stored} requests stored`, results: [{ cpuUs: storeCpuUs }] };
  return `${reportHttp([rows])}\n\n${cpuTable('stored request', [storing])}`;
}

/** Reports for each page the time from the request to the last byte, and the time of the largest paint in a browser. */
export function reportPages({ pages, cpuUs }: PagesResult): string {
  const goals = [`p95 ms (goal ≤ ${pageGoalMs})`, `largest paint ms (goal ≤ ${paintGoalMs})`];
  const head = ['page', 'requests', 'p50 ms', ...goals, 'failures'];
  const rows = pages.map(({ page, requests, p50Ms, p95Ms, largestPaintMs, failures }) => [
    page,
    String(requests),
    p50Ms.toFixed(1),
    p95Ms.toFixed(1),
    largestPaintMs?.toFixed(0) ?? 'not measured',
    String(failures),
  ]);
  const cpu = cpuTable('page', [{ name: 'pages', results: [{ cpuUs }] }]);
  return `${table(head, rows)}\n\n${cpu}`;
}

/** Reports for each page of a neighbour the p95 beside an attack, divided by the p95 of the same page alone in the same round. */
export function reportNeighbours(rows: readonly NeighbourRow[]): string {
  const times = ['p50, p95 alone, ms', 'p50, p95 attacked, ms', 'p95 ÷ alone', 'rounds'];
  const head = ['attack', 'page', ...times, 'failures', 'answers to the attack'];
  const timesOf = (times: readonly PageTimes[]) =>
    [times.map(({ p50Ms }) => p50Ms), times.map(({ p95Ms }) => p95Ms)]
      .map((each) => median(each).toFixed(1))
      .join(', ');
  const cells = rows.map(({ attack, page, alone, attacked, answers }) => {
    const ratios = attacked.map(({ p95Ms }, round) => p95Ms / (alone[round] as PageTimes).p95Ms);
    return [
      attack,
      page,
      timesOf(alone),
      timesOf(attacked),
      `${median(ratios).toFixed(2)} (goal ≤ ${neighbourGoal})`,
      ratios.map((ratio) => ratio.toFixed(2)).join(', '),
      String(sum([...alone, ...attacked].map(({ failures }) => failures))),
      Object.entries(answers)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    ];
  });
  return table(head, cells);
}

/** Reports the latency of look-ups at half of the rate of saturation. */
export function reportLatency({ saturated, half }: LatencyResult): string {
  const head = ['GET store, workspaces: 100', ...latencyHead, 'goal'];
  const rows = [
    ['saturation', ...latencyCells(saturated), ''],
    ['half of it, at an even rate', ...latencyCells(half), `p99 ≤ ${latencyGoalMs} ms`],
  ];
  const cpu = [
    { name: 'saturation', results: saturated },
    { name: 'half of it', results: half },
  ];
  return `${table(head, rows)}\n\n${cpuTable('request', cpu)}`;
}

/** Reports the memory of each process under load, and its growth. */
export function reportMemory({ firstSeconds, seconds, first, last, load }: MemoryResult): string {
  const head = ['process', `MB after ${firstSeconds} s`, `MB after ${seconds} s`, 'ratio', 'goal'];
  const { requests, requestsPerSecond, failures } = load;
  const loaded = `${requests} requests, ${requestsPerSecond.toFixed(0)} per second, ${failures} failures`;
  return `${table(head, memoryCells(first, last))}\n\n${loaded}`;
}

/** Returns the cells of each process: its memory at both times, and the ratio. */
export const memoryCells = (first: Memory, last: Memory) => {
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  return Object.entries(first).map(([name, bytes]) => {
    const later = last[name] ?? 0;
    return [name, megabytes(bytes), megabytes(later), (later / bytes).toFixed(3), `≤ ${memoryGoal}`];
  });
};

/** Reports the rate of completed observations of one scanner, the CPU time per scan, and the memory of the scanner. */
export function reportScans({ rows, firstScans, scans, first, last, ends }: ScansResult): string {
  const [healthy] = rows;
  const rates = rows.map((row) => {
    const perSecond = medianOf(row, (result) => result.observationsPerSecond);
    const ofHealthy = healthy && medianOf(healthy, (result) => result.observationsPerSecond);
    const ratio = row === healthy || !ofHealthy ? '' : (perSecond / ofHealthy).toFixed(3);
    return [row.name, perSecond.toFixed(1), ratio, String(sum(row.results.map(({ failures }) => failures)))];
  });
  const rateTable = table(['scans', 'observations/s', 'row ÷ healthy', 'failures of healthy stores'], rates);
  const services = rows.map(({ name, results }) => ({
    name: `${name}: services behind the scanner`,
    results: results.map(({ serviceCpuUs }) => ({ cpuUs: serviceCpuUs })),
  }));
  const head = ['process', `MB after ${firstScans} scans`, `MB after ${scans} scans`, 'ratio', 'goal'];
  const ended = Object.entries(ends).map(([end, count]) => `${count} ${end}`);
  return [
    rateTable,
    cpuTable('scan', [...rows, ...services]),
    table(head, memoryCells(first, last)),
    `Ends of the last row: ${ended.join(', ')}.`,
  ].join('\n\n');
}

/** Reports how fast signals reach the events of workspaces. */
export function reportFanOut({ rates, delays, last }: FanOutResult): string {
  const rateRows = rates.map(({ name, instances, eventsPerSecond, goal }) => [
    name,
    String(instances),
    eventsPerSecond.toFixed(0),
    `≥ ${goal}`,
  ]);
  const delayRows = delays.map(({ name, instances, signals, p50Ms, p99Ms, goalMs }) => [
    name,
    String(instances),
    String(signals),
    p50Ms.toFixed(0),
    p99Ms.toFixed(0),
    `≤ ${goalMs}`,
  ]);
  const lastRows = last.map(({ workspaces, instances, ms, goalMs }) => [
    `last of ${workspaces} workspaces`,
    String(instances),
    ms.toFixed(0),
    `≤ ${goalMs}`,
  ]);
  return [
    table(['events of signals', 'instances', 'per second', 'goal'], rateRows),
    table(['delay until ListEvents', 'instances', 'signals', 'p50 ms', 'p99 ms', 'goal of p99'], delayRows),
    table(['delay of an event', 'instances', 'ms', 'goal'], lastRows),
  ].join('\n\n');
}

/** Reports the durations of enrichments, look-ups beside them, and the memory of subscriptions. */
export function reportJobs({ jobs, alone, beside, large }: JobsResult): string {
  const ratio = median(beside.map(({ p99Ms }, round) => p99Ms / (alone[round] as LoadResult).p99Ms));
  const lookUps = [
    ['alone', ...latencyCells(alone), ''],
    ['beside a job', ...latencyCells(beside), `${ratio.toFixed(2)} (goal ≤ ${jobGoals.p99})`],
  ];
  const durations = jobs.map(({ stores, seconds }) => [
    `${stores}, beside look-ups`,
    seconds.toFixed(1),
    `≤ ${jobGoals.seconds}`,
  ]);
  const head = ['process', 'MB after a tenth', 'MB at the end', 'ratio', 'goal'];
  return [
    table(['GET store', ...latencyHead, 'p99 ÷ alone'], lookUps),
    table(
      ['stores of the job', 'seconds', 'goal'],
      [...durations, [String(large.stores), large.seconds.toFixed(1), '']],
    ),
    table(head, memoryCells(large.first, large.last)),
  ].join('\n\n');
}

/** Reports the times of calls of one workspace with very many stores. */
export function reportListGrowth({ listStores, watchedStores, rows }: ListGrowthResult): string {
  const head = [`${listStores} stores in lists, ${watchedStores} watched`, 'calls', 'p50 ms', 'p99 ms'];
  const cells = rows.map(({ name, ms }) => [
    name,
    String(ms.length),
    percentile(ms, 0.5).toFixed(0),
    percentile(ms, 0.99).toFixed(0),
  ]);
  return table(head, cells);
}

/** Reports the times of pages of signals, the sizes of the indexes of signals, and the cost of writing a signal. */
export function reportSignals(result: SignalsResult): string {
  const { signals, stores, cacheMegabytes, pages, indexBytes, documentBytes, writes } = result;
  const rows = pages.map(({ name, goalMs, ms, rows: counts, failures }) => [
    name,
    String(ms.length),
    String(median(counts)),
    percentile(ms, 0.5).toFixed(1),
    percentile(ms, 0.99).toFixed(1),
    goalMs === undefined ? '' : `p99 ≤ ${goalMs} ms`,
    String(failures),
  ]);
  const sizes = Object.entries({ documents: documentBytes, ...indexBytes }).map(([name, bytes]) => [
    name,
    (bytes / 1_000_000).toFixed(1),
    (bytes / signals).toFixed(0),
  ]);
  const costs = writes.map(({ name, indexes, cpuUs, us }) => [name, String(indexes), cpuUs.toFixed(0), us.toFixed(0)]);
  return [
    `MongoDB has a cache of ${cacheMegabytes} MB.`,
    table([`${signals} signals of ${stores} stores`, 'pages', 'rows', 'p50 ms', 'p99 ms', 'goal', 'failures'], rows),
    table(['signals', 'MB', 'bytes per signal'], sizes),
    table(['write of a signal, in hundreds', 'indexes', 'CPU µs of mongod', 'µs'], costs),
  ].join('\n\n');
}

/** Reports the rate and the delays of deliveries, and the search for due ones. */
export function reportWebhooks({ start, deliveriesPerSecond, neighbours, picks }: WebhooksResult): string {
  const [alone, beside] = neighbours;
  const ratio = (beside.p99Ms / alone.p99Ms).toFixed(2);
  const delayCells = ({ name, deliveries, p50Ms, p99Ms }: DelayRow, goal: string) => [
    name,
    String(deliveries),
    p50Ms.toFixed(0),
    p99Ms.toFixed(0),
    goal,
  ];
  const pickRows = picks.map(({ queued, keysExamined, p50Ms, p99Ms }) => [
    String(queued),
    String(keysExamined),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ]);
  return [
    table(['deliveries per second', 'goal'], [[deliveriesPerSecond.toFixed(0), '≥ 500']]),
    table(
      ['delay until the receiver has the message', 'deliveries', 'p50 ms', 'p99 ms', 'goal of p99'],
      [
        delayCells(start, '≤ 1000'),
        delayCells({ ...alone, name: `99 endpoints, ${alone.name}` }, ''),
        delayCells({ ...beside, name: `99 endpoints, ${beside.name}` }, `≤ 1.5 × alone; it is ${ratio} ×`),
      ],
    ),
    table(['search for due deliveries, queued', 'keys examined', 'p50 ms', 'p99 ms'], pickRows),
  ].join('\n\n');
}

const latencyHead = ['per second', 'p50 ms', 'p99 ms', 'failures'];
const latencyCells = (results: readonly LoadResult[]) => [
  median(results.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
  median(results.map(({ p50Ms }) => p50Ms)).toFixed(1),
  median(results.map(({ p99Ms }) => p99Ms)).toFixed(1),
  String(sum(results.map(({ failures }) => failures))),
];

const cpuTable = (what: string, rows: readonly Row<{ cpuUs: Record<string, number> }>[]) =>
  table([`CPU µs per ${what}`, 'all', 'by process'], rows.map(cpuCells));

const medianOf = <Result>({ results }: Row<Result>, of: (result: Result) => number) => median(results.map(of));

/** Returns the rate of Shopscope divided by the rate of this row, as the median of the rounds, and the goal of the row. */
function ratioAndGoal<Result>(row: Row<Result>, rows: Comparison<Result>, rate: (result: Result) => number): string[] {
  const ours = rows.at(-1) as Row<Result>;
  if (row === ours) return ['', ''];
  const ratio = median(row.results.map((theirs, n) => rate(ours.results[n] as Result) / rate(theirs)));
  return [ratio.toFixed(3), row.goal === undefined ? '' : `≥ ${Number(row.goal.toFixed(2))}`];
}

function cpuCells({ name, results }: Row<{ cpuUs: Record<string, number> }>): string[] {
  const processes = Object.keys(results[0]?.cpuUs ?? {}).map(
    (process) => [process, median(results.map(({ cpuUs }) => cpuUs[process] ?? 0))] as const,
  );
  const digits = (us: number) => us.toFixed(us < 10 ? 1 : 0);
  const shown = processes.filter(([, us]) => us >= 0.1).sort(([, a], [, b]) => b - a);
  const byProcess = shown.map(([process, us]) => `${process} ${digits(us)}`).join(', ');
  return [name, digits(sum(processes.map(([, us]) => us))), byProcess];
}

/** Returns a table in Markdown. */
export function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
