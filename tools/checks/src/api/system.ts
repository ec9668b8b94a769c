import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalProcess } from '@shopscope/local';
import type { ApiCheckSettings } from './settings.ts';
import { signal, watchProcesses } from './survivors.ts';

const pollMs = 200;
/** Far above the response time of a busy machine. */
const readyTimeoutMs = 30_000;

/**
 * Starts the whole system as `npm start` does, with its own ports and with empty data, which are deleted at the end.
 * Its scanner is suspended when the demo stores are in the corpus, because a generated domain may belong to a real
 * site.
 */
export async function startSystem(settings: ApiCheckSettings, root: string) {
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
    /** Problems since the start: processes that have ended, a gateway that is not ready. */
    async problems(): Promise<string[]> {
      const crashed = ended().map((name) => `${name} has ended and was started again`);
      return (await waitUntilReady(readyUrl)) ? crashed : [...crashed, 'the gateway is no longer ready'];
    },
    async stop() {
      system.end();
      // After the end of readiness nothing is restarted, so the suspended scanner can be killed.
      const endMs = performance.now() + 10_000;
      while (system.isReady() && performance.now() < endMs) await sleep(pollMs);
      if (scannerPid) signal(scannerPid, 'SIGKILL');
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
