import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BenchSettings } from './settings.ts';

/** The running system as ready.json tells of it. */
export interface RunningSystem {
  apiUrl: string;
  keysAddress: string;
  brokers: string[];
  mongoUrl: string;
  redisUrl: string;
  /** Service → its first process. */
  pids: Record<string, number>;
  stop(): Promise<void>;
}

const startTimeoutMs = 300_000;

/** The whole system as `npm start` runs it, every service its own process, on its own ports and data. */
export async function startSystem(settings: BenchSettings, root: string): Promise<RunningSystem> {
  const readyFile = join(settings.stateDir, 'ready.json');
  rmSync(readyFile, { force: true });
  const child = spawn(process.execPath, [...process.execArgv, join(root, 'deploy/local/src/start/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SHOPSCOPE_LOCAL_DIR: settings.stateDir,
      SHOPSCOPE_CACHE_DIR: process.env.SHOPSCOPE_CACHE_DIR ?? resolve(settings.stateDir, '../cache'),
      SHOPSCOPE_PORT_BASE: String(settings.portBase),
    },
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const endMs = performance.now() + startTimeoutMs;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('the system did not start; run npm start to see why');
    if (performance.now() > endMs) {
      await stop();
      throw new Error(`the system was not ready after ${startTimeoutMs / 1_000} s`);
    }
    await new Promise((done) => setTimeout(done, 200));
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8'));
  const services = ready.services as Record<string, [{ pid: number; url: string | null }]>;
  return {
    apiUrl: ready.api.base_url,
    keysAddress: (services.keys?.[0].url ?? '').replace('grpc://', ''),
    brokers: ready.stack.kafka.brokers.split(','),
    mongoUrl: ready.stack.mongodb.url,
    redisUrl: ready.stack.redis.url,
    pids: {
      ...Object.fromEntries(Object.entries(services).map(([name, [first]]) => [name, first.pid])),
      mongod: ready.stack.mongodb.pid,
      redis: ready.stack.redis.pid,
      kafka: ready.stack.kafka.pid,
    },
    stop,
  };
}
