import { readFile } from 'node:fs/promises';
import type { Report } from './artifacts.ts';
import { type Child, endLeftover, startChild } from './child.ts';
import { LocalStackError } from './error.ts';
import type { StackPart } from './part.ts';
import { requireFreePort } from './ports.ts';
import { reasonIn } from './run.ts';

/** What every native server is started with. */
export interface NativeServerOptions {
  stateDir: string;
  cacheDir: string;
  port: number;
  report: Report;
  abort?: AbortSignal | undefined;
}

export interface NativeProcess {
  name: StackPart['name'];
  url: string;
  /** Ports that must be free, each with the variable that changes it. */
  ports: readonly { port: number; variable: string }[];
  stateDir: string;
  /** Aborts a start. Nothing runs after `start` has rejected. */
  abort?: AbortSignal | undefined;
  command(): Promise<{ command: string; args: string[] }>;
  /** Resolves when the server responds. It is called repeatedly until then or until the time limit. */
  probe(): Promise<unknown>;
  readyTimeoutMs: number;
}

/** A server as a child process. After a crash of its parent the next start finds and ends it. */
export function nativePart(process: NativeProcess): StackPart {
  let child: Child | undefined;
  const prepare = async () => {
    await endLeftover(process.stateDir, process.name);
    for (const { port, variable } of process.ports) await requireFreePort(port, process.name, variable);
  };
  return {
    name: process.name,
    provider: 'native',
    url: process.url,
    get pid() {
      return child?.pid ?? null;
    },
    prepare,
    async start() {
      await prepare();
      const command = await process.command();
      process.abort?.throwIfAborted();
      child = startChild({ name: process.name, stateDir: process.stateDir, ...command });
      await waitUntilReady(process, child);
    },
    exited: () => child?.exited ?? new Promise(() => {}),
    stop: async () => child?.stop(),
  };
}

async function waitUntilReady(process: NativeProcess, child: Child): Promise<void> {
  const endMs = performance.now() + process.readyTimeoutMs;
  let ended: string | undefined;
  void child.exited.then((how) => {
    ended = how;
  });
  for (;;) {
    try {
      await process.probe();
      return;
    } catch (error) {
      const log = `${process.stateDir}/logs/${process.name}.log`;
      if (ended) {
        throw new LocalStackError(
          `${process.name} ${ended} while starting; its log is ${log}: ${reasonIn(await readFile(log, 'utf8'))}`,
        );
      }
      if (process.abort?.aborted) {
        await child.stop();
        throw process.abort.reason;
      }
      if (performance.now() > endMs) {
        await child.stop();
        throw new LocalStackError(
          `${process.name} did not respond within ${process.readyTimeoutMs / 1_000} s; its log is ${log}.`,
          {
            cause: error,
          },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
