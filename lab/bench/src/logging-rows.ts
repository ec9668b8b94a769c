import { cpuTimes, cpuUsPer } from './cpu.ts';
import { type LoadResult, load } from './load.ts';
import { lookUps } from './requests.ts';
import { startGateway } from './service-processes.ts';
import { sum } from './statistics.ts';
import type { Bench } from './system.ts';
import type { Comparison } from './turns.ts';

/** Target for logging: CPU with the log divided by CPU without it. */
export const loggingGoal = 1.15;

/**
 * Measures the CPU of every Shopscope process per billed look-up, with and without the log.
 *
 * - Two gateways use the same services: one logs at the default level to a file, one logs nothing. Look-ups are the
 *   cheapest requests with a log line each, so the line has the highest share there.
 * - Both gateways are under load at the same time, each from half of the connections. The log costs a few percent,
 *   which is less than the difference between two rounds on a busy machine.
 * - CPU of the services behind them is divided by the number of requests. These services log at the default level for
 *   both gateways, and have no line for a successful look-up.
 */
export async function measureLogging(bench: Bench): Promise<Comparison<LoadResult>> {
  const { settings, system, secret, say } = bench;
  const headers = { authorization: `Bearer ${secret}` };
  const { gateway: _, mongod: __, redis: ___, kafka: ____, ...services } = system.pids;
  const off = await startGateway(bench, { number: 0, logLevel: 'silent' });
  const on = await startGateway(bench, { number: 1, logLevel: 'info' });
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
