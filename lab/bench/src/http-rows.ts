import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import { type LoadResult, load } from './load.ts';
import { startReference } from './reference.ts';
import { enrichBatches, lookUps, saveResponse } from './requests.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';

/** One server of a comparison: Shopscope or a reference. */
export interface Row<Result> {
  name: string;
  results: Result[];
  /**
   * Target: Shopscope's rate divided by this server's rate is at least this. 0.5 allows half the rate. Undefined: no target.
   */
  goal?: number;
}

/** Rows that were measured in the same rounds. The last one is Shopscope. */
export type Comparison<Result> = Row<Result>[];

interface Server {
  name: string;
  url: string;
  pids: Record<string, number>;
  goal?: number;
}

const storeFileName = 'store.json';

/** Starts hop-redis-grpc with the response to the first look-up. */
export async function startHop(settings: BenchSettings, system: RunningSystem, secret: string) {
  const folder = join(settings.stateDir, 'answers');
  mkdirSync(folder, { recursive: true });
  const to = { url: system.apiUrl, headers: { authorization: `Bearer ${secret}` }, folder };
  const storeFile = await saveResponse(storeFileName, lookUps(settings)[0] as Request, to);
  const profiles = await startReference('hop-profiles', storeFile);
  const hop = await startReference('hop', secret, system.redisUrl, profiles.address);
  return {
    url: hop.url,
    pids: { express: hop.pid, profiles: profiles.pid, redis: system.pids.redis ?? 0 },
    async stop() {
      await hop.stop();
      await profiles.stop();
    },
  };
}

/**
 * Measures GET (one store per request) and enrich (a hundred stores per request). In each round the servers take turns. The
 * references do part of the same work.
 */
export async function measureHttp(
  settings: BenchSettings,
  system: RunningSystem,
  secret: string,
  say: (line: string) => void,
): Promise<Comparison<LoadResult>[]> {
  const headers = { authorization: `Bearer ${secret}` };
  const folder = join(settings.stateDir, 'answers');
  const gets = lookUps(settings);
  const enriches = enrichBatches(settings, headers);
  const to = { url: system.apiUrl, headers, folder };
  const hop = await startHop(settings, system, secret);
  const storeFile = join(folder, storeFileName);
  const enrichFile = await saveResponse('enrich.json', enriches[0] as Request, to);

  const bare = await startReference('bare', storeFile, enrichFile);
  const direct = await startReference('direct-in', system.mongoUrl, 'profiles');
  const { mongod = 0 } = system.pids;
  const ours: Server = { name: 'Shopscope', url: system.apiUrl, pids: system.pids };
  const bareServer: Server = { name: 'bare Express', url: bare.url, pids: { express: bare.pid } };
  const hopServer: Server = { name: 'hop-redis-grpc', url: hop.url, pids: hop.pids, goal: 1.2 };
  const directPids = { express: direct.pid, mongod };
  const directServer: Server = { name: 'one direct $in', url: direct.url, pids: directPids, goal: 0.5 };

  const compare = async (what: string, servers: Server[], connections: number, requests: Request[]) => {
    const rows = servers.map(
      ({ name, goal }): Row<LoadResult> => ({
        name: `${what}, ${name}`,
        results: [],
        ...(goal === undefined ? {} : { goal }),
      }),
    );
    const measure = ({ url, pids }: Server, seconds: number) =>
      load({ url, pids, seconds, connections, requests, headers });
    for (const server of servers) await measure(server, settings.warmUpSeconds);
    for (let round = 1; round <= settings.rounds; round++) {
      say(`${what}, round ${round} of ${settings.rounds} …`);
      for (const [n, server] of servers.entries()) rows[n]?.results.push(await measure(server, settings.seconds));
    }
    return rows;
  };
  try {
    return [
      await compare('GET store', [bareServer, hopServer, ours], settings.connections, gets),
      await compare('enrich 100', [bareServer, directServer, ours], settings.enrichConnections, enriches),
    ];
  } finally {
    for (const reference of [hop, bare, direct]) await reference.stop();
  }
}
