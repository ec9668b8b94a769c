import { type PeriodicLoop, runEach, startPeriodicLoop } from '@shopscope/async';
import type { Dependencies } from '../../operations/dependencies.ts';
import { deleteOldIndexes, ensureIndex, fillIndex } from '../../operations/fill-index.ts';
import { type EditionWatch, keepEditions } from '../../operations/open-edition.ts';

/** Keeps an edition open. A look fails -> the failure is logged, and callers use the earlier editions. */
export function startEditionLoop(deps: Dependencies, options: { intervalMs: number; onKept(): void }): PeriodicLoop {
  const watch: EditionWatch = { unreachableSinceMs: undefined };
  return startPeriodicLoop({
    intervalMs: options.intervalMs,
    immediate: true,
    async run() {
      await keepEditions(deps, watch);
      options.onKept();
    },
    onError: (error) => deps.logger.warn({ err: error }, 'the editions were not kept; the next look tries again'),
    clock: deps.clock,
  });
}

/** Fills indexes and deletes old ones. A step fails -> the failure is logged, and the next run continues. */
export const startFillLoop = (deps: Dependencies, intervalMs: number): PeriodicLoop =>
  startPeriodicLoop({
    intervalMs,
    immediate: true,
    run: (abort) =>
      runEach(
        {
          prepare: deps.states.prepare,
          ensureIndex: () => ensureIndex(deps),
          fillIndex: () => fillIndex(deps, abort),
          deleteOldIndexes: () => deleteOldIndexes(deps),
        },
        (step, error) => {
          if (!abort.aborted)
            deps.logger.warn({ err: error, step }, 'a step of the indexes failed; the next run continues');
        },
      ),
    onError: (error) => deps.logger.error({ err: error }, 'the indexes were not kept'),
    clock: deps.clock,
  });
