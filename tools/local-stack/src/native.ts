import { type Child, endLeftover, startChild } from './child.ts';
import { LocalStackError } from './error.ts';
import type { StackPart } from './part.ts';
import { needPort } from './ports.ts';

export interface NativeProcess {
  name: StackPart['name'];
  url: string;
  /** Ports that have to be free, each with the variable that moves it. */
  ports: readonly { port: number; variable: string }[];
  stateDir: string;
  /** Gives a start up: nothing is running once `start` has rejected. */
  signal?: AbortSignal | undefined;
  command(): Promise<{ command: string; args: string[] }>;
  /** Resolves when the server answers; called again and again until then or until the bound. */
  answers(): Promise<unknown>;
  readyTimeoutMs: number;
}

/** A server as a process of ours: started, waited for, found again after a crash of whoever started it. */
export function nativePart(process: NativeProcess): StackPart {
  let child: Child | undefined;
  const claim = async () => {
    await endLeftover(process.stateDir, process.name);
    for (const { port, variable } of process.ports) await needPort(port, process.name, variable);
  };
  return {
    name: process.name,
    provider: 'native',
    url: process.url,
    get pid() {
      return child?.pid ?? null;
    },
    claim,
    async start() {
      await claim();
      const command = await process.command();
      process.signal?.throwIfAborted();
      child = startChild({ name: process.name, stateDir: process.stateDir, ...command });
      await untilAnswers(process, child);
    },
    exited: () => child?.exited ?? new Promise(() => {}),
    stop: async () => child?.stop(),
  };
}

async function untilAnswers(process: NativeProcess, child: Child): Promise<void> {
  const endMs = performance.now() + process.readyTimeoutMs;
  let ended: string | undefined;
  void child.exited.then((how) => {
    ended = how;
  });
  for (;;) {
    try {
      await process.answers();
      return;
    } catch (error) {
      const log = `${process.stateDir}/logs/${process.name}.log`;
      if (ended) throw new LocalStackError(`${process.name} ${ended} while starting; its log is ${log}.`);
      if (process.signal?.aborted) {
        await child.stop();
        throw process.signal.reason;
      }
      if (performance.now() > endMs) {
        await child.stop();
        throw new LocalStackError(
          `${process.name} did not answer in ${process.readyTimeoutMs / 1_000} s; its log is ${log}.`,
          {
            cause: error,
          },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
