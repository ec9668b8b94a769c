import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalProcess } from '@shopscope/local';
import type { CheckSettings } from './settings.ts';
import { watchProcesses } from './survivors.ts';

/** The API to ask, and where a key for it is made. */
export interface CheckedSystem {
  apiUrl: string;
  keysAddress: string;
  /** What is not as it was at the start: processes that have ended since, a gateway that is not ready. */
  faults(): Promise<string[]>;
  stop(): Promise<void>;
}

const pollMs = 200;
/** Far above what a busy machine takes to answer. */
const readyTimeoutMs = 30_000;

/**
 * The whole system as `npm start` runs it, on ports and data of its own that begin empty and are gone afterwards. Its
 * scanner sleeps from the moment the demo stores are in the corpus: a domain that a fuzzer makes up may be somebody's.
 */
export async function startSystem(settings: CheckSettings, root: string): Promise<CheckedSystem> {
  const { stateDir, cacheDir, portBase } = settings;
  const clear = () => rmSync(stateDir, { recursive: true, force: true });
  clear();
  const system = await startLocalProcess({ root, stateDir, cacheDir, portBase, env: process.env });
  const scannerPid = system.ready.services.scanner?.[0].pid;
  if (scannerPid) signal(scannerPid, 'SIGSTOP');
  const ended = watchProcesses(system.ready);
  const readyUrl = `${system.ready.services.gateway?.[0].admin_url}/readyz`;
  return {
    apiUrl: system.ready.api.base_url,
    keysAddress: system.keysAddress,
    async faults() {
      const crashed = ended().map((name) => `${name} has ended meanwhile and was started again`);
      return (await becomesReady(readyUrl)) ? crashed : [...crashed, 'the gateway is not ready any more'];
    },
    async stop() {
      system.end();
      // Once it is not ready nothing is started again, and what sleeps can be ended without a word.
      const endMs = performance.now() + 10_000;
      while (system.isReady() && performance.now() < endMs) await sleep(pollMs);
      if (scannerPid) signal(scannerPid, 'SIGKILL');
      await system.exited;
      clear();
    },
  };
}

async function becomesReady(url: string): Promise<boolean> {
  const endMs = performance.now() + readyTimeoutMs;
  while (performance.now() < endMs) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(readyTimeoutMs) }).catch(() => undefined);
    if (answer?.ok) return true;
    await sleep(pollMs);
  }
  return false;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
