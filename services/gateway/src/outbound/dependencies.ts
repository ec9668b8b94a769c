import type { Clock } from '@shopscope/clock';
import type { CallOptions } from '@shopscope/grpc';

/**
 * The last known state of everything the gateway depends on, asked for in the background every few seconds, so that
 * GET /v1/health costs nothing and answers while they do not. A failing probe degrades; the next good one mends.
 */
export interface Dependencies {
  readonly degraded: boolean;
  /** Resolves when every dependency has been asked once. */
  asked: Promise<void>;
  stop(): void;
}

export type Probe = () => Promise<unknown> | unknown;

const intervalMs = 2_000;

export function watchDependencies(options: {
  /** A probe fails by throwing, by rejecting, or by answering false. */
  probes: Record<string, Probe>;
  clock: Clock;
  onChange(name: string, well: boolean): void;
}): Dependencies {
  const failing = new Set<string>();
  const stopped = new AbortController();

  const probeOne = async (name: string, probe: Probe) => {
    let well: boolean;
    try {
      well = (await probe()) !== false;
    } catch {
      well = false;
    }
    if (well === failing.has(name)) options.onChange(name, well);
    if (well) failing.delete(name);
    else failing.add(name);
  };
  const probeAll = async () => {
    await Promise.all(Object.entries(options.probes).map(([name, probe]) => probeOne(name, probe)));
  };
  const loop = async () => {
    await asked;
    while (!stopped.signal.aborted) {
      await options.clock.sleep(intervalMs, stopped.signal);
      await probeAll();
    }
  };
  const asked = probeAll();
  loop().catch(() => {});

  return {
    get degraded() {
      return failing.size > 0;
    },
    asked,
    stop: () => stopped.abort(),
  };
}

/** The standard health service, as far as it is needed: SERVING or not. */
export const healthDefinition = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: (_: object) => Buffer.alloc(0),
    requestDeserialize: (_: Buffer): object => ({}),
    responseSerialize: (_: { serving: boolean }) => Buffer.alloc(0),
    // status is field 1, a varint; 1 is SERVING.
    responseDeserialize: (bytes: Buffer): { serving: boolean } => ({ serving: bytes[0] === 8 && bytes[1] === 1 }),
  },
} as const;

export const probeTimeoutMs = 1_500;

/** For probes without a bound of their own. */
export async function withinMs<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, bound]).finally(() => clearTimeout(timer));
}

export function servingProbe(client: {
  check(request: object, options?: CallOptions): Promise<{ serving: boolean }>;
}): Probe {
  return async () => (await client.check({}, { timeoutMs: probeTimeoutMs })).serving;
}
