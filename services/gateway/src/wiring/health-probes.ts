import { startPeriodicLoop, untilAborted } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';

/** A probe fails by throwing, by rejecting or by returning false. It has its own time limit. */
export type Probe = () => Promise<unknown> | unknown;

const intervalMs = 2_000;

/**
 * Probes every dependency of the gateway in the background, every 2 s. GET /v1/health returns the last result without a
 * call, so it responds while a dependency is unavailable.
 *
 * Failures:
 * - A probe fails, or takes longer than its time limit -> its dependency is degraded until the next successful probe.
 */
export function watchHealth(options: {
  probes: Record<string, Probe>;
  clock: Pick<Clock, 'sleep'>;
  onChange(name: string, isHealthy: boolean): void;
}) {
  const { clock, onChange } = options;
  const probes = Object.entries(options.probes);
  const failing = new Set<string>();
  const probed = Promise.withResolvers<void>();

  const probeOne = async (name: string, probe: Probe, abort: AbortSignal) => {
    const isHealthy = await succeeds(probe);
    if (abort.aborted || isHealthy !== failing.has(name)) return;
    if (isHealthy) failing.delete(name);
    else failing.add(name);
    onChange(name, isHealthy);
  };
  const loop = startPeriodicLoop({
    intervalMs,
    immediate: true,
    clock,
    async run(abort) {
      await untilAborted(abort, Promise.all(probes.map(([name, probe]) => probeOne(name, probe, abort))));
      probed.resolve();
    },
    // A failed probe is not an error of the loop.
    onError: () => {},
  });

  return {
    get degraded() {
      return failing.size > 0;
    },
    /** Resolves when every dependency has been probed once. */
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
