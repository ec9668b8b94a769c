import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlimitedKeys } from '@shopscope/local';
import type { Request } from 'autocannon';
import { startHop } from './http-rows.ts';
import { type LoadResult, load } from './load.ts';
import { startReference } from './reference.ts';
import { lookUps, lookUpsInTurn } from './requests.ts';
import type { Bench } from './system.ts';
import { type Comparison, type Row, takeTurns } from './turns.ts';

/** The goal for the rate of many workspaces together, divided by the rate of one workspace. */
const growthGoal = 0.8;
/** In this time metering and the dashboard record the events that the row before has left in Kafka. */
const drainMs = 8_000;
const warmUpConnections = 128;
/** The number of workspaces whose traffic is also sent to a plain gateway. */
const peerWorkspaces = 100;
const loads = [
  { connections: 32, peerGoal: 1.2, hopGoal: 0.8 },
  { connections: 128, peerGoal: 2 },
] as const;

interface Server {
  name: string;
  url: string;
  pids: Record<string, number>;
  requests: Request[];
}

/**
 * Measures GET of one store with the traffic of one workspace and of many, in turns with a plain gateway that knows the same keys. The cost
 * of a request must not depend on the number of workspaces that share the traffic.
 *
 * - All servers are under load for a time before the first row, because Node and the JVM of Kafka compile what runs often.
 * - A row does not pay for the events of the row before: its warm-up begins when these are recorded, and the row follows it directly.
 */
export async function measureWorkspaceGrowth(bench: Bench): Promise<Comparison<LoadResult>[]> {
  const { settings, system, say } = bench;
  const { manyWorkspaces } = settings;
  say(`Creating ${manyWorkspaces} workspaces …`);
  const secrets = await unlimitedKeys(system.keysAddress, 'bench-growth', manyWorkspaces);
  const gets = lookUps(settings);
  const folder = join(settings.stateDir, 'answers');
  mkdirSync(folder, { recursive: true });
  const keysFile = join(folder, 'keys.txt');
  writeFileSync(keysFile, secrets.slice(0, peerWorkspaces).join('\n'));
  const { redis = 0, mongod = 0 } = system.pids;
  const store = await startReference('peer-store', system.mongoUrl, 'profiles');
  const peer = await startReference('peer', keysFile, system.redisUrl, store.url);
  const hop = await startHop({ ...bench, secret: secrets[0] as string });

  const ours = (workspaces: number): Server => ({
    name: `Shopscope, workspaces: ${workspaces}`,
    url: system.apiUrl,
    pids: system.pids,
    requests: lookUpsInTurn(gets, secrets.slice(0, workspaces)),
  });
  const plain: Server = {
    ...ours(peerWorkspaces),
    name: `Fastify, Redis, proxy and findOne, keys: ${peerWorkspaces}`,
    url: peer.url,
    pids: { fastify: peer.pid, store: store.pid, redis, mongod },
  };
  const hopServer: Server = { ...ours(1), name: 'hop-redis-grpc', url: hop.url, pids: hop.pids };
  const measureAt =
    (connections: number) =>
    ({ url, pids, requests }: Server, seconds: number) =>
      load({ url, pids, seconds, connections, requests, headers: {} });
  try {
    say('Warming up all servers …');
    for (const server of [plain, hopServer, ours(manyWorkspaces)]) {
      await measureAt(warmUpConnections)(server, 2 * settings.warmUpSeconds);
    }
    const comparisons: Comparison<LoadResult>[] = [];
    for (const { connections, peerGoal, ...goals } of loads) {
      const own = [1, peerWorkspaces, manyWorkspaces].map(ours);
      const servers = [plain, ...('hopGoal' in goals ? [hopServer] : []), ...own];
      const measure = measureAt(connections);
      const contenders = servers.map((server) => ({
        name: `GET store, ${connections} connections, ${server.name}`,
        measure: async () => {
          await sleep(drainMs);
          await measure(server, settings.warmUpSeconds);
          return measure(server, settings.seconds);
        },
      }));
      const rows = await takeTurns(contenders, settings.rounds, (round) =>
        say(`GET store, ${connections} connections, round ${round} of ${settings.rounds} …`),
      );
      const [one, hundred, many] = rows.slice(-own.length) as [GetRow, GetRow, GetRow];
      const [ofPlain, ofHop] = rows as [GetRow, GetRow];
      comparisons.push([{ ...one, goal: growthGoal }, many], [{ ...ofPlain, goal: peerGoal }, hundred]);
      if ('hopGoal' in goals) comparisons.push([{ ...ofHop, goal: goals.hopGoal }, one]);
    }
    return comparisons;
  } finally {
    await Promise.all([peer.stop(), store.stop(), hop.stop()]);
  }
}

type GetRow = Row<LoadResult>;
