import { resolve } from 'node:path';
import { startLocalProcess } from '@shopscope/local';
import type { BenchSettings } from './settings.ts';

/** The running system, as ready.json describes it. */
export type RunningSystem = Awaited<ReturnType<typeof startSystem>>;

/** What the measurement of each group of rows receives. */
export interface Bench {
  root: string;
  settings: BenchSettings;
  system: RunningSystem;
  /** The secret of a key without limits. */
  secret: string;
  say(line: string): void;
}

/** Starts the whole system as `npm start` does. Its data stay for the next run. */
export async function startSystem({ stateDir, portBase }: BenchSettings, root: string) {
  const cacheDir = process.env.SHOPSCOPE_CACHE_DIR ?? resolve(stateDir, '../cache');
  const system = await startLocalProcess({ root, stateDir, cacheDir, portBase, env: process.env });
  const { api, services, stack, dashboard, workspace_id } = system.ready;
  const addressOf = (service: string) => (services[service]?.[0].url ?? '').replace('grpc://', '');
  /** The first process of each service and data server, by name. */
  const pids: Record<string, number> = {
    ...Object.fromEntries(Object.entries(services).map(([name, [first]]) => [name, first.pid])),
    mongod: stack.mongodb.pid,
    redis: stack.redis.pid,
    kafka: stack.kafka.pid,
    opensearch: stack.opensearch.pid,
  };
  return {
    apiUrl: api.base_url,
    keysAddress: system.keysAddress,
    /** The dashboard, and the admin of a workspace that has two weeks of usage. */
    dashboard: {
      url: dashboard.base_url,
      grpcAddress: (services.dashboard?.[0].grpc_url ?? '').replace('grpc://', ''),
      workspaceId: workspace_id,
      admin: dashboard.admin,
    },
    /** The addresses of the gRPC services, as environment variables of a gateway. */
    addresses: {
      KEYS_ADDRESS: system.keysAddress,
      PROFILES_ADDRESS: addressOf('profiles'),
      METERING_ADDRESS: addressOf('metering'),
      SCAN_SCHEDULER_ADDRESS: addressOf('scan-scheduler'),
      SEARCH_ADDRESS: addressOf('search'),
      SUBSCRIPTIONS_ADDRESS: addressOf('subscriptions'),
      WEBHOOKS_ADDRESS: addressOf('webhooks'),
    },
    brokers: stack.kafka.brokers.split(','),
    mongoUrl: stack.mongodb.url,
    redisUrl: stack.redis.url,
    openSearchUrl: stack.opensearch.url,
    pids,
    async stop(): Promise<void> {
      system.end();
      await system.exited;
    },
  };
}
