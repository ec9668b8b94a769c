import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, endLeftover, startChild } from './child.ts';
import type { Report } from './download.ts';
import { LocalStackError } from './error.ts';
import type { StackNode, StackPart } from './part.ts';
import { requireFreePort } from './ports.ts';
import { reasonIn } from './run.ts';

/** The options of every native server. */
export interface NativeServerOptions {
  stateDir: string;
  cacheDir: string;
  port: number;
  report: Report;
  abort?: AbortSignal | undefined;
  isTemporary?: boolean;
}

export interface NativeProcess {
  name: string;
  /** Ports that must be free, each with the variable that changes it. The first is for clients. */
  ports: readonly [NativePort, ...NativePort[]];
  stateDir: string;
  /** Aborts a start. Nothing runs after `start` has rejected. */
  abort?: AbortSignal | undefined;
  command(): Promise<{ command: string; args: string[] }>;
  probe: Readiness['probe'];
  readyTimeoutMs: number;
  /** A stop kills the process after it. */
  stopGraceMs?: number | undefined;
}

export interface NativePort {
  port: number;
  variable: string;
}

export interface NativeNode extends StackNode {
  /** Ends a leftover process and refuses busy ports. */
  prepare(): Promise<void>;
}

/** A server with one node. */
export function nativePart({ url, ...process }: NativeProcess & Pick<StackPart, 'name' | 'url'>): StackPart {
  const node = nativeNode(process);
  const { prepare, start, stop } = node;
  return { name: process.name, provider: 'native', url, nodes: [node], prepare, start, stop };
}

/** A node as a child process. After a crash of its parent the next start finds and ends it. */
export function nativeNode(process: NativeProcess): NativeNode {
  let child: Child | undefined;
  const prepare = async () => {
    await endLeftover(process.stateDir, process.name);
    for (const { port, variable } of process.ports) await requireFreePort(port, process.name, variable);
  };
  return {
    name: process.name,
    port: process.ports[0].port,
    get pid() {
      return child?.pid ?? null;
    },
    prepare,
    async start() {
      await prepare();
      const command = await process.command();
      process.abort?.throwIfAborted();
      child = startChild({ name: process.name, stateDir: process.stateDir, ...command });
      await untilReady(child, process);
    },
    exited: () => child?.exited ?? new Promise(() => {}),
    stop: async () => child?.stop(process.stopGraceMs),
  };
}

export interface Readiness {
  name: string;
  stateDir: string;
  abort?: AbortSignal | undefined;
  /** Resolves when the process responds. It is called repeatedly until then or until the time limit. */
  probe(): Promise<unknown>;
  readyTimeoutMs: number;
}

/** Resolves when a child responds. Otherwise it throws, and the child has ended. */
export async function untilReady(child: Child, readiness: Readiness): Promise<void> {
  const { name, stateDir, abort, probe, readyTimeoutMs } = readiness;
  const log = join(stateDir, 'logs', `${name}.log`);
  const failed = async (how: string, cause: unknown) =>
    new LocalStackError(`${name} ${how}; its log is ${log}: ${reasonIn(await readFile(log, 'utf8'))}`, { cause });
  const endMs = performance.now() + readyTimeoutMs;
  let ended: string | undefined;
  void child.exited.then((how) => {
    ended = how;
  });
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      if (ended) throw await failed(`${ended} while starting`, error);
      const isLate = performance.now() > endMs;
      if (isLate || abort?.aborted) await child.stop();
      abort?.throwIfAborted();
      if (isLate) throw await failed(`was not ready within ${readyTimeoutMs / 1_000} s`, error);
      await delay(100);
    }
  }
}
