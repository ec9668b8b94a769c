import { unlimitedKeys } from '@shopscope/local';
import { type LoadResult, load } from './load.ts';
import { lookUps, lookUpsInTurn } from './requests.ts';
import { steadyLoad } from './steady-load.ts';
import type { Bench } from './system.ts';

/** The goal for the p99 of GET at half of the rate of saturation. */
export const latencyGoalMs = 20;

export interface LatencyResult {
  /** The results of each round at saturation: each connection sends its next request after the response. */
  saturated: LoadResult[];
  /** The results of each round at an even rate, which is half of the rate of saturation of the same round. */
  half: LoadResult[];
}

const workspaces = 100;
/** This many connections saturate the system. At half of the rate no request waits for a connection. */
const connections = 128;

/** Measures in each round the rate of saturation, and then the latency at half of it. */
export async function measureLatency({ settings, system, say }: Bench): Promise<LatencyResult> {
  const { seconds, warmUpSeconds, rounds } = settings;
  const secrets = await unlimitedKeys(system.keysAddress, 'bench-growth', workspaces);
  const requests = lookUpsInTurn(lookUps(settings), secrets);
  const steadyRequests = requests.map(({ path = '', headers }) => ({
    path,
    headers: { authorization: String(headers?.authorization) },
  }));
  const to = { url: system.apiUrl, pids: system.pids, connections };
  const saturate = (forSeconds: number) => load({ ...to, seconds: forSeconds, requests, headers: {} });
  const result: LatencyResult = { saturated: [], half: [] };
  await saturate(warmUpSeconds);
  for (let round = 1; round <= rounds; round++) {
    say(`GET at half of the rate of saturation, round ${round} of ${rounds} …`);
    const saturated = await saturate(seconds);
    const perSecond = Math.max(1, Math.round(saturated.requestsPerSecond / 2));
    const half = (forSeconds: number) =>
      steadyLoad({ ...to, seconds: forSeconds, perSecond, requests: steadyRequests });
    result.saturated.push(saturated);
    // Meanwhile metering and the dashboard record what saturation has left in Kafka.
    await half(warmUpSeconds);
    result.half.push(await half(seconds));
  }
  return result;
}
