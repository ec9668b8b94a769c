import { openCluster } from './cluster.ts';
import type { Redis, RedisOptions } from './redis.ts';
import { openServer } from './server.ts';

export const createRedis = (options: RedisOptions): Redis =>
  'cluster' in options ? openCluster(options) : openServer(options);
