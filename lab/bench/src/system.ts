import { resolve } from 'node:path';
import { startLocalProcess } from '@shopscope/local';
import type { BenchSettings } from './settings.ts';

/** The running system, from ready.json. */
export type RunningSystem = Awaited<ReturnType<typeof startSystem>>;

/** What the measurement of every group of rows gets. */
export interface Bench {
  root: string;
  settings: BenchSettings;
  system: RunningSystem;
  /** A key without limits. */
  secret: string;
  say(line: string): void;
}

/** The whole system as `npm start` runs it. Its data stays for the next run. */
export async function startSystem({ stateDir, portBase }: BenchSettings, root: string) {
  const cacheDir = process.env.SHOPSCOPE_CACHE_DIR ?? resolve(stateDir, '../cache');
  const system = await startLocalProcess({ root, stateDir, cacheDir, portBase, env: process.env });
  const { api, services, stack, dashboard, workspace_id } = system.ready;
  const addressOf = (service: string) => (services[service]?.[0].url ?? '').replace('grpc://', '');
  /** Service or data server → its first process. */
  const pids: Record<string, number> = {
    ...Object.fromEntries(Object.entries(services).map(([name, [first]]) => [name, first.pid])),
    mongod: stack.mongodb.pid,
    redis: stack.redis.pid,
    kafka: stack.kafka.pid,
  };
  return {
    apiUrl: api.base_url,
    keysAddress: system.keysAddress,
    /** The dashboard, with the admin of a workspace that has two weeks of usage. */
    dashboard: {
      url: dashboard.base_url,
      grpcAddress: (services.dashboard?.[0].grpc_url ?? '').replace('grpc://', ''),
      workspaceId: workspace_id,
      admin: dashboard.admin,
    },
    /** Addresses of the gRPC services, as variables of the gateway. */
    addresses: {
      KEYS_ADDRESS: system.keysAddress,
      PROFILES_ADDRESS: addressOf('profiles'),
      METERING_ADDRESS: addressOf('metering'),
      SCAN_SCHEDULER_ADDRESS: addressOf('scan-scheduler'),
      SUBSCRIPTIONS_ADDRESS: addressOf('subscriptions'),
    },
    brokers: stack.kafka.brokers.split(','),
    mongoUrl: stack.mongodb.url,
    redisUrl: stack.redis.url,
    pids,
    async stop(): Promise<void> {
      system.end();
      await system.exited;
    },
  };
}
