import { type Child, endLeftover, requireFreePort, startChild, untilReady } from '@shopscope/local-stack';
import type { Member } from './supervisor.ts';

export interface ServiceProcess {
  /** Unique name of the process, for example `metering-2`. */
  name: string;
  entry: string;
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
  const probe = async () => {
    const { status } = await fetch(service.readyUrl, { signal: AbortSignal.timeout(2_000) });
    if (status !== 200) throw new Error(`the status is ${status}`);
  };
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
      await untilReady(child, { ...service, readyTimeoutMs, probe });
    },
    exited: () => child?.exited ?? new Promise(() => {}),
    stop: async () => child?.stop(30_000),
  };
}
