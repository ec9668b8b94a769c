import type { Dependencies } from '../../operations/dependencies.ts';
import { dropClaims } from '../../operations/drop-claims.ts';
import { expireLeases } from '../../operations/expire-leases.ts';
import { expireMerges } from '../../operations/expire-merges.ts';
import { reportQueue } from '../../operations/report-queue.ts';

/** Upper bound of each step; what remains is for the next tick. */
const batch = 200;

/**
 * One tick: what time alone brings about. Every step is bounded and conditional on what it finds, so any number of
 * instances may tick at once without a leader. A step that fails leaves the others to run and is tried again next time.
 */
export async function tick(deps: Dependencies): Promise<void> {
  const steps = { expireLeases, expireMerges, dropClaims, reportQueue };
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run(deps, batch);
    } catch (error) {
      deps.logger.error({ err: error, step }, 'a step of the tick failed; the next tick tries again');
    }
  }
}
