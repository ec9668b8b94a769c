import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchSettings } from './settings.ts';

/** An additional process of a service. */
export interface ServiceProcess {
  pid: number;
  stop(): Promise<void>;
}

export interface ServiceProcessOptions {
  root: string;
  settings: BenchSettings;
  /** Folder below services/. */
  service: string;
  adminPort: number;
  /** Variables in addition to HOST, SHOPSCOPE_ENV and ADMIN_PORT. */
  env: Record<string, string>;
  /** File of its log below the folder of logs. Without it there is no log. */
  logFile?: string;
}

const startTimeoutMs = 60_000;
const readyPollMs = 50;

/** Resolves when the service is ready. */
export async function startService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { root, service, adminPort, env, logFile } = options;
  const log = logFile === undefined ? 'ignore' : openLog(options.settings, logFile);
  const entry = join(root, 'services', service, 'dist/main.js');
  const child = spawn(process.execPath, ['--enable-source-maps', entry], {
    stdio: ['ignore', log, 'inherit'],
    env: { HOST: '127.0.0.1', SHOPSCOPE_ENV: 'development', ADMIN_PORT: String(adminPort), ...env },
  });
  if (typeof log === 'number') closeSync(log);
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const endMs = performance.now() + startTimeoutMs;
  const isReady = () =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > endMs) {
      await stop();
      throw new Error(`the process ${env.INSTANCE_ID ?? service} did not start`);
    }
    await new Promise((done) => setTimeout(done, readyPollMs));
  }
  return { pid: child.pid ?? 0, stop };
}

function openLog({ stateDir }: BenchSettings, file: string): number {
  const folder = join(stateDir, 'logs');
  mkdirSync(folder, { recursive: true });
  return openSync(join(folder, file), 'w');
}
