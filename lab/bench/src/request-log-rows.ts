import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { cpuTimes, cpuUsPer } from './cpu.ts';
import { type LoadResult, load } from './load.ts';
import { lookUps } from './requests.ts';
import { type GatewayProcess, startGateway } from './service-processes.ts';
import type { Bench } from './system.ts';
import { type Comparison, compareUnderLoad } from './turns.ts';

/** The goal for look-ups per second with the request log, divided by look-ups per second without it. */
export const requestLogGoal = 0.95;

export interface RequestLogCost {
  rows: Comparison<LoadResult>;
  /** The CPU time per stored request of each process, in µs. */
  storeCpuUs: Record<string, number>;
  stored: number;
}

/** When no request was stored for this long, all are stored. */
const quietMs = 3_000;
const storeBoundMs = 120_000;

/**
 * Measures GET (one store per request) at two gateways that take turns: one publishes the request log, one does not.
 *
 * - The dashboard is suspended meanwhile. In production it stores the requests on another machine. On the two cores of the bench its work
 *   would slow the gateway down. The work of Kafka counts.
 * - Then the dashboard continues. The CPU time until it has stored the log is divided by the number of requests.
 */
export async function measureRequestLog(bench: Bench): Promise<RequestLogCost> {
  const { settings, system, secret } = bench;
  const { gateway: _, dashboard = 0, mongod = 0, ...others } = system.pids;
  const headers = { authorization: `Bearer ${secret}` };
  const requests = lookUps(settings);
  const { connections } = settings;
  const off = await startGateway(bench, { number: 0, logLevel: 'info', requestLog: false });
  const on = await startGateway(bench, { number: 1, logLevel: 'info' });
  const contender = ({ url, pid }: GatewayProcess, isLogged: boolean) => ({
    name: `GET store, REQUEST_LOG=${isLogged}`,
    measure: (seconds: number) =>
      load({ url, headers, pids: { ...others, mongod, gateway: pid }, seconds, connections, requests }),
  });
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
    const rows = await compareUnderLoad(bench, 'Request log', [
      { ...contender(off, false), goal: requestLogGoal },
      contender(on, true),
    ]);
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

/** Resolves when the count has grown and then has not grown for {@link quietMs}, or after {@link storeBoundMs}. */
async function waitUntilQuiet(count: () => Promise<number>): Promise<void> {
  const first = await count();
  const endMs = performance.now() + storeBoundMs;
  for (let latest = first, sinceMs = performance.now(); performance.now() < endMs; await sleep(250)) {
    const now = await count();
    if (now !== latest) [latest, sinceMs] = [now, performance.now()];
    else if (latest !== first && performance.now() - sinceMs > quietMs) return;
  }
}
