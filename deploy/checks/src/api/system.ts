import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckSettings } from './settings.ts';

/** The API to ask, and where a key for it is made. */
export interface CheckedSystem {
  apiUrl: string;
  keysAddress: string;
  stop(): Promise<void>;
}

const startTimeoutMs = 300_000;
const pollMs = 200;

/**
 * The whole system as `npm start` runs it, on ports and data of its own that begin empty and are gone afterwards. Its
 * scanner sleeps from the moment the demo stores are in the corpus: a domain that a fuzzer makes up may be somebody's.
 */
export async function startSystem(settings: CheckSettings, root: string): Promise<CheckedSystem> {
  const { stateDir } = settings;
  const readyFile = join(stateDir, 'ready.json');
  rmSync(stateDir, { recursive: true, force: true });
  const child = spawn(process.execPath, [...process.execArgv, join(root, 'deploy/local/src/start/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SHOPSCOPE_LOCAL_DIR: stateDir,
      SHOPSCOPE_CACHE_DIR: settings.cacheDir,
      SHOPSCOPE_PORT_BASE: String(settings.portBase),
    },
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  let scannerPid: number | undefined;
  const stop = async () => {
    child.kill('SIGTERM');
    // Once the file is gone nothing is started again, and what sleeps can be ended without a word.
    const endMs = performance.now() + 10_000;
    while (existsSync(readyFile) && performance.now() < endMs) await sleep(pollMs);
    if (scannerPid) signal(scannerPid, 'SIGKILL');
    await exited;
    rmSync(stateDir, { recursive: true, force: true });
  };

  const endMs = performance.now() + startTimeoutMs;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('The system did not start; run npm start to see why.');
    if (performance.now() > endMs) {
      await stop();
      throw new Error(`The system was not ready after ${startTimeoutMs / 1_000} s.`);
    }
    await sleep(pollMs);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8'));
  scannerPid = ready.services.scanner[0].pid as number;
  signal(scannerPid, 'SIGSTOP');
  return { apiUrl: ready.api.base_url, keysAddress: ready.services.keys[0].url.replace('grpc://', ''), stop };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
