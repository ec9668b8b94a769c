import { randomInt } from 'node:crypto';
import type { LoadResult } from './load.ts';
import { lookUps } from './requests.ts';
import { steadyLoad } from './steady-load.ts';
import type { Bench } from './system.ts';
import type { Comparison } from './turns.ts';

/** The goal for public pages per second, served from memory. */
export const publicPagesPerSecond = 500;
/** The goal for the p99 of look-ups beside public pages, divided by their p99 alone. */
export const publicP99Goal = 1.25;

export interface PublicPagesResult {
  /** Look-ups at an even rate, first without and then with readers of public pages. */
  lookUps: Comparison<LoadResult>;
  /** The public pages that were read beside the look-ups. */
  pages: LoadResult[];
}

/** The rate is above the goal, because the last responses of a run arrive after its end. */
const offeredPagesPerSecond = 520;
/** The rate is far below what the API can serve, so that no queue adds to the p99. */
const lookUpsPerSecond = 100;
/** There are more connections than requests in progress, so that no request waits for a connection. */
const connections = 64;
/** Each address sends 200 requests, because 300 requests a minute are the limit of an address. */
const addressOf = (n: number) => `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}`;

/** Measures stored public pages at an even rate, and the look-ups of the API beside them. */
export async function measurePublicPages({ settings, system, secret, say }: Bench): Promise<PublicPagesResult> {
  const { seconds, warmUpSeconds, rounds } = settings;
  const { dashboard, redis, ...api } = system.pids as Record<string, number>;
  const pids = { dashboard: dashboard as number, redis: redis as number };
  const headers = { authorization: `Bearer ${secret}` };
  const stores = lookUps(settings).map(({ path = '' }) => ({ path, headers }));
  const lookUpsFor = (forSeconds: number) =>
    steadyLoad({
      url: system.apiUrl,
      connections,
      seconds: forSeconds,
      perSecond: lookUpsPerSecond,
      requests: stores,
      pids: { ...api, redis: redis as number },
    });
  // Redis may still have the counts of an earlier bench, so each bench begins with other addresses.
  let first = 200 * randomInt(40_000);
  const pagesFor = (forSeconds: number) => {
    const start = first;
    const perSecond = offeredPagesPerSecond;
    first += perSecond * forSeconds;
    const requests = Array.from({ length: perSecond * forSeconds }, (_, n) => ({
      path: ['/docs', '/technologies', '/technologies/shopify', '/bot'][n % 4] as string,
      headers: { 'x-forwarded-for': addressOf(Math.floor((start + n) / 200)), 'accept-encoding': 'gzip' },
    }));
    return steadyLoad({ url: system.dashboard.url, connections, seconds: forSeconds, perSecond, requests, pids });
  };
  const without: LoadResult[] = [];
  const beside: LoadResult[] = [];
  const pages: LoadResult[] = [];
  await Promise.all([lookUpsFor(warmUpSeconds), pagesFor(warmUpSeconds)]);
  for (let round = 1; round <= rounds; round++) {
    say(`Public pages, round ${round} of ${rounds} …`);
    without.push(await lookUpsFor(seconds));
    const [lookedUp, read] = await Promise.all([lookUpsFor(seconds), pagesFor(seconds)]);
    beside.push(lookedUp);
    pages.push(read);
  }
  return {
    lookUps: [
      { name: 'GET store alone', results: without },
      { name: 'GET store beside public pages', results: beside },
    ],
    pages,
  };
}
