import { setTimeout as delay } from 'node:timers/promises';
import { LocalStackError } from './error.ts';
import type { NativeNode } from './native.ts';
import type { StackPart } from './part.ts';

export interface NativeNodes extends Pick<StackPart, 'name' | 'url'> {
  nodes: readonly NativeNode[];
  /** Resolves when the nodes serve as one server. It is called repeatedly when each node has started. */
  probe(): Promise<unknown>;
  readyTimeoutMs: number;
  abort?: AbortSignal | undefined;
}

/** The name of a node: that of the server if it is the only one. */
export const nodeName = (name: StackPart['name'], index: number, count: number) =>
  count === 1 ? name : `${name}-${index + 1}`;

/** A server of several nodes, which start together. A failed start leaves nodes running until `stop`. */
export function nativeNodes({ name, url, nodes, probe, readyTimeoutMs, abort }: NativeNodes): StackPart {
  return {
    name,
    provider: 'native',
    url,
    nodes,
    async prepare() {
      for (const node of nodes) await node.prepare();
    },
    async start() {
      const starts = await Promise.allSettled(nodes.map((node) => node.start()));
      for (const start of starts) if (start.status === 'rejected') throw start.reason;
      const endMs = performance.now() + readyTimeoutMs;
      for (;;) {
        try {
          await probe();
          return;
        } catch (cause) {
          abort?.throwIfAborted();
          const late = `the nodes of ${name} were not one server within ${readyTimeoutMs / 1_000} s: ${(cause as Error).message}`;
          if (performance.now() > endMs) throw new LocalStackError(late, { cause });
          await delay(100);
        }
      }
    },
    async stop() {
      for (const node of nodes.toReversed()) await node.stop();
    },
  };
}
