import { environments } from '@shopscope/environment';
import { deleteHiddenStores } from '../../operations/delete-hidden-stores.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';

/** The most stores of a deleted list that one run deletes. The next run continues. */
const maxBatchSize = 1_000;

/**
 * Runs the steps that depend only on time, in every environment.
 *
 * - Concurrency: every step is idempotent. Any number of instances may therefore tick at the same time, without a leader.
 * - A step fails -> the failure is logged. The other steps run, and the next tick retries.
 */
export async function tick(deps: EveryEnvironment): Promise<void> {
  for (const environment of environments) {
    const { logger } = deps[environment];
    try {
      if (environment === 'live') await deleteHiddenStores(deps.live, maxBatchSize);
      else await deleteHiddenStores(deps.test, maxBatchSize);
    } catch (error) {
      logger.error({ err: error, environment }, 'a step of the tick failed; the next tick tries again');
    }
  }
}
