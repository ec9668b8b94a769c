import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReadySystem, startLocalProcess } from '@shopscope/local';
import type { ApiCheckSettings } from './settings.ts';
import { signal, watchProcesses } from './survivors.ts';

const pollMs = 200;
/** Far above the response time of a busy machine. */
const readyTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;

export type CheckedSystem = ReturnType<typeof suspendScanner>;

/**
 * Suspends the scanner of a running system that has the demo stores in its corpus, because a generated domain may belong to a real site.
 * Whoever stops the system kills the scanner, which cannot end by itself.
 */
export function suspendScanner(ready: ReadySystem) {
  const scannerPid = ready.services.scanner?.[0].pid;
  if (scannerPid) signal(scannerPid, 'SIGSTOP');
  const ended = watchProcesses(ready);
  const readyUrl = `${ready.services.gateway?.[0].admin_url}/readyz`;
  return {
    apiUrl: ready.api.base_url,
    keysAddress: (ready.services.keys?.[0].url ?? '').replace('grpc://', ''),
    /** Problems since the start: processes that have ended, a gateway that is not ready. */
    async problems(): Promise<string[]> {
      const crashed = ended().map((name) => `${name} has ended and was started again`);
      return (await waitUntilReady(readyUrl)) ? crashed : [...crashed, 'the gateway is no longer ready'];
    },
    /** Kills the scanner when the stop of the system has begun. From then on, nothing is started again. */
    async killScannerWhen(stopHasBegun: () => boolean): Promise<void> {
      const endMs = performance.now() + stopTimeoutMs;
      while (!stopHasBegun() && performance.now() < endMs) await sleep(pollMs);
      if (scannerPid) signal(scannerPid, 'SIGKILL');
    },
  };
}

/** Starts the whole system as `npm start` does, with its own ports and with empty data, which are deleted at the end. */
export async function startSystem(settings: ApiCheckSettings, root: string) {
  const { stateDir, cacheDir, portBase } = settings;
  const clear = () => rmSync(stateDir, { recursive: true, force: true });
  clear();
  const system = await startLocalProcess({ root, stateDir, cacheDir, portBase, env: process.env });
  const checked = suspendScanner(system.ready);
  return {
    ...checked,
    async stop() {
      system.end();
      await checked.killScannerWhen(() => !system.isReady());
      await system.exited;
      clear();
    },
  };
}

async function waitUntilReady(url: string): Promise<boolean> {
  const endMs = performance.now() + readyTimeoutMs;
  while (performance.now() < endMs) {
    const response = await fetch(url, { signal: AbortSignal.timeout(readyTimeoutMs) }).catch(() => undefined);
    if (response?.ok) return true;
    await sleep(pollMs);
  }
  return false;
}
