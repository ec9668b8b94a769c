import { AppError } from '@shopscope/errors';
import type { Dependencies } from './dependencies.ts';
import { beginFill } from './fill-index.ts';
import { readState } from './shared-state.ts';

const lookMs = 2_000;

/**
 * Begins a new index and waits until the instances of the service have filled it. Updates go to both indexes meanwhile, and searches use the
 * present one.
 *
 * - The process is killed -> the instances continue. A second call gives the index up and begins another one.
 */
export async function reindex(
  deps: Pick<Dependencies, 'clock' | 'logger' | 'indexes' | 'states'>,
  abort: AbortSignal,
): Promise<void> {
  await deps.states.prepare();
  const name = await beginFill(deps, { onlyIfNeeded: false });
  for (;;) {
    const { serving, filling } = await readState(deps, 'indexes');
    if (serving?.name === name) return;
    if (!filling || filling.name !== name) throw new AppError('conflict', 'Another index was begun meanwhile.');
    const { written, total } = filling;
    deps.logger.info({ what: 'stores', done: written, total }, 'the index is filled');
    await deps.clock.sleep(lookMs, abort);
  }
}
