import { randomInt } from 'node:crypto';
import type { LoadResult } from './load.ts';
import { lookUps } from './requests.ts';
import { steadyLoad } from './steady-load.ts';
import type { Bench } from './system.ts';
import type { Comparison } from './turns.ts';

/** Target: public pages per second from memory. */
export const publicPagesPerSecond = 500;
/** Target: p99 of look-ups with public pages divided by p99 without them. */
export const publicP99Goal = 1.25;

export interface PublicPagesResult {
  /** Look-ups at a steady rate, without and with readers of public pages. */
  lookUps: Comparison<LoadResult>;
  /** The public pages meanwhile. */
  pages: LoadResult[];
}

/** Above the target, because the last responses of a run end after it. */
const offeredPagesPerSecond = 520;
/** Far below what the API serves, so that its p99 is that of its own work and not of a queue. */
const lookUpsPerSecond = 100;
/** More than are busy at once, so that no request waits for a connection. */
const connections = 64;
/** The limit per address is 300 a minute, and a run sends each address less. */
const addressOf = (n: number) => `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}`;

/** Measures public pages that are stored, at a steady rate, and what they cost the look-ups of the API beside them. */
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
  // Redis keeps the counts of an earlier bench, so each one has addresses of its own.
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
