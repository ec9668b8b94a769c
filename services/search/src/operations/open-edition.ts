import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { type Edition, endedEditions, isDue, latestOf, withEdition, withoutEditions } from '../domain/edition-state.ts';
import { mayTake } from '../domain/lease.ts';
import type { Dependencies } from './dependencies.ts';
import { servingIndex } from './fill-index.ts';
import { changeState, readState } from './shared-state.ts';

/** A refresh of a large index may take seconds. */
const leaseMs = 60_000;
/** A view that no state names lives this long. */
const firstKeepAlive = '2m';
const keepAlive = '24h';

type EditionDependencies = Pick<
  Dependencies,
  'instanceId' | 'clock' | 'states' | 'indexes' | 'pointsInTime' | 'logger' | 'metrics'
>;

/**
 * Looks at the editions: forgets the latest one if the engine has lost it, opens one if this is due, and ends old ones. All instances do so;
 * one of them opens an edition at a time.
 *
 * - The engine is not available -> rejects, and nothing changes.
 */
export async function keepEditions(deps: EditionDependencies): Promise<void> {
  const { editions } = await readState(deps, 'editions');
  const latest = editions.at(-1);
  if (latest && (await lostOf(deps, [latest])).length > 0) await forgetEditions(deps, await lostOf(deps, editions));
  await openIfDue(deps);
  await endEditions(deps);
  deps.metrics.latestEdition(latestOf(await readState(deps, 'editions')));
}

/**
 * Returns the editions that the engine has lost, and keeps the others longer. So the latest one is kept even if the instance that opened it
 * was killed before it did that. An edition of which a part does not answer while its whole index does is lost: the part was on a node that
 * is gone.
 */
async function lostOf(
  { pointsInTime, indexes }: EditionDependencies,
  editions: readonly Edition[],
): Promise<Edition[]> {
  const lost: Edition[] = [];
  for (const edition of editions) {
    try {
      if ((await pointsInTime.keep(edition.pointInTime, keepAlive)) === undefined) lost.push(edition);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      await indexes.count(edition.index);
      lost.push(edition);
    }
  }
  return lost;
}

export async function forgetEditions(
  { logger, ...deps }: Pick<Dependencies, 'states' | 'logger'>,
  lost: readonly Edition[],
): Promise<void> {
  if (lost.length === 0) return;
  logger.warn({ editions: lost.map(({ id }) => id) }, 'the engine has lost editions');
  await changeState(deps, 'editions', (state) => withoutEditions(state, lost));
}

/**
 * 1. Takes the right to open an edition. 2. Refreshes the index: everything acknowledged before is in the edition. 3. Opens a point in time
 * and counts its stores. 4. Stores the edition, from now on visible to all instances. 5. Keeps the point in time for a day.
 *
 * Killed after 1 -> another instance opens one when the lease has expired. Killed after 3 -> the engine drops the point in time after two
 * minutes. Killed after 4 -> the next look of any instance keeps the point in time.
 */
async function openIfDue(deps: EditionDependencies): Promise<void> {
  const { clock, indexes, pointsInTime } = deps;
  const index = await servingIndex(deps);
  const nowMs = clock.now();
  const stores = await indexes.count(index);
  if (!isDue(await readState(deps, 'editions'), index, { stores, nowMs })) return;
  const taken = await changeState(deps, 'editions', (state) => {
    if (!isDue(state, index, { stores, nowMs }) || !mayTake(state.opening, deps.instanceId, nowMs)) return undefined;
    return { ...state, opening: { holder: deps.instanceId, untilMs: nowMs + leaseMs } };
  });
  if (!taken) return;
  const builtAtMs = clock.now();
  await indexes.refresh(index);
  const pointInTime = await pointsInTime.open(index, firstKeepAlive);
  const inEdition = (await pointsInTime.keep(pointInTime, firstKeepAlive)) ?? 0;
  const edition = { id: newId('edn', builtAtMs), index, pointInTime, builtAtMs, stores: inEdition };
  const stored = await changeState(deps, 'editions', (state) => {
    if (latestOf(state)?.id === edition.id) return state;
    return state.opening?.holder === deps.instanceId ? withEdition(state, edition) : undefined;
  });
  if (!stored) return pointsInTime.close([pointInTime]);
  await pointsInTime.keep(pointInTime, keepAlive);
  deps.logger.info({ edition: edition.id, stores: edition.stores }, 'an edition is open');
}

/** The state is changed first, so that no caller is sent to an edition whose point in time is closed. */
async function endEditions(deps: EditionDependencies): Promise<void> {
  const nowMs = deps.clock.now();
  const ended = endedEditions(await readState(deps, 'editions'), nowMs);
  if (ended.length === 0) return;
  await changeState(deps, 'editions', (state) => withoutEditions(state, ended));
  await deps.pointsInTime.close(ended.map(({ pointInTime }) => pointInTime));
}
