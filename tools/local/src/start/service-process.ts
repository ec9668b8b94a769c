import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, endLeftover, LocalStackError, requireFreePort, startChild } from '@shopscope/local-stack';
import type { Member } from './supervisor.ts';

export interface ServiceProcess {
  /** Unique name of the process, for example `metering-2`. */
  name: string;
  entry: string;
  /** Further options of Node. */
  nodeOptions?: readonly string[];
  env: Record<string, string>;
  stateDir: string;
  ports: readonly number[];
  /** Responds 200 when the process is ready. */
  readyUrl: string;
}

const readyTimeoutMs = 60_000;
const nodeOptions = ['--enable-source-maps'];

/** A service as a process with a log file. It counts as started when it is ready. */
export function serviceProcess(service: ServiceProcess): Member {
  let child: Child | undefined;
  return {
    name: service.name,
    get pid() {
      return child?.pid ?? null;
    },
    async start() {
      await endLeftover(service.stateDir, service.name);
      for (const port of service.ports) await requireFreePort(port, service.name, 'SHOPSCOPE_PORT_BASE');
      child = startChild({
        name: service.name,
        command: process.execPath,
        args: [...nodeOptions, ...(service.nodeOptions ?? []), service.entry],
        stateDir: service.stateDir,
        env: service.env,
      });
      await untilReady(service, child);
    },
    exited: () => child?.exited ?? new Promise(() => {}),
    stop: async () => child?.stop(30_000),
  };
}

async function untilReady(service: ServiceProcess, child: Child): Promise<void> {
  const endMs = performance.now() + readyTimeoutMs;
  let ended: string | undefined;
  void child.exited.then((how) => {
    ended = how;
  });
  for (;;) {
    const status = await fetch(service.readyUrl, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    const log = join(service.stateDir, 'logs', `${service.name}.log`);
    if (ended) throw new LocalStackError(`${service.name} ${ended} while starting: ${lastLines(log)} (log: ${log})`);
    if (performance.now() > endMs) {
      await child.stop();
      throw new LocalStackError(
        `${service.name} was not ready after ${readyTimeoutMs / 1_000} s: ${lastLines(log)} (log: ${log})`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function lastLines(log: string): string {
  try {
    return readFileSync(log, 'utf8').trim().split('\n').slice(-2).join(' ').slice(-300);
  } catch {
    return 'it logged nothing';
  }
}
