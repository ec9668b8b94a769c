import type { Environment } from '@shopscope/environment';
import type { Dependencies } from '../dependencies.ts';
import { refuseWaiting, StepLostError } from './refuse-steps.ts';
import { runStep } from './run-step.ts';
import { takeStep } from './take-step.ts';

/** Takes the next step of any job and executes it. Returns false if there is none. */
export async function runNextStep<E extends Environment>(deps: Dependencies<E>): Promise<boolean> {
  const taken = await takeStep(deps);
  if (!taken) return false;
  if (taken.step === null) {
    const isRefused = await refuseWaiting(deps, taken.ref, taken.refusal).catch((error: unknown) => {
      if (error instanceof StepLostError) return false;
      throw error;
    });
    deps.metrics.jobStep(deps.environment, isRefused ? 'refused' : 'lost');
    return isRefused;
  }
  deps.metrics.jobStep(deps.environment, await runStep(deps, taken));
  return true;
}
