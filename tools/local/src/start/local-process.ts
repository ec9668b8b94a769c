import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The content of ready.json. */
export interface ReadySystem {
  api: { base_url: string };
  workspace_id: string;
  /** The demo stores of the corpus. */
  demo_domains: string[];
  dashboard: { base_url: string; admin: { email: string; password: string } };
  services: Record<string, [{ pid: number; url: string | null; grpc_url?: string; admin_url: string | null }]>;
  stack: {
    mongodb: { url: string; pid: number };
    kafka: { brokers: string; pid: number };
    redis: { url: string; pid: number };
    opensearch: { url: string; pid: number };
  };
}

export interface LocalProcessOptions {
  root: string;
  stateDir: string;
  cacheDir: string;
  portBase: number;
  env: Readonly<Record<string, string | undefined>>;
}

const startTimeoutMs = 300_000;
const pollMs = 200;

/** Starts the whole system as `npm start` does, with its own ports and data. Resolves when the system is ready. */
export async function startLocalProcess(options: LocalProcessOptions) {
  const { root, stateDir, cacheDir, portBase } = options;
  const readyFile = join(stateDir, 'ready.json');
  rmSync(readyFile, { force: true });
  const child = spawn(process.execPath, [...process.execArgv, join(root, 'tools/local/src/start/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...options.env,
      SHOPSCOPE_LOCAL_DIR: stateDir,
      SHOPSCOPE_CACHE_DIR: cacheDir,
      SHOPSCOPE_PORT_BASE: String(portBase),
    },
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const end = () => void child.kill('SIGTERM');
  const endMs = performance.now() + startTimeoutMs;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('The system did not start; run npm start to see why.');
    if (performance.now() > endMs) {
      end();
      await exited;
      throw new Error(`The system was not ready after ${startTimeoutMs / 1_000} s.`);
    }
    await sleep(pollMs);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as ReadySystem;
  const keysAddress = (ready.services.keys?.[0].url ?? '').replace('grpc://', '');
  return {
    ready,
    keysAddress,
    /** True until the stop begins. After that no process is restarted. */
    isReady: () => existsSync(readyFile),
    /** Sends the stop signal; `exited` resolves at the end. */
    end,
    exited,
  };
}
