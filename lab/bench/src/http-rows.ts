import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import { type LoadResult, load } from './load.ts';
import { startReference } from './reference.ts';
import { enrichBatches, graphqlBatches, graphqlSelections, lookUps, saveResponse } from './requests.ts';
import type { Bench } from './system.ts';
import { type Comparison, compareUnderLoad } from './turns.ts';

/** Starts hop-redis-grpc. It answers with the response to the first look-up, which is saved in `storeFile`. */
export async function startHop({ settings, system, secret }: Bench) {
  const folder = join(settings.stateDir, 'answers');
  mkdirSync(folder, { recursive: true });
  const to = { url: system.apiUrl, headers: { authorization: `Bearer ${secret}` }, folder };
  const storeFile = await saveResponse('store.json', lookUps(settings)[0] as Request, to);
  const profiles = await startReference('hop-profiles', storeFile);
  const hop = await startReference('hop', secret, system.redisUrl, profiles.address);
  return {
    storeFile,
    url: hop.url,
    pids: { express: hop.pid, profiles: profiles.pid, redis: system.pids.redis ?? 0 },
    async stop() {
      await hop.stop();
      await profiles.stop();
    },
  };
}

/**
 * Measures GET (one store per request) and enrich (a hundred stores per request), in turns with references that do a part of the same
 * work. GraphQL documents of a hundred stores take turns with the same enrich.
 */
export async function measureHttp(bench: Bench): Promise<Comparison<LoadResult>[]> {
  const { settings, system, secret } = bench;
  const headers = { authorization: `Bearer ${secret}` };
  const enriches = enrichBatches(settings, headers);
  const hop = await startHop(bench);
  const to = { url: system.apiUrl, headers, folder: join(settings.stateDir, 'answers') };
  const enrichFile = await saveResponse('enrich.json', enriches[0] as Request, to);
  const bare = await startReference('bare', hop.storeFile, enrichFile);
  const direct = await startReference('direct-in', system.mongoUrl, 'profiles');
  const { mongod = 0 } = system.pids;

  const ours = { name: 'Shopscope', url: system.apiUrl, pids: system.pids };
  const ofBare = { name: 'bare Express', url: bare.url, pids: { express: bare.pid } };
  const ofHop = { name: 'hop-redis-grpc', url: hop.url, pids: hop.pids, goal: 1.2 };
  const ofDirect = { name: 'one direct $in', url: direct.url, pids: { express: direct.pid, mongod }, goal: 0.5 };
  const compare = (
    what: string,
    servers: (typeof ours & { goal?: number })[],
    to: { connections: number; requests: Request[] },
  ) =>
    compareUnderLoad(
      bench,
      what,
      servers.map(({ name, url, pids, ...goal }) => ({
        name: `${what}, ${name}`,
        ...goal,
        measure: (seconds: number) => load({ url, pids, seconds, headers, ...to }),
      })),
    );
  const { connections, enrichConnections } = settings;
  /** The rate of documents against that of the same enrich. `most` is how often the time of an enrich a document may take. */
  const compareGraphql = (selection: keyof typeof graphqlSelections, most: number) => {
    const what = `GraphQL 100, ${selection}`;
    const contender = (name: string, requests: Request[]) => ({
      name: `${what}, ${name}`,
      measure: (seconds: number) =>
        load({ url: ours.url, pids: ours.pids, seconds, headers, connections: enrichConnections, requests }),
    });
    const documents = graphqlBatches(enriches, graphqlSelections[selection]);
    return compareUnderLoad(bench, what, [
      { ...contender('enrich', enriches), goal: 1 / most },
      contender('Shopscope', documents),
    ]);
  };
  try {
    return [
      await compare('GET store', [ofBare, ofHop, ours], { connections, requests: lookUps(settings) }),
      await compare('enrich 100', [ofBare, ofDirect, ours], { connections: enrichConnections, requests: enriches }),
      await compareGraphql('five members', 2.5),
      await compareGraphql('all members', 7),
    ];
  } finally {
    for (const reference of [hop, bare, direct]) await reference.stop();
  }
}
