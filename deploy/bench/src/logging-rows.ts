import { startGateway } from './gateway-process.ts';
import type { Comparison } from './http-rows.ts';
import { type LoadResult, load } from './load.ts';
import { lookUps } from './requests.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** What logging may cost: CPU with it over CPU without it. */
export const loggingGoal = 1.15;

/**
 * The CPU of every Shopscope process per billed look-up, with the log and without it: two gateways in front of the same
 * services, one at the default level with its log in a file, one that logs nothing, in alternating rounds. Look-ups are
 * the cheapest requests that have a line each, so that the line weighs most here. The other services log at the default
 * level in both rows: for a look-up that succeeds they have no line.
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
  const measure = (gateway: typeof on, seconds: number) =>
    load({
      url: gateway.url,
      headers,
      pids: { ...services, gateway: gateway.pid },
      seconds,
      connections: settings.connections,
      requests: lookUps(settings),
    });
  const rows: Comparison<LoadResult> = [
    { name: 'GET store, LOG_LEVEL=silent', results: [] },
    { name: 'GET store, LOG_LEVEL=info', results: [] },
  ];
  try {
    for (const gateway of [off, on]) await measure(gateway, settings.warmUpSeconds);
    for (let round = 1; round <= settings.rounds; round++) {
      say(`Logging, round ${round} of ${settings.rounds} …`);
      // Every other round begins with the other one, so that a drift of the machine favours neither.
      const order = [...[off, on].entries()];
      if (round % 2 === 0) order.reverse();
      for (const [n, gateway] of order) rows[n]?.results.push(await measure(gateway, settings.seconds));
    }
    return rows;
  } finally {
    await on.stop();
    await off.stop();
  }
}
