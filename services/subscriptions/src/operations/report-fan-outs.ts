import type { Environment } from '@shopscope/environment';
import { stepTimeoutMs } from './append-signals.ts';
import type { Dependencies } from './dependencies.ts';

/** Sets the age of the oldest update whose fan-out has not ended. */
export async function reportFanOuts<E extends Environment>({ fanOuts, metrics, clock, environment }: Dependencies<E>) {
  const oldest = await fanOuts.oldest(stepTimeoutMs);
  const ageMs = oldest ? clock.now() - oldest.getTime() : 0;
  metrics.oldestFanOut.set({ environment }, Math.max(0, ageMs) / 1_000);
}
