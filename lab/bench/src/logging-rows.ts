import { cpuTimes, cpuUsPer } from './cpu.ts';
import { type LoadResult, load } from './load.ts';
import { lookUps } from './requests.ts';
import { startGateway } from './service-processes.ts';
import { sum } from './statistics.ts';
import type { Bench } from './system.ts';
import type { Comparison } from './turns.ts';

/** The goal for the CPU time with the log, divided by the CPU time without it. */
export const loggingGoal = 1.15;

/**
 * Measures the CPU time of every Shopscope process per billed look-up, with and without the log.
 *
 * - Two gateways use the same services. One logs at the default level to a file, and one logs nothing. Look-ups are the cheapest requests
 *   that have a log line, so the cost of the line is highest relative to them.
 * - Both gateways are under load at the same time, each from half of the connections. The log costs a few percent, which is less than the
 *   difference between two rounds on a busy machine.
 * - The CPU time of the services that both gateways call is divided by the number of all requests. These services log at the default level,
 *   and have no line for a successful look-up.
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
