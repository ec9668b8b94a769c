import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LocalStackError } from './error.ts';
import type { StackOptions } from './stack-options.ts';

const servers = ['mongodb', 'kafka', 'redis', 'opensearch'];

/** Throws when the data were begun with another number of nodes or another form of Redis, because the servers cannot use them. */
export function requireSameNodes({ stateDir, nodes = 1, redisForm = 'sentinel' }: StackOptions): void {
  const has = (name: string) => existsSync(join(stateDir, 'data', name));
  const begun = () => {
    if (nodes === 1) return servers.some((name) => has(`${name}-1`)) && 'three nodes per server';
    if (servers.some(has)) return 'one node per server';
    if (redisForm === 'cluster') return has('sentinel-1') && 'Redis Sentinel';
    // The cluster has a third server.
    return has('redis-3') && 'Redis Cluster';
  };
  const other = begun();
  if (!other) return;
  throw new LocalStackError(
    `The data in ${stateDir} were begun with ${other}; set another SHOPSCOPE_LOCAL_DIR, or run npm run reset.`,
  );
}
