import { stepTimeoutMs } from './append-signals.ts';
import type { LiveDependencies } from './dependencies.ts';

/** Sets the age of the oldest update whose fan-out has not ended. */
export async function reportFanOuts({ fanOuts, metrics, clock, environment }: LiveDependencies): Promise<void> {
  const oldest = await fanOuts.oldest(stepTimeoutMs);
  const ageMs = oldest ? clock.now() - oldest.getTime() : 0;
  metrics.oldestFanOut.set({ environment }, Math.max(0, ageMs) / 1_000);
}
