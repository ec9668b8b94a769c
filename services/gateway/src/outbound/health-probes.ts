import { startPeriodicLoop, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { CallOptions, UnaryDefinition } from '@shopscope/grpc';
import { service as healthService } from 'grpc-health-check';

/**
 * The last known state of everything that the gateway depends on. It is probed in the background every 2 s, so that
 * GET /v1/health asks nobody and answers while a dependency does not.
 *
 * - A probe fails -> degraded. The next good probe of that dependency ends it.
 * - A probe takes longer than `probeTimeoutMs` -> it has failed.
 */
export interface HealthProbes {
  readonly degraded: boolean;
  /** Resolves when every dependency has been probed once. */
  probed: Promise<void>;
  stop(): Promise<void>;
}

/** Fails by throwing, by rejecting, or by answering false. It has a time limit of its own. */
export type Probe = () => Promise<unknown> | unknown;

export const probeTimeoutMs = 1_500;
const intervalMs = 2_000;

export function watchHealth(options: {
  probes: Record<string, Probe>;
  clock: Pick<Clock, 'sleep'>;
  onChange(name: string, isWell: boolean): void;
}): HealthProbes {
  const { clock, onChange } = options;
  const probes = Object.entries(options.probes);
  const failing = new Set<string>();
  const probed = Promise.withResolvers<void>();

  const probeOne = async (name: string, probe: Probe, abort: AbortSignal) => {
    const isWell = await succeeds(probe);
    if (abort.aborted || isWell !== failing.has(name)) return;
    if (isWell) failing.delete(name);
    else failing.add(name);
    onChange(name, isWell);
  };
  const loop = startPeriodicLoop({
    intervalMs,
    immediate: true,
    clock,
    async run(abort) {
      await untilAborted(abort, Promise.all(probes.map(([name, probe]) => probeOne(name, probe, abort))));
      probed.resolve();
    },
    // A failed probe is a result, and no error of the loop.
    onError: () => {},
  });

  return {
    get degraded() {
      return failing.size > 0;
    },
    probed: probed.promise,
    stop: loop.stop,
  };
}

async function succeeds(probe: Probe): Promise<boolean> {
  try {
    return (await probe()) !== false;
  } catch {
    return false;
  }
}

/** The standard health service, without its streaming methods. */
export const healthDefinition = { check: healthService.Check } as { check: UnaryDefinition[string] };

/** Probes a service by the standard health service: it has to answer that it is serving. */
export function servingProbe(client: {
  check(request: object, options?: CallOptions): Promise<{ status?: unknown }>;
}): Probe {
  return async () => (await client.check({ service: '' }, { timeoutMs: probeTimeoutMs })).status === 'SERVING';
}
