import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { cpuTimes, cpuUsPer } from './cpu.ts';
import { startGateway } from './gateway-process.ts';
import type { Comparison } from './http-rows.ts';
import { type LoadResult, load } from './load.ts';
import { lookUps } from './requests.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** Target: look-ups per second with the request log divided by look-ups per second without it. */
export const requestLogGoal = 0.95;

export interface RequestLogCost {
  rows: Comparison<LoadResult>;
  /** CPU µs per stored request, by process. */
  storeCpuUs: Record<string, number>;
  stored: number;
}

/** No request has been stored for this long: all are. */
const quietMs = 3_000;
const storeBoundMs = 120_000;

/**
 * Measures GET (one store per request) at two gateways that take turns: one publishes the request log, one does not.
 *
 * - The dashboard is suspended meanwhile. It stores requests afterwards, in production on another machine, and the two
 *   cores of the bench would count its work as the gateway's. Kafka's work counts.
 * - Then the dashboard continues. The CPU until it has stored the log is divided by the number of requests.
 */
export async function measureRequestLog(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  secret: string,
  say: (line: string) => void,
): Promise<RequestLogCost> {
  const { gateway: _, dashboard = 0, mongod = 0, ...others } = system.pids;
  const headers = { authorization: `Bearer ${secret}` };
  const requests = lookUps(settings);
  const { connections, seconds, warmUpSeconds, rounds } = settings;
  const off = await startGateway(root, settings, system, { number: 0, logLevel: 'info', requestLog: false });
  const on = await startGateway(root, settings, system, { number: 1, logLevel: 'info' });
  const rows: Comparison<LoadResult> = [
    { name: 'GET store, REQUEST_LOG=false', results: [], goal: requestLogGoal },
    { name: 'GET store, REQUEST_LOG=true', results: [] },
  ];
  const measure = ({ url, pid }: typeof on, forSeconds: number) =>
    load({ url, headers, pids: { ...others, mongod, gateway: pid }, seconds: forSeconds, connections, requests });
  const mongo = await MongoClient.connect(system.mongoUrl);
  const countStored = async () => {
    const stages = [{ $group: { _id: null, requests: { $sum: { $size: '$ids' } } } }];
    const [sum] = await mongo.db('dashboard').collection('request_batches').aggregate(stages).toArray();
    return Number(sum?.requests ?? 0);
  };
  const resume = () => process.kill(dashboard, 'SIGCONT');
  // Ctrl-C must not leave the dashboard suspended.
  process.once('exit', resume);
  try {
    const storedBefore = await countStored();
    process.kill(dashboard, 'SIGSTOP');
    for (const gateway of [off, on]) await measure(gateway, warmUpSeconds);
    for (let round = 1; round <= rounds; round++) {
      say(`Request log, round ${round} of ${rounds} …`);
      const turns = [...[off, on].entries()];
      // The order alternates, because the load of other programs grows or falls during a round.
      for (const [n, gateway] of round % 2 === 0 ? turns.toReversed() : turns)
        rows[n]?.results.push(await measure(gateway, seconds));
    }
    const before = cpuTimes({ dashboard, mongod });
    resume();
    await waitUntilQuiet(countStored);
    const stored = (await countStored()) - storedBefore;
    return { rows, stored, storeCpuUs: cpuUsPer(Math.max(1, stored), before, cpuTimes({ dashboard, mongod })) };
  } finally {
    resume();
    process.off('exit', resume);
    await mongo.close();
    await on.stop();
    await off.stop();
  }
}

/** Resolves when the count has grown, and then not for {@link quietMs}; at the latest after {@link storeBoundMs}. */
async function waitUntilQuiet(count: () => Promise<number>): Promise<void> {
  const first = await count();
  const endMs = performance.now() + storeBoundMs;
  for (let latest = first, sinceMs = performance.now(); performance.now() < endMs; await sleep(250)) {
    const now = await count();
    if (now !== latest) [latest, sinceMs] = [now, performance.now()];
    else if (latest !== first && performance.now() - sinceMs > quietMs) return;
  }
}
