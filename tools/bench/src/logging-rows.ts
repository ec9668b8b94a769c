import { cpuTimes, cpuUsPer } from './cpu.ts';
import { startGateway } from './gateway-process.ts';
import type { Comparison } from './http-rows.ts';
import { type LoadResult, load } from './load.ts';
import { lookUps } from './requests.ts';
import type { BenchSettings } from './settings.ts';
import { sum } from './statistics.ts';
import type { RunningSystem } from './system.ts';

/** What logging may cost: CPU with it over CPU without it. */
export const loggingGoal = 1.15;

/**
 * The CPU of every Shopscope process per billed look-up, with the log and without it. Two gateways stand in front of the
 * same services: one at the default level with its log in a file, one that logs nothing. Look-ups are the cheapest
 * requests that have a line each, so that the line weighs most here.
 *
 * Both gateways are under load at the same time, each from half of the connections. The log costs a few percent, and a
 * busy machine varies by more than that between two rounds. CPU of the services behind them is shared by number of
 * requests: they log at the default level for both, where a look-up that succeeds has no line of theirs.
 */
export async function measureLogging(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  secret: string,
  say: (line: string) => void,
): Promise<Comparison<LoadResult>> {
  const headers = { authorization: `Bearer ${secret}` };
  const { gateway: _, mongod: __, redis: ___, kafka: ____, ...services } = system.pids;
  const off = await startGateway(root, settings, system, { number: 0, logLevel: 'silent' });
  const on = await startGateway(root, settings, system, { number: 1, logLevel: 'info' });
  const connections = Math.max(1, Math.floor(settings.connections / 2));
  const requests = lookUps(settings);

  const measureBoth = async (seconds: number) => {
    const before = cpuTimes(services);
    const results = await Promise.all(
      [off, on].map(({ url, pid }) => load({ url, headers, pids: { gateway: pid }, seconds, connections, requests })),
    );
    const shared = cpuUsPer(sum(results.map((result) => result.requests)), before, cpuTimes(services));
    return results.map((result): LoadResult => ({ ...result, cpuUs: { ...shared, ...result.cpuUs } }));
  };
  const rows: Comparison<LoadResult> = [
    { name: 'GET store, LOG_LEVEL=silent', results: [] },
    { name: 'GET store, LOG_LEVEL=info', results: [] },
  ];
  try {
    await measureBoth(settings.warmUpSeconds);
    for (let round = 1; round <= settings.rounds; round++) {
      say(`Logging, round ${round} of ${settings.rounds} …`);
      for (const [n, result] of (await measureBoth(settings.seconds)).entries()) rows[n]?.results.push(result);
    }
    return rows;
  } finally {
    await on.stop();
    await off.stop();
  }
}
